/// Everything the store holds as JSON Lines, and back.
public protocol StoreExporting: Sendable {
  /// Hands over whole lines, several at a time: feeds, settings, fetch states, items with versions and states, rules, saved and
  /// recent searches, tombstones, and a last line with the number of items. Items that are stored meanwhile are left out.
  /// No view of the store is kept open while `consume` runs, which may throw to stop.
  func exportAll(_ consume: @Sendable ([UInt8]) throws -> Void) async throws
  /// Reads what `exportAll` wrote into a store that holds no feeds and no items; ids and sequence numbers are kept, so
  /// that exporting again gives the same bytes. All or nothing. `line` gives the next line, nil at the end.
  /// Throws `badQuery` for lines that cannot be read, naming the first.
  func importAll(
    _ trust: ImportTrust,
    _ line: @Sendable () throws -> [UInt8]?
  ) async throws -> ImportReport
}

/// Whose export it is.
public enum ImportTrust: Sendable {
  /// The user's own: everything is kept, programs (`exec:`) are run as where it was written.
  case trusted
  /// Anybody's: settings follow the rules of an untrusted list, items are cleaned, and control characters in addresses
  /// and protocol fields are refused. Programs and files are kept but not read.
  case untrusted(any ItemCleaning, SettingsCheck)
}

/// Makes items from outside safe to show.
public protocol ItemCleaning: Sendable {
  /// Sanitises `contentHTML`; resolves relative URLs and removes those with a dangerous scheme. `contentText` is kept.
  ///
  /// - Parameters:
  ///   - item: An item as found.
  ///   - base: What URLs are relative to where the item has no URL of its own.
  /// - Returns: The item, safe to show.
  func cleaned(_ item: ParsedItem, base: String?) -> ParsedItem
}

/// An item from another program, with what its reader did to it.
public struct ImportedItem: Hashable, Sendable {
  /// HTML is as found: sanitise it, and extract its text, before storing it.
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

/// The number of rows that an import added.
public struct ImportReport: Hashable, Sendable {
  public var feeds: Int
  public var items: Int
  /// Items that were there already; only their state was taken over where it says more (read, starred).
  public var known: Int
  /// Items that were there and are another text now.
  public var updated: Int
  /// URLs of programs and files that were imported and will not be read here.
  public var untrusted: [String] = []
  /// URLs of feeds whose settings were not all taken over, because the export is not trusted.
  public var stripped: [String] = []

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
  /// The same for items that arrive now: rules apply to them, and known items take the new text.
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
  /// the importer must leave it out.
  func feeds(inNewsboatCache path: String) throws(StoreError) -> [ImportedFeed]
}
