package import NewsCore
import Glibc

/// A transaction of a store. Its SQL must be valid on SQLite and on PostgreSQL.
///
/// Both databases accept parameters as `$1`, `$2`, …, upserts with `excluded`, `RETURNING`, `CAST` and `FILTER`.
/// PostgreSQL needs a cast for a parameter whose type it cannot infer: `CAST($1 AS text)`. To ignore case, fold a name
/// in Swift and compare it with `lower(name)`: beyond ASCII, the databases fold by different rules.
package protocol StoreSession: HookSession {
  associatedtype Row: StoreRow
  /// Runs a statement and reads its rows. A row is valid only within `read`.
  func rows<Value>(
    _ sql: String,
    values: [StoreValue],
    read: (Row) throws(StoreError) -> Value
  ) throws(StoreError) -> [Value]

  /// Runs a statement without reading rows. A store may send the statement together with the next one, which then
  /// throws the error of either.
  func run(_ sql: String, values: [StoreValue]) throws(StoreError)

  /// Returns SQL that is true if the left side is one of the integers in a parameter: `"sequence \(session.isOne(of:
  /// "$2"))"`.
  static func isOne(of parameter: String) -> String

  /// The functions that return the least and the greatest of their arguments.
  static var extremes: (least: String, greatest: String) { get }

  /// SQL for the length of a text or of bytes, in bytes, whatever it contains. `length` ends at a NUL in SQLite, and counts
  /// letters in PostgreSQL.
  static func byteCount(of column: String) -> String

  /// The columns of all tables. Where columns keep only values of their types, those of texts and bytes.
  func storedColumns() throws(StoreError) -> [StoredColumn]

  /// Returns a condition for which the database does not use an index, where its planner must be told.
  static func unindexed(_ condition: String) -> String

  /// True if the database's planner knows how many rows each condition selects. Otherwise newsd chooses the index.
  static var knowsSelectivity: Bool { get }

  /// How many seconds the clocks of the machines that write to the store may differ.
  static var clockDifference: Int64 { get }

  /// `ORDER BY` for `items AS i` in the order of lists, newest first.
  static var newestFirst: String { get }
  static var oldestFirst: String { get }
  /// The column of `items` by which the tables of tags and fingerprints refer to items.
  static var itemReference: String { get }
  /// Conditions on the time by which lists sort `items AS i`: at or after a time, and before a time.
  static func isSorted(since time: Timestamp) -> String
  static func isSorted(until time: Timestamp) -> String
  /// The time by which lists sort `items AS i`, in seconds.
  static var sortTime: String { get }
  /// The columns of `hub_subscriptions` that only a shared store has, `is_pending, last_contact, revision`, or constants.
  static var sharedHubColumns: String { get }

  /// Returns true if the store has this table or index. A store made by an earlier newsd lacks later ones until this
  /// newsd writes to it.
  func has(_ part: String) throws(StoreError) -> Bool

  /// Bytes of the store's pages that hold data, as far as the database knows.
  func usedBytes() throws(StoreError) -> Int64
  /// The same, at most some seconds old, for every batch of documents.
  func recentUsedBytes() throws(StoreError) -> Int64
  /// About the bytes of tombstones among the used bytes; with `isRecent`, at most some seconds old.
  func countedTombstones(isRecent: Bool) throws(StoreError) -> Int64
  /// The name of the store, for messages.
  var name: String { get }
  func feed(url: String) throws(StoreError) -> Feed?
  /// Reads the items that exist, by id, until they have `bytes` of text, at least one. `count` of the ids are read then.
  func items(
    _ ids: [Int64],
    parts: ItemParts,
    within bytes: Int
  ) throws(StoreError) -> (found: [Int64: ItemEntry], count: Int)
  /// The bytes of text of the first items, until they have `bytes` together. An item that does not exist has none.
  func textSizes(of ids: [Int64], within bytes: Int) throws(StoreError) -> [Int]
  /// How many of the first items a statement may read so that its rows have `bytes` of text in memory, at least one; all, if the
  /// store has one row in memory at a time.
  func fitting(_ ids: [Int64], _ bytes: Int) throws(StoreError) -> Int
  /// Removes items, in the order of lists from the oldest on, and writes a tombstone for each.
  func remove(items: [Int64]) throws(StoreError)
  /// Deletes what only removed items and this removed feed had.
  func forgetRemains(of feed: Feed.ID?) throws(StoreError)
  /// Merges a part of the index of words, so that the words of removed items take no room any more. Returns false if nothing is left
  /// to merge.
  func mergeWords() throws(StoreError) -> Bool
  /// SQL that is true for items older than `oldest`, and for those after the newest `kept` items of the feed.
  func isBeyond(_ oldest: Timestamp?, _ kept: Int?, of feed: Feed.ID) throws(StoreError) -> String
  func value(of counter: Counter) throws(StoreError) -> Int64
  /// Sets a counter to an SQL expression, which may contain the current value.
  func set(_ counter: Counter, to expression: (_ current: String) -> String) throws(StoreError)
  func totals() throws(StoreError) -> StreamTotals
  /// Makes the store assign ids above those in use, after the counters were raised.
  func raiseIDs() throws(StoreError)
  /// Adds to a counter and returns the new value.
  @discardableResult
  func add(_ amount: Int64, to counter: Counter) throws(StoreError) -> Int64
  func add(_ amounts: KeyValuePairs<Counter, Int64>) throws(StoreError)
  associatedtype Marker: StateMarker
  func makeMarker() throws(StoreError) -> Marker
  /// Replaces the words of an item's title and text in the index.
  func replaceWords(
    of id: NewsItem.ID,
    author: String,
    title: String,
    text: String,
    by new: (title: String, text: String)
  ) throws(StoreError)
  /// Returns items with ids greater than `after`, for an export.
  func exportedItems(after: Int64, through last: Int64, limit: Int) throws(StoreError) -> ExportPage
  /// Stores the items of a feed with the writer of this kind of store.
  func store(
    _ imported: ImportedFeed,
    appliesRules: Bool,
    at time: Timestamp
  ) throws(StoreError) -> ImportReport
  /// The reason why the last statement violated a constraint; nil if it failed for another reason.
  var violation: String? { get }
  /// Releases this process's exclusive right to send the entries of a delivery, if the store grants such rights.
  func release(_ entries: [HookEntry], of hook: String) throws(StoreError)
  /// Returns the time by the clock that all processes on the store share.
  func currentTime() throws(StoreError) -> Timestamp
  /// Notifies other processes, after the commit, that the change log has grown.
  func notify() throws(StoreError)
}

