/// Everything the store holds as JSON Lines, and back.
public protocol StoreExporting: Sendable {
  /// Hands over whole lines, several at a time, from one consistent view: feeds, settings, fetch states, items with
  /// versions and states, rules, saved and recent searches, tombstones. `consume` may throw to stop.
  func exportAll(_ consume: @Sendable ([UInt8]) throws -> Void) async throws
  /// Reads what `exportAll` wrote into a store that holds no feeds and no items; ids and sequence numbers are kept, so
  /// that exporting again gives the same bytes. All or nothing. `line` gives the next line, nil at the end.
  /// Programs that are subscribed to (`exec:`) are run only where they were typed, unless they are trusted here, too.
  /// Throws `badQuery` for lines that cannot be read, naming the first.
  func importAll(
    trustingPrograms: Bool,
    _ line: @Sendable () throws -> [UInt8]?
  ) async throws -> ImportReport
}

/// An item from another program, with what its reader did to it.
public struct ImportedItem: Hashable, Sendable {
  /// HTML is as found: whoever stores it must have it sanitised, and its text taken, before.
  public var item: ParsedItem
  public var isRead: Bool
  public var isStarred: Bool
  /// The reader has removed it: it is not stored, and does not come back.
  public var isRemoved: Bool
  /// Tags that the reader gave.
  public var tags: [String]
  /// When it was stored there; nil: not known.
  public var stored: Timestamp?

  public init(
    item: ParsedItem,
    isRead: Bool = false,
    isStarred: Bool = false,
    isRemoved: Bool = false,
    tags: [String] = [],
    stored: Timestamp? = nil
  ) {
    self.item = item
    self.isRemoved = isRemoved
    self.isRead = isRead
    self.isStarred = isStarred
    self.tags = tags
    self.stored = stored
  }
}

/// A subscription from another program.
public struct ImportedFeed: Hashable, Sendable {
  public var feed: NewFeed
  /// Newest first.
  public var items: [ImportedItem]

  public init(feed: NewFeed, items: [ImportedItem] = []) {
    self.feed = feed
    self.items = items
  }
}

/// What an import added.
public struct ImportReport: Hashable, Sendable {
  public var feeds: Int
  public var items: Int
  /// Items that were there already; only their state was taken over where it says more (read, starred).
  public var known: Int
  /// Items that were there and are another text now.
  public var updated: Int
  /// Addresses of programs that came along and are not run here.
  public var untrusted: [String] = []

  public init(feeds: Int = 0, items: Int = 0, known: Int = 0, updated: Int = 0) {
    self.feeds = feeds
    self.items = items
    self.known = known
    self.updated = updated
  }
}

/// Storing what other programs kept.
public protocol ItemImporting: Sendable {
  /// Adds feeds that are not there yet, and items that their feed does not have yet. Rules are not applied: what another
  /// reader kept stays.
  func importFeeds(_ feeds: [ImportedFeed], at time: Timestamp) async throws(StoreError) -> ImportReport
  /// The same for items that arrive now: rules are applied to them, and those that are there already take the new text.
  func takeIn(_ feeds: [ImportedFeed], at time: Timestamp) async throws(StoreError) -> ImportReport
}

extension ItemImporting {
  public func takeIn(_ feeds: [ImportedFeed], at time: Timestamp) async throws(StoreError) -> ImportReport {
    try await importFeeds(feeds, at: time)
  }
}

/// Reading newsboat's `cache.db`.
public protocol NewsboatCacheReading: Sendable {
  /// Feeds with their items, read states and flags; the file is not changed. Flagged items are starred and carry each
  /// flag as a tag `flag-x`; deleted ones say so. Also what is no feed on the web (`query:`, `exec:`, `filter:`, files):
  /// whoever imports must leave it out.
  func feeds(inNewsboatCache path: String) throws(StoreError) -> [ImportedFeed]
}
