import NewsCore
import NewsToolbox

/// Sums the counts of feeds by folder.
struct FoldersPresenter: Presenting {
  typealias ViewModel = FoldersViewModel

  func present(_ feeds: [Feed]) -> Container<FoldersViewModel> {
    let (named, unfiled) = FolderSummary.all(of: feeds)
    let all = unfiled.feeds > 0 ? named + [unfiled] : named
    let counts = all.map { "\($0.unread)/\($0.items)" }
    let width = counts.map(\.utf8.count).max() ?? 0
    let lines = zip(all, counts).map { folder, count in
      let feeds = Plural.of(folder.feeds, "feed")
      return RecordLine(
        record: folder,
        text: DisplayText(line: "\(count.leftPadded(to: width))  \(folder.name ?? "(no folder)")  \(feeds)")
      )
    }
    return .ready(FoldersViewModel(lines: lines))
  }
}

extension FolderSummary {
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

  fileprivate mutating func add(_ feed: Feed) {
    feeds += 1
    unread += feed.unreadCount
    items += feed.itemCount
  }
}
