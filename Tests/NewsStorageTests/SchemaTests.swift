import CSQLite
import Glibc
import NewsCore
import Testing

@testable import NewsStorage

@Suite struct `What a code of SQLite means` {
  /// SQLite never clears the error of the system that it last saw.
  @Test(arguments: [
    (SQLITE_IOERR, ENOSPC, StoreError.Code.full), (SQLITE_CANTOPEN, EDQUOT, .full), (SQLITE_FULL, 0, .full),
    (SQLITE_BUSY, ENOSPC, .busy), (SQLITE_CONSTRAINT, ENOSPC, .other), (SQLITE_CORRUPT, EDQUOT, .corrupt),
    (SQLITE_IOERR, EIO, .unreadable), (SQLITE_READONLY, ENOSPC, .unreadable),
  ])
  func `An earlier full disk explains no later failure`(
    _ code: Int32,
    _ system: Int32,
    _ expected: StoreError.Code
  ) {
    #expect(StoreError(sqlite: code, message: "", systemError: system, path: "/x").code == expected)
  }
}

/// Stores of earlier layouts are brought up to date without losing anything.
@Suite struct `Migration` {
  private func statement(_ beginning: String) throws -> String {
    let create = SchemaSteps.first
    let start = try #require(create.firstRange(of: beginning))
    let rest = create[start.lowerBound...]
    return String(rest[..<(try #require(rest.firstIndex(of: ";")))])
  }

  /// Turns a store of the current layout back into one of the fifth: texts by the keys of their items, keys of stories by
  /// fewer days.
  private func makeFifthLayout(_ temporary: TemporaryStore) throws {
    let connection = try Connection(path: temporary.path, access: .writing, patience: 0)
    try connection.execute("DROP VIEW searchable; ALTER TABLE contents RENAME TO texts")
    try connection.execute(try statement("CREATE TABLE contents"))
    try connection.execute(
      """
      INSERT INTO contents SELECT i.key, t.author, t.summary, t.details, t.text, t.html
      FROM items AS i JOIN texts AS t ON t.id = i.id;
      DROP TABLE texts;
      CREATE VIEW searchable AS
        SELECT i.key AS key, c.text AS text, i.title AS title, c.author AS author
        FROM items AS i JOIN contents AS c ON c.key = i.key;
      UPDATE story_keys SET days = days * 4 + 1;
      PRAGMA user_version = 5
      """
    )
  }

  /// And further back to one of the second: the tables that the third step replaced.
  private func makeSecondLayout(_ temporary: TemporaryStore) throws {
    try makeFifthLayout(temporary)
    let connection = try Connection(path: temporary.path, access: .writing, patience: 0)
    try connection.transaction { () throws(StoreError) in
      try connection.execute(
        "DROP TABLE search; DROP VIEW searchable; DROP TABLE story_keys; DROP TABLE feed_changes"
      )
    }
    for beginning in ["CREATE TABLE story_keys", "CREATE VIEW searchable", "CREATE VIRTUAL TABLE search"] {
      try connection.execute(try statement(beginning))
    }
    try connection.execute("INSERT INTO search (search) VALUES ('rebuild'); PRAGMA user_version = 2")
  }

  @Test(arguments: [2, 5])
  func `A store of an earlier layout keeps items, index and stories`(_ layout: Int) async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    let other = try await temporary.subscribe("http://example.com/other")
    let text = """
      The long tale of a lighthouse keeper who counted ships until the fog came in over the bay at dusk, and who wrote
      their names into a book with a leather cover that nobody opened for a century and a half, when a child looking for
      shells found it under the floor of the boathouse and read it aloud
      """
    let story = ParsedItem("tale", title: "Lighthouse keeper counts ships", text: text)
    try await temporary.refresh(feed, [story, ParsedItem("b", title: "Ice", text: "frozen water")])
    let whole = try await temporary.store.items(ItemRequest(parts: .all)).map(\.item)
    await temporary.store.close()
    if layout == 2 { try makeSecondLayout(temporary) } else { try makeFifthLayout(temporary) }

    let store = try temporary.reopened()
    #expect(try await store.items(ItemRequest(parts: .all)).map(\.item) == whole)
    let found = try await store.items(ItemRequest(query: .text(TextMatch(text: "fog"))))
    #expect(found.map(\.item.title) == ["Lighthouse keeper counts ships"])
    let titles = try await store.items(ItemRequest(query: .text(TextMatch(field: .title, text: "ice"))))
    #expect(titles.map(\.item.title) == ["Ice"])
    #expect(try await store.check().isEmpty)
    // What is found by the keys of stories is found still.
    try await temporary.refresh(other, [story])
    let clusters = try await store.items(ItemRequest(query: .text(TextMatch(text: "fog")))).map(
      \.item.cluster
    )
    #expect(clusters.count == 2)
    #expect(clusters[0] != nil && clusters[0] == clusters[1])
  }

  @Test func `Nothing is written to a store that a later newsd has taken over meanwhile`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    try await temporary.refresh(feed, [ParsedItem("a", title: "A")])
    _ = try temporary.sql("PRAGMA user_version = 99")
    let error = await #expect(throws: StoreError.self) {
      try await temporary.refresh(feed, [ParsedItem("b", title: "B")])
    }
    #expect(error?.isOfLaterLayout == true)
    #expect(try temporary.sql("SELECT count(*) FROM items") == "1")
  }

