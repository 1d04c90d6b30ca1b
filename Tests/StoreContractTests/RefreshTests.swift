@testable import NewsCore
import NewsStoresShared
import SearchCases
import Testing

@Suite(.everyStore) struct `Storing a refresh` {
  @Test func `New items are inserted, and the newest gets the highest id`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    let change = try await temporary.refresh(
      feed,
      [ParsedItem("b", title: "B", published: 200), ParsedItem("a", title: "A", published: 100)]
    )
    #expect(change.inserted.map(\.rawValue) == [2, 1])
    #expect(change.updated.isEmpty)
    #expect(try await temporary.titles() == ["B", "A"])
    #expect(try await temporary.titles(order: .oldest) == ["A", "B"])
    let stored = try await temporary.store.feed(named: "1")
    #expect(stored.itemCount == 2)
    #expect(stored.unreadCount == 2)
    #expect(stored.title == "Example")
  }

  @Test func `Long tags are cut, and the item is stored`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    // A text that PostgreSQL cannot compress: an index row must not exceed 2,704 bytes.
    var number: UInt64 = 1
    let long = String(
      decoding: (0..<9000).map { _ -> UInt8 in
        number = number &* 6_364_136_223_846_793_005 &+ 1
        return UInt8(ascii: "a") + UInt8(number >> 33 & 15)
      },
      as: UTF8.self
    )
    var item = ParsedItem("a", title: "A")
    item.tags = [Category(term: long), Category(term: "short")]
    try await temporary.refresh(feed, [item])
    let cut = String(decoding: long.utf8.prefix(500), as: UTF8.self)
    #expect(try await temporary.store.item(NewsItem.ID(rawValue: 1)).tags == [cut, "short"])
    #expect(try await temporary.refresh(feed, [item]) == RefreshChange(feedID: feed.id))
  }

  @Test func `Very long titles and guids are cut, very long links are left out, and the item is stored once`()
    async throws
  {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    let long = String(repeating: "é", count: 1 << 20)
    let item = ParsedItem("a" + long, title: "T" + long, text: "text", url: "http://e/" + long)
    try await temporary.refresh(feed, [item])
    let stored = try await temporary.store.item(NewsItem.ID(rawValue: 1))
    let most = (1 << 15) - 1
    #expect(stored.title == "T" + String(repeating: "é", count: most))
    #expect(stored.guid == "a" + String(repeating: "é", count: most) && stored.url == nil)
    #expect(stored.contentText == "text")
    #expect(try await temporary.refresh(feed, [item]) == RefreshChange(feedID: feed.id))
  }

  @Test func `A changed item keeps its id and its state`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    try await temporary.refresh(feed, [ParsedItem("a", title: "Draft", text: "early words")])
    let id = NewsItem.ID(rawValue: 1)
    #expect(try await temporary.store.mark([id], .starred).isEmpty)
    #expect(try await temporary.store.mark([id], .read).isEmpty)
    let change = try await temporary.refresh(
      feed,
      [ParsedItem("a", title: "Final", text: "late words", published: 50)]
    )
    #expect(change.updated == [id])
    #expect(change.inserted.isEmpty)
    let item = try await temporary.store.item(id)
    #expect(item.title == "Final")
    #expect(item.contentText == "late words")
    #expect(item.published == Timestamp(seconds: 50))
    #expect(item.isRead)
    #expect(item.isStarred)
    #expect(try await temporary.titles(.text(TextMatch(text: "early"))).isEmpty)
    #expect(try await temporary.titles(.text(TextMatch(text: "late"))) == ["Final"])
  }

  @Test func `Items with equal or missing guids are identified by link or content`() async throws {
    let temporary = try TemporaryStore()
    func items(_ url: String, _ documents: [ParsedItem]) async throws -> [NewsItem] {
      let feed = try await temporary.subscribe(url)
      try await temporary.refresh(feed, documents)
      return try await temporary.store.items(ItemRequest(query: .feedID(feed.id), parts: [])).map(\.item)
    }
    let none = try await items("http://a/", [ParsedItem(nil, title: "A"), ParsedItem(nil, title: "B")])
    #expect(Set(none.compactMap(\.derivedID)).count == 2)
    #expect(Set(none.map(\.guid)).count == 2 && none.allSatisfy { $0.guid.hasPrefix("urn:newsd:") })
    let one = try await items(
      "http://b/",
      (1...8).map { ParsedItem("x", title: "T\($0)", text: "text \($0)", url: "http://b/\($0)") }
    )
    #expect(Set(one.compactMap(\.derivedID)).count == 8)
    #expect(one.allSatisfy { $0.guid == "x" })
    let right = try await items(
      "http://c/",
      [ParsedItem("1", title: "A"), ParsedItem(nil, url: "http://c/2")]
    )
    #expect(right.allSatisfy { $0.derivedID == nil })
    #expect(Set(right.map(\.guid)) == ["1", "http://c/2"])
  }

  @Test func `An unchanged document changes nothing`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    let items = (1...5).map { ParsedItem("\($0)", title: "T\($0)", text: "text \($0)") }
    try await temporary.refresh(feed, items)
    let before = try await temporary.store.latestSequence()
    let change = try await temporary.refresh(feed, items, at: 3_000_000)
    #expect(change == RefreshChange(feedID: feed.id))
    #expect(try await temporary.store.latestSequence() == before)
  }

  @Test func `An item missing from the next document stays stored`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    try await temporary.refresh(feed, [ParsedItem("a", title: "A")])
    try await temporary.refresh(feed, [ParsedItem("b", title: "B")])
    #expect(try await temporary.titles() == ["B", "A"])
  }

  @Test func `After two updates in one commit, an item is found only by the words of its last text`()
    async throws
  {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    func record(_ text: String) -> RefreshRecord {
      var parsed = ParsedFeed(format: "rss20")
      parsed.items = [ParsedItem("a", title: "T", text: text)]
      return RefreshRecord(
        feedID: feed.id,
        state: FetchState.unfetched,
        parsed: parsed,
        time: Timestamp(seconds: 9)
      )
    }
    _ = try await temporary.store.commit([record("zero")])
    _ = try await temporary.store.commit([record("one"), record("two"), record("three")])
    for (word, count) in [("zero", 0), ("one", 0), ("two", 0), ("three", 1)] {
      #expect(try await temporary.titles(.text(TextMatch(text: word))).count == count)
    }
    #expect(try await temporary.sql("SELECT count(*) FROM items") == "1")
  }

  @Test func `Edits of many large items in a small document are all stored, each once and in order`()
    async throws
  {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let feed = try await temporary.subscribe()
    let filler = String(repeating: "- ", count: 1 << 19)
    func item(_ number: Int, _ word: String, _ filler: String = "") -> ParsedItem {
      var item = ParsedItem("\(number)", title: "T\(number)", text: "\(filler)\(word)\(number)")
      item.tags = [Category(term: word)]
      return item
    }
    let numbers = Array(1...12)
    var ids: [NewsItem.ID] = []
    for number in numbers {
      ids += try await temporary.refresh(feed, [item(number, "first", filler)]).inserted
    }
    // The second edit replaces short texts; but the versions before them are long.
    for (former, word) in [("first", "second"), ("second", "third")] {
      let before = try await store.latestSequence()
      let change = try await temporary.refresh(feed, numbers.map { item($0, word) })
      #expect(change.updated == ids && change.inserted.isEmpty)
      let changes = try await store.changes(after: before, limit: 100, query: .all)
      #expect(changes.map(\.itemID) == ids && changes.allSatisfy { $0.kind == .updated })
      #expect(changes.map(\.sequence) == Array(before + 1...before + 12))
      for number in numbers {
        #expect(try await temporary.titles(.text(TextMatch(text: "\(former)\(number)"))).isEmpty)
        #expect(try await temporary.titles(.text(TextMatch(text: "\(word)\(number)"))) == ["T\(number)"])
      }
    }
    for (number, id) in zip(numbers, ids) {
      let stored = try await store.item(id)
      #expect(stored.contentText == "third\(number)" && stored.tags == ["third"])
      let versions = try await store.versions(of: id, newest: 50).map(\.text)
      #expect(versions == ["\(filler)first\(number)", "second\(number)"])
    }
    #expect(try await store.check().isEmpty)
  }

  @Test func `A refresh record of a removed feed is ignored`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    try await temporary.store.remove(feed.id)
    let record = RefreshRecord(
      feedID: feed.id,
      state: FetchState.unfetched,
      parsed: ParsedFeed(format: "atom10"),
      time: Timestamp(seconds: 5)
    )
    #expect(try await temporary.store.commit([record]).isEmpty)
  }

  @Test func `The fetch state round-trips`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    var state = FetchState(
      validators: Validators(etag: "\"x\"", lastModified: "Fri, 20 Nov 2026", url: "http://example.org/feed"),
      bodyHash: .max,
      nextDue: Timestamp(seconds: 10),
      nextDueReason: .backoff(3),
      lastFetched: Timestamp(seconds: 9),
      lastStatus: 503,
      lastSuccess: Timestamp(seconds: 4),
      failures: 3,
      failingSince: Timestamp(seconds: 5),
      lastError: "503",
      interval: 3600,
      hints: PollHints(
        ttl: 60,
        skipHours: 1 << 23,
        skipDays: 1 << 6,
        updateInterval: 7,
        updateBase: Timestamp(seconds: 1)
      ),
      movedTo: MovedLocation(url: "http://example.org/new", firstSeen: Timestamp(seconds: 2), polls: 4),
      isGone: true
    )
    state.maxAge = 300
    state.cooldown = HostCooldown(host: "example.org", until: Timestamp(seconds: 99))
    state.movedFrom = FormerURL(url: "http://example.org/old", changed: Timestamp(seconds: 8))
    let record = RefreshRecord(feedID: feed.id, state: state, parsed: nil, time: Timestamp(seconds: 9))
    _ = try await temporary.store.commit([record])
    #expect(try await temporary.reopened().feed(feed.id).fetchState == state)
    #expect(try await temporary.store.dueFeeds().isEmpty)
    state.movedTo = nil
    state.gone = GoneAnswers(firstSeen: Timestamp(seconds: 3), polls: 2)
    _ = try await temporary.store.commit([
      RefreshRecord(feedID: feed.id, state: state, parsed: nil, time: Timestamp(seconds: 9))
    ])
    #expect(try await temporary.reopened().feed(feed.id).fetchState == state)
  }

  @Test func `Sort times are never after the time of storing, and ties sort by id`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    // In a first document, undated items would sort before dated ones.
    try await temporary.refresh(feed, [ParsedItem("old", title: "Old", published: -4_000_000_000)])
    try await temporary.refresh(
      feed,
      [
        ParsedItem("future", title: "Future", published: 9_000_000),
        ParsedItem("undated", title: "Undated"),
        ParsedItem("old", title: "Old", published: -4_000_000_000),
      ]
    )
    #expect(try await temporary.titles() == ["Future", "Undated", "Old"])
    #expect(
      try await temporary.store.recentTimes(of: feed.id, limit: 2).map(\.seconds) == [2_000_000, 2_000_000]
    )
  }

  @Test func `All parts of an item round-trip`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    var parsed = ParsedItem("tag:1", title: "Títle", text: "text\nmore", url: "http://example.org/1")
    parsed.authors = [Author(name: "A \"B\"", url: "http://a", email: "a@b"), Author(email: "c@d")]
    parsed.tags = [Category(term: "news", label: "News"), Category(term: "x")]
    parsed.enclosures = [
      Enclosure(url: "http://e", mimeType: "audio/mpeg", title: "E", size: 5, duration: 6)
    ]
    parsed.image = "http://i"
    parsed.commentsURL = "http://c"
    parsed.language = "de"
    parsed.summary = "short"
    parsed.contentHTML = "<p>text</p>"
    parsed.updated = Timestamp(seconds: 7)
    try await temporary.refresh(feed, [parsed])
    let item = try await temporary.store.item(NewsItem.ID(rawValue: 1))
    #expect(item.guid == "tag:1")
    #expect(item.url == "http://example.org/1")
    #expect(item.authors == parsed.authors)
    #expect(item.tags == ["News", "x"])
    #expect(item.enclosures == parsed.enclosures)
    #expect(item.image == "http://i")
    #expect(item.commentsURL == "http://c")
    #expect(item.language == "de")
    #expect(item.summary == "short")
    #expect(item.contentHTML == "<p>text</p>")
    #expect(item.contentText == "text\nmore")
    #expect(item.updated == Timestamp(seconds: 7))
    #expect(item.feedURL == "http://example.org/feed")
  }
}