/// Changes item states inside a transaction and maintains the totals.
package protocol StateMarker {
  /// Marks an item. Does nothing if the item does not exist or already has the state.
  mutating func mark(_ id: NewsItem.ID, _ mark: ItemMark) throws(StoreError)
  /// Marks an item. If the item is now read, also marks the other items of its story.
  mutating func markStory(of id: NewsItem.ID, _ mark: ItemMark) throws(StoreError)
  /// Logs a change of an item's labels. `labels` are its new labels.
  mutating func note(_ id: NewsItem.ID, added labels: [String]) throws(StoreError)
  /// Updates the totals, which are wrong from the first mark until this call. Returns the elements of `ids` for which
  /// items exist.
  mutating func finish(checking ids: [NewsItem.ID]) throws(StoreError) -> Set<NewsItem.ID>
  /// The changes for which hooks can fire, complete after `finish`.
  var events: [ItemEvent] { get }
  /// The items whose marks have changed, in this order, complete after `finish`.
  var changed: [NewsItem.ID] { get }
}

extension StateMarker {
  package mutating func finish() throws(StoreError) { _ = try finish(checking: []) }
}

/// Numbers that a store keeps: the last number assigned of each kind, and totals. The names are used in exports.
package enum Counter: String, CaseIterable, Sendable {
  case feed, item, sequence, items, unread, starred
  /// Incremented when the scheduler must reload the list of feeds.
  case feedList

  /// A number that a store never reaches. Larger ones are from damage or from another program.
  package static let bound: Int64 = 1 << 62

  /// Clamps a number read from the store to a range in which additions cannot overflow.
  package static func clamped(_ value: Int64) -> Int64 { min(max(value, 0), bound) }

  /// SQL that is true for a number that a store can have assigned.
  static func isPossible(_ sql: String) -> String { "\(sql) BETWEEN 0 AND \(bound - 1)" }

  /// Returns the last number assigned in the store with this name. Throws `corrupt` if no number can follow it.
  package func checked(_ value: Int64, in store: String) throws(StoreError) -> Int64 {
    guard (-Self.bound..<Self.bound).contains(value) else {
      throw StoreError(
        code: .corrupt,
        message: "the store \(store) is damaged: its table 'counters' has \(value) as '\(rawValue)'; "
          + "run 'newsd check --repair'"
      )
    }
    return value
  }
}