  /// Indexes are not needed for it.
  @Test(arguments: ["contents", "items_id"])
  func `Of a damaged store of an earlier layout what can be read is saved`(_ damaged: String) async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    try await temporary.refresh(
      feed,
      (0..<300).map {
        ParsedItem("x\($0)", title: "X\($0)", text: String(repeating: "fill\($0) ", count: 90))
      }
    )
    await temporary.store.close()
    try makeFifthLayout(temporary)
    _ = try temporary.sql("PRAGMA wal_checkpoint(TRUNCATE)")
    let leaf = try #require(
      try temporary.sql("SELECT min(pageno) FROM dbstat WHERE name = '\(damaged)' AND pagetype = 'leaf'")
        .flatMap { Int($0) }
    )
    let pageSize = try #require(try temporary.sql("PRAGMA page_size").flatMap { Int($0) })
    let descriptor = open(temporary.path, O_RDWR)
    let noise = [UInt8](repeating: 0, count: pageSize)
    _ = noise.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, (leaf - 1) * pageSize) }
    close(descriptor)
    let store = try temporary.reopened()
    let repair = try await store.repair()
    #expect(repair.remaining.isEmpty)
    let saved = try await store.items(ItemRequest(parts: .all)).map(\.item)
    #expect(saved.count == 300)
    let lost = saved.count { $0.contentText.isEmpty }
    #expect(damaged == "contents" ? (1...100).contains(lost) : lost == 0)
  }

  @Test func `A new store and one that was brought up to date have the same layout`() async throws {
    let temporary = try TemporaryStore()
    _ = try await temporary.subscribe()
    let layout = try temporary.sql(
      "SELECT group_concat(sql) FROM (SELECT sql FROM sqlite_master ORDER BY name)"
    )
    await temporary.store.close()
    try makeSecondLayout(temporary)
    _ = try await temporary.reopened().feeds()
    #expect(
      try temporary.sql("SELECT group_concat(sql) FROM (SELECT sql FROM sqlite_master ORDER BY name)")
        == layout
    )
  }

  @Test func `A store whose words were cut otherwise is indexed again`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    try await temporary.refresh(feed, [ParsedItem("a", title: "½ cup of sugar")])
    await temporary.store.close()
    try makeFifthLayout(temporary)
    do {
      let connection = try Connection(path: temporary.path, access: .writing, patience: 0)
      try connection.execute(
        "DROP TABLE feed_changes; INSERT INTO search (search) VALUES ('delete-all'); PRAGMA user_version = 3"
      )
    }
    let store = try temporary.reopened()
    let found = try await store.items(ItemRequest(query: .text(TextMatch(text: "1/2"))))
    #expect(found.map(\.item.title) == ["½ cup of sugar"])
    #expect(try await store.check().isEmpty)
  }

  @Test func `Every setting of a feed is kept`() throws {
    var settings = FeedSettings()
    settings.minimumInterval = 60
    settings.maximumInterval = 7200
    settings.userAgent = "a \"quoted\" agent"
    settings.headers = ["X-One: 1", "X-Two: ü"]
    settings.credential = "env:SECRET"
    settings.proxy = "socks5h://127.0.0.1:9"
    settings.clientCertificate = "/a/b.pem"
    settings.certificateAuthority = "/a/c.pem"
    settings.secretsFor = "https://example.org:443"
    settings.verifiesTLS = false
    settings.timeout = 9
    settings.maximumBytes = 1 << 20
    settings.encoding = "koi8-r"
    settings.allowsLocalOrigin = true
    settings.identity = "link"
    settings.keepDays = 3
    settings.keepItems = 4
    // A property that this test, and perhaps the store, has not heard of.
    for (name, value) in Mirror(reflecting: settings).children {
      #expect(String(describing: value) != "nil", "\(name ?? "") is not set here")
    }
    #expect(FeedSettings(stored: settings.storedText) == settings)
    #expect(FeedSettings().storedText == nil)
  }
}
