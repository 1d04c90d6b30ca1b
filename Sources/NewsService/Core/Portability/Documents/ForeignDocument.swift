/// Subscriptions and items in one document of another reader.
public struct ForeignDocument: Hashable, Sendable {
  /// Each feed once, with its items in the order of the document.
  public private(set) var feeds: [ImportedFeed] = []
  /// Number of items whose feed the document does not name.
  public var withoutFeed = 0
  /// Place of a feed in `feeds`, by URL.
  private var places: [String: Int] = [:]

  public init() {}

  /// Adds a feed; if the document has it already, keeps that.
  public mutating func add(_ feed: NewFeed) {
    guard places[feed.url] == nil else { return }
    places[feed.url] = feeds.count
    feeds.append(ImportedFeed(feed: feed))
  }

  public mutating func add(_ item: ImportedItem, to feed: NewFeed) {
    if places[feed.url] == nil { add(feed) }
    if let place = places[feed.url] { feeds[place].items.append(item) }
  }

  /// Applies `change` to each feed.
  public mutating func changeFeeds(_ change: (inout ImportedFeed) -> Void) {
    for index in feeds.indices { change(&feeds[index]) }
  }
}

/// The documents in a file of another reader, which are read one after the other: an archive may have many.
public struct ForeignDocuments: Sendable {
  public var count: Int
  /// Reads the document with a number below `count`. Its HTML and URLs are sanitized.
  public var read: @Sendable (Int) throws(FileError) -> ForeignDocument

  public init(count: Int, read: @escaping @Sendable (Int) throws(FileError) -> ForeignDocument) {
    self.count = count
    self.read = read
  }
}
