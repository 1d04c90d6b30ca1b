import NewsCore
import SearchCases
import Testing

@Suite(.everyStore) struct `Stored credentials` {
  private func time(_ seconds: Int64) -> Timestamp { Timestamp(seconds: 1_700_000_000 + seconds) }

  @Test func `The server's secret is made once`() async throws {
    let file = try TemporaryStore()
    let secret = try await file.store.serverSecret()
    #expect(secret.count == 32)
    #expect(try await file.store.serverSecret() == secret)
  }

  @Test func `App passwords are kept by name, without regard to case`() async throws {
    let file = try TemporaryStore()
    let store = file.store
    defer { withExtendedLifetime(file) {} }
    let app = try await store.addAppPassword(named: "Phone", hash: [1], feverHash: [2], made: time(0))
    #expect(app?.name == "Phone")
    #expect(try await store.addAppPassword(named: "phone", hash: [3], feverHash: [4], made: time(0)) == nil)
    try await store.noteUse(ofAppPassword: #require(app?.id), at: time(9))
    let kept = try await store.appPasswords()
    #expect(kept.map(\.hash) == [[1]])
    #expect(kept.map(\.feverHash) == [[2]])
    #expect(kept.first?.app.lastUsed == time(9))
    #expect(try await store.removeAppPassword(named: "PHONE"))
    #expect(try await !store.removeAppPassword(named: "PHONE"))
    #expect(try await store.appPasswords().isEmpty)
  }

  @Test func `Removing the login password ends all sessions`() async throws {
    let file = try TemporaryStore()
    let store = file.store
    defer { withExtendedLifetime(file) {} }
    #expect(try await store.loginPasswordHash() == nil)
    try await store.setLoginPasswordHash("$y$x")
    #expect(try await store.loginPasswordHash() == "$y$x")
    let session = try await store.addSession(hash: [7], agent: "Browser", address: "192.0.2.1", made: time(0))
    #expect(try await store.session(hash: [7], seenAfter: time(-1)) == session)
    #expect(try await store.session(hash: [8], seenAfter: time(-1)) == nil)
    #expect(try await store.session(hash: [7], seenAfter: time(0)) == nil)
    try await store.noteSession(session.id, seen: time(5), address: "192.0.2.2")
    #expect(try await store.sessions(seenAfter: time(0)).map(\.address) == ["192.0.2.2"])
    #expect(try await store.removeSession(session.id))
    _ = try await store.addSession(hash: [9], agent: "", address: "", made: time(0))
    try await store.setLoginPasswordHash(nil)
    #expect(try await store.sessions(seenAfter: time(-1)).isEmpty)
    #expect(try await store.loginPasswordHash() == nil)
  }

  @Test func `A link to a provider is kept for each issuer and carried by copies, until all are removed`()
    async throws
  {
    let file = try TemporaryStore()
    let store = file.store
    defer { withExtendedLifetime(file) {} }
    let link = SignOnLink(account: "anna", subject: "a\tb %_ ü")
    #expect(try await store.signOnLink(to: "https://a") == nil)
    #expect(try await store.keep(link, to: "https://a") == link)
    let other = SignOnLink(account: "anna", subject: "c")
    #expect(try await store.keep(other, to: "https://a") == link)
    // It looks the same.
    let decomposed = SignOnLink(account: "anna", subject: "a\tb %_ u\u{308}")
    #expect(try await store.keep(decomposed, to: "https://a") != decomposed)
    #expect(try await store.keep(other, to: "https://a/") == other)
    // The link of another account, from which the store was copied, is replaced.
    let own = SignOnLink(account: "", subject: "d")
    #expect(try await store.keep(own, to: "https://a/") == own)
    for kind in StoreKind.available {
      let copy = try StoreKind.$current.withValue(kind) { try TemporaryStore() }
      _ = try await StoreCopy().copy(from: store, to: copy.store)
      #expect(try await copy.store.signOnLink(to: "https://a") == link, "\(kind)")
      #expect(try await copy.store.signOnLink(to: "https://a/") == own, "\(kind)")
    }
    _ = try await store.addSession(hash: [1], agent: "", address: "", made: time(0))
    let secret = try await store.serverSecret()
    #expect(try await store.removeSignOnLinks() == 2)
    #expect(try await store.sessions(seenAfter: time(-1)).isEmpty)
    _ = try await store.addSession(hash: [2], agent: "", address: "", made: time(0))
    #expect(try await store.removeSignOnLinks() == 0)
    #expect(try await store.sessions(seenAfter: time(-1)).count == 1)
    #expect(try await store.signOnLink(to: "https://a") == nil)
    #expect(try await store.serverSecret() == secret)
  }

  @Test func `A store that is handed over keeps few of its credentials, each within its limits`() async throws
  {
    let file = try TemporaryStore()
    let store = file.store
    defer { withExtendedLifetime(file) {} }
    let secret = try await store.serverSecret()
    let token = SetUpToken(text: "ab", expires: time(3600))
    #expect(try await store.setUpToken(orStore: token, now: time(0)) == token)
    _ = try await store.keep(SignOnLink(account: "anna", subject: "s"), to: "https://a")
    try await store.change([.bytes(1 << 40)])
    let hash = [UInt8](repeating: 7, count: 32)
    _ = try await store.addAppPassword(named: "phone", hash: hash, feverHash: hash, made: time(0))
    _ = try await store.addAppPassword(named: "short", hash: [1], feverHash: hash, made: time(0))
    _ = try await store.addSession(hash: hash, agent: "", address: "", made: time(0))
    _ = try await file.sql(
      """
      WITH RECURSIVE n (i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 1300)
      INSERT INTO app_passwords (id, name, hash, fever_hash, made)
      SELECT i, 'n' || i, hash, fever_hash, 1 FROM n JOIN app_passwords ON name = 'phone'
      """
    )
    // Nothing else reads more of them than an account may have.
    #expect(try await store.appPasswords().count == 100)
    try await store.removeForeignCredentials()
    let kept = try await store.appPasswords().map(\.app.name)
    #expect(kept.count == 100 && kept[0] == "phone" && kept[1] == "n1000", "\(kept.prefix(2))")
    let rows = try await file.sql("SELECT CAST(count(*) AS text) FROM app_passwords")
    #expect(rows == "100")
    #expect(try await store.serverSecret() == secret)
    #expect(try await store.signOnLink(to: "https://a") == nil)
    #expect(try await !store.quota().isSet)
    #expect(try await store.currentSetUpToken(now: time(1)) == nil)
    #expect(try await store.sessions(seenAfter: time(-1)).isEmpty)
    try await store.setLoginPasswordHash("$y$x")
    try await store.keepConfiguredUser("maria")
    try await store.removeForeignCredentials()
    #expect(try await store.loginPasswordHash() == "$y$x")
    #expect(try await store.setUpChoices() == SetUpChoices(configured: "maria"))
  }

  @Test func `A file that is handed over hides no part of its credentials behind a NUL`() async throws {
    guard StoreKind.current == .file else { return }
    let file = try TemporaryStore()
    let store = file.store
    defer { withExtendedLifetime(file) {} }
    let hash = [UInt8](repeating: 7, count: 32)
    for name in ["phone", "name", "hash", "fever"] {
      _ = try await store.addAppPassword(named: name, hash: hash, feverHash: hash, made: time(0))
    }
    let rest = "char(0) || hex(zeroblob(40000))"
    let hidden = "'\(String(repeating: "h", count: 32))' || \(rest)"
    for change in [
      "UPDATE app_passwords SET name = 'n' || \(rest) WHERE name = 'name'",
      "UPDATE app_passwords SET hash = \(hidden) WHERE name = 'hash'",
      "UPDATE app_passwords SET fever_hash = \(hidden) WHERE name = 'fever'",
      "INSERT OR REPLACE INTO secrets (name, value) VALUES ('user', \(rest)), ('page_settings', \(rest))",
    ] { _ = try await file.sql(change) }
    try await store.removeForeignCredentials()
    #expect(try await store.appPasswords().map(\.app.name) == ["phone"])
    #expect(
      try await file.sql("SELECT CAST(count(*) AS text) FROM secrets WHERE name IN ('user', 'page_settings')")
        == "0"
    )
  }

