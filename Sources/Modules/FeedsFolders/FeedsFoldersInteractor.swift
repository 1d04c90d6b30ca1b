public import NewsCore
import NewsToolbox

/// Lists the folders, including their parent folders.
public struct FeedsFoldersInteractor: Interactor {
  private let feeds: any FeedKeeping

  public init(feeds: any FeedKeeping) { self.feeds = feeds }

  public func respond(to request: Void, emit: @escaping Emit<RecordList<FolderSummary>>) async throws {
    try emit(FeedsFoldersPresenter().present(try await feeds.feeds()))
  }
}

/// Sums the counts of feeds by folder. Folders are ordered by name; feeds without a folder come last.
struct FeedsFoldersPresenter {
  func present(_ feeds: [Feed]) -> Container<RecordList<FolderSummary>> {
    let (named, unfiled) = FolderSummary.all(of: feeds)
    let all = unfiled.feeds > 0 ? named + [unfiled] : named
    let counts = all.map { "\($0.unread)/\($0.items)" }
    let width = counts.map(\.utf8.count).max() ?? 0
    let lines = zip(all, counts).map { folder, count in
      let feeds = Plural.of(folder.feeds, "feed")
      return RecordLine(
        folder,
        "\(count.leftPadded(to: width))  \(folder.name ?? "(no folder)")  \(feeds)"
      )
    }
    return .list(lines, nothing: HeadlinePresenter.noFeeds)
  }
}

/// A folder with its counts, subfolders included.
public struct FolderSummary: Hashable, Sendable {
  /// The folder's name; nil: the counts are those of the feeds without a folder.
  public var name: String?
  public var feeds = 0
  public var unread = 0
  public var items = 0

  /// The folders and their parents by name, and the feeds without a folder.
  static func all(of feeds: [Feed]) -> (named: [FolderSummary], unfiled: FolderSummary) {
    var folders: [String: FolderSummary] = [:]
    var unfiled = FolderSummary()
    for feed in feeds {
      guard let folder = feed.folder else {
        unfiled.add(feed)
        continue
      }
      for name in FolderPath.chain(of: folder) {
        folders[name, default: FolderSummary(name: name)].add(feed)
      }
    }
    return (folders.values.sorted { ($0.name ?? "") < ($1.name ?? "") }, unfiled)
  }

  private mutating func add(_ feed: Feed) {
    feeds += 1
    unread += feed.unreadCount
    items += feed.itemCount
  }
}
