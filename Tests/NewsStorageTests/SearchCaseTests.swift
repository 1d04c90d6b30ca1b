import NewsService
import NewsStorage
import SearchCases
import Testing

/// The store selects what the matcher selects, in every language of the fixture.
@Suite struct `Searching the store` {
  @Test func `Every query of the table selects its items`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    var ids: [String: NewsItem.ID] = [:]
    for feed in SearchFixture.feeds {
      let stored = try await store.add(
        NewFeed(url: feed.url, title: feed.title, folder: feed.folder),
        at: SearchFixture.now
      )
      let change = try await temporary.refresh(stored, feed.items, at: SearchFixture.now.seconds)
      for (item, id) in zip(feed.items, change.inserted) { ids[item.id ?? ""] = id }
    }
    _ = try await store.mark(SearchFixture.read.compactMap { ids[$0] }, .read)
    _ = try await store.mark(SearchFixture.starred.compactMap { ids[$0] }, .starred)
    for example in SearchCase.all {
      let query = try QueryParser.parse(example.query, now: SearchFixture.now).query
      let found = try await store.items(ItemRequest(query: query, parts: [])).map(\.item.guid)
      #expect(Set(found) == example.expected, "\(example)")
      let changes = try await store.changes(after: 0, limit: 1000, query: query)
      #expect(Set(changes.compactMap(\.item?.guid)) == example.expected, "\(example)")
    }
  }
}
