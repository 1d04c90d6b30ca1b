import NewsCore
@testable import NewsPostgres
import NewsStoresShared
import SearchCases
import TestSupport
import Testing

/// Tests of the counters of a store on PostgreSQL.
@Suite struct `The counters of a store on PostgreSQL` {
  private func open(_ address: String, beat: Duration = .seconds(5)) throws -> PostgresStore {
    var timing = NodeLease.Timing()
    timing.heartbeat = beat
    return PostgresStore(try StoreURI(address), timing: timing) { (_, _) throws(StoreError) in }
  }

  private func newAddress() -> String? { TestDatabase.shared?.newStore() }

  private func commit(_ guid: String, of feed: Feed.ID, _ store: PostgresStore) async throws {
    var parsed = ParsedFeed(format: "rss20")
    parsed.items = [ParsedItem(guid, title: "Item \(guid)")]
    let record = RefreshRecord(
      feedID: feed,
      state: FetchState.unfetched,
      parsed: parsed,
      time: Timestamp(seconds: 9)
    )
    #expect(try await store.commit([record]).first?.inserted.count == 1)
  }

  @Test func `While a transaction is open, no commit makes the next one read more of the table of counters`()
    async throws
  {
    guard let address = newAddress() else { return }
    let store = try open(address)
    let feed = try await store.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1)).id
    let row = "SELECT ctid || ' ' || xmin || ' ' || commits FROM store"
    let former = try await store.firstText(row)
    let old = try Connection(try StoreURI(address), settings: [:])
    // The commits take longer than the 30 seconds of newsd's own sessions on a busy machine.
    try old.execute("SET idle_in_transaction_session_timeout = 0")
    try old.begin("BEGIN ISOLATION LEVEL REPEATABLE READ")
    try old.query("SELECT 1 FROM counters")
    func pages() async throws -> Int64 {
      try await store.maintain(isTransaction: true) { (connection) throws(StoreError) in
        let plan = try connection.query("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE look")
          .map { $0.string(0) }.joined()
        let field = "\"Shared Hit Blocks\": "
        return plan.split(separator: field).dropFirst().first.flatMap { Int64($0.prefix { $0.isNumber }) }
          ?? -1
      }
    }
    // The server keeps a statement's plan. The worst ones are made when the table has been analysed with its one row.
    _ = try await store.firstText("VACUUM ANALYZE counters")
    _ = try await store.firstText(
      "PREPARE look AS SELECT sequence FROM counters WHERE \(StoreCounters.isLast)"
    )
    try await commit("first", of: feed, store)
    let start = try await pages()
    for number in 0..<400 { try await commit("\(number)", of: feed, store) }
    #expect(try await store.firstText("SELECT pg_relation_size('counters') / 8192 > 5") == "true")
    // The index may have grown by a level, which both look-ups read, and the versions of the last commit be on several pages.
    // Reading all would take more than 18.
    let end = try await pages()
    #expect(start > 0 && end <= start + 8, "\(start) pages at first, \(end) in the end")
    // The commits have not touched the row of the store.
    #expect(try await store.firstText(row) == former)
    try old.execute("ROLLBACK")
  }

  /// The statements of versions that have the counters in the row of `store`.
  private func actAsEarlier(_ store: PostgresStore, _ guid: Int64, of feed: Feed.ID) async throws {
    _ = try await store.firstText(
      """
      BEGIN; LOCK TABLE rules IN SHARE UPDATE EXCLUSIVE MODE;
      UPDATE store SET commits = commits + 1;
      INSERT INTO items (id, feed, sort, identity, revision, stored, sequence, change, first_sequence, title)
        SELECT nextval('item_ids'), \(feed.rawValue), 9, \(guid), 1, 9, sequence + 1, 0, sequence + 1, 'Earlier' FROM store;
      INSERT INTO contents (id, author, text) SELECT max(id), '', '' FROM items;
      INSERT INTO words (id, sort, length, words) SELECT max(id), 9, 0, '' FROM items;
      UPDATE feeds SET items = items + 1, unread = unread + 1 WHERE id = \(feed.rawValue);
      UPDATE store SET item = (SELECT max(id) FROM items), sequence = sequence + 1, items = items + 1, unread = unread + 1;
      COMMIT
      """
    )
  }

  @Test func `Nodes of an earlier version beside this one get the same numbers and totals`() async throws {
    guard let address = newAddress() else { return }
    let store = try open(address)
    let feed = try await store.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1)).id
    try await withThrowingTaskGroup(of: Void.self) { group in
      for node in 0..<4 {
        group.addTask {
          let own = try open(address)
          for round in 0..<10 {
            if node % 2 == 0 {
              try await commit("\(node) \(round)", of: feed, own)
            } else {
              try await actAsEarlier(own, Int64(node * 1000 + round), of: feed)
            }
          }
          await own.close()
        }
      }
      try await group.waitForAll()
    }
    let items = try await store.changes(after: 0, limit: 1000, query: .all).map(\.sequence)
    let logged = try await store.feedChanges(after: 0, limit: 1000).map(\.sequence)
    #expect((items + logged).sorted() == Array(1...Int64(41)))
    #expect(try await store.latestSequence() == 41)
    #expect(try await store.check().isEmpty)
    #expect(try await store.firstText("SELECT count(*) FROM counters") == "1")
    // The next change by an earlier version begins with the numbers of this one.
    try await commit("last", of: feed, store)
    try await actAsEarlier(store, 1, of: feed)
    let both =
      "SELECT (s.commits, s.sequence, s.items) = (c.number, c.sequence, c.items) FROM store AS s, counters AS c"
    #expect(try await store.firstText(both) == "true")
    #expect(try await store.latestSequence() == 43)
    #expect(try await store.check().isEmpty)
  }

  @Test
  func
    `A heartbeat brings the counters to where an earlier version reads them, and an idle store is not written`()
    async throws
  {
    guard let address = newAddress() else { return }
    let store = try open(address, beat: .milliseconds(5))
    _ = try await store.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1))
    try await store.node.join()
    let isEqual =
      "SELECT s.commits = c.number AND s.feed_list = c.feed_list AND s.feed = 1 FROM store AS s, counters AS c"
    try await eventually { try await store.firstText(isEqual) == "true" }
    let row = "SELECT ctid || ' ' || xmin FROM store"
    let former = try await store.firstText(row)
    let beat = try await store.firstText("SELECT beat FROM nodes")
    try await eventually {
      try await store.firstText("SELECT beat > '\(beat ?? "")'::timestamptz + interval '1 second' FROM nodes")
        == "true"
    }
    #expect(try await store.firstText(row) == former)
    await store.close()
  }

  @Test func `A store of an earlier version whose role may not create tables is read with its own counters`()
    async throws
  {
    guard let address = newAddress() else { return }
    let store = try open(address)
    let feed = try await store.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1)).id
    try await commit("a", of: feed, store)
    _ = try await store.firstText(
      "UPDATE store SET commits = commits; DROP TRIGGER counters ON store; DROP FUNCTION note_counters; DROP TABLE counters"
    )
    let schema = try #require(try await store.firstText("SELECT current_schema()"))
    let role = "reader_\(schema)"
    _ = try await store.firstText(
      """
      CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA \(schema) TO \(role);
      GRANT SELECT ON ALL TABLES IN SCHEMA \(schema) TO \(role)
      """
    )
    let reader = try open(address.replacing("//newsd@", with: "//\(role)@"))
    #expect(try await reader.latestSequence() == 2)
    #expect(try await reader.streamTotals().unread == 1)
    #expect(try await reader.revision() == Int64(store.firstText("SELECT commits FROM store") ?? ""))
  }
}
