import NewsStoresShared
import NewsSearch
import NewsCore
@testable import NewsPostgres
import SearchCases
import TestSupport
import Testing

/// Tests of behaviour that only a store on PostgreSQL has.
@Suite struct `A store on PostgreSQL` {
  private func open(_ address: String, mustExist: Bool = false) throws -> PostgresStore {
    PostgresStore(try StoreURI(address), mustExist: mustExist) { (_, _) throws(StoreError) in }
  }

  private func newAddress() -> String? { TestDatabase.shared?.newStore() }

  @Test(arguments: [
    ("postgresql://me:secret@h/news", "postgresql://me:***@h/news"),
    (
      "postgresql://me:se:cr@et@h:5433,i/news?sslmode=disable",
      "postgresql://me:***@h:5433,i/news?sslmode=disable"
    ),
    ("postgres://me@h/news?password=secret&schema=x", "postgres://me@h/news?password=***&schema=x"),
    ("postgresql:///news?host=/run&sslpassword=secret", "postgresql:///news?host=/run&sslpassword=***"),
    (
      "postgresql://me@h/news?options=-c%20x=y&connect_timeout=5",
      "postgresql://me@h/news?options=***&connect_timeout=5"
    ),
    ("postgresql://[fe80::1]:5432,h:5433/news", "postgresql://[fe80::1]:5432,h:5433/news"),
    ("postgresql:///news?host=/cloudsql/a:b:c", "postgresql:///news?host=/cloudsql/a:b:c"),
    ("/home/me/news.db", "/home/me/news.db"),
    ("./postgresql:news@home", "./postgresql:news@home"),
  ])
  func `An address is shown without passwords`(_ address: String, _ shown: String) {
    #expect(StoreURI.redacted(address) == shown)
  }

  @Test(arguments: [
    ("SSL error: certificate verify failed", true),
    ("server certificate for \"db.example\" does not match host name \"db\"", true),
    ("root certificate file \"/etc/newsd/db.crt\" does not exist\nEither provide the file", true),
    ("server does not support SSL, but SSL was required", true),
    ("Connection refused", false),
    ("SSL connection has been closed unexpectedly", false),
  ])
  func `If libpq cannot verify the server, the error names the parameters that help`(
    _ reason: String,
    _ isAdvised: Bool
  ) {
    let message = "connection to server at \"db\" (192.0.2.1), port 5432 failed: \(reason)"
    let error = PostgresError(state: nil, message: message).storeError("postgresql://me@db/news")
    #expect(error.message.contains("sslrootcert=FILE") == isAdvised)
    #expect(error.message.contains("sslmode") == isAdvised)
  }

  /// Addresses that libpq understands otherwise than their authors, or not at all.
  private static let mistyped = [
    "u:pa/SECRET@h/news", "u:pa?SECRET@h/news", "u:12/SECRET@h/news", "u:pa@SECRET@h/news",
    "u:pa#SECRET@h/news",
    ":SECRET@h/news", "u:SECRET", "u:SECRET/news", "u:SECRET@[::1/news", "u:SECRET@h:port/news",
    "h:1,u:SECRET@i:2/news", "u:%zzSECRET@h/news", "u:SECRET%00@h/news", "u:SEC\nRET@h/news",
    "u:SECRET@h/news?a@b",
    "u@h/news?%70assword=SECRET", "u@h/news?PASSWORD=SECRET", "u@h/news?pwd=SECRET",
    "u@h/news?password%3DSECRET",
    "u@h/news? password=SECRET", "u@h/news?x=1;password=SECRET", "u@h/news?sslmode=disable?password=SECRET",
    "u@h/news?sslmode=disable%3Fpassword%3DSECRET", "u@h/news?password=a&password=SECRET",
    "u@h/news&password=SECRET",
    "u@h/news%26password%3DSECRET", "u@h/news?SECRET", "h/news?user=u:SECRET@",
    "u@h/news?scram_client_key=SECRET",
  ]

