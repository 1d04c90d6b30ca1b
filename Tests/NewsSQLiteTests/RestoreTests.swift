import NewsStoresShared
import NewsToolbox
import CSQLite
import FoundationEssentials
import Glibc
@testable import NewsCore
import SearchCases
import Synchronization
import Testing

@testable import NewsSQLite

/// Overwrites a file with another one, as `cp` does.
private func copy(_ source: String, over target: String) throws {
  let bytes = Array(try Data(contentsOf: URL(filePath: source)))
  let descriptor = open(target, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
  try #require(descriptor >= 0)
  defer { close(descriptor) }
  try #require(bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } == bytes.count)
}

/// A store as left by a killed process: the file and a WAL that was not checkpointed.
private struct KilledStore {
  let path: String
  let backup: String

  /// Stores 30 items and makes a backup, then stores 30 more in the WAL. With `isCheckpointed`, these are in the file
  /// too.
  init(in temporary: TemporaryStore, isCheckpointed: Bool = false) async throws {
    let feed = try await temporary.subscribe()
    try await temporary.refresh(feed, Self.items(0..<30))
    path = temporary.directory + "/killed.db"
    backup = temporary.directory + "/backup.db"
    try await temporary.store.backup(to: backup)
    _ = try temporary.sql("PRAGMA wal_checkpoint(TRUNCATE)")
    try await temporary.refresh(feed, Self.items(30..<60))
    if isCheckpointed { _ = try temporary.sql("PRAGMA wal_checkpoint(PASSIVE)") }
    try copy(temporary.path, over: path)
    try copy(temporary.path + "-wal", over: path + "-wal")
  }

  static func items(_ numbers: Range<Int>) -> [ParsedItem] {
    numbers.map { ParsedItem("\($0)", title: "T\($0)", text: String(repeating: "word\($0) ", count: 300)) }
  }
}

@Suite struct `Restoring a backup` {
  @Test(arguments: [false, true])
  func `The WAL of a killed process is applied to its own store`(_ isCheckpointed: Bool) async throws {
    let temporary = try TemporaryStore()
    let killed = try await KilledStore(in: temporary, isCheckpointed: isCheckpointed)
    let notices = Mutex<[String]>([])
    let store = try NewsStore(path: killed.path) { line in notices.withLock { $0.append(line) } }
    #expect(try await store.count(ItemRequest()) == 60)
    #expect(try await store.check().isEmpty)
    #expect(notices.withLock { $0 }.isEmpty)
  }

  @Test(arguments: [false, true])
  func `A backup copied over the store of a killed process is not mixed with its WAL`(_ isCheckpointed: Bool)
    async throws
  {
    let temporary = try TemporaryStore()
    let killed = try await KilledStore(in: temporary, isCheckpointed: isCheckpointed)
    try copy(killed.backup, over: killed.path)
    let notices = Mutex<[String]>([])
    let store = try NewsStore(path: killed.path) { line in notices.withLock { $0.append(line) } }
    #expect(try await store.count(ItemRequest()) == 30)
    #expect(try await store.check().isEmpty)
    #expect(notices.withLock { $0 }.map { $0.contains("newsd restore") } == [true])
    #expect(access(killed.path + "-wal.1", F_OK) == 0)
  }

  @Test func `A backup replaces a store whose first commits are only in its WAL`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    try await temporary.refresh(feed, KilledStore.items(0..<3))
    let backup = temporary.directory + "/backup.db"
    try await temporary.store.backup(to: backup) { _ in }
    try await temporary.refresh(feed, KilledStore.items(0..<5))
    let restore = try await NewsStore(path: temporary.path).restore(from: backup) { _ in }
    #expect(restore.kept == nil && restore.items == 3)
    #expect(try await temporary.store.count(ItemRequest()) == 3)
  }

  private enum Copied: CaseIterable { case backup, backupAfterCheckpoint, olderCopy }

  @Test(arguments: Copied.allCases)
  private func `A file copied over a store in use is noticed, and the reopened store passes check`(
    _ copied: Copied
  )
    async throws
  {
    let temporary = try TemporaryStore()
    let notices = Mutex<[String]>([])
    let daemon = try NewsStore(path: temporary.path) { line in notices.withLock { $0.append(line) } }
    let feed = try await temporary.subscribe()
    try await temporary.refresh(feed, KilledStore.items(0..<30))
    await temporary.store.close()
    let source = temporary.directory + "/copied.db"
    if copied == .olderCopy {
      try copy(temporary.path, over: source)
    } else {
      try await daemon.backup(to: source)
    }
    @Sendable func write(_ numbers: Range<Int>) async throws(StoreError) {
      var parsed = ParsedFeed(format: "rss20")
      parsed.items = KilledStore.items(numbers)
      let time = Timestamp(seconds: 2_000_000)
      _ = try await daemon.commit([
        RefreshRecord(feedID: feed.id, state: FetchState(), parsed: parsed, time: time)
      ])
    }
    try await write(30..<60)
    if copied != .backup { _ = try temporary.sql("PRAGMA wal_checkpoint(PASSIVE)") }
    try await write(60..<70)
    #expect(await daemon.fileState() == .intact)
    #expect(try await daemon.count(ItemRequest()) == 70)

    try copy(source, over: temporary.path)
    let error = await #expect(throws: StoreError.self) { try await write(70..<80) }
    #expect(error?.code == .replaced)
    #expect(await daemon.fileState() == .replaced)
    try await daemon.reopen()
    #expect(await daemon.fileState() == .intact)
    #expect(try await daemon.count(ItemRequest()) == 30)
    #expect(notices.withLock { $0 }.map { $0.contains("newsd restore") } == [true])
    #expect(access(temporary.path + "-wal.1", F_OK) == 0)
    try await write(80..<90)
    #expect(try await daemon.check().isEmpty)
    await daemon.close()
    #expect(try await NewsStore(path: temporary.path).count(ItemRequest()) == 40)
  }

  @Test
  func `A WAL whose last commit has the store's id is applied, even if an earlier commit has another id`()
    async throws
  {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    await temporary.store.close()
    let id = try #require(try temporary.sql("SELECT id FROM file"))
    // An open reader keeps the WAL when the others close.
    let reader = try Connection(path: temporary.path, access: .reading, busyTimeout: 0)
    try reader.execute("BEGIN; SELECT count(*) FROM items")
    _ = try temporary.sql("UPDATE file SET id = 'another'")
    _ = try temporary.sql("UPDATE file SET id = '\(id)'")
    try await temporary.refresh(feed, KilledStore.items(0..<10))
    let path = temporary.directory + "/copy.db"
    try copy(temporary.path, over: path)
    try copy(temporary.path + "-wal", over: path + "-wal")
    #expect(try await NewsStore(path: path).count(ItemRequest()) == 10)
    #expect(access(path + "-wal.1", F_OK) != 0)
  }

  @Test func `An older copy of the same file is not mixed with a later WAL`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    await temporary.store.close()
    let older = temporary.directory + "/older.db"
    try copy(temporary.path, over: older)
    for round in 0..<5 { try await temporary.refresh(feed, KilledStore.items(round * 10..<(round + 1) * 10)) }
    _ = try temporary.sql("PRAGMA wal_checkpoint(TRUNCATE)")
    try await temporary.refresh(feed, KilledStore.items(50..<60))
    try copy(temporary.path + "-wal", over: older + "-wal")
    let store = try NewsStore(path: older)
    #expect(try await store.count(ItemRequest()) == 0)
    #expect(try await store.check().isEmpty)
    #expect(access(older + "-wal.1", F_OK) == 0)
  }

  private enum Target: String, CaseIterable {
    case missing, empty, sound, killed, cutShort, withoutHeader, copiedOver
  }

  @Test(arguments: Target.allCases)
  private func `Restore succeeds whatever exists at the store's path`(_ target: Target)
    async throws
  {
    let temporary = try TemporaryStore()
    let killed = try await KilledStore(in: temporary)
    switch target {
    case .missing: unlink(killed.path)
    case .empty: truncate(killed.path, 0)
    case .sound: unlink(killed.path + "-wal")
    case .killed: break
    case .cutShort: truncate(killed.path, 8192 * 7 + 100)
    case .withoutHeader:
      let descriptor = open(killed.path, O_WRONLY)
      let noise = [UInt8](repeating: 7, count: 8192)
      _ = noise.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
      close(descriptor)
    case .copiedOver: try copy(killed.backup, over: killed.path)
    }
    let store = try NewsStore(path: killed.path)
    let progress = Mutex<[StoreProgress]>([])
    let report = try await store.restore(from: killed.backup) { step in progress.withLock { $0.append(step) }
    }
    #expect(report.items == 30)
    #expect(progress.withLock { $0.last.map { $0.done == $0.total } } == true)
    // SQLite may be unable to replace the pages of a truncated file.
    if target != .cutShort { #expect((report.kept != nil) == (target == .withoutHeader)) }
    #expect(try await store.count(ItemRequest()) == 30)
    #expect(try await store.check().isEmpty)
    // The restored store can be written, closed and reopened.
    let feed = try #require(try await store.feeds().first)
    _ = try await store.commit([
      RefreshRecord(feedID: feed.id, state: FetchState(failures: 3), parsed: nil, time: Timestamp(seconds: 9))
    ])
    await store.close()
    #expect(try await NewsStore(path: killed.path).feed(feed.id).fetchState.failures == 3)
  }

  /// What the loss of a store leaves for the restore of its backup.
  private enum Loss: CaseIterable {
    case nothing, missing
    /// A store that was made after the loss, and is used already.
    case newStore
    /// One that has given more numbers than the backup by now.
    case usedStore

    var newItems: Int { self == .newStore ? 1 : self == .usedStore ? 40 : 0 }
  }

  /// Other programs know the numbers, for example as keys of deliveries.
  @Test(arguments: Loss.allCases)
  private func `After a restore, no number of the replaced content is assigned again`(_ loss: Loss)
    async throws
  {
    let temporary = try TemporaryStore()
    let killed = try await KilledStore(in: temporary)
    let former = try NewsStore(path: killed.path)
    let replaced = try await former.items(ItemRequest()).map(\.item)
    let changes = try await former.latestSequence()
    await former.close()
    func record(_ items: [ParsedItem], _ feed: Feed) -> RefreshRecord {
      var parsed = ParsedFeed(format: "rss20")
      parsed.items = items
      return RefreshRecord(
        feedID: feed.id,
        state: FetchState(),
        parsed: parsed,
        time: Timestamp(seconds: 9)
      )
    }
    if loss != .nothing { for suffix in ["", "-wal", "-shm"] { unlink(killed.path + suffix) } }
    let store = try loss.newItems > 0 ? NewsStore(path: killed.path) : former
    if loss.newItems > 0 {
      let feed = try await store.add(NewFeed(url: "http://example.org/new"), at: Timestamp(seconds: 1))
      _ = try await store.commit([record(KilledStore.items(0..<loss.newItems), feed)])
    }
    _ = try await store.restore(from: killed.backup) { _ in }
    let feed = try #require(try await store.feeds().first)
    _ = try await store.commit([record([ParsedItem("later")], feed)])
    let items = try await store.items(ItemRequest()).map(\.item)
    let added = try #require(items.first { $0.guid == "later" })
    #expect(added.sequence > changes)
    #expect(!replaced.contains { $0.id == added.id })
    if loss.newItems > 0 {
      let another = try await store.add(NewFeed(url: "http://example.org/other"), at: Timestamp(seconds: 10))
      #expect(another.id.rawValue > 1000)
    }
    #expect(try await store.check().isEmpty)
  }

  /// After a crash right after the restore, its transaction is still in the WAL.
  @Test func `A store whose process was killed after a restore opens with the backup's content`() async throws
  {
    let temporary = try TemporaryStore()
    let killed = try await KilledStore(in: temporary)
    let store = try NewsStore(path: killed.path)
    #expect(try await store.count(ItemRequest()) == 60)
    // An open reader prevents a checkpoint.
    let reader = try Connection(path: killed.path, access: .reading, busyTimeout: 0)
    try reader.execute("BEGIN; SELECT count(*) FROM items")
    _ = try await store.restore(from: killed.backup) { _ in }
    let again = temporary.directory + "/again.db"
    try copy(killed.path, over: again)
    try copy(killed.path + "-wal", over: again + "-wal")
    #expect(try await NewsStore(path: again).count(ItemRequest()) == 30)
    #expect(access(again + "-wal", F_OK) == 0)
  }

  private enum Killed: CaseIterable { case beforeCopy, afterCopy, inCheckpoint }

  /// A killed restore may leave the store with the backup's id.
  @Test(arguments: Killed.allCases)
  private func `The log is applied if a restore was killed, also if the store has the id of the backup`(
    _ moment: Killed
  ) async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    try await temporary.refresh(feed, KilledStore.items(0..<30))
    let backup = temporary.directory + "/backup.db"
    try await temporary.store.backup(to: backup)
    await temporary.store.close()
    let source = try Connection(path: backup, access: .reading, busyTimeout: 0)
    let id = try #require(try source.text("SELECT id FROM file"))
    _ = try temporary.sql("UPDATE file SET id = '\(id)', commits = commits + 5")
    _ = try temporary.sql("PRAGMA wal_checkpoint(TRUNCATE)")
    // An open reader keeps the WAL.
    let reader = try Connection(path: temporary.path, access: .reading, busyTimeout: 0)
    try reader.execute("BEGIN; SELECT count(*) FROM items")
    let store = try temporary.reopened()
    _ = try await store.mark([NewsItem.ID(rawValue: 3)], .starred)
    await store.close()
    let target = try Connection(path: temporary.path, access: .writing, busyTimeout: 0)
    if moment != .beforeCopy {
      let work = temporary.directory + "/work.db"
      try copy(backup, over: work)
      let copied = try Connection(path: work, access: .writing, busyTimeout: 0)
      try StoreFileRowKeeper(target).write(to: copied, isRestored: true)
      try NewsStore.copyPages(copied, to: target)
    }
    var killed = temporary.directory + "/killed.db"
    for ending in ["", "-wal"] { try copy(temporary.path + ending, over: killed + ending) }
    if moment == .inCheckpoint {
      let other = try Connection(path: killed, access: .writing, busyTimeout: 0)
      try other.execute("PRAGMA wal_checkpoint(PASSIVE)")
      let copied = temporary.directory + "/checkpointed.db"
      for ending in ["", "-wal"] { try copy(killed + ending, over: copied + ending) }
      killed = copied
    }
    let notices = Mutex<[String]>([])
    let opened = try NewsStore(path: killed) { line in notices.withLock { $0.append(line) } }
    #expect(
      try await opened.items(ItemRequest()).filter(\.item.isStarred).count == (moment == .beforeCopy ? 1 : 0)
    )
    #expect(try await opened.check().isEmpty)
    #expect(notices.withLock { $0 }.isEmpty)
    #expect(access(killed + "-wal.1", F_OK) != 0)
    // The next command that writes removes the WAL.
    _ = try await opened.mark([NewsItem.ID(rawValue: 4)], .starred)
    await opened.close()
    #expect(access(killed + "-wal", F_OK) != 0)
  }

  @Test func `A running process detects a restore, a replaced file and a deleted file`() async throws {
    let temporary = try TemporaryStore()
    let killed = try await KilledStore(in: temporary)
    let daemon = try NewsStore(path: killed.path)
    #expect(try await daemon.count(ItemRequest()) == 60)
    #expect(await daemon.fileState() == .intact)
    _ = try await NewsStore(path: killed.path).restore(from: killed.backup) { _ in }
    #expect(await daemon.fileState() == .replaced)
    try await daemon.reopen()
    #expect(await daemon.fileState() == .intact)
    #expect(try await daemon.count(ItemRequest()) == 30)
    // After writes by another process, it is still the same file.
    let other = try NewsStore(path: killed.path)
    _ = try await other.add(NewFeed(url: "http://other/"), at: Timestamp(seconds: 1))
    await other.close()
    #expect(await daemon.fileState() == .intact)

    let another = temporary.directory + "/another.db"
    try await temporary.store.backup(to: another)
    #expect(rename(another, killed.path) == 0)
    #expect(await daemon.fileState() == .replaced)
    daemon.closeIdleReaders()
    let error = await #expect(throws: StoreError.self) { try await daemon.count(ItemRequest()) }
    #expect(error?.code == .replaced)
    try await daemon.reopen()
    #expect(try await daemon.count(ItemRequest()) == 60)
    #expect(try await daemon.check().isEmpty)
    for ending in ["", "-wal", "-shm"] { unlink(killed.path + ending) }
    #expect(await daemon.fileState() == .deleted)
    daemon.closeIdleReaders()
    let reading = await #expect(throws: StoreError.self) { try await daemon.count(ItemRequest()) }
    let writing = await #expect(throws: StoreError.self) {
      try await daemon.add(NewFeed(url: "http://lost/"), at: Timestamp(seconds: 2))
    }
    #expect(reading?.code == .replaced && writing?.code == .replaced)
    #expect(access(killed.path, F_OK) != 0)
  }

  @Test(arguments: [false, true])
  func `Hooks of the configuration fire after a restore of a backup that does not know them`(isOlder: Bool)
    async throws
  {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    try await temporary.refresh(feed, KilledStore.items(0..<1))
    let backup = temporary.directory + "/backup.db"
    try await temporary.store.backup(to: backup)
    if isOlder {
      var database: OpaquePointer?
      #expect(sqlite3_open(backup, &database) == SQLITE_OK)
      #expect(sqlite3_exec(database, "DROP TABLE hooks; DROP TABLE outbox", nil, nil, nil) == SQLITE_OK)
      sqlite3_close(database)
    }
    let hooks = ["configured", "page", "former"].map { Hook(name: $0, target: .exec(["true"])) }
    try await temporary.store.register(hooks, isComplete: true)
    try await temporary.store.register(Array(hooks.prefix(2)), isComplete: true)
    try await temporary.store.keep(PageHook(name: "page", preset: "linkding"))
    _ = try await temporary.reopened().restore(from: backup) { _ in }
    try await temporary.store.reopen()
    // The daemon has not registered its hooks yet.
    try await temporary.refresh(feed, KilledStore.items(1..<3))
    #expect(try await temporary.store.hookStates().map { "\($0.name) \($0.pending)" } == ["configured 2"])
    #expect(try await temporary.store.check().isEmpty)
  }

  @Test func `What a killed restore has left is removed, unless a process uses it`() async throws {
    let temporary = try TemporaryStore()
    let folder = temporary.path + ".partial"
    var work: WorkFolder? = try WorkFolder(folder)
    try work?.create("store.db")
    NewsStore.removeLeftovers(besides: temporary.path)
    #expect(access(folder + "/store.db", F_OK) == 0)
    work = nil
    NewsStore.removeLeftovers(besides: temporary.path)
    #expect(access(folder, F_OK) != 0)
  }

  @Test func `A backup whose header is damaged is called that`() async throws {
    let temporary = try TemporaryStore()
    let killed = try await KilledStore(in: temporary)
    var database: OpaquePointer?
    #expect(sqlite3_open(killed.backup, &database) == SQLITE_OK)
    #expect(sqlite3_exec(database, "PRAGMA user_version = 0", nil, nil, nil) == SQLITE_OK)
    sqlite3_close(database)
    let error = await #expect(throws: StoreError.self) {
      try await temporary.store.restore(from: killed.backup) { _ in }
    }
    #expect(error?.message.hasPrefix("the header of the store \(killed.backup) is damaged") == true)
  }

  @Test func `A file that is not an intact newsd store is not restored`() async throws {
    let temporary = try TemporaryStore()
    let killed = try await KilledStore(in: temporary)
    let store = try NewsStore(path: killed.path)
    #expect(try await store.count(ItemRequest()) == 60)
    let bad = temporary.directory + "/bad.db"
    func damage(_ sql: String) throws {
      unlink(bad)
      try copy(killed.backup, over: bad)
      var database: OpaquePointer?
      #expect(sqlite3_open(bad, &database) == SQLITE_OK)
      #expect(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK)
      sqlite3_close(database)
    }
    let trigger = "CREATE TRIGGER t AFTER UPDATE ON items BEGIN UPDATE feeds SET url = 'exec:touch x'; END"
    for sql in [
      trigger, "UPDATE counters SET value = 99 WHERE name = 'items'", "DELETE FROM contents WHERE id = 1",
      "PRAGMA application_id = 1", "PRAGMA user_version = 2", "CREATE VIEW v AS SELECT 1", "DROP TABLE rules",
    ] {
      try damage(sql)
      let error = await #expect(throws: StoreError.self, "\(sql)") {
        try await store.restore(from: bad) { _ in }
      }
      #expect(error?.code != .other)
    }
    try copy(killed.backup, over: bad)
    truncate(bad, 50_000)
    await #expect(throws: StoreError.self) { try await store.restore(from: bad) { _ in } }
    await #expect(throws: StoreError.self) { try await store.restore(from: killed.path) { _ in } }
    let missing = await #expect(throws: StoreError.self) {
      try await store.restore(from: "/no/such/file") { _ in }
    }
    #expect(missing?.code == .missing)
    #expect(try await store.count(ItemRequest()) == 60)
  }
}

