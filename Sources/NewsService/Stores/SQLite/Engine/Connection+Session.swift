package import NewsStoresShared
import CSQLite
package import NewsCore

extension Connection: StoreSession {
  package func rows<Value>(
    _ sql: String,
    values: [StoreValue],
    read: (CurrentRow) throws(StoreError) -> Value
  ) throws(StoreError) -> [Value] {
    let statement = try prepare(sql)
    try statement.bind(values)
    var found: [Value] = []
    while try statement.step() { found.append(try read(statement.row)) }
    return found
  }

  package static func isOne(of parameter: String) -> String {
    "IN (SELECT value FROM json_each(\(parameter)))"
  }

  package static var newestFirst: String { "i.key DESC" }

  package func has(_ part: String) throws(StoreError) -> Bool {
    try number("SELECT 1 FROM sqlite_master WHERE name = $1", part) != nil
  }

  package func feed(url: String) throws(StoreError) -> Feed? {
    try rows("SELECT \(FeedRow.columns) FROM feeds WHERE url = $1", url) { (row) throws(StoreError) in
      FeedRow.feed(row)
    }.first
  }

  package func value(of counter: Counter) throws(StoreError) -> Int64 { try counter.value(self) }

  package func add(_ amount: Int64, to counter: Counter) throws(StoreError) -> Int64 {
    try counter.add(amount, self)
  }

  package func add(_ amounts: KeyValuePairs<Counter, Int64>) throws(StoreError) {
    for (counter, amount) in amounts { try counter.add(amount, self) }
  }

  package func makeMarker() throws(StoreError) -> ItemMarker<Connection> { try ItemMarker(self) }

  package func replaceWords(
    of id: NewsItem.ID,
    title: String,
    author: String,
    text: String,
    by newText: String
  ) throws(StoreError) {
    guard let key = try ItemReader.key(of: id, self) else { return }
    try FullTextIndex.remove(key, ItemTokens(title: title, author: author, text: text), self)
    try FullTextIndex.insert(key, ItemTokens(title: title, author: author, text: newText), self)
  }
}

/// The row that a statement has read last; valid until its next step.
package struct CurrentRow: StoreRow {
  private let raw: OpaquePointer

  init(_ raw: OpaquePointer) { self.raw = raw }

  package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(raw, column) == SQLITE_NULL }

  package func isInteger(_ column: Int32) -> Bool { sqlite3_column_type(raw, column) == SQLITE_INTEGER }

  package func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(raw, column) }

  package func optionalString(_ column: Int32) -> String? {
    guard let start = sqlite3_column_text(raw, column) else { return nil }
    let count = Int(sqlite3_column_bytes(raw, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  package func bytes(_ column: Int32) -> [UInt8] {
    let start = sqlite3_column_blob(raw, column)
    return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(raw, column))))
  }
}
