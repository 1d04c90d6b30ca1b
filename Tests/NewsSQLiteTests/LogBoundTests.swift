import NewsStoresShared
import Glibc
import NewsCore
import SearchCases
import Synchronization
import TestSupport
import Testing

@testable import NewsSQLite

@Suite struct `The write-ahead log` {
  private func logBytes(_ temporary: TemporaryStore) -> Int {
    var status = stat()
    return stat(temporary.path + "-wal", &status) == 0 ? Int(status.st_size) : 0
  }

  /// Stores about 4 MB in one transaction.
  private func store(_ round: Int, in temporary: TemporaryStore, _ feed: Feed) async throws {
    let html = String(repeating: "<p>sustained storing</p>", count: 2700)
    let items = (0..<60).map { number in
      var item = ParsedItem("\(round)-\(number)", title: "T", text: "words \(round) \(number)")
      item.contentHTML = html
      return item
    }
    try await temporary.refresh(feed, items, at: 1_000_000 + Int64(round))
  }

  /// The reader reads page after page, each in its own snapshot.
  @Test(.blocking)
  func `Under sustained writes with a slow reader, the WAL exceeds its limit by at most one transaction`()
    async throws
  {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    try await store(0, in: temporary, feed)
    let isDone = Atomic(false)
    async let reader: Void = {
      while !isDone.load(ordering: .acquiring) {
        try await temporary.store.forEachBatch(ItemRequest(), of: 5) { _ in
          usleep(20_000)
          return !isDone.load(ordering: .acquiring)
        }
      }
    }()
    var longest = 0
    var batch = 0
    for round in 1...60 {
      let before = logBytes(temporary)
      try await store(round, in: temporary, feed)
      batch = max(batch, logBytes(temporary) - before)
      longest = max(longest, logBytes(temporary))
    }
    isDone.store(true, ordering: .releasing)
    try await reader
    #expect(longest <= WALCheckpointer.maximumBytes + batch)
    #expect(try await temporary.store.check().isEmpty)
  }

  /// On a small disk, a WAL that grew to its usual limit would leave no space for its checkpoint.
  @Test func `With little free space, the WAL grows to little more than one transaction`() async throws {
    var options = NewsStore.Options()
    options.assumedFreeSpace = 10 << 20
    let temporary = try TemporaryStore(options: options)
    let feed = try await temporary.subscribe()
    try await store(0, in: temporary, feed)
    let first = logBytes(temporary)
    for round in 1...3 {
      try await store(round, in: temporary, feed)
      #expect(logBytes(temporary) < first / 2 * 3)
    }
    #expect(try await temporary.store.check().isEmpty)
  }

  @Test func `A transaction that fails for lack of space frees the WAL's space`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    await temporary.store.close()
    let pages = Int(try temporary.sql("PRAGMA page_count") ?? "") ?? 0
    let full = try temporary.reopened(options: .init(maximumPages: pages + 20))
    try await full.probeWriting()
    #expect(logBytes(temporary) > 0)
    var parsed = ParsedFeed(format: "rss20")
    parsed.items = (0..<200).map {
      ParsedItem("n\($0)", title: "N\($0)", text: String(repeating: "word\($0) ", count: 500))
    }
    let record = RefreshRecord(
      feedID: feed.id,
      state: FetchState.unfetched,
      parsed: parsed,
      time: Timestamp(seconds: 3)
    )
    let error = await #expect(throws: StoreError.self) { try await full.commit([record]) }
    #expect(error?.code == .full)
    #expect(logBytes(temporary) == 0)
    try await full.probeWriting()
  }

  @Test func `A write probe fails if the disk is nearly full`() async throws {
    var options = NewsStore.Options()
    options.assumedFreeSpace = 100 << 10
    let temporary = try TemporaryStore(options: options)
    _ = try await temporary.subscribe()
    let error = await #expect(throws: StoreError.self) { try await temporary.store.probeWriting() }
    #expect(error?.code == .full)
  }

  /// A long read transaction, as in a backup, blocks checkpoints. After its end, the WAL is restarted.
  @Test func `The WAL is restarted after a long read transaction ends`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    let reader = try Connection(path: temporary.path, access: .reading, busyTimeout: 0)
    try reader.execute("BEGIN; SELECT count(*) FROM items")
    var round = 0
    while logBytes(temporary) < WALCheckpointer.maximumBytes {
      round += 1
      try await store(round, in: temporary, feed)
    }
    try reader.execute("COMMIT")
    let size = logBytes(temporary)
    for _ in 0..<8 {
      round += 1
      try await store(round, in: temporary, feed)
    }
    // Without a restart, eight more transactions would exceed this size.
    #expect(logBytes(temporary) <= size + (16 << 20))
  }

  @Test func `No list or export keeps a snapshot open between two batches`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    for round in 0..<3 {
      try await temporary.refresh(
        feed,
        (0..<600).map { ParsedItem("\(round)-\($0)", title: "T\(round)", text: "words \($0)") },
        at: 1_000_000 + Int64(round)
      )
    }
    let writer = try temporary.reopened()
    /// Returns true if no reader blocks a complete checkpoint.
    @Sendable func isFree() throws -> Bool {
      let connection = try Connection(path: temporary.path, access: .writing, busyTimeout: 0)
      return try connection.number("PRAGMA wal_checkpoint(RESTART)") == 0
    }
    for request in [
      ItemRequest(), ItemRequest(order: .oldest), ItemRequest(query: .text(TextMatch(text: "words"))),
      ItemRequest(query: .text(TextMatch(text: "words")), order: .relevance),
      ItemRequest(foldsStories: true),
    ] {
      let keys = Mutex<[NewsItem.ID]>([])
      try await temporary.store.forEachBatch(request, of: 100) { batch in
        let isFirst = keys.withLock { keys in
          defer { keys += batch.map(\.item.id) }
          return keys.isEmpty
        }
        if isFirst {
          let isFree = try isFree()
          #expect(isFree)
        }
        return true
      }
      let all = try await writer.items(request).map(\.item.id)
      #expect(keys.withLock { $0 } == all)
    }
    try await temporary.store.exportAll { _ in
      let isFree = try isFree()
      #expect(isFree)
    }
  }

  @Test func `The batches of a long list are contiguous, with limit and offset`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    try await temporary.refresh(feed, (0..<1700).map { ParsedItem("\($0)", title: "T\($0)", text: "a") })
    for (offset, limit) in [(0, nil), (3, 1200), (499, 501), (0, 500), (1699, 5), (5000, nil)]
      as [(Int, Int?)]
    {
      for order in [ItemOrder.newest, .oldest] {
        let request = ItemRequest(order: order, offset: offset, limit: limit, parts: [])
        let seen = Mutex<[NewsItem.ID]>([])
        try await temporary.store.forEachBatch(request, of: 64) { batch in
          #expect(batch.count <= 64)
          seen.withLock { $0 += batch.map(\.item.id) }
          return true
        }
        #expect(try await seen.withLock { $0 } == temporary.store.items(request).map(\.item.id))
      }
    }
  }
}
