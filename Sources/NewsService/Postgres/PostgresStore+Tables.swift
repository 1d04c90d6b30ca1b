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
}

// The SQL of these ports is in Core/Storing/Tables.
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

  package static func isOne(of parameter: String) -> String { "= ANY(\(parameter)::bigint[])" }

  package static var newestFirst: String { "i.sort DESC, i.id DESC" }

  package func feed(url: String) throws(StoreError) -> Feed? {
    try query("SELECT \(FeedRow.columns) FROM feeds WHERE md5(url) = md5($1) AND url = $1", url).first
      .map { FeedRow.feed($0) }
  }

  package func release(_ delivery: HookDelivery) throws(StoreError) {
    try query(
      "UPDATE outbox SET taken = NULL WHERE hook = $1 AND sequence = ANY($2::bigint[])",
      delivery.hook,
      Parameter.array(delivery.entries.map(\.sequence))
    )
  }

  // MARK: Counters

  /// Adds to a number of the store's row and returns the new value.
  package func add(_ amount: Int64, to counter: Counter) throws(StoreError) -> Int64 {
    try integer(
      "UPDATE store SET \(counter.column) = \(counter.column) + $1::bigint RETURNING \(counter.column)",
      amount
    ) ?? 0
  }

  package func add(_ amounts: KeyValuePairs<Counter, Int64>) throws(StoreError) {
    let changes = amounts.enumerated().map {
      "\($0.element.key.column) = \($0.element.key.column) + $\($0.offset + 1)::bigint"
    }
    try query(
      "UPDATE store SET \(changes.joined(separator: ", "))",
      parameters: amounts.map(\.value.parameter)
    )
  }

  package func value(of counter: Counter) throws(StoreError) -> Int64 {
    try integer("SELECT \(counter.column) FROM store") ?? 0
  }

  /// Wakes the processes that wait for changes, after the commit.
  package func notify() throws(StoreError) {
    try query("SELECT 1 FROM (SELECT pg_notify('newsd', '')) AS n")
  }
}

extension Counter {
  /// The column of the store's row.
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
    try query("UPDATE store SET tokens = tokens + $1::bigint", grown)
  }
}
