import NewsStoresShared
import NewsCore
import SearchCases
import Synchronization
import Testing

@testable import NewsSQLite

@Suite struct `Searching texts in portions` {
  private func filled(portion: Int) async throws -> TemporaryStore {
    var options = NewsStore.Options()
    options.scannedItems = portion
    options.itemsWithSlowPrefixes = portion < 1_000_000 ? 1 : .max
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
    .and([.regex("[37]\\b", .title), .text(TextMatch(kind: .prefix, text: "man")), .isRead(false)]),
    .text(TextMatch(kind: .prefix, text: "x1")), .text(TextMatch(kind: .prefix, text: "n")),
    .and([.text(TextMatch(kind: .prefix, text: "x")), .not(.text(TextMatch(text: "x7")))]),
    .and([.regex("number", .any), .until(Timestamp(seconds: 1_500_001)), .isRead(false)]),
    .or([.regex("X5", .title), .saved("odd")]), .saved("odd"),
  ]

  @Test(arguments: queries.indices, [1, 7, 59, 60, 61])
  func `A search in portions gives the same items, pages, counts and days as a search in one read`(
    _ query: Int,
    _ portion: Int
  )
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

  @Test func `A cancelled search reads no further texts`() async throws {
    let temporary = try await filled(portion: 1_000_000)
    let store = temporary.store
    let request = ItemRequest(query: .regex("number", .any), order: .newest, offset: 0, limit: nil, parts: [])
    let search = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await store.count(request)
    }
    search.cancel()
    await #expect(throws: StoreError.self) { try await search.value }
  }

  @Test func `Each portion has its own snapshot`() async throws {
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

  @Test(arguments: [1, 7, 60, 1_000_000])
  func `A search by relevance keeps its order when a regular expression excludes items`(_ portion: Int)
    async throws
  {
    let temporary = try await filled(portion: portion)
    let store = temporary.store
    let word = Query.text(TextMatch(kind: .prefix, text: "x4"))
    let ranked = try await store.items(ItemRequest(query: word, order: .relevance, parts: []))
    let expected = ranked.map(\.item.title).filter { $0.utf8.last != UInt8(ascii: "3") }
    let query = Query.and([word, .not(.regex("3$", .title))])
    for (offset, limit) in [(0, nil), (0, 4), (3, 4), (9, 4), (20, 4), (0, 0)] as [(Int, Int?)] {
      let request = ItemRequest(query: query, order: .relevance, offset: offset, limit: limit, parts: [])
      let page = Array(expected.dropFirst(offset).prefix(limit ?? .max))
      #expect(try await store.items(request).map(\.item.title) == page)
      let batches = Mutex<[String]>([])
      try await store.forEachBatch(request, of: 3) { matches in
        batches.withLock { $0 += matches.map(\.item.title) }
        return true
      }
      #expect(batches.withLock { $0 } == page)
    }
  }

  @Test(arguments: [1, 7, 60])
  func `Reading changes in portions gives the same changes as one read`(_ portion: Int) async throws {
    let portions = try await filled(portion: portion)
    let whole = try await filled(portion: 1_000_000)
    for store in [portions.store, whole.store] {
      _ = try await store.mark((5...9).map { NewsItem.ID(rawValue: $0) }, .read)
      let rules = RetentionRules(general: RetentionPolicy(items: 40), includesUnread: true)
      _ = try await store.prune(rules, at: Timestamp(seconds: 3_000_000), dryRun: false)
    }
    let prefix = Query.text(TextMatch(kind: .prefix, text: "x1"))
    for query in [Query.regex("[37]\\b", .title), .regex("zz", .any), prefix, .isRead(true), .all] {
      for (after, limit) in [(0, 1000), (0, 7), (20, 3), (70, 1000)] as [(Int64, Int)] {
        let expected = try await whole.store.changes(after: after, limit: limit, query: query)
        let found = try await portions.store.changes(after: after, limit: limit, query: query)
        #expect(found.map(\.sequence) == expected.map(\.sequence))
        #expect(found.map(\.itemID) == expected.map(\.itemID))
      }
      let all = try await whole.store.changes(after: 0, limit: 1000, query: query)
      var found: [Change] = []
      var isLast = false
      while !isLast {
        let after = found.last?.sequence ?? 0
        let part = try await portions.store.changes(after: after, limit: 1000, query: query, within: 100)
        #expect(part.changes.count < 40)
        found += part.changes
        isLast = part.isLast || part.changes.isEmpty
      }
      #expect(found.map(\.sequence) == all.map(\.sequence))
    }
  }
}
