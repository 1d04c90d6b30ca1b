public import NewsCore

/// A folder with what is in it and below it.
public struct FolderSummary: Hashable, Sendable {
  /// Nil: the feeds without a folder.
  public var name: String?
  public var feeds = 0
  public var unread = 0
  public var items = 0
}

/// Folders with their counts, by name; feeds without a folder come last.
public struct FoldersViewModel: RecordListContent {
  public typealias Record = FolderSummary

  public var lines: [RecordLine<FolderSummary>]
  public var rowCount: Int { lines.count }
}

/// Lists the folders.
public struct FoldersInteractor: Sendable {
  private let feeds: any FeedReading
  private let presenter = FoldersPresenter()

  public init(feeds: any FeedReading) {
    self.feeds = feeds
  }

  /// Emits the folders and their parents.
  ///
  /// - Throws: What `emit` throws.
  public func list(emit: Emit<FoldersViewModel>) async throws {
    try emit(await .loaded { () async throws(StoreError) in presenter.present(try await feeds.feeds()) })
  }
}

/// Adds feeds up by folder.
struct FoldersPresenter: Sendable {
  func present(_ feeds: [Feed]) -> FoldersViewModel {
    var folders: [String: FolderSummary] = [:]
    var unfiled = FolderSummary()
    for feed in feeds {
      guard let folder = feed.folder else {
        unfiled.add(feed)
        continue
      }
      let parts = folder.split(separator: "/")
      for count in parts.indices {
        let name = parts[...count].joined(separator: "/")
        folders[name, default: FolderSummary(name: name)].add(feed)
      }
    }
    let sorted = folders.values.sorted { ($0.name ?? "") < ($1.name ?? "") }
    let all = unfiled.feeds > 0 ? sorted + [unfiled] : sorted
    let counts = all.map { "\($0.unread)/\($0.items)" }
    let width = counts.map(\.utf8.count).max() ?? 0
    return FoldersViewModel(
      lines: zip(all, counts).map { folder, count in
        let gap = String(repeating: " ", count: width - count.utf8.count)
        let feeds = "\(folder.feeds) feed\(folder.feeds == 1 ? "" : "s")"
        return RecordLine(
          record: folder,
          text: DisplayText(line: "\(gap)\(count)  \(folder.name ?? "(no folder)")  \(feeds)")
        )
      }
    )
  }
}

extension FolderSummary {
  fileprivate mutating func add(_ feed: Feed) {
    feeds += 1
    unread += feed.unreadCount
    items += feed.itemCount
  }
}
