import NewsCore
import Synchronization
import Testing

@testable import NewsStorage

@Suite struct `Searching texts in portions` {
  private func filled(portion: Int) async throws -> TemporaryStore {
    var options = NewsStore.Options()
    options.scannedItems = portion
    let temporary = try TemporaryStore(options: options)
    let feed = try await temporary.subscribe()
    let items = (0..<60).map {
      ParsedItem(
        "x\($0)",
        title: "X\($0)",
        text: "number \($0) of many",
        published: 1_000_000 + Int64($0) * 20_000
      )
    }
    try await temporary.refresh(feed, items, at: 3_000_000)
    return temporary
  }

  private static let queries: [Query] = [
    .regex("[37]\\b", .title), .regex("number (1|2)\\d? ", .any), .not(.regex("[37]\\b", .title)),
    .regex("zz", .any),
    .and([.regex("number", .any), .since(Timestamp(seconds: 1_500_000))]),
    .and([.regex("[37]\\b", .title), .text(TextMatch(text: "many"))]),
    .and([.regex("number", .any), .until(Timestamp(seconds: 1_500_001)), .isRead(false)]),
    .or([.regex("X5", .title), .saved("odd")]), .saved("odd"),
  ]

  @Test(arguments: queries.indices, [1, 7, 59, 60, 61])
  func `Portions give the same items, pages, counts and days as one reading`(_ query: Int, _ portion: Int)
    async throws
  {
    let portions = try await filled(portion: portion)
    let whole = try await filled(portion: 1_000_000)
    for store in [portions.store, whole.store] {
      try await store.save(SavedSearch(name: "odd", query: "title:/[13579]$/"), at: Timestamp(seconds: 0))
    }
    let query = Self.queries[query]
    for order in [ItemOrder.newest, .oldest] {
      for (offset, limit) in [(0, nil), (0, 20), (3, 4), (20, 20), (100, 5), (0, 0)] as [(Int, Int?)] {
        let request = ItemRequest(query: query, order: order, offset: offset, limit: limit, parts: [])
        let expected = try await whole.store.items(request).map(\.item.title)
        #expect(try await portions.store.items(request).map(\.item.title) == expected)
        let batches = Mutex<[[String]]>([])
        try await portions.store.forEachBatch(request, of: 3) { matches in
          batches.withLock { $0.append(matches.map(\.item.title)) }
          return true
        }
        #expect(batches.withLock { $0.flatMap { $0 } } == expected)
        #expect(batches.withLock { $0.allSatisfy { (1...3).contains($0.count) } })
        #expect(try await portions.store.count(request) == whole.store.count(request))
      }
    }
    #expect(try await portions.store.activity(query) == whole.store.activity(query))
  }

  @Test func `Each portion has a view of its own`() async throws {
    let temporary = try await filled(portion: 10)
    let seen = Mutex(0)
    // While the ten items of the first portion are consumed, older ones are marked.
    let query = Query.and([.regex("number", .any), .isRead(false)])
    try await temporary.store.forEachBatch(ItemRequest(query: query, parts: []), of: 100) { matches in
      seen.withLock { $0 += matches.count }
      _ = try temporary.sql("UPDATE items SET is_read = 1 WHERE published <= 1980000")
      return true
    }
    #expect(seen.withLock { $0 } == 10)
  }
}
