import NewsStoresShared
import CSQLite
import Glibc
import NewsCore
import SearchCases
import Synchronization
import Testing

@testable import NewsSQLite

@Suite struct `Check of a large store` {
  /// Reads every table in portions of 40 rows, as in a store of gigabytes.
  private static var portions: NewsStore.Options {
    var options = NewsStore.Options()
    options.checkLimits = .init(fileBytes: 0, tableRows: 10, portion: 40, portionMilliseconds: 1000)
    return options
  }

  private func filled() async throws -> (TemporaryStore, Feed) {
    let temporary = try TemporaryStore(options: Self.portions)
    let feed = try await temporary.subscribe()
    try await temporary.refresh(feed, Self.items(0..<200))
    try await temporary.refresh(feed, Self.items(0..<50, text: "edited"), at: 2_100_000)
    _ = try await temporary.store.mark((1...30).map { NewsItem.ID(rawValue: $0) }, .read)
    return (temporary, feed)
  }

  private static func items(_ numbers: Range<Int>, text: String = "word") -> [ParsedItem] {
    numbers.map {
      ParsedItem(
        "x\($0)",
        title: "X\($0)",
        text: String(repeating: "\(text)\($0) ", count: 60),
        published: 1_000_000 + Int64($0)
      )
    }
  }

  /// Runs several statements.
  private func run(_ statements: String, on path: String) -> Bool {
    var database: OpaquePointer?
    defer { sqlite3_close_v2(database) }
    return sqlite3_open(path, &database) == SQLITE_OK
      && sqlite3_exec(database, statements, nil, nil, nil) == SQLITE_OK
  }

  @Test func `No snapshot of the store is held from one portion to the next`() async throws {
    let (temporary, _) = try await filled()
    let busy = Mutex<[String?]>([])
    let problems = try await temporary.store.check { progress in
      // A checkpoint that empties the write-ahead log fails while any connection holds a snapshot.
      guard progress.done < 75 else { return }
      let path = temporary.path
      var database: OpaquePointer?
      sqlite3_open(path, &database)
      defer { sqlite3_close_v2(database) }
      sqlite3_exec(database, "UPDATE file SET commits = commits + 1", nil, nil, nil)
      let code = sqlite3_wal_checkpoint_v2(database, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
      busy.withLock { $0.append(code == SQLITE_OK ? nil : "\(code) at \(progress.done)") }
    }
    #expect(problems.isEmpty)
    let found = busy.withLock { $0 }
    #expect(found.count > 20)
    #expect(found.compactMap { $0 }.isEmpty)
  }

  @Test func `Changes during a check raise no false alarm`() async throws {
    let (temporary, feed) = try await filled()
    let writer = try temporary.reopened()
    let isChecking = Mutex(true)
    async let checked: [StoreProblem] = {
      defer { isChecking.withLock { $0 = false } }
      var problems: [StoreProblem] = []
      for _ in 0..<4 { problems += try await temporary.store.check() }
      return problems
    }()
    var round = 0
    while isChecking.withLock({ $0 }), round < 500 {
      round += 1
      let other = try await writer.add(
        NewFeed(url: "http://example.org/\(round)"),
        at: Timestamp(seconds: 1_000_000)
      )
      try await temporary.refresh(
        feed,
        Self.items(0..<60, text: "round\(round)w"),
        at: 3_000_000 + Int64(round)
      )
      try await writer.remove(other.id)
      _ = try await writer.mark(
        [NewsItem.ID(rawValue: Int64(round % 200 + 1))],
        round % 2 == 0 ? .read : .starred
      )
    }
    #expect(try await checked.isEmpty)
  }

  @Test(arguments: [
    "items_feed", "items_id", "items_sequence", "items_unread", "search_data", "search_idx", "search_docsize",
    "stories", "story_keys", "contents", "items", "versions",
  ])
  func `A check in portions finds a destroyed page, and repair fixes it`(_ table: String) async throws {
    let (temporary, _) = try await filled()
    _ = try temporary.sql("PRAGMA wal_checkpoint(TRUNCATE)")
    let leaf = try #require(
      try temporary.sql("SELECT min(pageno) FROM dbstat WHERE name = '\(table)' AND pagetype = 'leaf'")
        .flatMap { Int($0) }
    )
    let descriptor = open(temporary.path, O_RDWR)
    let noise = [UInt8](repeating: 0xA5, count: 8192)
    _ = noise.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, (leaf - 1) * 8192) }
    close(descriptor)
    let store = try temporary.reopened(options: Self.portions)
    #expect(try await store.check().contains { $0.kind == .integrity })
    #expect(try await store.repair().remaining.isEmpty)
    #expect(try await store.check().isEmpty)
  }

  @Test(arguments: [
    ("items_feed", "UPDATE items SET feed = 7 WHERE id = 3", "1 row of items missing from items_feed"),
    (
      "items_unread", "UPDATE items SET is_read = 1 WHERE id = 150",
      "items_unread has 170 entries for 169 rows"
    ),
    ("items_sequence", "DELETE FROM items WHERE id = 150", "items_sequence has 200 entries for 199 rows"),
  ])
  func `A check in portions finds an index whose entries do not match the rows`(
    _ index: String,
    _ change: String,
    _ message: String
  ) async throws {
    let (temporary, _) = try await filled()
    // Hide the index from SQLite while the row changes.
    let hidden = """
      PRAGMA writable_schema = ON;
      CREATE TABLE hidden AS SELECT * FROM sqlite_master WHERE name = '\(index)';
      DELETE FROM sqlite_master WHERE name = '\(index)';
      """
    let shown = """
      PRAGMA writable_schema = ON; INSERT INTO sqlite_master SELECT * FROM hidden; DROP TABLE hidden;
      """
    #expect(
      run(hidden, on: temporary.path) && run(change, on: temporary.path) && run(shown, on: temporary.path)
    )
    let store = try temporary.reopened(options: Self.portions)
    let problems = try await store.check()
    #expect(problems.contains { $0.kind == .integrity && $0.message == message }, "\(problems)")
  }

  @Test func `The progress of a check rises to 100`() async throws {
    let (temporary, _) = try await filled()
    let seen = Mutex<[Int]>([])
    _ = try await temporary.store.check { progress in seen.withLock { $0.append(progress.done) } }
    let done = seen.withLock { $0 }
    #expect(done == done.sorted())
    #expect(done.last == 100)
  }
}
