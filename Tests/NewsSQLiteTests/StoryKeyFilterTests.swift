import NewsCore
import NewsStoresShared
import SearchCases
import SeededRandom
import Testing

@testable import NewsSQLite

@Suite struct `The Bloom filter of the keys that find stories` {
  private static func filter(covering period: Int64) throws -> StoryKeyFilter {
    var filter = StoryKeyFilter()
    filter.begin(version: 1)
    #expect(try filter.covers(period) { true })
    return filter
  }

  @Test func `The filter reports every inserted key, and fewer than two per cent of the others`() throws {
    var random = SeededRandom(seed: 1)
    var filter = try Self.filter(covering: 1900)
    // Like the parts of a similarity hash, most keys are small.
    let keys = (0..<100_000).map { _ in Int64(random.next(upTo: 1 << 19)) << 1 }
    for key in keys { filter.insert(key, in: 1900) }
    #expect(keys.allSatisfy { filter.mayContain($0, in: 1900) })
    let others = (0..<100_000).map { _ in Int64(bitPattern: random.next() | 1) }
    #expect(others.count { filter.mayContain($0, in: 1900) } < 2000)
  }

  @Test func `A period that already has keys in the store is not covered, and the store is asked only once`()
    throws
  {
    var filter = StoryKeyFilter()
    filter.begin(version: 1)
    var count = 0
    for _ in 0..<3 {
      let isCovered = try filter.covers(1900) {
        count += 1
        return false
      }
      #expect(!isCovered)
    }
    #expect(count == 1)
  }

  @Test
  func `A change by another connection ends the coverage of a period; one by the same connection does not`()
    throws
  {
    var filter = try Self.filter(covering: 1900)
    filter.begin(version: 1)
    #expect(try filter.covers(1900) { false })
    filter.begin(version: 2)
    #expect(try !filter.covers(1900) { false })
  }

  @Test func `More keys than the filter holds end the coverage`() throws {
    var filter = try Self.filter(covering: 1900)
    for key in 0...Int64(StoryKeyFilter.capacity) { filter.insert(key, in: 1900) }
    #expect(try !filter.covers(1900) { true })
  }

  @Test func `A story that another process has stored meanwhile is found`() async throws {
    let temporary = try TemporaryStore()
    let feeds = [
      try await temporary.subscribe("http://a/"), try await temporary.subscribe("http://b/"),
      try await temporary.subscribe("http://c/"),
    ]
    func text(_ topic: String) -> String { (0..<200).map { "\(topic)\($0)" }.joined(separator: " ") }
    func story(_ guid: String) -> ParsedItem {
      ParsedItem(guid, title: "Harbour reopens after the long winter storm", text: text("harbour"))
    }
    let another = ParsedItem("1", title: "Village opens a library", text: text("library"))
    try await temporary.refresh(feeds[0], [another])
    let other = try temporary.reopened()
    var parsed = ParsedFeed(format: "rss20")
    parsed.items = [story("2")]
    let time = Timestamp(seconds: 2_000_000)
    _ = try await other.commit([
      RefreshRecord(feedID: feeds[1].id, state: FetchState.unfetched, parsed: parsed, time: time)
    ])
    try await temporary.refresh(feeds[2], [story("3")])
    let items = try await temporary.store.items(ItemRequest()).map(\.item)
    let stories = items.filter { ["2", "3"].contains($0.guid) }.map(\.story)
    #expect(stories.count == 2)
    #expect(stories[0] != nil)
    #expect(Set(stories).count == 1)
  }
}
