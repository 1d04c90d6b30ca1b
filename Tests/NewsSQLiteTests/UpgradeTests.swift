import Glibc
import NewsCore
import NewsStoresShared
import NewsToolbox
import SearchCases
import Synchronization
import Testing

@testable import NewsSQLite

/// Upgrades with layouts of these tests: 2 adds a column, 3 is `titleLengths`, which works in portions of 2,000 items, and 4 adds a table.
@Suite struct `The upgrade of a store in a file` {
  private static let steps = [
    Migration(change: { connection throws(StoreError) in
      try connection.execute("ALTER TABLE rules ADD COLUMN later TEXT")
    }),
    Migration.titleLengths,
    Migration(change: { connection throws(StoreError) in
      try connection.execute("CREATE TABLE later (number INTEGER PRIMARY KEY)")
    }),
  ]

  private func asLater<Result>(
    _ steps: [Migration] = Self.steps,
    _ body: () async throws -> Result
  ) async throws -> Result {
    try await Migration.$all.withValue(steps) {
      try await Schema.$version.withValue(1 + steps.count) { try await body() }
    }
  }

  private func filled(_ count: Int = 50, options: NewsStore.Options = .init()) async throws -> TemporaryStore
  {
    let temporary = try TemporaryStore(options: options)
    let feed = try await temporary.subscribe()
    try await temporary.refresh(
      feed,
      (0..<count).map { ParsedItem("\($0)", title: "T\($0)", text: "word\($0)") }
    )
    await temporary.store.close()
    return temporary
  }

  private func tables(_ path: String) throws -> Set<String> {
    let connection = try Connection(path: path, access: .reading, busyTimeout: 0)
    return Set(
      try connection.rows("SELECT type || name || coalesce(sql, '') FROM sqlite_master") { $0.string(0) }
    )
  }

  @Test
  func `An upgraded store has the tables of a new one, its items, and no problem; the former one is kept`()
    async throws
  {
    let temporary = try await filled(4500)
    try await asLater {
      let store = try temporary.reopened()
      let plan = try #require(try await store.upgradePlan())
      #expect(plan.from == 1)
      #expect(plan.to == 4)
      #expect(!plan.isInterrupted)
      let done = Mutex(0)
      let upgraded = try await store.upgrade { now in done.withLock { $0 = now.done } }
      #expect(upgraded?.backup == temporary.path + ".layout-1")
      #expect(done.withLock { $0 } == 4500)
      #expect(try await store.upgradePlan() == nil)
      #expect(try await store.upgrade { _ in } == nil)
      #expect(try await store.count(ItemRequest()) == 4500)
      #expect(try await store.check().isEmpty)
      let new = try TemporaryStore()
      _ = try await new.subscribe()
      #expect(try tables(temporary.path) == tables(new.path))
      #expect(try temporary.sql("SELECT count(*) FROM title_lengths") == "4500")
    }
    // The former newsd reads the kept store, and restores it.
    let former = try NewsStore(path: temporary.path + ".layout-1")
    #expect(try await former.check().isEmpty)
    #expect(try await former.count(ItemRequest()) == 4500)
    await former.close()
    let back = try temporary.reopened()
    _ = try await back.restore(from: temporary.path + ".layout-1") { _ in }
    #expect(try await back.count(ItemRequest()) == 4500)
    #expect(try await back.check().isEmpty)
  }

  @Test func `Reading and writing do not upgrade, and name the command that does`() async throws {
    let temporary = try await filled()
    try await asLater {
      let store = try temporary.reopened()
      for act in [
        { _ = try await store.feeds() },
        { _ = try await store.add(NewFeed(url: "http://x/"), at: Timestamp(seconds: 1)) },
      ] {
        let error = await #expect(throws: StoreError.self) { try await act() }
        #expect(error?.code == .olderLayout(found: 1, known: 4))
        #expect(error?.message.contains("Run 'newsd upgrade'") == true)
      }
    }
    #expect(try temporary.sql("PRAGMA user_version") == "1")
  }

  @Test func `Without room for two copies, nothing is changed`() async throws {
    var options = NewsStore.Options()
    options.assumedFreeSpace = 4096
    let temporary = try await filled()
    let before = try temporary.bytes()
    try await asLater {
      let store = try temporary.reopened(options: options)
      let error = await #expect(throws: StoreError.self) { _ = try await store.upgrade { _ in } }
      #expect(error?.code == .full)
      #expect(error?.message.contains("MiB") == true)
    }
    #expect(try temporary.bytes() == before)
    #expect(access(temporary.path + ".layout-1", F_OK) != 0)
  }