  /// SQL for a text of some bytes.
  private func text(_ bytes: Int) -> String {
    StoreKind.current == .file ? "substr(hex(zeroblob(\(bytes))), 1, \(bytes))" : "repeat('0', \(bytes))"
  }

  @Test(arguments: [
    ("feeds", "user_title", 4000), ("feeds", "last_error", 4000), ("feeds", "etag", 256 << 10),
    ("feeds", "site_url", 8 << 10),
    ("items", "title", 16 << 20), ("contents", "text", 16 << 20), ("saved_searches", "query", 256 << 10),
  ])
  func `A store that is handed over has no value that is longer than those of newsd`(
    _ table: String,
    _ column: String,
    _ limit: Int
  ) async throws {
    let file = try TemporaryStore()
    let store = file.store
    defer { withExtendedLifetime(file) {} }
    try await file.refresh(try await file.subscribe(), [ParsedItem("1", title: "1", text: "One")])
    try await store.save(SavedSearch(name: "a", query: "b"), at: time(0))
    _ = try await file.sql("UPDATE \(table) SET \(column) = \(text(limit))")
    try await store.removeForeignCredentials()
    _ = try await file.sql("UPDATE \(table) SET \(column) = \(text(limit + 1))")
    let error = await #expect(throws: StoreError.self) { try await store.removeForeignCredentials() }
    #expect(error?.code == .corrupt)
    #expect(error?.message.contains("'\(column)' of the table '\(table)' has \(limit + 1) bytes") == true)
  }

