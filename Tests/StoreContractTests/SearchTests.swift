import NewsStoresShared
import NewsCore
import SearchCases
import Testing

@Suite(.everyStore) struct `Selecting items` {
  private func word(_ text: String, _ field: TextMatch.Field = .any) -> Query {
    .text(TextMatch(field: field, kind: .word, text: text))
  }
  private func phrase(_ text: String) -> Query { .text(TextMatch(kind: .phrase, text: text)) }
  private func prefix(_ text: String) -> Query { .text(TextMatch(kind: .prefix, text: text)) }

  @Test func `Many megabytes of texts are searched, and excerpts made of them, in order`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    let text = String(repeating: "- ", count: 500_000)
    let items = (1...10).map {
      ParsedItem("\($0)", title: "\($0)", text: "number \($0) \(text)", published: Int64($0))
    }
    try await temporary.refresh(feed, items)
    #expect(
      try await temporary.titles(.regex("number [2-9]", .any), order: .oldest) == (2...9).map { "\($0)" }
    )
    let request = ItemRequest(query: word("number"), order: .oldest, parts: [.excerpt])
    let matches = try await temporary.store.items(request)
    #expect(matches.map(\.item.title) == (1...10).map { "\($0)" })
    #expect(matches.allSatisfy { $0.excerpt != nil && $0.item.contentText.isEmpty })
    #expect(try await temporary.titles(word("number"), order: .relevance).count == 10)
  }

  private func library() async throws -> TemporaryStore {
    let temporary = try TemporaryStore()
    let science = try await temporary.store.add(
      NewFeed(url: "http://science.example/feed", title: "Science", folder: "World/Research"),
      at: Timestamp(seconds: 0)
    )
    let cooking = try await temporary.store.add(
      NewFeed(url: "http://kitchen.example/rss", title: "Kitchen", folder: "Home"),
      at: Timestamp(seconds: 0)
    )
    var tagged = ParsedItem("s1", title: "Saturn", text: "the rings of saturn are ice", published: 100)
    tagged.tags = [Category(term: "Space")]
    tagged.language = "en-GB"
    var moon = ParsedItem("s2", title: "Moon rock", text: "ice under the ground", published: 200)
    moon.url = "http://science.example/moon_100%"
    moon.authors = [Author(name: "Ada Saturn")]
    moon.enclosures = [Enclosure(url: "http://science.example/moon.mp3")]
    try await temporary.refresh(science, [moon, tagged])
    var soup = ParsedItem("k1", title: "Soup", text: "boil the ice away; C++ is no spice", published: 150)
    soup.language = "de"
    try await temporary.refresh(
      cooking,
      [soup, ParsedItem("k2", title: "气象", text: "今天的天气很好", published: 50)]
    )
    return temporary
  }

  @Test func `Every kind of condition selects the expected items`() async throws {
    let temporary = try await library()
    let cases: [(Query, [String])] = [
      (.all, ["Moon rock", "Soup", "Saturn", "气象"]),
      (word("ice"), ["Moon rock", "Soup", "Saturn"]),
      (word("ICE"), ["Moon rock", "Soup", "Saturn"]),
      (.and([word("ice"), word("the"), .not(word("boil"))]), ["Moon rock", "Saturn"]),
      (.and([.not(word("ice"))]), ["气象"]),
      (.not(word("ice")), ["气象"]),
      (.or([word("rings"), word("boil")]), ["Soup", "Saturn"]),
      (.or([word("rings"), .isStarred(true), .tag("nothing")]), ["Saturn"]),
      (word("saturn", .title), ["Saturn"]),
      (word("saturn", .author), ["Moon rock"]),
      (word("saturn"), ["Moon rock", "Saturn"]),
      (phrase("rings of saturn"), ["Saturn"]),
      (phrase("saturn of rings"), []),
      (prefix("sat"), ["Moon rock", "Saturn"]),
      (word("c++"), ["Soup"]),
      (word("天气"), ["气象"]),
      (word("天"), ["气象"]),
      (word("好"), ["气象"]),
      (word("\"; DROP TABLE items"), []),
      (phrase("\u{600}\"zzz OR ice OR \u{600}\"zzz"), []),
      (word("zzz\"\u{301} OR ice \""), []),
      (word("%"), []),
      (.or([word("%"), word("rings")]), ["Saturn"]),
      (.and([word("ice"), word("&")]), []),
      (.and([word("ice"), .not(word("&"))]), ["Moon rock", "Soup", "Saturn"]),
      (.regex("s.t[aeiou]rn"), ["Saturn"]),
      (.regex("ice", .title), []),
      (.regex("^moon", .title), ["Moon rock"]),
      (.regex("saturn$", .author), ["Moon rock"]),
      (.regex("rings[\\s\\S]+ice"), ["Saturn"]),
      (.and([word("ice"), .not(.regex("^b.il"))]), ["Moon rock", "Saturn"]),
      (.feedID(Feed.ID(rawValue: 2)), ["Soup", "气象"]),
      (.feed("scie"), ["Moon rock", "Saturn"]),
      (.feed("kitchen.example"), ["Soup", "气象"]),
      (.feed("example"), ["Moon rock", "Soup", "Saturn", "气象"]),
      (.feed("none"), []),
      (.folder("world"), ["Moon rock", "Saturn"]),
      (.folder("World/Research"), ["Moon rock", "Saturn"]),
      (.folder("Wor"), []),
      (.and([.folder("home"), word("ice")]), ["Soup"]),
      (.tag("space"), ["Saturn"]),
      (.url("moon_"), ["Moon rock"]),
      (.url("100%"), ["Moon rock"]),
      (.url("moonx"), []),
      (.language("en"), ["Saturn"]),
      (.language("EN-gb"), ["Saturn"]),
      (.language("de"), ["Soup"]),
      (.hasEnclosure, ["Moon rock"]),
      (.isRead(false), ["Moon rock", "Soup", "Saturn", "气象"]),
      (.isRead(true), []),
      (.since(Timestamp(seconds: 150)), ["Moon rock", "Soup"]),
      (.until(Timestamp(seconds: 150)), ["Saturn", "气象"]),
      (
        .and([word("ice"), .since(Timestamp(seconds: 100)), .until(Timestamp(seconds: 200))]),
        ["Soup", "Saturn"]
      ),
      (.or([.until(Timestamp(seconds: 60)), word("boil")]), ["Soup", "气象"]),
      (.not(.and([.feed("kitchen"), word("ice")])), ["Moon rock", "Saturn", "气象"]),
      (.and([]), ["Moon rock", "Soup", "Saturn", "气象"]),
      (.or([]), []),
    ]
    for (query, titles) in cases {
      #expect(try await temporary.titles(query) == titles, "\(query)")
      #expect(try await temporary.store.count(ItemRequest(query: query)) == titles.count, "\(query)")
      #expect(
        try await temporary.store.changes(after: 0, limit: 100, query: query).count == titles.count,
        "\(query)"
      )
      let days = try await temporary.store.activity(query)
      #expect(days.reduce(0) { $0 + $1.count } == titles.count, "\(query)")
    }
  }

  @Test func `Offset and limit select a part of the list`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    try await temporary.refresh(
      feed,
      (1...50).map { ParsedItem("\($0)", title: "T\($0)", text: "common", published: Int64($0)) }
    )
    for query in [Query.all, word("common"), .feedID(feed.id)] {
      #expect(try await temporary.titles(query, offset: 10, limit: 3) == ["T40", "T39", "T38"])
      #expect(try await temporary.titles(query, order: .oldest, offset: 49, limit: 5) == ["T50"])
      #expect(try await temporary.titles(query, offset: 60, limit: 3).isEmpty)
    }
  }

  @Test func `By relevance, matches in the title rank first, then those in the author`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    let filler = (0..<350).map { "word\($0)" }.joined(separator: " ")
    var authored = ParsedItem("1", title: "By somebody", text: filler)
    authored.authors = [Author(name: "Kernel Panic")]
    let repeated = String(repeating: "kernel ", count: 50)
    try await temporary.refresh(
      feed,
      [
        authored, ParsedItem("2", title: "Often", text: repeated + filler),
        ParsedItem("3", title: "A kernel", text: filler), ParsedItem("4", title: "Briefly", text: repeated),
      ]
    )
    let found = try await temporary.titles(word("kernel"), order: .relevance)
    #expect(Array(found.prefix(2)) == ["A kernel", "By somebody"])
  }

  @Test func `By relevance, a match in the title ranks before one in the text`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    try await temporary.refresh(
      feed,
      [
        ParsedItem("1", title: "Whales", text: "large animals of the sea", published: 1),
        ParsedItem("2", title: "Ships", text: "whales are seen from ships", published: 3),
        ParsedItem("3", title: "Ports", text: "no animals here", published: 2),
      ]
    )
    #expect(try await temporary.titles(word("whales"), order: .relevance) == ["Whales", "Ships"])
    #expect(try await temporary.titles(word("whales"), order: .newest) == ["Ships", "Whales"])
    #expect(try await temporary.titles(.all, order: .relevance) == ["Ships", "Ports", "Whales"])
  }

  @Test func `Batches have the requested size, and stop when the closure returns false`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    try await temporary.refresh(feed, (1...10).map { ParsedItem("\($0)", published: Int64($0)) })
    let sizes = Counter()
    try await temporary.store.forEachBatch(ItemRequest(), of: 4) { batch in
      sizes.append(batch.count)
      return true
    }
    #expect(sizes.values == [4, 4, 2])
    let stopped = Counter()
    try await temporary.store.forEachBatch(ItemRequest(), of: 3) { batch in
      stopped.append(batch.count)
      return false
    }
    #expect(stopped.values == [3])
  }

  @Test func `The activity of a query is its number of items per UTC day`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    try await temporary.refresh(
      feed,
      [
        ParsedItem("1", published: -1), ParsedItem("2", published: 0), ParsedItem("3", published: 86_399),
        ParsedItem("4", published: 86_400),
      ]
    )
    #expect(
      try await temporary.store.activity(.all) == [
        DayCount(day: -1, count: 1), DayCount(day: 0, count: 2), DayCount(day: 1, count: 1),
      ]
    )
  }

  @Test func `Recent searches are listed newest first, without duplicates`() async throws {
    let temporary = try TemporaryStore()
    for (time, query) in ["a", "b", "c", "a"].enumerated() {
      await temporary.store.remember(search: query, at: Timestamp(seconds: Int64(time)))
    }
    #expect(try await temporary.store.recentSearches(limit: 10) == ["a", "c", "b"])
    #expect(try await temporary.reopened().recentSearches(limit: 2) == ["a", "c"])
  }

  @Test func `An invalid regular expression is reported as a bad query`() async throws {
    let temporary = try await library()
    let error = await #expect(throws: StoreError.self) { try await temporary.titles(.regex("(ice")) }
    #expect(error?.code == .badQuery)
    #expect(error?.message.contains("(ice") == true)
  }

  @Test func `Results have a marked excerpt, and text only if requested`() async throws {
    let temporary = try await library()
    let request = ItemRequest(query: .and([word("rings"), word("saturn")]), parts: [.excerpt])
    let match = try #require(try await temporary.store.items(request).first)
    #expect(match.title?.runs.contains { $0.isMatch && $0.text == "Saturn" } == true)
    #expect(match.excerpt?.runs.filter(\.isMatch).map(\.text) == ["rings", "saturn"])
    #expect(match.item.contentText.isEmpty)
  }

  @Test func `The pages of a search for a prefix are parts of its whole result`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    var items: [ParsedItem] = []
    for number in 0..<700 {
      let text = number % 3 == 0 ? "almost" : number % 97 == 1 ? "seldom" : "never"
      let time = Int64(1000 + number * 7)
      items.append(ParsedItem("\(number)", title: "T\(number)", text: text, published: time))
    }
    try await temporary.refresh(feed, items)
    for query in [
      prefix("al"), prefix("sel"), .and([prefix("al"), .isRead(false), .since(Timestamp(seconds: 2000))]),
    ] {
      let whole = try await temporary.titles(query)
      #expect(!whole.isEmpty)
      for (offset, limit) in [(0, 20), (20, 20), (40, 7), (0, 100), (300, 20), (220, 100)] {
        let page = try await temporary.titles(query, offset: offset, limit: limit)
        #expect(page == Array(whole.dropFirst(offset).prefix(limit)), "\(query) \(offset) \(limit)")
      }
    }
  }

  @Test func `Time conditions use the items' own times, even if 200 items share a second`()
    async throws
  {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    let items = (0..<200).map { ParsedItem("\($0)", title: "T", text: "date", published: 5000) }
    try await temporary.refresh(feed, items + [ParsedItem("late", title: "L", text: "date", published: 5002)])
    let exact: [(Query, Int)] = [
      (.since(Timestamp(seconds: 5000)), 201), (.since(Timestamp(seconds: 5001)), 1),
      (.until(Timestamp(seconds: 5001)), 200), (.until(Timestamp(seconds: 5000)), 0),
    ]
    for (query, count) in exact {
      #expect(try await temporary.store.count(ItemRequest(query: query)) == count)
      #expect(try await temporary.store.count(ItemRequest(query: .and([word("date"), query]))) == count)
      #expect(try await temporary.titles(.or([query, word("nothing")])).count == count)
    }
  }

  @Test func `A match in the title ranks before any number of matches in the text`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    let filler = (0..<400).map { "filler\($0 % 50)" }.joined(separator: " ")
    try await temporary.refresh(
      feed,
      [
        ParsedItem("a", title: "Other", text: "kernel kernel kernel kernel", published: 300),
        ParsedItem("b", title: "The kernel", text: filler, published: 100),
        ParsedItem(
          "c",
          title: "Long",
          text: filler + String(repeating: " kernel", count: 10),
          published: 200
        ),
      ]
    )
    #expect(try await temporary.titles(word("kernel"), order: .relevance).first == "The kernel")
  }

  @Test func `The plan of a query names the index and the conditions that are tested on each item`()
    async throws
  {
    let temporary = try await library()
    let plan = try await temporary.store.plan(of: ItemRequest(query: .and([word("ice"), .isRead(false)])))
    #expect(plan.contains { $0.hasPrefix("index: full-text") })
    #expect(plan.contains("then asked of each item: is:unread"))
    #expect(try await temporary.store.plan(of: ItemRequest()).contains("index: items by time"))
  }

  @Test func `A saved search is used by its name, and its current query applies`() async throws {
    let temporary = try await library()
    let store = temporary.store
    try await store.save(SavedSearch(name: "Cold", query: "ice -boil"), at: Timestamp(seconds: 1))
    #expect(try await temporary.titles(.saved("cold")) == ["Moon rock", "Saturn"])
    #expect(try await temporary.titles(.and([.saved("Cold"), .tag("space")])) == ["Saturn"])
    try await store.save(SavedSearch(name: "Colder", query: "saved:cold rings"), at: Timestamp(seconds: 1))
    #expect(try await temporary.titles(.saved("Colder")) == ["Saturn"])
    let feed = await #expect(throws: StoreError.self) {
      try await store.save(SavedSearch(name: "kitchen", query: "ice"), at: Timestamp(seconds: 1))
    }
    #expect(feed?.message.contains("Kitchen") == true)
    let circle = await #expect(throws: StoreError.self) {
      try await store.save(SavedSearch(name: "cold", query: "saved:colder"), at: Timestamp(seconds: 1))
    }
    #expect(circle?.code == .badQuery)
    try await store.save(SavedSearch(name: "COLD", query: "boil"), at: Timestamp(seconds: 1))
    #expect(try await store.savedSearches().map(\.name) == ["COLD", "Colder"])
    #expect(try await temporary.titles(.saved("Cold")) == ["Soup"])
    let named = await #expect(throws: StoreError.self) { try await store.removeSavedSearch(named: "cold") }
    #expect(named?.message.contains("Colder") == true)
    #expect(try await store.removeSavedSearch(named: "colder"))
    #expect(try await store.removeSavedSearch(named: "cold"))
    #expect(try await store.removeSavedSearch(named: "cold") == false)
    let missing = await #expect(throws: StoreError.self) { try await temporary.titles(.saved("cold")) }
    #expect(missing?.code == .badQuery)
  }
}
