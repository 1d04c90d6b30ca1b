public import NewsCore

/// The subscriptions, folders and labels at one moment, for looking up the names that a sync client uses.
public struct SyncCatalog: Sendable {
  /// All subscriptions, in the user's order.
  public let feeds: [Feed]
  /// Names of folders that have feeds, in the order of their first feeds. Sync protocols have no nested
  /// folders, so `News/Japan` is a separate folder.
  public let folders: [String]
  public let labels: [ItemLabel]

  public init(feeds: [Feed], labels: [ItemLabel]) {
    self.feeds = feeds
    self.labels = labels
    var seen = Set<String>()
    folders = feeds.compactMap(\.folder).filter { seen.insert($0).inserted }
  }

  public func feed(_ id: Feed.ID) -> Feed? { feeds.first { $0.id == id } }

  /// Returns the feed with this URL. Clients see URLs without passwords, so a URL without its password matches too.
  public func feed(url: String) -> Feed? {
    feeds.first { $0.url == url } ?? feeds.first { WebAddress.redacted($0.url) == url }
  }

  public func feeds(in folder: String) -> [Feed] { feeds.filter { $0.folder == folder } }

  /// Returns the stream of a folder's feeds, or of the items with a label; nil if neither exists. A folder takes
  /// precedence over a label of the same name.
  public func stream(folderOrLabel name: String) -> ItemStream? {
    let members = feeds(in: name)
    if !members.isEmpty { return .feeds(members.map(\.id)) }
    return labels.contains { $0.name == name } ? .label(name) : nil
  }
}
