/// Folders with their counts, by name; feeds without a folder come last.
public struct FoldersViewModel: RecordListContent {
  public typealias Record = FolderSummary

  public var lines: [RecordLine<FolderSummary>]
  public var nothing: DisplayText? { HeadlinePresenter.noFeeds }
  public var rowCount: Int { lines.count }
}

/// A folder with its counts, subfolders included.
public struct FolderSummary: Hashable, Sendable {
  /// The folder's name; nil: the counts are those of the feeds without a folder.
  public var name: String?
  public var feeds = 0
  public var unread = 0
  public var items = 0
}
