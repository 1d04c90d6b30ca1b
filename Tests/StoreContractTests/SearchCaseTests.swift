import NewsSearch
import NewsCore
import NewsStoresShared
import SearchCases
import Testing

/// The store and the matcher select the same items, in every language of the fixture.
@Suite(.everyStore, .filledStore) struct `Searching the store` {
  @Test(arguments: SearchCase.all)
  func `A query selects exactly the expected items, in lists and in the change log`(_ example: SearchCase)
    async throws
  {
    let store = try #require(FilledStore.current).store
    let query = try QueryParser.parse(example.query, now: SearchFixture.now).query
    let found = try await store.items(ItemRequest(query: query, parts: [])).map(\.item.guid)
    #expect(Set(found) == example.expected)
    let changes = try await store.changes(after: 0, limit: 1000, query: query)
    #expect(Set(changes.compactMap(\.item?.guid)) == example.expected)
  }
}

/// Provides one store filled with the fixture to all tests of a suite.
private struct FilledStore: SuiteTrait, TestScoping {
  @TaskLocal static var current: TemporaryStore?

  func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    let filled = try await Self.fill()
    try await Self.$current.withValue(filled, operation: function)
  }

  private static func fill() async throws -> TemporaryStore {
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
    return temporary
  }
}

extension Trait where Self == FilledStore {
  fileprivate static var filledStore: Self { FilledStore() }
}