  @Test(arguments: mistyped)
  func `No part of a password is shown in an address that is not well-formed`(_ rest: String) async throws {
    let address = "postgresql://" + rest
    #expect(StoreURI.isStoreURI(address))
    for part in ["SECRET", "SEC", "RET"] { #expect(!StoreURI.redacted(address).contains(part)) }
  }

  @Test(arguments: mistyped)
  func `No part of a password is in an error of an address that is not well-formed`(_ rest: String)
    async throws
  {
    let address = "postgresql://" + rest.replacing("h/", with: "127.0.0.1:1/")
    let error = await #expect(throws: StoreError.self) { try await open(address).feeds() }
    for part in ["SECRET", "SEC", "RET"] { #expect(error?.message.contains(part) == false) }
  }

  @Test(arguments: [
    "Postgresql://u:SECRET@h/news", "POSTGRES://u:SECRET@h/news", " postgresql://u:SECRET@h/news",
    "pgsql://u:SECRET@h/news", "postgresql:/u:SECRET@h/news", "postgresql:u:SECRET@h/news",
    "mysql://u:SECRET@h/news",
    "jdbc:postgresql://h/news?user=u&password=SECRET", "host=h user=u password=SECRET",
    "Password = SECRET host = h",
    "u:SECRET@h/news",
  ])
  func `Text that looks like a store address is not taken for a path, and is redacted`(_ text: String) {
    #expect(StoreURI.isStoreURI(text))
    #expect(StoreURI.redacted(text) == "***")
    let error = #expect(throws: StoreError.self) { try StoreURI(text) }
    #expect(error?.message.contains("SECRET") == false)
  }

  @Test(arguments: [
    ("me@db.example/news", true), ("127.evil.example/news", true), ("/news?%68ost=db.example", true),
    ("db.example/news?hostaddr=127.0.0.1", true), ("/news?hostaddr=192.0.2.1", true),
    ("localhost/news?hostaddr=192.0.2.1", true), ("/news?host=/run,db.example", true), ("127.1/news", true),
    ("[::2]/news", true), ("localhost,[fe80::1]/news", true),
    ("127.0.0.1/news", false), ("127.9.8.7:1,[::1],localhost/news", false), ("%2Frun/news", false),
    ("/news?host=/run&hostaddr=", false), ("/news?hostaddr=127.0.0.1", false),
    ("/news?host=@abstract", false),
    ("db.example/news?sslmode=prefer", false), ("db.example/news?%73slmode=disable", false),
  ])
  func `The server's certificate is verified unless every host is this machine or the address names a mode`(
    _ rest: String,
    _ isVerified: Bool
  ) throws {
    guard let library = LibPQ.shared else { return }
    let options = try ConnectionOptions(StoreURI("postgresql://" + rest), library).list
    #expect(options.contains { $0.name == "sslmode" && $0.value == "verify-full" } == isVerified)
  }

  @Test(arguments: [
    "me@h/news?sslmode=require&x=%41", "me:se%40cret@h,i:5433/?service=s", "u:pa?ss@h/news?options=-c%20a=b",
  ])
  func `The address is passed to libpq unchanged, except for parameters of newsd`(_ rest: String) throws {
    let address = "postgresql://" + rest
    #expect(try StoreURI(address).connection == address)
    #expect(try StoreURI(address + "&schema=x&%6Cisten=off").connection == address)
  }

  @Test func `An invalid schema name is refused`() {
    #expect(throws: StoreError.self) { try StoreURI("postgresql://h/d?schema=a\"b") }
    #expect(throws: StoreError.self) { try StoreURI("postgresql://h/d?prepare=maybe") }
  }

  @Test func `A server that cannot be reached is an error that names it without the password`() async throws {
    let store = try open("postgresql://me:secret@127.0.0.1:1/news")
    let error = await #expect(throws: StoreError.self) { try await store.feeds() }
    #expect(error?.code == .unreadable)
    #expect(error?.message.contains("me:***@127.0.0.1") == true)
    #expect(error?.message.contains("secret") == false)
  }

  @Test func `A command that needs an existing store does not create one`() async throws {
    guard let address = newAddress() else { return }
    let error = await #expect(throws: StoreError.self) { try await open(address, mustExist: true).feeds() }
    #expect(error?.code == .missing)
    _ = try await open(address).add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1))
    #expect(try await open(address, mustExist: true).feeds().count == 1)
  }