  private struct Stop: Sendable {
    static let error = StoreError(code: .other, message: "stopped")
  }

  /// The step fails after some portions, as if the process had been killed.
  private static func stopping(after portions: Int) -> [Migration] {
    var step = Migration.titleLengths
    let advance = step.portions?.advance
    step.portions?.advance = { after, connection throws(StoreError) in
      if after >= portions * 2000 { throw Stop.error }
      return try advance?(after, connection) ?? nil
    }
    return [step]
  }

  @Test func `An interrupted upgrade leaves the former layout usable, and continues where it was`()
    async throws
  {
    let temporary = try await filled(5000)
    try await asLater(Self.stopping(after: 2)) {
      let store = try temporary.reopened()
      await #expect(throws: StoreError.self) { _ = try await store.upgrade { _ in } }
    }
    #expect(try temporary.sql("SELECT position FROM migration") == "4000")
    // The former newsd reads the store; its items are those of before.
    let former = try temporary.reopened()
    #expect(try await former.count(ItemRequest()) == 5000)
    await former.close()
    _ = try temporary.sql("UPDATE title_lengths SET length = 77 WHERE item <= 4000")
    try await asLater([.titleLengths]) {
      let store = try temporary.reopened()
      #expect(try await store.upgradePlan()?.isInterrupted == true)
      _ = try await store.upgrade { _ in }
      #expect(try temporary.sql("SELECT count(*) FROM title_lengths WHERE length = 77") == "4000")
      #expect(try temporary.sql("SELECT count(*) FROM title_lengths") == "5000")
      #expect(try await store.check().isEmpty)
    }
  }

  @Test func `If the former newsd has written meanwhile, the work begins again`() async throws {
    let temporary = try await filled(5000)
    try await asLater(Self.stopping(after: 2)) {
      let store = try temporary.reopened()
      await #expect(throws: StoreError.self) { _ = try await store.upgrade { _ in } }
    }
    let former = try temporary.reopened()
    let feed = try #require(try await former.feeds().first)
    try await former.rename(feed.id, to: "Other")
    await former.close()
    _ = try temporary.sql("UPDATE title_lengths SET length = 77 WHERE item <= 4000")
    try await asLater([.titleLengths]) {
      _ = try await temporary.reopened().upgrade { _ in }
    }
    #expect(try temporary.sql("SELECT count(*) FROM title_lengths WHERE length = 77") == "0")
    #expect(try temporary.sql("SELECT count(*) FROM title_lengths") == "5000")
  }

  @Test func `A backup of an earlier layout is upgraded when it is restored, and stays as it is`()
    async throws
  {
    let temporary = try await filled()
    let backup = temporary.directory + "/backup.db"
    let former = try temporary.reopened()
    try await former.backup(to: backup)
    await former.close()
    let before = try FileBytes.read(backup)
    try await asLater {
      let store = try NewsStore(path: temporary.directory + "/restored.db")
      #expect(try await store.restore(from: backup) { _ in }.items == 50)
      #expect(try await store.count(ItemRequest()) == 50)
      #expect(try await store.check().isEmpty)
      await store.close()
      #expect(access(temporary.directory + "/restored.db.partial-upgrade", F_OK) != 0)
    }
    #expect(try FileBytes.read(backup) == before)
  }

  /// The file was written by the newsd whose layout was 1.
  @Test func `A stored file of layout 1 is upgraded`() async throws {
    let temporary = try TemporaryStore()
    let fixture = #filePath.split(separator: "/").dropLast().joined(separator: "/")
    let bytes = try FileBytes.read("/\(fixture)/Fixtures/layout-1.db")
    let file = open(temporary.path, O_WRONLY | O_CREAT, 0o600)
    #expect(bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) } == bytes.count)
    close(file)
    let present = try temporary.reopened()
    #expect(try await present.check().isEmpty)
    let count = try await present.count(ItemRequest())
    #expect(count == 3)
    await present.close()
    try await asLater {
      let store = try temporary.reopened()
      #expect(try await store.upgrade { _ in }?.from == 1)
      #expect(try await store.check().isEmpty)
      #expect(try await store.count(ItemRequest()) == count)
      let new = try TemporaryStore()
      _ = try await new.subscribe()
      #expect(try tables(temporary.path) == tables(new.path))
    }
  }
}
