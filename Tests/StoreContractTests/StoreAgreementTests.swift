import NewsSearch
import NewsCore
import NewsStoresShared
import SearchCases
import Testing

/// The same items and the same query give the same ids in the same order on every store.
@Suite struct `Agreement of stores` {
  private func filled(_ kind: StoreKind) async throws -> TemporaryStore {
    let temporary = try StoreKind.$current.withValue(kind) { try TemporaryStore() }
    for feed in SearchFixture.feeds {
      let stored = try await temporary.store.add(
        NewFeed(url: feed.url, title: feed.title, folder: feed.folder),
        at: SearchFixture.now
      )
      try await temporary.refresh(stored, feed.items, at: SearchFixture.now.seconds)
    }
    let ids = try await temporary.store.items(ItemRequest(parts: [])).map(\.item.id)
    let marked = ids.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
    _ = try await temporary.store.mark(marked, .read)
    _ = try await temporary.store.mark(Array(marked.prefix(4)), .starred)
    try await SearchFixture.label(ids, in: temporary.store)
    return temporary
  }

  @Test func `File and PostgreSQL give the same ids, counts and order for 1,500 seeded random queries`()
    async throws
  {
    guard StoreKind.available.count > 1 else { return }
    let file = try await filled(.file)
    let server = try await filled(.postgres)
    var queries = RandomQueries(items: try await file.store.items(ItemRequest()).map(\.item))
    var answered = 0
    for number in 0..<1500 {
      let typed = queries.next()
      guard let query = try? QueryParser.parse(typed, now: SearchFixture.now).query else { continue }
      var request = ItemRequest(query: query, parts: [])
      request.order = ItemOrder.allCases[number % ItemOrder.allCases.count]
      let mine = try await file.store.items(request).map(\.item.id)
      #expect(try await server.store.items(request).map(\.item.id) == mine, "\(typed) \(request.order)")
      #expect(try await server.store.count(request) == mine.count, "\(typed)")
      if !mine.isEmpty { answered += 1 }
    }
    #expect(answered > 300)
  }
}
