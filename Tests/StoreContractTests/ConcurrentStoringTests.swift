import NewsStoresShared
import NewsSearch
@testable import NewsCore
import NewsPostgres
import SearchCases
import TestSupport
import Testing

/// Several processes that store refreshes in one store on PostgreSQL at the same time.
@Suite(.timeLimit(.minutes(2))) struct `Storing by several processes` {
  /// A store with two feeds, and two processes that use it. A third connection keeps one of them waiting.
  private struct Fixture {
    let address: String
    let one: PostgresStore
    let two: PostgresStore
    let gate: PostgresStore
    let feeds: [Feed]

    /// Nil where there is no server.
    init?() async throws {
      guard let address = TestDatabase.shared?.newStore() else { return nil }
      self.address = address
      one = try Fixture.open(address)
      two = try Fixture.open(address)
      gate = try Fixture.open(address)
      feeds = try await one.add(
        [NewFeed(url: "http://a/"), NewFeed(url: "http://b/")],
        at: Timestamp(seconds: 1)
      ).added
    }

    static func open(_ address: String) throws -> PostgresStore {
      PostgresStore(try StoreURI(address)) { (_, _) throws(StoreError) in }
    }

    func record(_ feed: Int, _ titles: [String]) -> RefreshRecord {
      var parsed = ParsedFeed(format: "rss20")
      parsed.items = titles.map { ParsedItem($0, title: $0, text: "text of \($0)") }
      return RefreshRecord(
        feedID: feeds[feed].id,
        state: FetchState(),
        parsed: parsed,
        time: Timestamp(seconds: 100)
      )
    }

    /// The id that the next item gets.
    func nextID() async throws -> Int64 {
      let sql = "SELECT last_value + CASE WHEN is_called THEN 1 ELSE 0 END FROM item_ids"
      return try await gate.firstText(sql).flatMap { Int64($0) } ?? 0
    }

    /// Keeps the process from storing the item with this id.
    func block(_ id: Int64) async throws {
      _ = try await gate.firstText("INSERT INTO contents (id, author, text) VALUES (\(id), '', '')")
    }

    /// Begins to store items, and waits until the process waits for the item with the id `blocked` (nil: the first).
    func beginStoring(
      _ titles: [String],
      blocked: Int64? = nil
    ) async throws -> Task<[RefreshChange], any Error> {
      let next = try await nextID()
      _ = try await gate.firstText("BEGIN")
      try await block(blocked ?? next)
      let task = Task { [one, record = record(0, titles)] in try await one.commit([record]) }
      try await eventually {
        try await two.firstText(
          """
          SELECT count(*) FROM pg_stat_activity
          WHERE wait_event_type = 'Lock' AND query LIKE 'INSERT INTO contents%' AND \(Fixture.isOurs(address))
          """
        ) != "0"
      }
      return task
    }

    /// True for sessions that lock a table of this store.
    private static func isOurs(_ address: String) -> String {
      let schema = String(address.split(separator: "schema=").last ?? "")
      return """
        pid IN (SELECT pid FROM pg_locks WHERE relation = '\(schema).contents'::regclass)
        """
    }

    func endWaiting() async throws { _ = try await gate.firstText("ROLLBACK") }

    func titles() async throws -> [String] {
      let ids = try await two.entries(StreamRequest(isOldestFirst: true), limit: 100).map(\.id)
      return try await two.streamItems(ids).map(\.item.title)
    }

    /// The titles of new items in the order of the change log.
    func log() async throws -> [String] {
      try await two.changes(after: 0, limit: 100, query: .all).compactMap { $0.item?.title }
    }
  }

  @Test func `A process can store a batch while another process writes large rows`() async throws {
    guard let fixture = try await Fixture() else { return }
    let first = try await fixture.beginStoring(["a1", "a2"])
    let second = try await fixture.two.commit([fixture.record(1, ["b1"])])
    #expect(second.map(\.inserted.count) == [1])
    #expect(try await fixture.log() == ["b1"])
    try await fixture.endWaiting()
    #expect(try await first.value.map(\.inserted.count) == [2])
    #expect(try await fixture.log() == ["b1", "a2", "a1"])
    // Two feeds and three items.
    let numbers = try await fixture.two.changes(after: 0, limit: 100, query: .all).map(\.sequence)
    #expect(numbers == [3, 4, 5])
    #expect(try await fixture.two.latestSequence() == 5)
    #expect(try await fixture.two.check().isEmpty)
  }

  @Test func `A process that the server picks to end a deadlock stores its batch again`() async throws {
    guard let fixture = try await Fixture() else { return }
    // The server looks for a deadlock when a session has waited this long, and aborts that session: never the other one.
    _ = try await fixture.one.firstText("SET deadlock_timeout = '8s'")
    _ = try await fixture.gate.firstText("SET deadlock_timeout = '10min'")
    let id = try await fixture.nextID()
    // The process has stored its first item and waits to store the second.
    let first = try await fixture.beginStoring(["a1", "a2"], blocked: id + 1)
    // Now the other session waits for the first item. It continues only when the server has aborted the process.
    try await fixture.block(id)
    try await fixture.endWaiting()
    #expect(try await first.value.map(\.inserted.count) == [2])
    #expect(try await fixture.titles() == ["a2", "a1"])
    #expect(try await fixture.two.check().isEmpty)
  }

  @Test func `Sync clients see an item only after all items with lower ids are stored`() async throws {
    guard let fixture = try await Fixture() else { return }
    _ = try await fixture.two.commit([fixture.record(1, ["old"])])
    let first = try await fixture.beginStoring(["a1"])
    _ = try await fixture.two.commit([fixture.record(1, ["b1"])])
    #expect(try await fixture.titles() == ["old"])
    try await fixture.endWaiting()
    _ = try await first.value
    #expect(try await fixture.titles() == ["old", "a1", "b1"])
  }

  @Test func `If items of the feed are marked while a batch is being stored, each item is stored once`()
    async throws
  {
    guard let fixture = try await Fixture() else { return }
    let ids = try await fixture.two.commit([fixture.record(0, ["old"])]).flatMap(\.inserted)
    let first = try await fixture.beginStoring(["a1", "old"])
    _ = try await fixture.two.mark(ids, .read)
    try await fixture.endWaiting()
    #expect(try await first.value.map(\.inserted.count) == [1])
    #expect(try await fixture.titles() == ["old", "a1"])
    #expect(try await fixture.two.feeds().map(\.unreadCount) == [1, 0])
    #expect(try await fixture.two.check().isEmpty)
  }

  @Test func `A rule that is added while a batch is being stored applies to the batch`() async throws {
    guard let fixture = try await Fixture() else { return }
    let first = try await fixture.beginStoring(["a1", "a2"])
    _ = try await fixture.two.addRule("a1", do: [.markRead], until: nil, at: Timestamp(seconds: 50))
    try await fixture.endWaiting()
    #expect(try await first.value.map(\.inserted.count) == [2])
    let unread = try QueryParser.parse("is:unread", now: Timestamp(seconds: 100)).query
    #expect(try await fixture.two.count(ItemRequest(query: unread)) == 1)
    #expect(try await fixture.two.check().isEmpty)
  }

  @Test func `Nothing is stored for a feed that is removed while its batch is being stored`() async throws {
    guard let fixture = try await Fixture() else { return }
    let first = try await fixture.beginStoring(["a1"])
    try await fixture.two.remove(fixture.feeds[0].id)
    try await fixture.endWaiting()
    #expect(try await first.value.isEmpty)
    #expect(try await fixture.two.count(ItemRequest()) == 0)
    #expect(try await fixture.two.check().isEmpty)
  }

  @Test func `Three concurrent writers group items into the same stories as one writer`() async throws {
    guard let address = TestDatabase.shared?.newStore(), let other = TestDatabase.shared?.newStore() else {
      return
    }
    let alone = try await stories(of: address, writers: 1)
    #expect(alone?.isEmpty == false)
    #expect(try await stories(of: other, writers: 3) == alone)
  }

  /// Nine feeds that report ten stories each, stored by some processes: the items of each story.
  private func stories(of address: String, writers: Int) async throws -> String? {
    let store = try Fixture.open(address)
    let feeds = try await store.add(
      (0..<9).map { NewFeed(url: "http://\($0)/") },
      at: Timestamp(seconds: 1)
    ).added
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<writers {
        group.addTask {
          let store = try Fixture.open(address)
          for (place, feed) in feeds.enumerated() where place % writers == writer {
            for story in 0..<10 {
              var parsed = ParsedFeed(format: "rss20")
              parsed.items = [Self.report(of: story, by: place)]
              let record = RefreshRecord(
                feedID: feed.id,
                state: FetchState(),
                parsed: parsed,
                time: Timestamp(seconds: 9)
              )
              _ = try await store.commit([record])
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await store.check().isEmpty)
    return try await store.firstText(
      """
      SELECT string_agg(members, '; ' ORDER BY members) FROM (
        SELECT string_agg(feed || ' ' || guid, ', ' ORDER BY feed, guid) AS members
        FROM items WHERE cluster IS NOT NULL GROUP BY cluster) AS g
      """
    )
  }

  private static func report(of story: Int, by feed: Int) -> ParsedItem {
    let words = (0..<60).map { "w\(story)x\($0)" }.joined(separator: " ")
    return ParsedItem(
      "\(story)",
      title: "Story \(story) of the alpine village number \(story)",
      text: words,
      url: "http://\(feed)/\(story)"
    )
  }

  @Test func `Storing a batch takes at most six round trips to the server`() async throws {
    guard let address = TestDatabase.shared?.newStore() else { return }
    let store = try Fixture.open(address)
    let feeds = try await store.add(
      (0..<20).map { NewFeed(url: "http://\($0)/") },
      at: Timestamp(seconds: 1)
    ).added
    for round in 0..<3 {
      let records = feeds.map { feed in
        var parsed = ParsedFeed(format: "rss20")
        parsed.title = "Feed"
        // The items of the round before are edited.
        parsed.items = (round..<(round + 4)).map {
          ParsedItem("\($0)", title: "T\($0)", text: "text \(round)")
        }
        return RefreshRecord(
          feedID: feed.id,
          state: FetchState(lastSuccess: Timestamp(seconds: 9)),
          parsed: parsed,
          time: Timestamp(seconds: 9)
        )
      }
      let before = await store.roundTrips()
      let changes = try await store.commit(records)
      #expect(changes.reduce(0) { $0 + $1.inserted.count } == (round == 0 ? 80 : 20))
      #expect(changes.reduce(0) { $0 + $1.updated.count } == (round == 0 ? 0 : 60))
      #expect(await store.roundTrips() - before <= (round == 0 ? 5 : 6), "round \(round)")
    }
  }

  @Test func `Marking items takes at most three round trips to the server, whatever their number`()
    async throws
  {
    guard let fixture = try await Fixture() else { return }
    let ids = try await fixture.one.commit([fixture.record(0, (0..<200).map { "item \($0)" })]).flatMap(
      \.inserted
    )
    let before = await fixture.one.roundTrips()
    #expect(try await fixture.one.mark(ids + [NewsItem.ID(rawValue: 9999)], .read).map(\.rawValue) == [9999])
    #expect(await fixture.one.roundTrips() - before <= 3)
    #expect(try await fixture.one.feeds().map(\.unreadCount) == [0, 0])
    #expect(try await fixture.one.check().isEmpty)
  }
}
