import NewsStoresShared
import CSQLite
import FoundationEssentials
import Glibc
@testable import NewsCore
import NewsSQLite
import NewsToolbox
import SearchCases
import Testing

private struct NoHasher: PasswordHashing {
  func hash(_ password: String) -> String? { nil }
  func matches(_ password: String, hash: String) -> Bool { false }
}

private struct FixedTime: WallClock {
  func now() -> Timestamp { Timestamp(seconds: 1_700_000_000) }
}

/// Writes a rollback journal that SQLite plays back, and that names another file as its super-journal (SQLite, "Database File
/// Format" 3.1).
private func forgeJournal(of store: String, naming victim: String) throws {
  let file = try #require(fopen(store, "r"))
  var header = [UInt8](repeating: 0, count: 100)
  #expect(fread(&header, 1, 100, file) == 100)
  fclose(file)
  let pageSize = Int(header[16]) << 8 | Int(header[17])
  func word(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
  let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
  var status = stat()
  stat(store, &status)
  var journal = magic + word(0) + word(0) + word(Int(status.st_size) / pageSize) + word(512) + word(pageSize)
  journal += [UInt8](repeating: 0, count: 512 - journal.count)
  let name = Array(victim.utf8)
  let sum = name.reduce(0) { $0 + Int(Int8(bitPattern: $1)) }
  journal += word(0x4000_0000 / pageSize + 1) + name + word(name.count) + word(sum) + magic
  let target = try #require(fopen(store + "-journal", "w"))
  fwrite(journal, 1, journal.count, target)
  fclose(target)
}

@Suite struct `A store under adverse conditions` {
  @Test func `The media store refuses pictures while the disk is nearly full`() async throws {
    let path = "/tmp/newsd-room-\(UInt64.random(in: 0...UInt64.max))"
    let error = await #expect(throws: StoreError.self) {
      try await MediaFile(besides: path, assumedFreeSpace: (64 << 20) - 1).requireRoom()
    }
    #expect(error?.code == .full)
    try await MediaFile(besides: path, assumedFreeSpace: 64 << 20).requireRoom()
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path)))
  }

  private func write(_ bytes: [UInt8], to path: String) throws {
    try Data(bytes).write(to: URL(filePath: path))
  }

  @Test func `A forged journal deletes no other file`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    try await temporary.refresh(feed, [ParsedItem("1", title: "One")])
    await temporary.store.close()
    let victim = temporary.directory + "/victim"
    try write([1], to: victim)
    try forgeJournal(of: temporary.store.path, naming: victim)
    let store = try NewsStore(path: temporary.store.path)
    // The journal is not newsd's own, so that the first use may fail.
    _ = try? await store.feeds()
    _ = try? await store.add(NewFeed(url: "http://example.org/second"), at: Timestamp(seconds: 1))
    #expect(access(victim, F_OK) == 0)
    #expect(access(store.path + "-journal", F_OK) != 0)
    #expect(try await store.items(ItemRequest(parts: [])).map(\.item.title) == ["One"])
  }

  @Test func `Missing directories are created`() async throws {
    let temporary = try TemporaryStore()
    let store = try NewsStore(path: temporary.directory + "/a/b/c/news.db")
    #expect(try await store.feeds().isEmpty)
    #expect(try await store.latestSequence() == 0)
    #expect(access(store.path, F_OK) == 0)
  }

  @Test func `Only the owner has access to a new store, its directories and its backups`() async throws {
    let temporary = try TemporaryStore()
    let store = try NewsStore(path: temporary.directory + "/a/b/news.db")
    _ = try await store.add(NewFeed(url: "http://example.org/feed"), at: Timestamp(seconds: 1))
    try await store.backup(to: temporary.directory + "/copy.db")
    for (name, mode) in [
      ("/a", 0o700 as mode_t), ("/a/b", 0o700), ("/a/b/news.db", 0o600), ("/a/b/news.db-wal", 0o600),
      ("/copy.db", 0o600),
    ] {
      var status = stat()
      try #require(stat(temporary.directory + name, &status) == 0)
      #expect(status.st_mode & 0o777 == mode, "\(name)")
    }
    // An existing store keeps its mode.
    chmod(store.path, 0o644)
    let again = try NewsStore(path: store.path)
    _ = try await again.add(NewFeed(url: "http://example.org/other"), at: Timestamp(seconds: 1))
    var status = stat()
    #expect(stat(store.path, &status) == 0 && status.st_mode & 0o777 == 0o644)
  }

  @Test func `A directory that cannot be created is named in the error`() async throws {
    let temporary = try TemporaryStore()
    try write([1], to: temporary.directory + "/file")
    let store = try NewsStore(path: temporary.directory + "/file/news.db")
    let error = await #expect(throws: StoreError.self) { try await store.feeds() }
    #expect(error?.code == .unreadable)
    #expect(error?.message.contains("/file") == true)
  }

  @Test(arguments: ["this is no database, whatever its name says. ", "SQLite format 3\0"])
  func `A file that is not a database is rejected and not changed`(_ start: String) async throws {
    let content = [UInt8](start.utf8) + [UInt8](repeating: 255, count: 9000)
    let temporary = try TemporaryStore()
    try write(content, to: temporary.path)
    let reading = await #expect(throws: StoreError.self) { try await temporary.store.feeds() }
    #expect(reading?.code == .corrupt)
    #expect(reading?.message.contains(temporary.path) == true)
    let writing = await #expect(throws: StoreError.self) { try await temporary.subscribe() }
    #expect(writing?.code == .corrupt)
    #expect(try bytes(temporary.path) == content)
  }

  @Test func `A store with a newer schema is rejected and not changed`() async throws {
    let temporary = try TemporaryStore()
    _ = try await temporary.subscribe()
    _ = try temporary.sql("PRAGMA user_version = 999")
    _ = try temporary.sql("PRAGMA wal_checkpoint(TRUNCATE)")
    let before = try bytes(temporary.path)
    let later = try temporary.reopened()
    let reading = await #expect(throws: StoreError.self) { try await later.feeds() }
    guard case .newerLayout(found: 999, known: _)? = reading?.code else {
      Issue.record("unexpected: \(String(describing: reading))")
      return
    }
    let writing = await #expect(throws: StoreError.self) {
      try await later.add(NewFeed(url: "x"), at: Timestamp(seconds: 1))
    }
    #expect(writing?.code == reading?.code)
    #expect(try bytes(temporary.path) == before)
  }

  @Test func `A database of another program is rejected`() async throws {
    let temporary = try TemporaryStore()
    _ = try temporary.sql("CREATE TABLE rss_item (id INTEGER PRIMARY KEY)")
    let error = await #expect(throws: StoreError.self) { try await temporary.store.feeds() }
    #expect(error?.code == .corrupt)
    #expect(error?.message.contains("another program") == true)
    #expect(try temporary.sql("SELECT count(*) FROM sqlite_master") == "1")
  }

  @Test func `A full disk loses no stored data`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    try await temporary.refresh(feed, [ParsedItem("1", title: "kept", text: "earlier words")])
    let pages = Int(try temporary.sql("PRAGMA page_count") ?? "") ?? 0
    let store = try temporary.reopened(options: .init(maximumPages: pages + 20))
    var parsed = ParsedFeed(format: "rss20")
    parsed.items = (0..<200).map {
      ParsedItem("n\($0)", title: "N\($0)", text: String(repeating: "word\($0) ", count: 500))
    }
    let record = RefreshRecord(
      feedID: feed.id,
      state: FetchState(failures: 9),
      parsed: parsed,
      time: Timestamp(seconds: 3)
    )
    let error = await #expect(throws: StoreError.self) { try await store.commit([record]) }
    #expect(error?.code == .full)
    #expect(try await store.items(ItemRequest()).map(\.item.title) == ["kept"])
    #expect(try await store.feed(feed.id).fetchState.failures == 0)
    #expect(try temporary.sql("PRAGMA integrity_check") == "ok")
    // The same connection works again after space is freed.
    #expect(try await store.mark([NewsItem.ID(rawValue: 1)], .read).isEmpty)
    #expect(try await temporary.reopened().commit([record]).first?.inserted.count == 200)
  }

  @Test func `Two concurrent writers and a concurrent reader all succeed`() async throws {
    let temporary = try TemporaryStore()
    let first = try await temporary.subscribe("http://a/")
    let second = try await temporary.subscribe("http://b/")
    let path = temporary.path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for feed in [first, second] {
        group.addTask {
          let store = try NewsStore(path: path)
          for round in 0..<40 {
            var parsed = ParsedFeed(format: "rss20")
            parsed.items = (0..<5).map { ParsedItem("\(round)-\($0)", title: "T", text: "text \(round)") }
            let time = Timestamp(seconds: Int64(round))
            _ = try await store.commit([
              RefreshRecord(feedID: feed.id, state: FetchState(), parsed: parsed, time: time)
            ])
          }
        }
      }
      group.addTask {
        let store = try NewsStore(path: path)
        for _ in 0..<100 {
          _ = try await store.items(ItemRequest(query: .text(TextMatch(text: "text")), limit: 20))
          _ = try await store.feeds()
        }
      }
      try await group.waitForAll()
    }
    #expect(try await temporary.store.feeds().map(\.itemCount) == [200, 200])
    #expect(try await temporary.store.count(ItemRequest()) == 400)
    #expect(try await temporary.store.latestSequence() == 402)
  }

  @Test func `Several processes can create the same store concurrently`() async throws {
    let temporary = try TemporaryStore()
    let path = temporary.path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<6 {
        group.addTask {
          _ = try await NewsStore(path: path).add(NewFeed(url: "u\(number)"), at: Timestamp(seconds: 0))
        }
      }
      try await group.waitForAll()
    }
    #expect(try await temporary.store.feeds().map(\.position) == [1, 2, 3, 4, 5, 6])
  }

  @Test func `A write that waits too long for another process's lock fails as busy`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    let holder = try SQLLock(temporary.path)
    defer { holder.release() }
    let store = try temporary.reopened(options: .init(busyTimeout: 30))
    let error = await #expect(throws: StoreError.self) { try await store.rename(feed.id, to: "x") }
    #expect(error?.code == .busy)
    #expect(try await store.feeds().count == 1)
    await store.remember(search: "x", at: Timestamp(seconds: 1))
    #expect(try await store.recentSearches(limit: 1).isEmpty)
  }

  @Test func `Programs and pages do not wait for a write, and their use is noted after that`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let now = FixedTime().now()
    let login = WebLogin(user: "anna", keeper: store, hasher: NoHasher(), clock: FixedTime())
    let (app, password) = try #require(try await login.addApp(named: "phone"))
    let hash = SecureHash.sha256.digest(Array("cookie".utf8))
    let session = try await store.addSession(hash: hash, agent: "", address: "a", made: now)
    let holder = try SQLLock(temporary.path)
    defer { holder.release() }
    // A note that is waited for fails as busy, and is not made again.
    guard case .granted(let found) = try await login.app(user: "anna", password: password, address: "b")
    else {
      return #expect(Bool(false), "refused")
    }
    #expect(found.id == app.id)
    for _ in 0..<2 {
      #expect(try await login.session(cookie: "cookie", address: "b")?.id == session.id)
    }
    holder.release()
    var used: Timestamp?
    var address = "a"
    for _ in 0..<1000 where used == nil || address == "a" {
      try await Task.sleep(for: .milliseconds(10))
      used = try await store.appPasswords().first?.app.lastUsed
      address = try await store.sessions(seenAfter: now - 1).first?.address ?? ""
    }
    #expect(used == now)
    #expect(address == "b")
  }

  @Test func `The transaction of a killed process is rolled back before the store is read`() async throws {
    let temporary = try TemporaryStore()
    _ = try await temporary.subscribe()
    await temporary.store.close()
    var database: OpaquePointer?
    defer { sqlite3_close_v2(database) }
    #expect(sqlite3_open(temporary.path, &database) == SQLITE_OK)
    // With few pages in memory, SQLite writes the journal and changed pages before the commit.
    let script = """
      PRAGMA journal_mode = DELETE; PRAGMA cache_size = 2; BEGIN; CREATE TABLE other (value);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
        INSERT INTO other SELECT randomblob(4000) FROM n
      """
    #expect(sqlite3_exec(database, script, nil, nil, nil) == SQLITE_OK)
    let copy = temporary.directory + "/copy.db"
    for name in ["", "-journal"] {
      try Data(contentsOf: URL(filePath: temporary.path + name)).write(to: URL(filePath: copy + name))
    }
    let store = try NewsStore(path: copy)
    #expect(try await store.upgradePlan() == nil)
    #expect(try await store.feeds().count == 1)
    #expect(access(copy + "-journal", F_OK) != 0)
  }
}
