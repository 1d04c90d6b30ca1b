import CSQLite
import Glibc
import NewsService
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
  /// Turns a store of the current layout back into one of the second: the tables that the third step replaced.
  private func makeSecondLayout(_ temporary: TemporaryStore) throws {
    let connection = try Connection(path: temporary.path, access: .writing, patience: 0)
    let create = SchemaSteps.first
    func statement(_ beginning: String) throws -> String {
      let start = try #require(create.firstRange(of: beginning))
      let rest = create[start.lowerBound...]
      return String(rest[..<(try #require(rest.firstIndex(of: ";")))])
    }
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

  @Test func `A store of the second layout keeps items, index and stories`() async throws {
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
    await temporary.store.close()
    try makeSecondLayout(temporary)

    let store = try temporary.reopened()
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
