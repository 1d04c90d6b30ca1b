package import NewsStoresShared
package import NewsCore

extension PostgresStore: TableStore {
  package func snapshot<Result: Sendable>(
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    try await read(body)
  }

  package func transaction<Result: Sendable>(
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    try await write(body)
  }

  package func sideTransaction<Result: Sendable>(
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    try await write(locking: .late, body)
  }
}

// The SQL of these ports is in Stores/Shared/Tables, that of `StoreCopying` in Stores/Shared/Copying.
extension PostgresStore: ArticleKeeping, CredentialKeeping, FeedChangeReading, FeedIdentityKeeping,
  FeedReading,
  FolderSettingsKeeping, ItemImporting, ItemMarking, ItemVersionReading, PollPlanKeeping, RuleKeeping,
  SavedSearchKeeping,
  StoreCopying
{}

extension Connection: StoreSession {
  package func rows<Value>(
    _ sql: String,
    values: [StoreValue],
    read: (Row) throws(StoreError) -> Value
  ) throws(StoreError) -> [Value] {
    var found: [Value] = []
    for row in try query(sql, parameters: values.map { Parameter($0) }) { found.append(try read(row)) }
    return found
  }

  package func run(_ sql: String, values: [StoreValue]) throws(StoreError) {
    try post(Statement(sql, parameters: values.map { Parameter($0) }))
  }

  package static func isOne(of parameter: String) -> String { "= ANY(\(parameter)::bigint[])" }

  package static var newestFirst: String { "i.sort DESC, i.id DESC" }

  package func feed(url: String) throws(StoreError) -> Feed? {
    try query("SELECT \(FeedRow.columns) FROM feeds WHERE md5(url) = md5($1) AND url = $1", url).first
      .map { FeedRow.feed($0) }
  }

  package func release(_ entries: [HookEntry], of hook: String) throws(StoreError) {
    try post(
      "UPDATE outbox SET taken = NULL WHERE hook = $1 AND sequence = ANY($2::bigint[])",
      hook,
      Parameter.array(entries.map(\.sequence))
    )
  }

  package func currentTime() throws(StoreError) -> Timestamp {
    Timestamp(seconds: try integer("SELECT extract(epoch FROM clock_timestamp())::bigint") ?? 0)
  }

  // MARK: Counters

  /// Adds to a number in the table `store` and returns the new value.
  @discardableResult
  package func add(_ amount: Int64, to counter: Counter) throws(StoreError) -> Int64 {
    announce(counter)
    return try integer(
      "UPDATE store SET \(counter.column) = \(counter.column) + $1::bigint RETURNING \(counter.column)",
      amount
    ) ?? 0
  }

  package func add(_ amounts: KeyValuePairs<Counter, Int64>) throws(StoreError) {
    let changes = amounts.enumerated().map {
      "\($0.element.key.column) = \($0.element.key.column) + $\($0.offset + 1)::bigint"
    }
    for (counter, _) in amounts { announce(counter) }
    try post(
      Statement(
        "UPDATE store SET \(changes.joined(separator: ", "))",
        parameters: amounts.map(\.value.parameter)
      )
    )
  }

  private func announce(_ counter: Counter) {
    switch counter {
    case .sequence: announced.insert(.log)
    case .feedList: announced.insert(.feedList)
    default: break
    }
  }

  package func value(of counter: Counter) throws(StoreError) -> Int64 {
    Counter.clamped(try storeValue(counter.column))
  }

  /// Reads a column of the table `store`, which has one row. Also checks the layout, because a process that waits for
  /// changes may read nothing else.
  func storeValue(_ column: String) throws(StoreError) -> Int64 {
    let sql = "SELECT \(column), layout, ctid::text FROM store WHERE \(Layout.rowCondition)"
    guard let row = try query(sql, storePlace).first else { return 0 }
    try Layout.check(row.int64(1), self)
    storePlace = row.string(2)
    return row.int64(0)
  }

  /// Makes the commit wake the processes that wait for changes.
  package func notify() throws(StoreError) { announced.insert(.log) }

  package func makeMarker() -> BatchItemMarker { BatchItemMarker(self) }
}

extension Counter {
  /// The column of the table `store`.
  var column: String { self == .feedList ? "feed_list" : rawValue }
}

extension Connection {
  package func replaceWords(
    of id: NewsItem.ID,
    title: String,
    author: String,
    text: String,
    by newText: String
  ) throws(StoreError) {
    guard let sort = try integer("SELECT sort FROM items WHERE id = $1", id.rawValue) else { return }
    let grown = try ItemRows.replaceWords(
      of: id.rawValue,
      Timestamp(seconds: sort),
      TokenVector(ItemTokens(title: title, author: author, text: newText)),
      self
    )
    try post("UPDATE store SET tokens = tokens + $1::bigint", grown)
  }
}
