import NewsStoresShared
import NewsCore
@testable import NewsPostgres
import SearchCases
import TestSupport
import Testing

/// Tests of layouts, owners and restored dumps of stores on PostgreSQL.
@Suite struct `The layout and owner of a store on PostgreSQL` {
  private func open(_ address: String, timing: NodeLease.Timing = NodeLease.Timing()) throws -> PostgresStore
  {
    PostgresStore(try StoreURI(address), timing: timing) { (_, _) throws(StoreError) in }
  }

  private func newAddress() -> String? { TestDatabase.shared?.newStore() }

  private func set(_ layout: Int, compatible: Int?) -> String {
    "UPDATE store SET layout = \(layout); DELETE FROM store_settings WHERE name = 'compatible';"
      + (compatible.map { "INSERT INTO store_settings VALUES ('compatible', \($0))" } ?? "")
  }

  /// The layout in the store, the lowest compatible layout, and the expected error of a newsd that knows layout 1.
  @Test(
    arguments: [
      (1, nil, nil), (2, 1, nil), (3, 1, nil), (2, 2, .newerLayout(found: 2, known: 1)),
      (2, nil, .newerLayout(found: 2, known: 1)), (0, nil, .olderLayout(found: 0, known: 1)),
      (0, 0, .olderLayout(found: 0, known: 1)),
    ] as [(Int, Int?, StoreError.Code?)]
  )
  func `A layout is used if it or the setting 'compatible' allows it`(
    _ layout: Int,
    _ compatible: Int?,
    _ expected: StoreError.Code?
  ) async throws {
    guard let address = newAddress() else { return }
    let running = try open(address)
    _ = try await running.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1))
    _ = try await running.firstText(set(layout, compatible: compatible))
    for store in [running, try open(address)] {
      func code(_ body: () async throws -> Void) async -> StoreError.Code? {
        do {
          try await body()
          return nil
        } catch {
          return (error as? StoreError)?.code
        }
      }
      #expect(await code { _ = try await store.latestSequence() } == expected)
      let url = "http://\(store === running ? "b" : "c")/"
      #expect(
        await code { _ = try await store.add(NewFeed(url: url), at: Timestamp(seconds: 1)) } == expected
      )
    }
    let row = try await running.firstText("SELECT layout || ' ' || (SELECT count(*) FROM feeds) FROM store")
    #expect(row == "\(layout) \(expected == nil ? 3 : 1)")
  }

  @Test func `A heartbeat notices that an idle node may no longer use the store`() async throws {
    guard let address = newAddress() else { return }
    var timing = NodeLease.Timing()
    timing.heartbeat = .milliseconds(20)
    let node = try open(address, timing: timing)
    _ = try await node.feeds()
    try await node.node.join()
    _ = try await open(address).firstText(set(2, compatible: 1))
    // A heartbeat that began after the change has ended when the second one is stored.
    for _ in 1...2 {
      let beat = try await node.firstText("SELECT beat FROM nodes")
      try await eventually { try await node.firstText("SELECT beat FROM nodes") != beat }
    }
    #expect(await node.fileState() == .intact)
    _ = try await open(address).firstText("UPDATE store_settings SET value = 2 WHERE name = 'compatible'")
    try await eventually { await node.fileState() != .intact }
    guard case .unusable(let error) = await node.fileState() else {
      Issue.record("the node did not notice the layout")
      return
    }
    #expect(error.code == .newerLayout(found: 2, known: 1))
    await node.close()
  }

  // MARK: Owners

  @Test func `A schema or a table of another role is refused, unless the role is trusted`() async throws {
    guard let address = newAddress() else { return }
    let admin = try open(address)
    _ = try await admin.feeds()
    let schema = try #require(try await admin.firstText("SELECT current_schema()"))
    let (owner, stranger, member) = ("o_\(schema)", "s_\(schema)", "m_\(schema)")
    _ = try await admin.firstText(
      """
      CREATE ROLE \(owner) LOGIN; CREATE ROLE \(stranger) LOGIN; CREATE ROLE \(member) LOGIN IN ROLE \(owner);
      GRANT ALL ON SCHEMA \(schema) TO PUBLIC; GRANT ALL ON ALL TABLES IN SCHEMA \(schema) TO PUBLIC;
      DO $$ DECLARE name text; BEGIN
        FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() LOOP
          EXECUTE format('ALTER TABLE %I OWNER TO \(owner)', name);
        END LOOP;
      END $$; ALTER SEQUENCE item_ids OWNER TO \(owner)
      """
    )
    func message(_ role: String, _ more: String = "") async throws -> String? {
      do {
        _ = try await open(address.replacing("//newsd@", with: "//\(role)@") + more).feeds()
        return nil
      } catch {
        return (error as? StoreError)?.message
      }
    }
    // The schema belongs to a superuser, all tables to `owner`.
    #expect(try await message(owner) == nil)
    #expect(try await message(member)?.contains("belongs to the role '\(owner)'") == true)
    #expect(try await message(member, "&owner=\(owner)") == nil)
    #expect(try await message(stranger)?.contains("belongs to the role '\(owner)'") == true)
    #expect(try await message(stranger, "&owner=\(owner)") == nil)
    #expect(try await message("newsd")?.contains("belongs to the role '\(owner)'") == true)
    #expect(try await message("newsd", "&owner=\(owner)") == nil)
    // A function that the statements of newsd would call instead of the server's own.
    _ = try await admin.firstText(
      """
      CREATE FUNCTION unnest(bigint[]) RETURNS SETOF bigint LANGUAGE sql AS 'SELECT 1::bigint';
      ALTER FUNCTION unnest(bigint[]) OWNER TO \(stranger)
      """
    )
    #expect(try await message(owner)?.contains("belongs to the role '\(stranger)'") == true)
    _ = try await admin.firstText("DROP FUNCTION unnest(bigint[])")
    #expect(try await message(owner) == nil)
    _ = try await admin.firstText("ALTER TABLE rules OWNER TO \(stranger)")
    #expect(try await message(owner)?.contains("belongs to the role '\(stranger)'") == true)
    _ = try await admin.firstText(
      "ALTER TABLE rules OWNER TO \(owner); ALTER SCHEMA \(schema) OWNER TO \(stranger)"
    )
    #expect(try await message(owner)?.contains("belongs to the role '\(stranger)'") == true)
  }

  @Test func `newsd creates no tables in an empty schema of another role`() async throws {
    guard let address = newAddress(), let schema = address.split(separator: "schema=").last else { return }
    let admin = try open(try #require(newAddress()))
    _ = try await admin.firstText(
      "CREATE ROLE empty_\(schema); CREATE SCHEMA \(schema) AUTHORIZATION empty_\(schema)"
    )
    let error = await #expect(throws: StoreError.self) { try await open(address).feeds() }
    #expect(error?.message.contains("belongs to the role 'empty_\(schema)'") == true)
    let count = "SELECT count(*) FROM pg_tables WHERE schemaname = '\(schema)'"
    #expect(try await admin.firstText(count) == "0")
  }

  // MARK: Restored dumps

  /// Puts copies of all tables in place of the tables, as pg_restore does.
  private static let replacing = """
    DO $$ DECLARE name text; BEGIN
      FOR name IN SELECT unnest(ARRAY['store', 'store_settings']) LOOP
        EXECUTE format('ALTER TABLE %I RENAME TO former', name);
        EXECUTE format('CREATE TABLE %I (LIKE former INCLUDING ALL)', name);
        EXECUTE format('INSERT INTO %I SELECT * FROM former', name);
        DROP TABLE former;
      END LOOP;
    END $$
    """

  @Test func `No number is used again after a dump was restored, even by a running process`() async throws {
    guard let address = newAddress() else { return }
    let store = try open(address)
    let feed = try await store.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1)).id
    func add(_ store: PostgresStore, _ title: String) async throws -> NewsItem.ID? {
      var parsed = ParsedFeed(format: "rss20")
      parsed.items = [ParsedItem(title, title: title)]
      let record = RefreshRecord(
        feedID: feed,
        state: FetchState.unfetched,
        parsed: parsed,
        time: Timestamp(seconds: 9)
      )
      return try await store.commit([record]).first?.inserted.first
    }
    var numbers: [Int64] = [try await store.latestSequence()]
    var ids: [Int64] = []
    for (number, isRunning) in [true, false, true].enumerated() {
      _ = try await open(address).firstText(Self.replacing)
      ids.append(try #require(try await add(isRunning ? store : open(address), "T\(number)")).rawValue)
      numbers.append(try await store.latestSequence())
    }
    for (former, next) in zip(numbers, numbers.dropFirst()) { #expect(next > former + 1_000_000) }
    for (former, next) in zip([0] + ids, ids) { #expect(next > former + 1_000_000) }
    #expect(try await store.add(NewFeed(url: "http://b/"), at: Timestamp(seconds: 1)).id.rawValue > 3000)
    // Nothing is skipped without a restore.
    _ = try await add(try open(address), "last")
    #expect(try await store.latestSequence() < numbers[3] + 10)
    #expect(try await store.check().isEmpty)
  }

  @Test func `noteRestore skips numbers of changes, items and feeds`() async throws {
    guard let address = newAddress() else { return }
    let store = try open(address)
    _ = try await store.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1))
    let last = try await store.latestSequence()
    #expect(try await store.noteRestore().contains("after number \(last + (1 << 20))") == true)
    #expect(try await store.add(NewFeed(url: "http://b/"), at: Timestamp(seconds: 1)).id.rawValue == 1002)
    #expect(try await store.check().isEmpty)
  }
}