extension Counter {
  /// How many numbers are skipped when the content of a store becomes that of another: more than a store assigns between two
  /// backups. 0 if no other program keeps the counter's numbers.
  package var gap: Int64 {
    switch self {
    case .sequence, .item: 1 << 20
    case .feed: 1000
    default: 0
    }
  }

  /// SQL for the counter after skipping. A counter near the largest number stays, because it must not overflow.
  package func skipping(_ current: String) -> String {
    "CASE WHEN \(current) < \(Int64.max / 2) THEN \(current) + \(gap) ELSE \(current) END"
  }
}

extension StoreSession {
  /// Skips the numbers that may have been assigned after the store's content was copied from another one. Other programs know
  /// them as ids, as cursors, and from the keys of deliveries, by which receivers recognize repetitions.
  package func skipNumbers() throws(StoreError) {
    for counter in Counter.allCases where counter.gap > 0 { try set(counter, to: counter.skipping) }
    try raiseIDs()
  }
}

extension TableStore {
  package func noteRestore() async throws(StoreError) -> String {
    let last = try await transaction { (session) throws(StoreError) in
      try session.skipNumbers()
      return try session.value(of: .sequence)
    }
    return "the change log continues after number \(last); ids of items and feeds were skipped, too"
  }
}

/// A store whose tables are read and written by the SQL in this folder.
package protocol TableStore: StorePorts {
  associatedtype Session: StoreSession
  /// Runs `body` in one snapshot.
  func snapshot<Result: Sendable>(
    _ body: @Sendable (Session) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result
  /// The same for a body that takes milliseconds in any store. Where stores share connections, it does not wait for longer ones.
  func shortSnapshot<Result: Sendable>(
    _ body: @Sendable (Session) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result
  /// Runs `body` in one write transaction, which excludes all others. `body` may run again if a connection breaks.
  func transaction<Result: Sendable>(
    _ body: @Sendable (Session) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result
  /// Runs `body` in one write transaction that changes neither items nor feeds. Where the store allows it, other
  /// transactions write at the same time.
  func sideTransaction<Result: Sendable>(
    _ body: @Sendable (Session) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result
  /// Runs `walk`, which reads the store in portions. A store on a server reads all of them in one snapshot. In a file, a snapshot
  /// would keep the write-ahead log from being shortened, so each portion has its own.
  func readInPortions(_ walk: (PortionReading<Session>) async throws -> Void) async throws
  /// True if no other process sends the requests to hubs.
  func mayResumePolling(_ session: Session) throws(StoreError) -> Bool
  /// The highest id below which no item can still appear; nil if ids appear in order.
  func settledID() async throws(StoreError) -> Int64?
  /// Maximum number of items of a removed feed that one transaction removes.
  static var removedItems: Int { get }
  /// Pauses between the transactions of a long change, if other processes could otherwise not write.
  func letOthersWrite()
}

extension TableStore {
  package func letOthersWrite() {}

  package func settledID() async throws(StoreError) -> Int64? { nil }

  package func mayResumePolling(_ session: Session) throws(StoreError) -> Bool { true }

  package func shortSnapshot<Result: Sendable>(
    _ body: @Sendable (Session) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    try await snapshot(body)
  }

  package func sideTransaction<Result: Sendable>(
    _ body: @Sendable (Session) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    try await transaction(body)
  }
}

extension StoreSession {
  package func rows<Value>(
    _ sql: String,
    _ values: any StoreValueConvertible...,
    read: (Row) throws(StoreError) -> Value
  ) throws(StoreError) -> [Value] {
    try rows(sql, values: values.map(\.storeValue), read: read)
  }

  /// Runs a statement and reads its first row; nil if there is none.
  package func first<Value>(
    _ sql: String,
    _ values: any StoreValueConvertible...,
    read: (Row) throws(StoreError) -> Value
  ) throws(StoreError) -> Value? {
    try rows(sql, values: values.map(\.storeValue), read: read).first
  }

  /// Runs a statement and passes each row to `body`, which keeps what it needs: for tables with a row per feed or item.
  package func forEachRow(
    _ sql: String,
    _ values: any StoreValueConvertible...,
    body: (Row) throws(StoreError) -> Void
  ) throws(StoreError) {
    _ = try rows(sql, values: values.map(\.storeValue), read: body)
  }

  /// Returns the first column of the first row as an integer; nil for NULL or if there is no row.
  package func number(_ sql: String, _ values: any StoreValueConvertible...) throws(StoreError) -> Int64? {
    try rows(sql, values: values.map(\.storeValue)) { $0.optionalInt64(0) }.first ?? nil
  }

  package func run(_ sql: String, _ values: any StoreValueConvertible...) throws(StoreError) {
    try run(sql, values: values.map(\.storeValue))
  }

  package func run(_ sql: String, values: [StoreValue]) throws(StoreError) {
    _ = try rows(sql, values: values) { _ in }
  }

  /// Runs a statement and returns its number of rows, for changes with `RETURNING 1`.
  package func count(_ sql: String, _ values: any StoreValueConvertible...) throws(StoreError) -> Int {
    try rows(sql, values: values.map(\.storeValue)) { _ in }.count
  }

  /// Returns the last number assigned of a kind, to assign further ones.
  package func lastNumber(_ counter: Counter) throws(StoreError) -> Int64 {
    try counter.checked(try value(of: counter), in: name)
  }

  /// Reads the items that exist, by id.
  package func items(_ ids: [Int64], parts: ItemParts) throws(StoreError) -> [Int64: ItemEntry] {
    try items(ids, parts: parts, within: .max).found
  }

  package func fitting(_ ids: [Int64], _ bytes: Int) throws(StoreError) -> Int { ids.count }

  package func has(_ part: String) throws(StoreError) -> Bool { true }

  package static func unindexed(_ condition: String) -> String { condition }

  package static var knowsSelectivity: Bool { true }

  package static var clockDifference: Int64 { 0 }

  package func forgetRemains(of feed: Feed.ID?) throws(StoreError) {}

  package func mergeWords() throws(StoreError) -> Bool { false }

  package func totals() throws(StoreError) -> StreamTotals {
    StreamTotals(
      items: Int(try value(of: .items)),
      unread: Int(try value(of: .unread)),
      starred: Int(try value(of: .starred))
    )
  }

  package func release(_ entries: [HookEntry], of hook: String) throws(StoreError) {}

  package func currentTime() throws(StoreError) -> Timestamp { Timestamp(seconds: Int64(time(nil))) }

  package func notify() throws(StoreError) {}

  package func raiseIDs() throws(StoreError) {}
}

/// Reads a portion of a store.
package typealias PortionReading<Session> =
  @Sendable (
    _ read: @Sendable (Session) throws(StoreError) -> ExportPage
  ) async throws(StoreError) -> ExportPage
