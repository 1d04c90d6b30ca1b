import NewsStoresShared
import NewsSearch
import NewsCore
import NewsSQLite
import SearchCases
import Testing

@Suite struct `Paging and selection of items in lists` {
  private let temporary: TemporaryStore
  private let feed: Feed

  init() async throws {
    temporary = try TemporaryStore()
    feed = try await temporary.subscribe()
    try await temporary.refresh(
      feed,
      (1...6).map { ParsedItem("\($0)", title: "kernel T\($0)", published: Int64($0) * 1000) }
    )
  }

  private func page(
    after id: NewsItem.ID?,
    _ query: Query = .all,
    order: ItemOrder = .newest,
    limit: Int? = 2
  ) async throws -> [NewsItem] {
    let request = ItemRequest(query: query, order: order, continuing: id, limit: limit, parts: [])
    return try await temporary.store.items(request).map(\.item)
  }

  @Test func `A list continued after an item neither skips nor repeats items, despite marks and new items`()
    async throws
  {
    var seen: [String] = []
    var last: NewsItem.ID?
    repeat {
      let items = try await page(after: last, .isRead(false))
      seen += items.map(\.title)
      last = items.last?.id
      _ = try await temporary.store.mark(items.map(\.id), .read)
      try await temporary.refresh(feed, [ParsedItem("new \(seen.count)", title: "Late", published: 90_000)])
    } while last != nil
    #expect(seen == (1...6).reversed().map { "kernel T\($0)" })
  }

  @Test(arguments: [
    (ItemOrder.newest, Query.all), (.oldest, .all), (.newest, .text(TextMatch(text: "kernel"))),
    (.newest, .text(TextMatch(kind: .prefix, text: "kern"))),
    (.oldest, .text(TextMatch(kind: .prefix, text: "kern"))),
  ])
  func `Continuing after an item gives the items that follow it in the whole list`(
    _ order: ItemOrder,
    _ query: Query
  )
    async throws
  {
    let all = try await page(after: nil, query, order: order, limit: nil)
    #expect(all.count == 6)
    for (index, item) in all.enumerated() {
      let rest = try await page(after: item.id, query, order: order, limit: nil)
      #expect(rest == Array(all[(index + 1)...]))
      #expect(try await page(after: item.id, query, order: order, limit: 2) == Array(rest.prefix(2)))
      let request = ItemRequest(query: query, order: order, continuing: item.id)
      #expect(try await temporary.store.count(request) == rest.count)
    }
  }

  @Test func `Continuing after an item that does not exist is an error`() async throws {
    let error = await #expect(throws: StoreError.self) { try await page(after: NewsItem.ID(rawValue: 99)) }
    #expect(error?.code == .noSuchItem)
  }

  @Test func `Items of a story that an earlier page shows are not listed again`() async throws {
    let other = try await temporary.subscribe("http://other.example/feed")
    let text =
      "The kernel developers released the new version on Tuesday after months of work on the scheduler."
    let url = "https://story.example/a"
    try await temporary.refresh(
      feed,
      [ParsedItem("s", title: "Story", text: text, url: url, published: 50_000)]
    )
    try await temporary.refresh(
      other,
      [ParsedItem("s", title: "Story", text: text, url: url, published: 4500)]
    )
    var request = ItemRequest(limit: 1, parts: [], foldsStories: true)
    let first = try #require(try await temporary.store.items(request).first)
    #expect(first.item.title == "Story" && first.folded == 1)
    request.continuing = first.item.id
    request.limit = nil
    let rest = try await temporary.store.items(request).map(\.item.title)
    #expect(rest == (1...6).reversed().map { "kernel T\($0)" })
  }

  @Test
  func `A range of the change log selects the items first stored in it, even if they are marked later`()
    async throws
  {
    let before = try await temporary.store.latestSequence()
    try await temporary.refresh(feed, [ParsedItem("late", title: "Late", published: 10)])
    let end = try await temporary.store.latestSequence()
    _ = try await temporary.store.mark([NewsItem.ID(rawValue: 1), NewsItem.ID(rawValue: 7)], .read)
    try await temporary.refresh(feed, [ParsedItem("later", title: "Later", published: 20)])
    func arrivals(_ query: Query, after: Int64, through: Int64) async throws -> [String] {
      let request = ItemRequest(
        query: query,
        arrivals: ChangeRange(after: after, through: through),
        parts: []
      )
      #expect(try await temporary.store.count(request) == temporary.store.items(request).count)
      return try await temporary.store.items(request).map(\.item.title)
    }
    #expect(try await arrivals(.all, after: before, through: end) == ["Late"])
    #expect(try await arrivals(.all, after: 0, through: before).count == 6)
    #expect(try await arrivals(.text(TextMatch(text: "later")), after: before, through: end) == [])
    #expect(try await arrivals(.text(TextMatch(text: "late")), after: before, through: end) == ["Late"])
    #expect(try await arrivals(.all, after: end, through: end + 100) == ["Later"])
  }

  @Test func `A query by time of storing finds items that were published long before`() async throws {
    try await temporary.refresh(feed, [ParsedItem("old", title: "Old", published: 10)], at: 3_000_000)
    let since = Timestamp(seconds: 2_500_000)
    #expect(try await temporary.titles(.storedSince(since)) == ["Old"])
    #expect(try await temporary.titles(.since(since)) == [])
    let parsed = try QueryParser.parse("stored:1d", now: since + 86_400).query
    #expect(parsed == .storedSince(since))
    #expect(QueryPrinter.text(.storedSince(since)) == "stored:1970-01-29T22:26:40Z")
  }

  @Test func `For lists, only the start of a text is read, and only for items without a title`()
    async throws
  {
    let long = String(repeating: "word ", count: 1000)
    try await temporary.refresh(
      feed,
      [
        ParsedItem("toot", text: long, published: 70_000),
        ParsedItem("x", title: "X", text: long, published: 60_000),
      ]
    )
    let request = ItemRequest(limit: 2, parts: .headlineText)
    let items = try await temporary.store.items(request).map(\.item)
    #expect(items[0].contentText.hasPrefix("word word") && items[0].contentText.utf8.count <= 1000)
    #expect(items[1].contentText.isEmpty)
  }
}