  /// SQL that adds rows with the numbers from 2 to `last`.
  private func rows(_ last: Int, _ insertion: String) -> String {
    "WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < \(last)) \(insertion) FROM n"
  }

  @Test(arguments: [
    ("INSERT INTO saved_searches (number, name, query) SELECT i, 'n' || i, 'a'", 1000, "1001 saved searches"),
    ("INSERT INTO rules (number, query, action) SELECT i, 'a', 'star'", 1000, "1001 rules"),
    ("INSERT INTO folder_settings (folder, settings) SELECT 'f' || i, '{}'", 1000, "1001 folders"),
    ("INSERT INTO item_labels (label, item) SELECT 'l' || i, 1", 100, "101 labels"),
  ])
  func `A store that is handed over has no more rows than newsd lets it have`(
    _ insertion: String,
    _ limit: Int,
    _ excess: String
  ) async throws {
    let file = try TemporaryStore()
    let store = file.store
    defer { withExtendedLifetime(file) {} }
    try await file.refresh(try await file.subscribe(), [ParsedItem("1", title: "1")])
    _ = try await file.sql(rows(limit + 1, insertion))
    try await store.removeForeignCredentials()
    let one = insertion.replacing("SELECT i,", with: "SELECT 0,").replacing("|| i", with: "|| 0")
    _ = try await file.sql(one)
    let error = await #expect(throws: StoreError.self) { try await store.removeForeignCredentials() }
    #expect(error?.code == .corrupt && error?.message.contains(excess) == true, "\(error?.message ?? "")")
  }

