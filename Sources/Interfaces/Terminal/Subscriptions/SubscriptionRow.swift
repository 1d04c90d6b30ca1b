import Modules
import NewsCore

/// A row of the subscriptions.
enum SubscriptionRow: Hashable, Sendable {
  case all(unread: Int, items: Int)
  case starred
  case search(SavedSearch)
  case folder(FolderSummary, isFolded: Bool)
  /// The index of a feed in the view model.
  case feed(Int, id: Feed.ID, depth: Int)

  /// Identifies the row when the list is read again.
  var key: String {
    switch self {
    case .all: "all"
    case .starred: "starred"
    case .search(let search): "search \(search.name)"
    case .folder(let folder, _): "folder \(folder.name ?? "")"
    case .feed(_, let id, _): Self.key(of: id)
    }
  }

  static func key(of feed: Feed.ID) -> String { "feed \(feed.rawValue)" }

  /// The rows of the subscriptions: all items, starred items and saved searches; folders with their content;
  /// feeds without a folder.
  static func rows(
    of content: SubscriptionsViewModel,
    folded: Set<String>,
    onlyUnread: Bool
  ) -> [SubscriptionRow] {
    let unread = content.lines.reduce(0) { $0 + $1.unread }
    let items = content.lines.reduce(0) { $0 + $1.items }
    var rows: [SubscriptionRow] = [.all(unread: unread, items: items), .starred]
    rows += content.saved.map { .search($0) }
    func feeds(in folder: String?, depth: Int) -> [SubscriptionRow] {
      content.lines.enumerated().compactMap { index, feed in
        guard feed.folderPath.map(Self.path) == folder, !onlyUnread || feed.unread > 0 else { return nil }
        return .feed(index, id: feed.id, depth: depth)
      }
    }
    for folder in content.folders where !onlyUnread || folder.unread > 0 {
      guard let name = folder.name, !isInside(name, folded) else { continue }
      let isFolded = folded.contains(name)
      rows.append(.folder(folder, isFolded: isFolded))
      if !isFolded { rows += feeds(in: name, depth: depth(of: name) + 1) }
    }
    return rows + feeds(in: nil, depth: 0)
  }

  private static func path(_ folder: String) -> String {
    folder.utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
      .joined(separator: "/")
  }

  static func depth(of folder: String) -> Int { folder.utf8.count { $0 == UInt8(ascii: "/") } }

  /// True if a folder above it is collapsed.
  private static func isInside(_ folder: String, _ folded: Set<String>) -> Bool {
    let bytes = Array(folder.utf8)
    return bytes.indices.contains { index in
      bytes[index] == UInt8(ascii: "/") && folded.contains(String(decoding: bytes[..<index], as: UTF8.self))
    }
  }
}
