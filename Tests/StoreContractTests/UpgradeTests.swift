import NewsCore
@testable import NewsPostgres
import NewsStoresShared
import SearchCases
import TestSupport
import Testing

/// Upgrades to a layout of these tests.
@Suite struct `The upgrade of a store on PostgreSQL` {
  private func open(_ address: String) throws -> PostgresStore {
    var timing = NodeLease.Timing()
    timing.heartbeat = .milliseconds(50)
    return PostgresStore(try StoreURI(address), timing: timing) { (_, _) throws(StoreError) in }
  }

  private func asLater<Result>(_ body: () async throws -> Result) async throws -> Result {
    try await ServerMigration.$all.withValue([.titleLengths]) { try await body() }
  }

  private func state(_ store: PostgresStore) async throws -> String? {
    try await store.firstText(
      """
      SELECT layout || ' ' || (SELECT value FROM store_settings WHERE name = 'compatible') || ' '
        || (SELECT count(*) FROM feeds) FROM store
      """
    )
  }

  @Test func `Nodes of both layouts use the store until the former ones have ended, and none loses a feed`()
    async throws
  {
    guard let address = TestDatabase.shared?.newStore() else { return }
    let former = [try open(address), try open(address)]
    for (number, store) in former.enumerated() {
      _ = try await store.add(NewFeed(url: "http://former\(number)/"), at: Timestamp(seconds: 1))
      try await store.node.join()
    }
    try await asLater {
      let later = try open(address)
      let refused = await #expect(throws: StoreError.self) { _ = try await later.feeds() }
      #expect(refused?.code == .olderLayout(found: 1, known: 2))
      #expect(refused?.message.contains("pg_dump") == true && refused?.message.contains("beside") == false)
      #expect(try await later.upgradePlan() == UpgradePlan(from: 1, to: 2))
      #expect(try await later.upgrade { _ in } == UpgradePlan(from: 1, to: 2))
      #expect(try await later.upgrade { _ in } == nil)
      #expect(try await later.upgradePlan() == nil)
      try await later.node.join()
      _ = try await later.add(NewFeed(url: "http://later/"), at: Timestamp(seconds: 1))
      #expect(try await state(later) == "2 1 3")
      #expect(try await later.finishUpgrade(force: false) == .waiting(for: ["newsd", "newsd"]))
    }
    // The former nodes go on.
    for (number, store) in former.enumerated() {
      _ = try await store.add(NewFeed(url: "http://again\(number)/"), at: Timestamp(seconds: 1))
    }
    #expect(try await state(former[0]) == "2 1 5")
    await former[0].close()
    try await asLater {
      let later = try open(address)
      #expect(try await later.finishUpgrade(force: false) == .waiting(for: ["newsd"]))
      await former[1].close()
      #expect(try await later.finishUpgrade(force: false) == .finished(layout: 2))
      #expect(try await later.finishUpgrade(force: false) == .nothing)
      #expect(try await state(later) == "2 2 5")
      let index = "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('items_stored')"
      #expect(try await later.firstText(index) == "true")
      await later.close()
    }
    let returned = try open(address)
    let error = await #expect(throws: StoreError.self) { _ = try await returned.feeds() }
    #expect(error?.code == .newerLayout(found: 2, known: 1))
  }

  @Test func `A node of the former layout ends when the upgrade is finished by force`() async throws {
    guard let address = TestDatabase.shared?.newStore() else { return }
    let former = try open(address)
    _ = try await former.feeds()
    try await former.node.join()
    try await asLater {
      let later = try open(address)
      _ = try await later.upgrade { _ in }
      #expect(try await later.finishUpgrade(force: true) == .finished(layout: 2))
      await later.close()
    }
    try await eventually { await former.fileState() != .intact }
    let error = await #expect(throws: StoreError.self) {
      _ = try await former.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1))
    }
    #expect(error?.code == .newerLayout(found: 2, known: 1))
    await former.close()
  }

  @Test func `Several processes that upgrade at once do it once`() async throws {
    guard let address = TestDatabase.shared?.newStore() else { return }
    let former = try open(address)
    _ = try await former.feeds()
    await former.close()
    try await asLater {
      let stores = try (0..<3).map { _ in try open(address) }
      let done = try await withThrowingTaskGroup(of: UpgradePlan?.self, returning: [UpgradePlan?].self) {
        group in
        for store in stores { group.addTask { try await store.upgrade { _ in } } }
        var done: [UpgradePlan?] = []
        for try await plan in group { done.append(plan) }
        return done
      }
      #expect(done.compactMap { $0 }.count == 1)
      for store in stores {
        #expect(try await store.feeds().isEmpty)
        await store.close()
      }
    }
  }

  /// The dump was written by the newsd whose layout was 1.
  @Test func `A stored dump of layout 1 is upgraded, and keeps items, states, labels and versions`()
    async throws
  {
    guard let database = TestDatabase.shared else { return }
    let folder = #filePath.split(separator: "/").dropLast().joined(separator: "/")
    let address = try #require(database.newStore(of: "/\(folder)/Fixtures/layout-1.sql"))
    func content(_ store: PostgresStore) async throws -> [String] {
      let items = try await store.items(ItemRequest(order: .oldest, parts: .all)).map(\.item)
      return items.map { "\($0.title) \($0.isRead) \($0.isStarred) \($0.labels)" }
    }
    let expected = ["First true false []", "Second 名前 false true [\"later\"]", "Third true false []"]
    let former = try open(address)
    #expect(try await former.check().isEmpty)
    #expect(try await content(former) == expected)
    #expect(try await former.versions(of: NewsItem.ID(rawValue: 1), newest: 50).count == 1)
    await former.close()
    try await asLater {
      let later = try open(address)
      #expect(try await later.upgrade { _ in } == UpgradePlan(from: 1, to: 2))
      #expect(try await later.finishUpgrade(force: true) == .finished(layout: 2))
      #expect(try await later.check().isEmpty)
      #expect(try await content(later) == expected)
      #expect(try await later.versions(of: NewsItem.ID(rawValue: 1), newest: 50).count == 1)
      #expect(try await later.feeds().map(\.url) == ["ingest:notes", "https://a.example/feed"])
      await later.close()
    }
  }

  @Test func `A new store has the columns and indexes of an upgraded one`() async throws {
    guard let first = TestDatabase.shared?.newStore(), let second = TestDatabase.shared?.newStore() else {
      return
    }
    let former = try open(first)
    _ = try await former.feeds()
    await former.close()
    try await asLater {
      let upgraded = try open(first)
      _ = try await upgraded.upgrade { _ in }
      #expect(try await upgraded.finishUpgrade(force: true) == .finished(layout: 2))
      let new = try open(second)
      _ = try await new.feeds()
      let parts = """
        SELECT string_agg(part, ' ' ORDER BY part COLLATE "C") FROM (
          SELECT table_name || '.' || column_name || ' ' || data_type AS part FROM information_schema.columns
          WHERE table_schema = current_schema()
          UNION ALL SELECT indexname FROM pg_indexes WHERE schemaname = current_schema()) AS p
        """
      #expect(try await upgraded.firstText(parts) == new.firstText(parts))
      await upgraded.close()
      await new.close()
    }
  }
}