@Suite struct `The commit counter` {
  @Test func `Each write probe and each compaction increments the commit counter by one`() async throws {
    let temporary = try TemporaryStore()
    func commits() throws -> Int64? { try temporary.sql("SELECT commits FROM file").flatMap { Int64($0) } }
    _ = try await temporary.subscribe()
    var last = try #require(try commits())
    for _ in 0..<3 {
      try await temporary.store.probeWriting()
      #expect(try commits() == last + 1)
      last += 1
    }
    _ = try await temporary.store.compact { _ in }
    #expect(try commits() == last + 1)
  }
}

@Suite struct `A store from an untrusted source` {
  @Test func `A foreign trigger never runs, and check reports it`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    try await temporary.refresh(feed, [ParsedItem("a", title: "A")])
    let id = try #require(try await temporary.store.items(ItemRequest()).first).item.id
    _ = try temporary.sql(
      "CREATE TRIGGER rewrite AFTER UPDATE OF is_read ON items BEGIN UPDATE feeds SET url = 'exec:touch x'; END"
    )
    let error = await #expect(throws: StoreError.self) { try await temporary.store.mark([id], .read) }
    #expect(error?.code == .foreignPart)
    #expect(try temporary.sql("SELECT url FROM feeds") == feed.url)
    let problems = try await temporary.store.check()
    #expect(problems.map(\.isRepairable) == [false])
    #expect(problems.first?.message.contains("trigger 'rewrite'") == true)
    #expect(try await temporary.store.repair().remaining == problems)
  }

  @Test(arguments: [
    "CREATE TABLE other (a)", "CREATE VIEW other AS SELECT 1", "CREATE INDEX other ON items (url)",
    "ALTER TABLE items ADD COLUMN other TEXT",
  ])
  func `Check reports a foreign table, view, index or column`(_ sql: String) async throws {
    let temporary = try TemporaryStore()
    _ = try await temporary.subscribe()
    _ = try temporary.sql(sql)
    let problems = try await temporary.store.check()
    #expect(problems.map(\.isRepairable) == [false])
    #expect(problems.allSatisfy { $0.kind == .layout })
  }

  @Test func `A backup with a value that newsd does not write replaces no store of an account`() async throws
  {
    let temporary = try TemporaryStore()
    _ = try await temporary.subscribe()
    let backup = temporary.directory + "/backup.db"
    _ = try temporary.sql("UPDATE feeds SET user_title = hex(zeroblob(5000))")
    try await temporary.store.backup(to: backup)
    let store = try NewsStore(path: temporary.directory + "/account.db")
    _ = try await store.feeds()
    let account = RestoredAccount { _ in true }
    let error = await #expect(throws: StoreError.self) {
      try await store.restore(from: backup, into: account) { _ in }
    }
    #expect(error?.code == .corrupt)
    #expect(try await store.feeds().isEmpty)
    _ = try await store.restore(from: backup) { _ in }
    #expect(try await store.feeds().count == 1)
    await store.close()
  }

  @Test func `A newsboat cache with a view in place of a table is rejected`() async throws {
    let temporary = try TemporaryStore()
    let path = temporary.directory + "/cache.db"
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    #expect(sqlite3_open(path, &database) == SQLITE_OK)
    let script = """
      CREATE VIEW rss_feed AS WITH RECURSIVE r (rssurl) AS (SELECT 1 UNION ALL SELECT rssurl + 1 FROM r)
        SELECT rssurl, '' AS title, '' AS url FROM r;
      CREATE TABLE rss_item (id INTEGER PRIMARY KEY)
      """
    #expect(sqlite3_exec(database, script, nil, nil, nil) == SQLITE_OK)
    let error = #expect(throws: StoreError.self) { try ReaderDatabase().feeds(inDatabase: path) }
    #expect(error?.code == .badQuery)
  }

  @Test func `A newsboat cache that computes long values is rejected`() async throws {
    let temporary = try TemporaryStore()
    let path = temporary.directory + "/cache.db"
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    #expect(sqlite3_open(path, &database) == SQLITE_OK)
    let script = """
      CREATE TABLE rss_feed (rssurl TEXT, title AS (hex(zeroblob(200000000))), url TEXT);
      CREATE TABLE rss_item (id INTEGER PRIMARY KEY, guid, title, author, url, feedurl, pubDate, content, unread,
        enclosure_url, enclosure_type, flags, deleted);
      INSERT INTO rss_feed (rssurl, url) VALUES ('http://f/', '');
      """
    #expect(sqlite3_exec(database, script, nil, nil, nil) == SQLITE_OK)
    let error = #expect(throws: StoreError.self) { try ReaderDatabase().feeds(inDatabase: path) }
    #expect(error?.code == .badQuery)
  }
}