  @Test func `A store takes no more saved searches, rules and folders than requests may read`() async throws {
    let file = try TemporaryStore()
    let store = file.store
    defer { withExtendedLifetime(file) {} }
    _ = try await store.serverSecret()
    let long = text(1 << 20)
    for insertion in [
      "INSERT INTO saved_searches (number, name, query) VALUES (1, 'a', \(long))",
      "INSERT INTO rules (number, query, action) VALUES (1, \(long), 'star')",
      "INSERT INTO folder_settings (folder, settings) VALUES ('a', \(long))",
    ] { _ = try await file.sql(insertion) }
    let now = time(0)
    let refusals = [
      await #expect(throws: StoreError.self) {
        try await store.save(SavedSearch(name: "b", query: "c"), at: now)
      },
      await #expect(throws: StoreError.self) {
        _ = try await store.addRule("b", do: [.star], until: nil, at: now)
      },
      await #expect(throws: StoreError.self) { try await store.makeFolder(MadeFolder(name: "b")) },
    ]
    for error in refusals {
      #expect(error?.code == .badQuery && error?.message.contains("remove some first") == true)
    }
    #expect(try await store.savedSearches().count == 1)
    #expect(try await store.removeRule(1))
    _ = try await store.addRule("b", do: [.star], until: nil, at: now)
    // As many as there may be.
    _ = try await file.sql("DELETE FROM saved_searches")
    _ = try await file.sql(
      rows(1000, "INSERT INTO saved_searches (number, name, query) SELECT i, 'n' || i, 'a'")
    )
    try await store.save(SavedSearch(name: "b", query: "c"), at: now)
    try await store.save(SavedSearch(name: "b", query: "d"), at: now)
    await #expect(throws: StoreError.self) {
      try await store.save(SavedSearch(name: "e", query: "f"), at: now)
    }
    // Where there are more, they can be changed, unless they grow.
    _ = try await file.sql("INSERT INTO saved_searches (number, name, query) VALUES (5000, 'z', 'long')")
    try await store.save(SavedSearch(name: "b", query: "g"), at: now)
    try await store.save(SavedSearch(name: "z", query: "h"), at: now)
    await #expect(throws: StoreError.self) {
      try await store.save(SavedSearch(name: "z", query: "long"), at: now)
    }
  }

  @Test(arguments: ["last_status = zeroblob(33)", "user_title = char(0) || hex(zeroblob(2000))"])
  func `A file that is handed over hides no long value behind a NUL or in a column of numbers`(
    _ change: String
  ) async throws {
    guard StoreKind.current == .file else { return }
    let file = try TemporaryStore()
    let store = file.store
    defer { withExtendedLifetime(file) {} }
    _ = try await file.subscribe()
    _ = try await file.sql("UPDATE feeds SET \(change)")
    let error = await #expect(throws: StoreError.self) { try await store.removeForeignCredentials() }
    #expect(error?.code == .corrupt)
  }

  @Test(arguments: [
    #"{"feeds":-1,"bytes":-9223372036854775808}"#, #"{"feeds":9223372036854775807,"bytes":1125899906842625}"#,
    #"{"feeds":"a","bytes":1.5}"#, "[]", "",
  ])
  func `A damaged quota lets nothing more be stored, and removes nothing`(_ stored: String) async throws {
    let file = try TemporaryStore()
    let store = file.store
    let feed = try await file.subscribe()
    try await file.refresh(feed, [ParsedItem("1", title: "1")])
    _ = try await store.mark([NewsItem.ID(rawValue: 1)], .read)
    try await store.change([.feeds(5)])
    let isServer = StoreKind.current == .postgres
    let value = isServer ? "convert_to('\(stored)', 'UTF8')" : "CAST('\(stored)' AS blob)"
    _ = try await file.sql("UPDATE secrets SET value = \(value) WHERE name = 'quota'")
    let quota = try await store.quota()
    #expect(quota.feeds == 0 && quota.bytes == 0 && quota.isAboveBytes)
    #expect(try await store.pruneToQuota() == 0)
    let refused = await #expect(throws: StoreError.self) {
      try await file.refresh(feed, [ParsedItem("2", title: "2")])
    }
    #expect(refused?.code == .overQuota)
    #expect(try await file.titles(limit: 9) == ["1"])
    try await store.change([.bytes(1 << 50), .feeds(10_000_000)])
    try await file.refresh(feed, [ParsedItem("2", title: "2")])
  }

  @Test func `The set-up token is one for all, valid for an hour, for one use, and without a password only`()
    async throws
  {
    let file = try TemporaryStore()
    let store = file.store
    defer { withExtendedLifetime(file) {} }
    let token = SetUpToken(text: "ab", expires: time(3600))
    #expect(try await store.currentSetUpToken(now: time(0)) == nil)
    #expect(try await store.setUpToken(orStore: token, now: time(0)) == token)
    let other = SetUpToken(text: "cd", expires: time(7200))
    #expect(try await store.setUpToken(orStore: other, now: time(3599)) == token)
    #expect(try await store.currentSetUpToken(now: time(3600)) == nil)
    #expect(try await store.setUpToken(orStore: other, now: time(3600)) == other)
    let choices = SetUpChoices(user: "anna", host: "news.lan:8788")
    let finish = { (text: String) in
      try await store.finishSetUp(token: text, hash: "$y$x", choices, now: time(3601))
    }
    #expect(try await !finish("ab"))
    #expect(try await store.loginPasswordHash() == nil)
    #expect(try await finish("cd"))
    #expect(try await store.loginPasswordHash() == "$y$x")
    #expect(try await store.setUpChoices() == choices)
    #expect(try await !finish("cd"))
    #expect(try await store.setUpToken(orStore: other, now: time(3601)) == nil)
    // Any way to set a password ends the token.
    try await store.setLoginPasswordHash(nil)
    #expect(try await store.setUpToken(orStore: other, now: time(3602)) == other)
    try await store.setLoginPasswordHash("$y$z")
    try await store.setLoginPasswordHash(nil)
    #expect(try await store.currentSetUpToken(now: time(3603)) == nil)
  }
}
