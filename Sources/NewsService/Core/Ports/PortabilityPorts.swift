/// Exports the whole store as JSON Lines, and imports it.
public protocol StoreExporting: Sendable {
  /// Passes whole lines to `consume`, several at a time: counters, feeds with settings and fetch states,
  /// folders, searches, rules, tombstones, hooks with their outbox, items with versions, states, articles and
  /// labels, and a last line with the number of items. Credentials, sessions and subscriptions at hubs are
  /// not included, nor are items stored meanwhile. A store in a file has no read transaction open while `consume` runs; one on a server is
  /// read in one snapshot. `consume` may throw to stop.
  func exportAll(_ consume: @Sendable ([UInt8]) throws -> Void) async throws
  /// Imports the output of `exportAll` into a store without feeds and items. All or nothing; but a store on a server
  /// commits large portions. If such an import is interrupted, the store refuses every use except the same import,
  /// which continues. Ids and sequence numbers are kept, so that a new export of a trusted import differs only in the
  /// counters: the next numbers are skipped, because the exported store may have assigned them since. `line` returns the next
  /// line, nil at the end. Throws `unreadable` if the store is not empty, `badQuery` for unreadable lines, naming the
  /// first.
  func importAll(
    _ trust: ImportTrust,
    _ line: @Sendable () throws -> [UInt8]?
  ) async throws -> ImportReport
  /// Returns the secrets and app passwords, which an export omits, for `newsd copy`. Sessions and leases are not copied.
  func sideRows() async throws(StoreError) -> SideRows
}

/// How far an import trusts its input.
public enum ImportTrust: Sendable {
  /// The user's own export: everything is kept, and `exec:` programs run as they did in the original store.
  case trusted
  /// The content of a store that is moved: trusted. The credentials, which an export omits, are stored with the last lines.
  case moved(SideRows)
  /// An export of unknown origin: settings are restricted like those of an untrusted list, items are sanitized, control
  /// characters in addresses and protocol fields are rejected. `exec:` and `file:` feeds are stored but not read.
  case untrusted(any ItemCleaning, SettingsCheck)
}

/// Makes untrusted items safe to display.
public protocol ItemCleaning: Sendable {
  /// Sanitizes `contentHTML`; resolves relative URLs and removes those with a dangerous scheme. `contentText`
  /// is kept. `base` is the base of relative URLs if the item has no URL of its own.
  func cleaned(_ item: ParsedItem, base: String?) -> ParsedItem
  /// Does the same as `cleaned`, and derives `contentText` from the HTML.
  func cleanedWithText(_ item: ParsedItem, base: String?) -> ParsedItem
}

/// Counts of what an import added or changed.
public struct ImportReport: Hashable, Sendable {
  public var feeds: Int
  public var items: Int
  /// Items that were stored already; they only gain the imported read and starred marks.
  public var unchanged: Int
  /// Stored items whose text changed.
  public var updated: Int
  /// URLs of `exec:` and `file:` feeds that were imported but will not be read.
  public var untrusted: [String] = []
  /// URLs of feeds that lost some settings because the export is untrusted.
  public var stripped: [String] = []
  /// Rules that were skipped because the export is untrusted.
  public var rulesLeftOut = 0
  /// Pending deliveries of hooks that were skipped because the export is untrusted.
  public var deliveriesLeftOut = 0

  public init(feeds: Int = 0, items: Int = 0, unchanged: Int = 0, updated: Int = 0) {
    self.feeds = feeds
    self.items = items
    self.unchanged = unchanged
    self.updated = updated
  }
}

/// Keeps where imports are, so that an interrupted one can continue and the page can tell of it.
public protocol ImportPlaceKeeping: Sendable {
  /// Returns what was kept for the import of a source; nil: nothing.
  func importPlace(of source: String) async throws(StoreError) -> String?
  /// Replaces what is kept for a source. Returns false, and changes nothing, if that is not `old`; nil: nothing.
  func replaceImportPlace(_ old: String?, by new: String?, of source: String) async throws(StoreError) -> Bool
}

/// Reads a file or standard input line by line: an export may be larger than memory.
public protocol LineReading: Sendable {
  /// The path at which the file can be opened once more; nil: standard input or bytes in memory.
  var path: String? { get }
  /// Consumes and returns the next line without its line feed; nil after the last.
  func nextLine() throws(FileError) -> [UInt8]?
  /// Returns the next line without consuming it.
  func peekLine() throws(FileError) -> [UInt8]?
  /// Consumes and returns all unread bytes. Throws `badData` if there are more than `limit`, for a file before it is read.
  func rest(atMost limit: Int) throws(FileError) -> [UInt8]
}

/// Reads items that other programs or other stores keep; their HTML and URLs are sanitized.
public protocol ForeignItemReading: Sendable {
  /// Reads the feeds of another reader's SQLite database with items, states and labels; the file is not changed. Items
  /// that newsboat has flagged are starred and get a tag `flag-x` per flag; deleted items have `isRemoved`. The result
  /// includes entries that are not web feeds (`query:`, `exec:`, `filter:`, files), which the importer must skip.
  func feeds(inDatabase path: String) throws(StoreError) -> [ImportedFeed]
  /// Reads the bytes of such a database. `name` is for messages.
  func feeds(inDatabaseBytes bytes: [UInt8], name: String) throws(StoreError) -> [ImportedFeed]
  /// Reads another reader's file: JSON in the form of Google Reader's API, articles of tt-rss, or a ZIP archive of such
  /// files and lists of subscriptions. Returns nil for other bytes, such as a database.
  func documents(in bytes: [UInt8]) throws(FileError) -> ForeignDocuments?
  /// True if a change log (`newsd changes --format jsonl`) may begin with this line.
  func isChangeLog(_ line: [UInt8]) -> Bool
  /// Reads the feeds and items of a change log. Throws `badQuery` for a line that is not an entry.
  func feeds(inChanges bytes: [UInt8]) throws(StoreError) -> [ImportedFeed]
  /// Reads the items of an sfeed file; returns nil if the bytes are not an sfeed file.
  func items(inTable bytes: [UInt8]) -> [ImportedItem]?
}

/// Reads items that programs write: one per line, or an array of JSON objects.
public protocol ItemLineDecoding: Sendable {
  /// Reads the item of one line: a JSON object with the keys of JSON Feed or of newsd's own `jsonl`, or the fields of
  /// sfeed(5). HTML is sanitized and `contentText` filled.
  ///
  /// Throws `notAFeed`, with the reason, for a line that is not an item.
  func item(ofLine line: ArraySlice<UInt8>) throws(FeedParseError) -> ImportedItem

  /// Reads the items of an array of JSON objects, as `newsd list --format json` prints it. Skips elements that are not
  /// objects. Returns nil if the bytes do not begin with `[`. Throws `notAFeed` for invalid JSON.
  func items(ofArray bytes: ArraySlice<UInt8>) throws(FeedParseError) -> [ImportedItem]?

  /// Recognizes the shape of an input that begins with `start`; returns nil if `start` is too short to tell.
  func shape(of start: ArraySlice<UInt8>) -> ItemInputShape?
}

/// How an input arranges its items.
public enum ItemInputShape: Hashable, Sendable {
  /// One item per line.
  case lines
  /// One document (a feed, or an array of JSON objects), which can be parsed only when it is complete.
  case document
}
