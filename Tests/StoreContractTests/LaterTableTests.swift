import NewsStoresShared
import NewsCore
@testable import NewsPostgres
import TestSupport
import Testing

/// Tests of the tables that later versions added to a store on PostgreSQL.
@Suite struct `Tables that later versions added to a store on PostgreSQL` {
  private static let dropping = """
    DROP TABLE commit_keys; DROP TABLE store_settings; DROP TABLE icons; DROP INDEX feeds_position;
    UPDATE store SET commits = commits; DROP TRIGGER counters ON store; DROP FUNCTION note_counters; DROP TABLE counters
    """
  private static let counting = """
    SELECT count(*) FROM pg_class WHERE relnamespace = current_schema()::regnamespace
      AND relname IN ('commit_keys', 'store_settings', 'icons', 'feeds_position', 'counters')
    """

  private func open(_ address: String) throws -> PostgresStore {
    PostgresStore(try StoreURI(address)) { (_, _) throws(StoreError) in }
  }

  /// Makes a store without these tables, as an earlier version would.
  private func earlierStore() async throws -> (address: String, store: PostgresStore)? {
    guard let address = TestDatabase.shared?.newStore() else { return nil }
    let store = try open(address)
    _ = try await store.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1))
    _ = try await store.firstText(Self.dropping)
    return (address, store)
  }

  @Test func `Processes that open the store of an earlier version concurrently add them once`() async throws {
    guard let (address, _) = try await earlierStore() else { return }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...4 {
        group.addTask {
          let url = "http://\(number)/"
          _ = try await open(address).add(NewFeed(url: url), at: Timestamp(seconds: 1))
        }
      }
      try await group.waitForAll()
    }
    let store = try open(address)
    #expect(try await store.feeds().count == 5)
    #expect(try await store.firstText(Self.counting) == "5")
  }

  @Test func `A role without rights delays neither their creation nor that of a store`() async throws {
    guard let (address, store) = try await earlierStore(), let new = TestDatabase.shared?.newStore() else {
      return
    }
    let schema = try #require(try await store.firstText("SELECT current_schema()"))
    let role = "holder_\(schema)"
    _ = try await store.firstText("CREATE ROLE \(role) LOGIN")
    let names = try [address, new].map { "'newsd \(try StoreURI($0).schema)'" }.joined(separator: ", ")
    // Earlier versions took these locks.
    let uri = try StoreURI(address.replacing("//newsd@", with: "//\(role)@"))
    let holder = try Connection(uri, settings: [:])
    try holder.query("SELECT pg_advisory_lock(hashtext(name)) FROM unnest(ARRAY[\(names)]) AS name")
    for address in [address, new] {
      _ = try await open(address).add(NewFeed(url: "http://b/"), at: Timestamp(seconds: 1))
    }
    #expect(try await store.firstText(Self.counting) == "5")
    withExtendedLifetime(holder) {}
  }

  @Test func `Processes that create a store concurrently create it once`() async throws {
    guard let address = TestDatabase.shared?.newStore() else { return }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...4 {
        group.addTask {
          _ = try await open(address).add(NewFeed(url: "http://\(number)/"), at: Timestamp(seconds: 1))
        }
      }
      try await group.waitForAll()
    }
    #expect(try await open(address).feeds().count == 4)
  }

  @Test func `A role that cannot create them reads the store, and its writing is refused with the reason`()
    async throws
  {
    guard let (address, store) = try await earlierStore() else { return }
    let schema = try #require(try await store.firstText("SELECT current_schema()"))
    let role = "reader_\(schema)"
    _ = try await store.firstText(
      """
      CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA \(schema) TO \(role);
      GRANT ALL ON ALL TABLES IN SCHEMA \(schema) TO \(role)
      """
    )
    let reader = try open(address.replacing("//newsd@", with: "//\(role)@"))
    #expect(try await reader.feeds().count == 1)
    let error = await #expect(throws: StoreError.self) {
      try await reader.add(NewFeed(url: "http://b/"), at: Timestamp(seconds: 1))
    }
    #expect(error?.code == .unreadable)
    #expect(error?.message.contains("lacks tables") == true)
    // The owner's next command adds them.
    _ = try await open(address).feeds()
    #expect(try await store.firstText(Self.counting) == "5")
  }

  @Test func `A role that cannot create an index writes without it`() async throws {
    guard let (address, store) = try await earlierStore() else { return }
    _ = try await open(address).feeds()
    _ = try await store.firstText("DROP INDEX feeds_position")
    let schema = try #require(try await store.firstText("SELECT current_schema()"))
    let role = "writer_\(schema)"
    _ = try await store.firstText(
      """
      CREATE ROLE \(role) LOGIN; GRANT USAGE, CREATE ON SCHEMA \(schema) TO \(role);
      GRANT ALL ON ALL TABLES IN SCHEMA \(schema) TO \(role); GRANT ALL ON ALL SEQUENCES IN SCHEMA \(schema) TO \(role)
      """
    )
    let writer = try open(address.replacing("//newsd@", with: "//\(role)@") + "&owner=newsd")
    #expect(try await writer.add(NewFeed(url: "http://b/"), at: Timestamp(seconds: 1)).position == 2)
    #expect(try await store.firstText(Self.counting) == "4")
  }

  @Test func `Each connection that writes keeps one commit key`() async throws {
    guard let address = TestDatabase.shared?.newStore() else { return }
    let store = try open(address)
    for number in 1...5 {
      _ = try await store.add(NewFeed(url: "http://\(number)/"), at: Timestamp(seconds: 1))
    }
    #expect(try await store.firstText("SELECT count(*) FROM commit_keys") == "1")
    // Keys of processes that have ended are deleted after an hour.
    _ = try await store.firstText("UPDATE commit_keys SET made = made - interval '2 hours'")
    _ = try await open(address).add(NewFeed(url: "http://b/"), at: Timestamp(seconds: 1))
    #expect(try await store.firstText("SELECT count(*) FROM commit_keys") == "1")
  }
}
