package import NewsCore
import Glibc
import NewsToolbox

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

  /// `ORDER BY` for `items AS i` in the order of lists, newest first.
  static var newestFirst: String { get }

  /// Returns true if the store has this table or index. A store made by an earlier newsd lacks later ones until this
  /// newsd writes to it.
  func has(_ part: String) throws(StoreError) -> Bool

  func feed(url: String) throws(StoreError) -> Feed?
  func value(of counter: Counter) throws(StoreError) -> Int64
  /// Adds to a counter and returns the new value.
  @discardableResult
  func add(_ amount: Int64, to counter: Counter) throws(StoreError) -> Int64
  func add(_ amounts: KeyValuePairs<Counter, Int64>) throws(StoreError)
  associatedtype Marker: StateMarker
  func makeMarker() throws(StoreError) -> Marker
  /// Replaces the words of an item's text in the index.
  func replaceWords(
    of id: NewsItem.ID,
    title: String,
    author: String,
    text: String,
    by newText: String
  ) throws(StoreError)
  /// Returns items with ids greater than `after`, for an export.
  func exportedItems(after: Int64, through last: Int64, limit: Int) throws(StoreError) -> ExportPage
  /// Stores the items of a feed with the writer of this kind of store.
  func store(
    _ imported: ImportedFeed,
    appliesRules: Bool,
    at time: Timestamp
  ) throws(StoreError) -> ImportReport
  /// Releases this process's exclusive right to send the entries of a delivery, if the store grants such rights.
  func release(_ entries: [HookEntry], of hook: String) throws(StoreError)
  /// Returns the time by the clock that all processes on the store share.
  func currentTime() throws(StoreError) -> Timestamp
  /// Notifies other processes, after the commit, that the change log has grown.
  func notify() throws(StoreError)
}

/// Numbers that a store keeps: the last number assigned of each kind, and totals. The names are used in exports.
package enum Counter: String, CaseIterable, Sendable {
  case feed, item, sequence, items, unread, starred
  /// Incremented when the scheduler must reload the list of feeds.
  case feedList

  /// Clamps a number read from the store to a range in which additions cannot overflow: another program may have written
  /// anything.
  package static func clamped(_ value: Int64) -> Int64 { min(max(value, 0), 1 << 62) }
}

/// A store whose tables are read and written by the SQL in this folder.
package protocol TableStore: Sendable {
  associatedtype Session: StoreSession
  /// Runs `body` in one snapshot.
  func snapshot<Result: Sendable>(
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
  /// Pauses between the transactions of a long change, if other processes could otherwise not write.
  func letOthersWrite()
}

extension TableStore {
  package func letOthersWrite() {}

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

  /// Returns the first column of the first row as an integer; nil for NULL or if there is no row.
  package func number(_ sql: String, _ values: any StoreValueConvertible...) throws(StoreError) -> Int64? {
    try rows(sql, values: values.map(\.storeValue)) { (row) throws(StoreError) in row.optionalInt64(0) }
      .first ?? nil
  }

  package func run(_ sql: String, _ values: any StoreValueConvertible...) throws(StoreError) {
    try run(sql, values: values.map(\.storeValue))
  }

  package func run(_ sql: String, values: [StoreValue]) throws(StoreError) {
    _ = try rows(sql, values: values) { (_) throws(StoreError) in () }
  }

  /// Runs a statement and returns its number of rows, for changes with `RETURNING 1`.
  package func count(_ sql: String, _ values: any StoreValueConvertible...) throws(StoreError) -> Int {
    try rows(sql, values: values.map(\.storeValue)) { (_) throws(StoreError) in () }.count
  }

  package func has(_ part: String) throws(StoreError) -> Bool { true }

  package func release(_ entries: [HookEntry], of hook: String) throws(StoreError) {}

  package func currentTime() throws(StoreError) -> Timestamp { Timestamp(seconds: Int64(time(nil))) }

  package func notify() throws(StoreError) {}
}