  @Test
  func `A value that the server rejects is reported as bad data and changes nothing; later ones are stored`()
    async throws
  {
    guard let address = newAddress() else { return }
    let store = try open(address)
    let feed = try await store.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1)).id
    _ = try await store.firstText("ALTER TABLE items ADD CHECK (title <> 'bad')")
    func record(_ title: String) -> RefreshRecord {
      var parsed = ParsedFeed(format: "rss20")
      parsed.items = [ParsedItem(title, title: title)]
      return RefreshRecord(
        feedID: feed,
        state: FetchState.unfetched,
        parsed: parsed,
        time: Timestamp(seconds: 9)
      )
    }
    let before = try await store.latestSequence()
    let error = await #expect(throws: StoreError.self) { try await store.commit([record("bad")]) }
    #expect(error?.code == .badData)
    #expect(try await store.latestSequence() == before)
    #expect(try await store.count(ItemRequest()) == 0)
    #expect(try await store.feeds().map(\.itemCount) == [0])
    #expect(try await store.commit([record("good")]).map(\.inserted.count) == [1])
  }

  @Test func `Locks of a role that may only connect neither hide items nor stop writes`() async throws {
    guard let address = newAddress() else { return }
    let store = try open(address)
    let feed = try await store.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1)).id
    var parsed = ParsedFeed(format: "rss20")
    parsed.items = [ParsedItem("one", title: "one")]
    let record = RefreshRecord(
      feedID: feed,
      state: FetchState.unfetched,
      parsed: parsed,
      time: Timestamp(seconds: 9)
    )
    _ = try await store.commit([record])
    let settled = try #require(try await store.settledID())
    #expect(settled > 0)
    let schema = try #require(try await store.firstText("SELECT current_schema()"))
    let role = "stranger_\(schema)"
    _ = try await store.firstText("CREATE ROLE \(role) LOGIN")
    let items = "SELECT 1 FROM (SELECT pg_advisory_lock_shared(hashtext('newsd items \(schema)'), 0)) AS l"
    let stranger = try Connection(StoreURI(address.replacing("//newsd@", with: "//\(role)@")), settings: [:])
    try stranger.execute(items)
    try stranger.execute(
      "SELECT 1 FROM (SELECT pg_advisory_lock(hashtext('newsd store'), hashtext('\(schema)'))) AS l"
    )
    #expect(try await store.settledID() == settled)
    _ = try await store.add(NewFeed(url: "http://b/"), at: Timestamp(seconds: 1))
    // The lock of a role that may write counts.
    let writer = try Connection(StoreURI(address), settings: [:])
    try writer.execute(items)
    #expect(try await store.settledID() == 0)
  }

  @Test func `The server ends the session of any connection that is stopped within a transaction`()
    async throws
  {
    guard let address = newAddress() else { return }
    let names = ["idle_in_transaction_session_timeout", "tcp_user_timeout", "tcp_keepalives_idle"]
    let reader = try await open(address).snapshot { (connection) throws(StoreError) in
      try connection.query("SHOW idle_in_transaction_session_timeout").first?.string(0)
    }
    #expect(reader == "30s")
    // Without settings of a role, as the connection that listens for changes. A socket has no timeouts of TCP.
    let other = try Connection(StoreURI(address), settings: [:])
    #expect(try names.map { try other.query("SHOW \($0)").first?.string(0) } == ["30s", "0", "0"])
  }

  @Test func `A session may be idle for longer than the role allows`() async throws {
    guard let address = newAddress() else { return }
    let store = try open(address + "&options=-c%20idle_session_timeout%3D1s")
    _ = try await store.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1))
    // Meanwhile the store's session is idle. A shorter time could end it before it has set its own.
    #expect(try await open(address).firstText("SELECT 'done' FROM pg_sleep(1.5)") == "done")
    // This call is not repeated after a lost connection.
    #expect(try await store.firstText("SELECT count(*) FROM feeds") == "1")
  }

  @Test func `The round trips of a list of feeds do not grow with its length`() async throws {
    guard let address = newAddress() else { return }
    let store = try open(address)
    func trips(_ feeds: [NewFeed]) async throws -> Int {
      let before = await store.roundTrips()
      #expect(try await store.add(feeds, at: Timestamp(seconds: 1)).added.count == feeds.count)
      return await store.roundTrips() - before
    }
    let one = try await trips([NewFeed(url: "http://one/", folder: "A")])
    #expect(try await trips((0..<500).map { NewFeed(url: "http://\($0)/", folder: "A") }) <= one)
    #expect(try await store.feeds().map(\.position) == Array(1...501))
    #expect(try await store.feedChanges(after: 0, limit: 1000).map(\.feedID.rawValue) == Array(1...501))
  }

  @Test func `A data error of a statement without parameters is no fault of the record`() async throws {
    guard let address = newAddress() else { return }
    let error = await #expect(throws: StoreError.self) { try await open(address).firstText("SELECT 1 / 0") }
    #expect(error?.code == .other)
  }

  @Test func `Counters that another program set to the largest number do not overflow`() async throws {
    guard let address = newAddress() else { return }
    let store = try open(address)
    var feeds: [Feed.ID] = []
    for url in ["http://a/", "http://b/"] {
      feeds.append(try await store.add(NewFeed(url: url), at: Timestamp(seconds: 1)).id)
    }
    var parsed = ParsedFeed(format: "rss20")
    parsed.items = [ParsedItem("a", title: "A")]
    let record = RefreshRecord(
      feedID: feeds[0],
      state: FetchState.unfetched,
      parsed: parsed,
      time: Timestamp(seconds: 9)
    )
    let item = try #require(try await store.commit([record]).first?.inserted.first)
    _ = try await store.firstText(
      """
      UPDATE feeds SET items = \(Int64.max), unread = \(Int64.max), failures = \(Int32.max);
      UPDATE counters SET sequence = \(Int64.max), items = \(Int64.max), unread = \(Int64.max), starred = 0
      """
    )
    let stored = try await store.feeds()
    #expect(stored.reduce(0) { $0 + $1.itemCount } > 0)
    #expect(stored.reduce(0) { $0 + $1.unreadCount } > 0)
    #expect(try await store.latestSequence() < .max)
    await #expect(throws: StoreError.self) { try await store.mark([item], .read) }
    #expect(try await store.repair { _ in }.remaining.isEmpty)
    #expect(try await store.mark([item], .read).isEmpty)
    #expect(try await store.item(item).isRead)
  }

  @Test func `A store of a later layout is refused and not changed`() async throws {
    guard let address = newAddress() else { return }
    let store = try open(address)
    _ = try await store.feeds()
    _ = try await store.firstText("UPDATE store SET layout = 2")
    let row = "SELECT store::text FROM store"
    let before = try #require(try await store.firstText(row))
    let error = await #expect(throws: StoreError.self) { try await open(address).feeds() }
    #expect(error?.code == .newerLayout(found: 2, known: 1))
    // This store was opened before the layout changed.
    let refused = await #expect(throws: StoreError.self) {
      try await store.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1))
    }
    #expect(refused?.code == .newerLayout(found: 2, known: 1))
    #expect(try await store.firstText(row) == before)
    #expect(try await store.firstText("SELECT count(*) FROM feeds") == "0")
  }

  @Test func `Looking for changes fails when the store has a later layout`() async throws {
    guard let address = newAddress() else { return }
    let store = try open(address)
    _ = try await store.latestSequence()
    _ = try await open(address).firstText("UPDATE store SET layout = 2")
    for look in [store.latestSequence, store.revision] {
      let error = await #expect(throws: StoreError.self) { try await look() }
      #expect(error?.code == .newerLayout(found: 2, known: 1))
    }
  }

  @Test func `Several processes can use a new store for the first time concurrently`() async throws {
    guard let address = newAddress() else { return }
    let count = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<6 { group.addTask { try await open(address).feeds().count } }
      return try await group.reduce(0, +)
    }
    #expect(count == 0)
  }

  @Test func `A broken connection is opened again, and nothing is lost or doubled`() async throws {
    guard let address = newAddress() else { return }
    let victim = "victim_" + String(address.split(separator: "schema=").last ?? "")
    let store = try open(address + "&application_name=" + victim)
    let feed = try await store.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1))
    let other = try open(address)
    for round in 1...5 {
      let ended = try await other.firstText(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = '\(victim)'"
      )
      #expect(ended != "0")
      var parsed = ParsedFeed(format: "rss20")
      parsed.items = [ParsedItem("\(round)", title: "T\(round)")]
      let record = RefreshRecord(
        feedID: feed.id,
        state: FetchState.unfetched,
        parsed: parsed,
        time: Timestamp(seconds: Int64(round))
      )
      #expect(try await store.commit([record]).first?.inserted.count == 1)
    }
    #expect(try await store.count(ItemRequest()) == 5)
    #expect(try await store.check().isEmpty)
  }

  @Test func `Several writers get numbers of the change log without gaps`() async throws {
    guard let address = newAddress() else { return }
    let feeds = try await open(address).add(
      (1...4).map { NewFeed(url: "http://\($0)/") },
      at: Timestamp(seconds: 1)
    ).added
    try await withThrowingTaskGroup(of: Void.self) { group in
      for feed in feeds {
        group.addTask {
          let store = try open(address)
          for round in 1...10 {
            var parsed = ParsedFeed(format: "rss20")
            parsed.items = (0..<3).map {
              ParsedItem("\(round)-\($0)", title: "\(feed.id.rawValue) \(round) \($0)")
            }
            _ = try await store.commit([
              RefreshRecord(
                feedID: feed.id,
                state: FetchState.unfetched,
                parsed: parsed,
                time: Timestamp(seconds: 9)
              )
            ])
          }
        }
      }
      try await group.waitForAll()
    }
    let store = try open(address)
    let items = try await store.changes(after: 0, limit: 1000, query: .all).map(\.sequence)
    let logged = try await store.feedChanges(after: 0, limit: 1000).map(\.sequence)
    #expect(items.count == 120)
    #expect((items + logged).sorted() == Array(1...Int64(124)).map { $0 })
    #expect(try await store.latestSequence() == 124)
  }

  /// Before versions took turns by a lock of their own, they only locked the row.
  @Test func `A writer waits for another version that holds the store's row`() async throws {
    guard let address = newAddress() else { return }
    let (store, other) = (try open(address), try open(address))
    let feed = try await store.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1))
    let first = try #require(try await store.latestSequence() as Int64?)
    for round in 1...3 {
      async let earlier = other.firstText(
        "DO $$ BEGIN UPDATE store SET sequence = sequence + 1; PERFORM pg_sleep(2); END $$"
      )
      // The row is locked once the transaction has an id.
      try await eventually {
        try await store.firstText(
          """
          SELECT count(*) FROM pg_locks WHERE relation = 'store'::regclass AND mode = 'RowExclusiveLock' AND granted
          """
        ) != "0"
      }
      var parsed = ParsedFeed(format: "rss20")
      parsed.items = [ParsedItem("\(round)", title: "T\(round)")]
      let record = RefreshRecord(
        feedID: feed.id,
        state: FetchState.unfetched,
        parsed: parsed,
        time: Timestamp(seconds: 9)
      )
      #expect(try await store.commit([record]).first?.inserted.count == 1)
      _ = try await earlier
    }
    let items = try await store.changes(after: 0, limit: 10, query: .all).map(\.sequence)
    #expect(items.count == 3 && Set(items).count == 3)
    #expect(try await store.latestSequence() > first + 5)
  }

  @Test func `Phrases beyond the last position that the full-text index stores are found in the text`()
    async throws
  {
    guard let address = newAddress() else { return }
    let store = try open(address)
    let feed = try await store.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1))
    let filler = (0..<17_000).map { "w\($0)" }.joined(separator: " ")
    var parsed = ParsedFeed(format: "rss20")
    parsed.items = [
      ParsedItem("long", title: "Long", text: filler + " golden bridge", published: 3),
      ParsedItem("apart", title: "Apart", text: filler + " golden old bridge", published: 2),
      ParsedItem("short", title: "Short", text: "a golden bridge", published: 1),
    ]
    _ = try await store.commit([
      RefreshRecord(feedID: feed.id, state: FetchState.unfetched, parsed: parsed, time: Timestamp(seconds: 9))
    ])
    for (query, titles) in [
      ("\"golden bridge\"", ["Long", "Short"]), ("golden -\"golden bridge\"", ["Apart"]),
      ("golden", ["Long", "Apart", "Short"]), ("w16999", ["Long", "Apart"]),
      ("-\"golden bridge\"", ["Apart"]),
    ] {
      let request = ItemRequest(query: try QueryParser.parse(query, now: Timestamp(seconds: 9)).query)
      #expect(try await store.items(request).map(\.item.title) == titles, "\(query)")
      #expect(try await store.count(request) == titles.count, "\(query)")
    }
  }

  @Test func `Each table of a store counts towards its quota, or is named as one that does not`() async throws
  {
    guard let address = newAddress() else { return }
    let store = try open(address)
    _ = try await store.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1))
    let tables = try await store.snapshot { (connection) throws(StoreError) in
      try connection.query(
        "SELECT relname::text FROM pg_class WHERE relkind = 'r' AND relnamespace = quote_ident(current_schema())::regnamespace"
      ).map { $0.string(0) }
    }
    let known = Connection.itemTables + Connection.otherTables + Connection.uncountedTables
    #expect(tables.sorted() == known.sorted())
    await store.close()
  }

  @Test func `The measure of a store counts tags, and the entries of words that no other item has`()
    async throws
  {
    /// The growth of an empty store by 20 items.
    func growth(_ change: (inout ParsedItem, Int) -> Void) async throws -> Int64? {
      guard let address = newAddress() else { return nil }
      let store = try open(address)
      let feed = try await store.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1))
      let before = try await store.snapshot { (connection) throws(StoreError) in try connection.usedBytes() }
      var parsed = ParsedFeed(format: "rss20")
      parsed.items = (0..<20).map { number in
        var item = ParsedItem("\(number)", title: "Title", published: 1)
        change(&item, number)
        return item
      }
      let time = Timestamp(seconds: 9)
      _ = try await store.commit([
        RefreshRecord(feedID: feed.id, state: FetchState.unfetched, parsed: parsed, time: time)
      ])
      let after = try await store.snapshot { (connection) throws(StoreError) in try connection.usedBytes() }
      await store.close()
      return after - before
    }
    func words(_ number: (Int) -> Int) -> String {
      (0..<2000).map { "w\(number($0) + 100_000)" }.joined(separator: " ")
    }
    let tags = try await growth { item, number in
      item.tags = (0..<100).map { Category(term: "\(number) \($0) " + String(repeating: "x", count: 60)) }
    }
    guard let tags, let common = try await growth({ item, _ in item.contentText = words { $0 } }),
      let rare = try await growth({ item, number in item.contentText = words { $0 * 20 + number } })
    else { return }
    #expect((350_000...900_000).contains(tags), "\(tags)")
    #expect(rare > common + 800_000, "\(rare), \(common)")
  }

  @Test func `The measure of a store does not read long values`() async throws {
    guard let address = newAddress() else { return }
    let store = try open(address)
    _ = try await store.feeds()
    let before = try await store.snapshot { (connection) throws(StoreError) in try connection.usedBytes() }
    // Values of 11 KiB that cannot be compressed are stored apart from their rows.
    _ = try await store.firstText(
      """
      INSERT INTO versions (item, number, time, title, delta) SELECT i, 1, 0, 'title', (
        SELECT decode(string_agg(md5((i * 1000 + j)::text), ''), 'hex') FROM generate_series(1, 700) AS j)
      FROM generate_series(1, 20) AS i
      """
    )
    let read = """
      SELECT pg_stat_get_xact_blocks_fetched(reltoastrelid) FROM pg_class WHERE oid = 'versions'::regclass
      """
    let (bytes, pages) = try await store.snapshot { (connection) throws(StoreError) in
      let former = try connection.number(read)
      let bytes = try connection.usedBytes()
      return (bytes, [former, try connection.number(read)])
    }
    #expect((250_000...400_000).contains(bytes - before), "\(bytes - before)")
    #expect(pages[0] == pages[1])
    await store.close()
  }

  @Test func `restore and compact refuse a server's store and name the server's own command`()
    async throws
  {
    guard let address = newAddress() else { return }
    let store = try open(address)
    let restore = await #expect(throws: StoreError.self) { try await store.restore(from: "/tmp/x") { _ in } }
    #expect(restore?.code == .badQuery)
    #expect(restore?.message.contains("pg_restore") == true)
    let compact = await #expect(throws: StoreError.self) { try await store.compact { _ in } }
    #expect(compact?.message.contains("VACUUM") == true)
    #expect(try await store.repair { _ in }.found.isEmpty)
  }
}
