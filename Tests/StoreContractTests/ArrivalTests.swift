import NewsCore
import NewsStoresShared
import SearchCases
import Testing

@Suite(.everyStore) struct `Matching and storing arriving items` {
  private let now = Timestamp(seconds: 2_000_000)

  /// Longer than a notice.
  private static let longLine = String(repeating: "word ", count: 45)

  private func long(_ topic: String) -> String {
    (0..<60).map { "\(topic)\($0 % 7) sentence about \(topic) number word\($0)" }.joined(separator: " ")
  }

  @Test func `The place of an import is replaced only if no other process has replaced it`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    #expect(try await store.importPlace(of: "a") == nil)
    #expect(try await store.replaceImportPlace("x", by: "y", of: "a") == false)
    #expect(try await store.replaceImportPlace(nil, by: "one", of: "a"))
    #expect(try await store.replaceImportPlace(nil, by: "two", of: "a") == false)
    #expect(try await store.replaceImportPlace("one", by: "two", of: "a"))
    #expect(try await store.importPlace(of: "a") == "two")
    #expect(try await store.importPlace(of: "b") == nil)
    #expect(try await store.replaceImportPlace("one", by: nil, of: "a") == false)
    #expect(try await store.replaceImportPlace("two", by: nil, of: "a"))
    #expect(try await store.importPlace(of: "a") == nil)
  }

  @Test func `Rules mark, star, tag and drop items, in the order of the rules`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let feed = try await temporary.subscribe(title: "Shop")
    _ = try await store.addRule("title:sale", do: [.drop], until: nil, at: now)
    _ = try await store.addRule("feed:shop", do: [.tag("goods")], until: nil, at: now)
    _ = try await store.addRule("tag:goods boring", do: [.markRead], until: nil, at: now)
    _ = try await store.addRule("shiny", do: [.star], until: nil, at: now)
    let items = [
      ParsedItem("1", title: "Summer sale", text: "shiny"), ParsedItem("2", title: "Boring", text: "grey"),
      ParsedItem("3", title: "Shiny", text: "new"),
    ]
    let change = try await temporary.refresh(feed, items)
    #expect(change.inserted.count == 2)
    #expect(try await temporary.titles() == ["Boring", "Shiny"])
    #expect(try await temporary.titles(.isRead(true)) == ["Boring"])
    #expect(try await temporary.titles(.isStarred(true)) == ["Shiny"])
    #expect(try await temporary.titles(.tag("GOODS")).count == 2)
    #expect(try await store.feeds().map(\.unreadCount) == [1])
    #expect(try await store.count(ItemRequest(query: .isRead(false))) == 1)
    let deleted = try await store.changes(after: 0, limit: 9, query: .all).filter { $0.kind == .deleted }
    #expect(deleted.map(\.guid) == ["1"])
    // A dropped item is not new at the next poll, even after its rule was removed. Tags survive an edit.
    #expect(try await store.removeRule(1))
    let again = try await temporary.refresh(feed, items.dropLast() + [ParsedItem("3", title: "Shinier")])
    #expect(again.inserted.isEmpty)
    #expect(again.updated.count == 1)
    #expect(try await temporary.titles(.tag("goods")) == ["Boring", "Shinier"])
    #expect(try await store.rules().map(\.number) == [1, 2, 3])
    #expect(try await store.rules().map(\.actions) == [[.tag("goods")], [.markRead], [.star]])
    #expect(try await store.removeRule(9) == false)
  }

  @Test func `A rule applies until its end and counts the new items that it matched`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let feed = try await temporary.subscribe()
    _ = try await store.addRule("sale", do: [.star], until: now + 100, at: now)
    _ = try await store.addRule("boring", do: [.drop], until: nil, at: now)
    let first = [ParsedItem("1", title: "Sale one"), ParsedItem("2", title: "Boring sale")]
    try await temporary.refresh(feed, first)
    // The same document again: no item is new.
    try await temporary.refresh(feed, first, at: 2_000_050)
    #expect(try await store.rules().map(\.hits) == [2, 1])
    try await temporary.refresh(feed, first + [ParsedItem("3", title: "Sale two")], at: 2_000_100)
    #expect(try await store.rules().map(\.hits) == [2, 1])
    #expect(try await temporary.titles(.isStarred(true)) == ["Sale one"])
  }

  @Test func `A rule is changed and moved; its end and hits stay with it`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let feed = try await temporary.subscribe()
    _ = try await store.addRule("one", do: [.star], until: now + 100, at: now)
    _ = try await store.addRule("two", do: [.markRead], until: nil, at: now)
    _ = try await store.addRule("three", do: [.tag("x")], until: nil, at: now)
    try await temporary.refresh(feed, [ParsedItem("1", title: "One"), ParsedItem("2", title: "Two")])
    let moved = try #require(try await store.changeRule(1, RuleChange(place: 99), at: now))
    #expect(moved == Rule(number: 3, query: "one", actions: [.star], until: now + 100, hits: 1))
    #expect(try await temporary.reopened().rules().map(\.query) == ["two", "three", "one"])
    #expect(try await store.rules().map(\.hits) == [1, 0, 1])
    let edited = try await store.changeRule(
      3,
      RuleChange(query: "uno", actions: [.drop], until: .always, place: 1),
      at: now
    )
    #expect(edited == Rule(number: 1, query: "uno", actions: [.drop]))
    #expect(try await store.rules().map(\.query) == ["uno", "two", "three"])
    #expect(try await store.removeRule(1))
    #expect(try await store.rules().map(\.hits) == [1, 0])
    #expect(try await store.changeRule(3, RuleChange(place: 1), at: now) == nil)
    await #expect(throws: StoreError.self) {
      try await store.changeRule(1, RuleChange(query: "nofield:x"), at: now)
    }
    #expect(try await store.rules().map(\.query) == ["two", "three"])
  }

  @Test func `Undated items of a feed's first document sort as just older than its oldest dated item`()
    async throws
  {
    let temporary = try TemporaryStore()
    let old = try await temporary.subscribe("http://example.org/old")
    try await temporary.refresh(old, [ParsedItem("o", title: "Older", published: 900_000)])
    let feed = try await temporary.subscribe()
    let undated = (1...200).map { ParsedItem("u\($0)", title: "Undated") }
    let dated = [
      ParsedItem("a", title: "New", published: 1_500_000),
      ParsedItem("b", title: "Old", published: 1_000_000),
    ]
    try await temporary.refresh(feed, dated + undated)
    let titles = try await temporary.titles()
    #expect(titles == ["New", "Old"] + [String](repeating: "Undated", count: 200) + ["Older"])
    // Faces show the position of an undated item, not the time of storing, which would look newer than the list is.
    let first = try await temporary.store.items(ItemRequest(limit: 3, parts: [])).map(\.item)
    #expect(first.map(\.sortTime.seconds) == [1_500_000, 1_000_000, 999_999])
    #expect(first.map(\.stored.seconds) == [2_000_000, 2_000_000, 2_000_000])
    // An edit keeps the sort time. An undated item that arrives later sorts by the time it was stored.
    let edited = ParsedItem("u1", title: "Edited")
    try await temporary.refresh(feed, [ParsedItem("later", title: "Later"), edited] + dated, at: 2_100_000)
    let after = try await temporary.titles()
    #expect(after.prefix(3) == ["Later", "New", "Old"])
    #expect(after.contains("Edited") && after.last == "Older")
  }

  @Test func `If no item of a first document has a date, all sort by the time they were stored`() async throws
  {
    let temporary = try TemporaryStore()
    let dated = try await temporary.subscribe("http://example.org/dated")
    try await temporary.refresh(dated, [ParsedItem("d", title: "Dated", published: 1_900_000)])
    let feed = try await temporary.subscribe()
    try await temporary.refresh(feed, [ParsedItem("1", title: "First"), ParsedItem("2", title: "Second")])
    #expect(try await temporary.titles() == ["First", "Second", "Dated"])
  }

  @Test func `An item dated in the future does not move undated items into the future`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    let items = [ParsedItem("1", title: "Undated"), ParsedItem("2", title: "Future", published: 9_000_000)]
    try await temporary.refresh(feed, items)
    #expect(try await temporary.titles() == ["Future", "Undated"])
  }

  @Test func `All actions of a rule apply to the items that matched before the first action`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    let actions: [RuleAction] = [.markRead, .tag("a, b"), .star]
    let added = try await temporary.store.addRule("is:unread kernel", do: actions, until: nil, at: now)
    #expect(added.actionList == "mark-read, tag:a, b, star")
    #expect(try await temporary.reopened().rules() == [added])
    try await temporary.refresh(feed, [ParsedItem("1", title: "Kernel"), ParsedItem("2", title: "Other")])
    let query = Query.and([.isRead(true), .isStarred(true), .tag("a, b")])
    #expect(try await temporary.titles(query) == ["Kernel"])
  }

  @Test(arguments: ["nofield:x", "/(/", "saved:nothing"])
  func `A rule with an invalid query is rejected`(_ query: String) async throws {
    let temporary = try TemporaryStore()
    let error = await #expect(throws: StoreError.self) {
      try await temporary.store.addRule(query, do: [.star], until: nil, at: now)
    }
    #expect(error?.code == .badQuery)
    #expect(try await temporary.store.rules().isEmpty)
  }

  @Test func `If guids change at every fetch, items are identified by link`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    func document(_ round: Int, _ numbers: ClosedRange<Int>) -> [ParsedItem] {
      numbers.map { ParsedItem("r\(round)-\($0)", title: "Title \($0)", url: "http://example.org/\($0)") }
    }
    try await temporary.refresh(feed, document(1, 1...5))
    let second = try await temporary.refresh(feed, document(2, 2...6))
    #expect(second.inserted.count == 1)
    let third = try await temporary.refresh(feed, document(3, 3...8))
    #expect(third.inserted.count == 2)
    #expect(try await temporary.titles().count == 8)
    #expect(try await temporary.store.identity(of: feed.id).policy == "link")
  }

  @Test func `Daily items with new guids and texts at the same links are new items`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    for day in 1...3 {
      let change = try await temporary.refresh(
        feed,
        (0..<5).map {
          ParsedItem(
            "d\(day)-\($0)",
            title: "Sign \($0)",
            text: long("day\(day) sign\($0)"),
            url: "http://example.org/\($0)"
          )
        }
      )
      #expect(change.inserted.count == 5)
    }
    #expect(try await temporary.store.identity(of: feed.id).policy == "guid")
  }

  @Test func `In a feed of one item, a known guid with new title, text and link is a new item`() async throws
  {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    func fetch(_ title: String, _ text: String, _ url: String) async throws -> RefreshChange {
      try await temporary.refresh(feed, [ParsedItem("latest", title: title, text: text, url: url)])
    }
    let site = "http://example.org/"
    _ = try await fetch("Rain", long("rain"), site + "1")
    // An edit: a new headline, a link derived from it, and one more sentence.
    let edit = try await fetch("Heavy rain", long("rain") + " It stopped.", site + "1-heavy")
    #expect(edit.updated.count == 1)
    for (place, topic) in ["snow", "fog", "sun"].enumerated() {
      let change = try await fetch(topic, long(topic), "\(site)\(place + 2)")
      #expect(change.inserted.count == 1)
    }
    #expect(Set(try await temporary.titles()) == ["Heavy rain", "fog", "snow", "sun"])
    #expect(try await temporary.store.identity(of: feed.id).policy == "link")
  }

  @Test func `A move to https, or to the www host of a site, changes no identity`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    func document(_ site: String, _ mark: String = "") -> [ParsedItem] {
      (1...6).map {
        ParsedItem("\(site)/?p=\($0)", title: "T\($0)\(mark)", text: long("topic\($0)"), url: "\(site)/\($0)")
      }
    }
    try await temporary.refresh(feed, document("http://example.org"))
    for site in ["https://example.org", "https://www.example.org"] {
      let moved = try await temporary.refresh(feed, document(site))
      #expect(moved.inserted.isEmpty)
      #expect(moved.updated.count == 6)
    }
    let edited = try await temporary.refresh(feed, document("https://www.example.org", " edited"))
    #expect(edited.inserted.isEmpty)
    #expect(try await temporary.store.identity(of: feed.id).policy == "guid")
  }

  @Test func `If guids and links contain a session id, items are identified by content`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    func document(_ round: Int) -> [ParsedItem] {
      (round..<round + 10).map {
        let url = "http://example.org/\($0)?session=\(round)"
        return ParsedItem(url, title: "T\($0)", text: long("topic\($0)"), url: url)
      }
    }
    for round in 1...3 { try await temporary.refresh(feed, document(round)) }
    #expect(try await temporary.titles().count == 12)
    #expect(try await temporary.store.identity(of: feed.id).policy == "content")
    // New guids and links alone are no change, even when fetched repeatedly.
    let again = try await temporary.refresh(
      feed,
      document(3).map { item in
        var item = item
        item.url? += "1"
        item.id = item.url
        return item
      }
    )
    #expect(again.inserted.isEmpty && again.updated.isEmpty)
  }

  @Test
  func `After a site's relaunch with new guids, items are identified by guid again once guids are stable`()
    async throws
  {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    func document(_ site: String, _ numbers: ClosedRange<Int>, _ mark: String = "") -> [ParsedItem] {
      numbers.map {
        let text = long("topic\($0)")
        return ParsedItem("\(site)?id=\($0)", title: "T\($0)\(mark)", text: text, url: "\(site)p/\($0)")
      }
    }
    try await temporary.refresh(feed, document("http://old.example/", 0...9))
    let moved = try await temporary.refresh(feed, document("https://new.example/", 1...10))
    #expect(moved.inserted.count == 1)
    #expect(moved.updated.count <= 9)
    #expect(try await temporary.store.identity(of: feed.id).policy == "content")
    let steady = try await temporary.refresh(feed, document("https://new.example/", 2...11))
    #expect(steady.inserted.count == 1)
    #expect(try await temporary.store.identity(of: feed.id).policy == "guid")
    let edited = try await temporary.refresh(feed, document("https://new.example/", 2...11, " edited"))
    #expect(edited.inserted.isEmpty)
    #expect(edited.updated.count == 10)
    #expect(try await temporary.titles().count == 12)
  }

  @Test
  func `Guids ending in #N are one item if N numbers revisions, and several items if N numbers comments`()
    async throws
  {
    let temporary = try TemporaryStore()
    let articles = try await temporary.subscribe("http://a/")
    func article(_ number: Int, edition: Int, _ title: String, published: Int64) -> ParsedItem {
      var item = ParsedItem(
        "http://a/\(number)#\(edition)",
        title: title,
        text: edition == 2 ? long("other") : long("topic\(number)"),
        url: "http://a/\(number)?medium=rss"
      )
      item.published = Timestamp(seconds: published)
      return item
    }
    let others = (2...5).map { article($0, edition: 0, "T\($0)", published: 100) }
    try await temporary.refresh(articles, [article(1, edition: 0, "T", published: 100)] + others)
    let retitled = try await temporary.refresh(
      articles,
      [article(1, edition: 1, "T, corrected", published: 200)] + others
    )
    #expect(retitled.updated.count == 1)
    let rewritten = try await temporary.refresh(
      articles,
      [article(1, edition: 2, "T, rewritten", published: 200)] + others
    )
    #expect(rewritten.updated.count == 1)
    // A new number alone is not an edit.
    let same = try await temporary.refresh(
      articles,
      [article(1, edition: 2, "T, rewritten", published: 200), article(2, edition: 7, "T2", published: 100)]
        + others.dropFirst()
    )
    #expect(same.updated.isEmpty && same.inserted.isEmpty)
    #expect(try await temporary.titles().count == 5)

    let comments = try await temporary.subscribe("http://b/")
    for number in 1...3 {
      var comment = ParsedItem(
        "http://b/page#\(number)",
        title: "Re: page",
        text: "Comment \(number): " + long("opinion\(number)"),
        url: "http://b/page"
      )
      comment.published = Timestamp(seconds: Int64(number * 100))
      let kept = ParsedItem("http://b/first", title: "Page", text: long("page"), url: "http://b/first")
      #expect(try await temporary.refresh(comments, [comment, kept]).updated.isEmpty)
    }
    #expect(try await temporary.store.items(ItemRequest(query: .feed("http://b/"))).count == 4)
  }

  @Test(arguments: [1, 5, 10])
  func `Guids that are positions in the document do not identify items`(_ step: Int) async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    for round in 0..<6 {
      let first = round * step
      let change = try await temporary.refresh(
        feed,
        (first..<first + 10).reversed().enumerated().map { place, number in
          ParsedItem(
            "item-\(place)",
            title: "T\(number)",
            text: long("topic\(number)"),
            url: "http://example.org/\(number)",
            published: Int64(number)
          )
        }
      )
      #expect(change.inserted.count == (round == 0 ? 10 : step))
      #expect(change.updated.isEmpty || round == 1)
    }
    #expect(try await temporary.titles().count == 10 + 5 * step)
  }

  /// A title may be as long as a text.
  @Test(arguments: ["title", "text"], [0, 5000])
  func `If guids derive from title or text, an edit changes the item instead of adding one`(
    _ part: String,
    _ padding: Int
  ) async throws {
    let start = String(repeating: "x", count: padding)
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    var marks = [Int](repeating: 0, count: 10)
    for round in 0..<7 {
      if round > 0 { marks[round] = round }
      let change = try await temporary.refresh(
        feed,
        (0..<10).map { number in
          let title = "\(start)T\(number)" + (part == "title" ? " \(marks[number])" : "")
          let text = long("topic\(number)") + (part == "text" ? " and \(marks[number])" : "")
          let guid = "hash \((part == "title" ? title : text).hashValue)"
          let url = "http://example.org/\(number)"
          return ParsedItem(guid, title: title, text: text, url: url, published: Int64(number))
        }
      )
      #expect(change.inserted.count == (round == 0 ? 10 : 0))
      #expect(change.updated.count == (round == 0 ? 0 : 1))
    }
  }

  @Test func `A new show is a new item even with the title, text and link of the earlier ones`() async throws
  {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    let about = ParsedItem("about", title: "About", text: long("about"), url: "http://example.org/about")
    for week in 1...4 {
      let show = ParsedItem(
        "show-\(week)",
        title: "The weekly show",
        text: long("listen"),
        url: "http://example.org/show",
        published: Int64(week * 604_800)
      )
      #expect(try await temporary.refresh(feed, [show, about]).updated.isEmpty)
    }
    #expect(try await temporary.titles().count == 5)
  }

  @Test func `Changing guids are detected although a rule drops some of the items`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    _ = try await temporary.store.addRule("title:sponsored", do: [.drop], until: nil, at: now)
    for round in 0..<5 {
      try await temporary.refresh(
        feed,
        (0..<10).map { number in
          let title = number < 5 ? "Sponsored \(number)" : "T\(number)"
          let url = "http://example.org/\(number)"
          return ParsedItem("r\(round)-\(number)", title: title, text: long("topic\(number)"), url: url)
        }
      )
    }
    #expect(try await temporary.titles().count == 5)
    #expect(try await temporary.store.identity(of: feed.id).policy == "link")
  }

  @Test(arguments: [nil, "http://example.org/show"])
  func `Episodes that differ only in enclosure and date are all stored`(_ link: String?) async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    func document(_ numbers: ClosedRange<Int>) -> [ParsedItem] {
      numbers.reversed().map { number in
        var item = ParsedItem(
          nil,
          title: "The show",
          text: "Listen.",
          url: link,
          published: Int64(number * 86_400)
        )
        item.enclosures = [Enclosure(url: "http://example.org/\(number).mp3")]
        return item
      }
    }
    #expect(try await temporary.refresh(feed, document(1...8)).inserted.count == 8)
    let next = try await temporary.refresh(feed, document(2...9))
    #expect(next.inserted.count == 1)
    #expect(next.updated.isEmpty)
    #expect(try await temporary.titles().count == 9)
  }

  @Test func `Items without guids that reuse the links of the previous day are new items`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    func document(_ day: Int) -> [ParsedItem] {
      (0..<5).map {
        var item = ParsedItem(
          nil,
          title: "Sign \($0) on day \(day)",
          text: long("day\(day) sign\($0)"),
          url: "http://example.org/sign-\($0)"
        )
        item.published = Timestamp(seconds: Int64(day * 86_400))
        return item
      }
    }
    for day in 1...4 {
      #expect(try await temporary.refresh(feed, document(day)).inserted.count == 5)
      // Fetch again on the same day.
      let again = try await temporary.refresh(feed, document(day))
      #expect(again.inserted.isEmpty && again.updated.isEmpty)
    }
    #expect(try await temporary.titles().count == 20)
  }

  @Test func `If two items of a document share a guid, both are stored`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    let document = (1...8).map {
      ParsedItem(
        $0 < 3 ? "same" : "g\($0)",
        title: "T\($0)",
        text: long("topic\($0)"),
        url: "http://example.org/\($0)"
      )
    }
    #expect(try await temporary.refresh(feed, document).inserted.count == 8)
    #expect(try await temporary.refresh(feed, document).inserted.isEmpty)
    #expect(try await temporary.titles().count == 8)
  }

  @Test(arguments: [
    ("It would cost 30 million.", "It would cost 50 million.", true),
    ("The firm will sell.", "The firm will not sell.", true),
    ("Smith attacked Jones.", "Jones attacked Smith.", true),
    ("A story.\n13 comments", "A story.\n1,245 views", false),
    ("A story.\nposted 3 hours ago", "A story.\nposted 2 days ago", false),
    (
      "Shares fell by 300 points on a day of heavy trade in all markets.",
      "Shares fell by 900 points on a day of heavy trade in all markets.", true
    ),
    ("A story.\nviews 12", "A story.\nviews 13", false),
    (
      "A story with 12 345 views and 3 comments 4 likes", "A story with 12 346 views and 5 comments 6 likes",
      false
    ),
    ("A story of 12 3", "A story of 12 4", true),
    (Self.longLine + "12 comments", Self.longLine + "1 245 views", false),
    (Self.longLine + "12 points", Self.longLine + "13 points", true),
    (Self.longLine + "newsletter", Self.longLine + "subscription", true),
    ("A story.\nOur newsletter", "A story.\nSubscribe to it today", false),
  ])
  func `Only a significant edit creates a version`(_ old: String, _ new: String, _ isEdit: Bool) async throws
  {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    for text in [old, new] { try await temporary.refresh(feed, [ParsedItem("1", title: "T", text: text)]) }
    #expect(
      try await temporary.store.versions(of: NewsItem.ID(rawValue: 1), newest: 50).map(\.text)
        == (isEdit ? [old] : [])
    )
  }

  @Test func `If all items share one guid, they are identified by link, or else by content`() async throws {
    let temporary = try TemporaryStore()
    let linked = try await temporary.subscribe("http://a/")
    let bare = try await temporary.subscribe("http://b/")
    let withLinks = (1...4).map { ParsedItem("same", title: "T\($0)", url: "http://example.org/\($0)") }
    #expect(try await temporary.refresh(linked, withLinks).inserted.count == 4)
    #expect(try await temporary.refresh(linked, withLinks).inserted.isEmpty)
    let withoutLinks = (1...4).map { ParsedItem("same", title: "B\($0)", url: "http://example.org/") }
    #expect(try await temporary.refresh(bare, withoutLinks).inserted.count == 4)
    #expect(try await temporary.refresh(bare, withoutLinks).inserted.isEmpty)
    #expect(try await temporary.store.identity(of: bare.id).policy == "content")
  }

  @Test func `New articles in a feed with stable guids do not change its identity policy`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    try await temporary.refresh(
      feed,
      (1...5).map { ParsedItem("\($0)", title: "T\($0)", url: "http://e/\($0)") }
    )
    try await temporary.refresh(
      feed,
      (6...9).map { ParsedItem("\($0)", title: "T\($0)", url: "http://e/\($0)") }
    )
    #expect(try await temporary.store.identity(of: feed.id).policy == "guid")
    #expect(try await temporary.titles().count == 9)
  }

  @Test func `The user's identity policy applies, and a new title is an update under each policy`()
    async throws
  {
    for policy in ["guid", "link"] {
      let temporary = try TemporaryStore()
      let feed = try await temporary.subscribe()
      try await temporary.store.setIdentity(of: feed.id, to: policy)
      let first = [
        ParsedItem("1", title: "Before", url: "http://e/1"), ParsedItem("2", title: "O", url: "http://e/2"),
      ]
      try await temporary.refresh(feed, first)
      let second = [ParsedItem("1", title: "After", url: "http://e/1"), first[1]]
      let change = try await temporary.refresh(feed, second)
      #expect(change.updated.count == 1)
      #expect(change.inserted.isEmpty)
      let identity = try await temporary.store.identity(of: feed.id)
      #expect(identity == FeedIdentity(policy: policy, isChosenByUser: true))
      let error = await #expect(throws: StoreError.self) {
        try await temporary.store.setIdentity(of: feed.id, to: "fingers")
      }
      #expect(error?.code == .badQuery)
    }
  }

  @Test func `Items with very long titles keep their identity, by guid and by content`() async throws {
    let temporary = try TemporaryStore()
    let named = try await temporary.subscribe("http://a/")
    let shared = try await temporary.subscribe("http://b/")
    let long = String(repeating: "title ", count: 3000)
    func byGuid(_ text: String) -> [ParsedItem] {
      (1...4).map { ParsedItem("\($0)", title: "\(long)\($0)", text: "\(text) \($0)") }
    }
    #expect(try await temporary.refresh(named, byGuid("before")).inserted.count == 4)
    let edit = try await temporary.refresh(named, byGuid("after"))
    #expect(edit.updated.count == 4 && edit.inserted.isEmpty)
    func byContent(_ guid: String) -> [ParsedItem] {
      (1...4).map { ParsedItem(guid, title: "\(long)\($0)", url: "http://example.org/") }
    }
    #expect(try await temporary.refresh(shared, byContent("x")).inserted.count == 4)
    #expect(try await temporary.store.identity(of: shared.id).policy == "content")
    for _ in 1...2 {
      let again = try await temporary.refresh(shared, byContent("y"))
      #expect(again.inserted.isEmpty && again.updated.isEmpty)
      #expect(try await temporary.sql("SELECT CAST(count(*) AS text) FROM items WHERE guid = 'y'") == "4")
    }
    #expect(try await temporary.store.check().isEmpty)
  }

  @Test func `Another identity policy applies to all stored and removed items, however large they are`()
    async throws
  {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let feed = try await temporary.subscribe()
    let filler = String(repeating: "- ", count: 1 << 19)
    _ = try await store.addRule("title:gone", do: [.drop], until: nil, at: now)
    func document(_ guid: String, _ site: String, _ gone: String) -> [ParsedItem] {
      (1...10).map { number in
        let isGone = number > 5
        return ParsedItem(
          "\(guid)\(number)\(isGone ? filler : "")",
          title: "\(isGone ? gone : "T")\(number)",
          text: "\(isGone ? "" : filler)text\(number)",
          url: "http://\(site)/\(number)"
        )
      }
    }
    #expect(try await temporary.refresh(feed, document("a", "one", "gone ")).inserted.count == 5)
    try await store.setIdentity(of: feed.id, to: "link")
    #expect(try await temporary.refresh(feed, document("b", "one", "back ")).inserted.isEmpty)
    try await store.setIdentity(of: feed.id, to: "content")
    let stored = document("c", "two", "").prefix(5)
    #expect(try await temporary.refresh(feed, Array(stored)).inserted.isEmpty)
    try await store.setIdentity(of: feed.id, to: "guid")
    let mixed = document("c", "three", "").prefix(5) + document("a", "three", "back ").suffix(5)
    #expect(try await temporary.refresh(feed, Array(mixed)).inserted.isEmpty)
    #expect(try await temporary.titles().count == 5)
    #expect(try await store.check().isEmpty)
  }

  @Test func `The text before each significant edit is kept as a version, with number and time`() async throws
  {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let feed = try await temporary.subscribe()
    let texts = [
      "The mayor said the bridge opens on Monday.\n12 comments",
      "The mayor  said the bridge opens on Monday.\n15 comments",
      "The mayor said the bridge opens on Monday.\nAdvertisement: buy our fine soap today\n15 comments",
      "The mayor said the bridge stays closed until further notice.\n15 comments",
      "The mayor said the bridge stays closed until further notice. \n16 comments",
      "Nothing was said about any bridge, and 7 people left the hall.",
      "Nothing was said about any bridge, and 9 people left the hall.",
    ]
    for (round, text) in texts.enumerated() {
      try await temporary.refresh(
        feed,
        [ParsedItem("1", title: "Bridge", text: text)],
        at: Int64(100 + round)
      )
    }
    let versions = try await store.versions(of: NewsItem.ID(rawValue: 1), newest: 50)
    #expect(versions.map(\.text) == [texts[2], texts[4], texts[5]])
    #expect(versions.map(\.replaced.seconds) == [103, 105, 106])
    #expect(versions.map(\.number) == [1, 2, 3])
    #expect(try await store.item(NewsItem.ID(rawValue: 1)).contentText == texts[6])
    try await temporary.refresh(feed, [ParsedItem("1", title: "Bridges", text: texts[6])], at: 200)
    #expect(try await store.versions(of: NewsItem.ID(rawValue: 1), newest: 50).last?.title == "Bridge")
  }

  @Test func `Of an item edited at every poll, the newest 50 versions are kept`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    for round in 1...60 {
      try await temporary.refresh(feed, [ParsedItem("1", title: "Price", text: "It costs \(round) coins.")])
    }
    let versions = try await temporary.store.versions(of: NewsItem.ID(rawValue: 1), newest: 50)
    #expect(versions.map(\.text) == (10...59).map { "It costs \($0) coins." })
    #expect(versions.map(\.number) == Array(10...59))
  }

  @Test func `Items that tell one story share it; similar items of other stories do not`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let feeds = [
      try await temporary.subscribe("http://a/"), try await temporary.subscribe("http://b/"),
      try await temporary.subscribe("http://c/"),
    ]
    let story = long("harbour")
    try await temporary.refresh(
      feeds[0],
      [
        ParsedItem(
          "1",
          title: "Harbour reopens after the long winter storm",
          text: story,
          url: "http://x.org/1"
        )
      ]
    )
    try await temporary.refresh(
      feeds[1],
      [
        ParsedItem(
          "2",
          title: "Harbour reopens after the long winter storm",
          text: story,
          url: "http://y.org/7"
        )
      ]
    )
    try await temporary.refresh(
      feeds[2],
      [
        ParsedItem("3", title: "Something else", text: long("mountain"), url: "http://z.org/1"),
        ParsedItem(
          "4",
          title: "Harbour reopens, says x",
          text: "short",
          url: "https://www.x.org/1?utm_source=feed"
        ),
        ParsedItem("5", title: "Weekly links", text: long("links one"), url: "http://z.org/5"),
      ]
    )
    try await temporary.refresh(
      feeds[1],
      [ParsedItem("6", title: "Weekly links", text: long("other things"), url: "http://y.org/8")]
    )
    var stories: [String: Int64?] = [:]
    for match in try await store.items(ItemRequest()) { stories[match.item.guid] = match.item.story }
    let first = try #require(stories["1"] ?? nil)
    #expect(stories["2"] == first)
    for alone in ["3", "5", "6"] { #expect(stories[alone] == .some(nil), "\(alone)") }
    let folded = try await store.items(ItemRequest(parts: [], foldsStories: true))
    #expect(folded.count == (stories["4"] == first ? 4 : 5))
    #expect(folded.map(\.folded).max() == (stories["4"] == first ? 2 : 1))
    #expect(try await store.count(ItemRequest(foldsStories: true)) == folded.count)
    let page = try await store.items(ItemRequest(offset: 1, limit: 2, parts: [], foldsStories: true))
    #expect(page.map(\.item.id) == folded.dropFirst().prefix(2).map(\.item.id))
    // Marking one item as read marks the whole story.
    let read = try #require(folded.first { $0.folded > 0 }).item.id
    let outcome = try await store.apply(.read, to: [read, NewsItem.ID(rawValue: 99)])
    let marked = try await store.items(ItemRequest(query: .isRead(true)))
    #expect(marked.allSatisfy { $0.item.story == first })
    #expect(marked.count >= 2)
    // The mark names all items that it has changed, so that it can be undone.
    #expect(outcome.changed.sorted() == marked.map(\.item.id).sorted())
    #expect(outcome.missing == [NewsItem.ID(rawValue: 99)])
    #expect(try await store.apply(.read, to: [read]) == MarkOutcome())
    #expect(try await store.apply(.unread, to: outcome.changed).changed.sorted() == outcome.changed.sorted())
    #expect(try await store.count(ItemRequest(query: .isRead(true))) == 0)
    #expect(try await store.check().isEmpty)
  }

  @Test(arguments: [(0, 17), (100, 18)])
  func `A new item is compared with 8 KB of titles that are alike`(filler: Int, expected: Int) async throws {
    let temporary = try TemporaryStore()
    let feeds = [try await temporary.subscribe("http://a/"), try await temporary.subscribe("http://b/")]
    let text = (0..<25).map { "harbour\($0 % 7) sentence" }.joined(separator: " ")
    let names =
      "amber birch cedar delta ember flint grove heron inlet jetty knoll ledge maple north ocean pearl quill"
      .split(separator: " ")
    func item(_ name: Substring, _ site: String, minute: Int) -> ParsedItem {
      ParsedItem(
        "\(name)",
        title: "\(name) closes the old harbour" + String(repeating: " again", count: filler),
        text: text,
        url: "http://\(site)/\(name)",
        published: 1_990_000 + Int64(minute * 60)
      )
    }
    try await temporary.refresh(feeds[0], names.enumerated().map { item($1, "a", minute: $0) })
    // The last of the feed's items, by time, tells the same story.
    try await temporary.refresh(feeds[1], [item(names[16], "b", minute: 30)])
    #expect(try await temporary.store.count(ItemRequest(foldsStories: true)) == expected)
  }

  @Test func `After many items that are alike, a document is stored without looking for more stories`()
    async throws
  {
    let temporary = try TemporaryStore()
    func item(_ site: String, _ name: String) -> ParsedItem {
      ParsedItem(
        "\(site)-\(name)",
        title: "\(name) opens again",
        url: "http://x/\(name)",
        published: 1_990_000
      )
    }
    // Each has the link of all others, and another number in its title.
    let alike = (0..<1200).map {
      ParsedItem("\($0)", title: "Part \($0) of it", url: "http://x/parts", published: 1_990_000)
    }
    for site in ["a", "b", "c"] {
      let feed = try await temporary.subscribe("http://\(site)/")
      let filler = site == "b" ? alike : []
      try await temporary.refresh(feed, [item(site, "harbour")] + filler + [item(site, "bridge")])
    }
    var stories: [String: Int64?] = [:]
    for match in try await temporary.store.items(ItemRequest()) {
      stories[match.item.guid] = match.item.story
    }
    #expect(stories.count == 1206)
    // The items of a document are stored in one direction.
    #expect(["b-harbour", "b-bridge"].count { stories[$0] != .some(nil) } == 1)
    #expect(["c-harbour", "c-bridge"].count { stories[$0] != .some(nil) } == 2)
  }

  @Test func `An import without guids recognizes stored items by link, or by title and date`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe(title: "News")
    var stored = (1...3).map { ParsedItem("g-\($0)", title: "Story \($0)", text: "text") }
    for place in stored.indices {
      stored[place].url = place == 2 ? nil : "http://site/\(place)"
      stored[place].published = Timestamp(seconds: 1000 + Int64(place))
    }
    try await temporary.refresh(feed, stored)
    var imported = stored.map { ImportedItem(item: $0, isRead: true, isStarred: true) }
    for place in imported.indices { imported[place].item.id = nil }
    // Another title, as readers shorten them.
    imported[0].item.title = "Story"
    imported[2].item.title = "Story  3"
    let report = try await temporary.store.importFeeds(
      [ImportedFeed(feed: NewFeed(url: feed.url), items: imported)],
      at: now
    )
    #expect(report == ImportReport(unchanged: 3))
    #expect(try await temporary.titles(.and([.isRead(true), .isStarred(true)])).count == 3)
    // Marks are never taken away.
    for place in imported.indices {
      imported[place].isRead = false
      imported[place].isStarred = false
    }
    _ = try await temporary.store.importFeeds(
      [ImportedFeed(feed: NewFeed(url: feed.url), items: imported)],
      at: now
    )
    #expect(try await temporary.titles(.and([.isRead(true), .isStarred(true)])).count == 3)
  }

  @Test func `Rules and repeated imports give an item as many labels as it may have`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let feed = try await temporary.subscribe()
    let labels = (0..<150).map { "label \($0)" }
    _ = try await store.addRule("ruled", do: labels.map { .label($0) }, until: nil, at: now)
    try await temporary.refresh(feed, [ParsedItem("1", title: "ruled")])
    var imported = ImportedItem(item: ParsedItem("2", title: "imported"))
    for part in [labels[..<60], labels[60..<120], labels[120...]] {
      imported.labels = Array(part)
      _ = try await store.importFeeds(
        [ImportedFeed(feed: NewFeed(url: feed.url), items: [imported])],
        at: now
      )
    }
    let counts = try await temporary.sql(
      """
      SELECT CAST(count(*) || ' ' || min(n) || ' ' || max(n) AS text)
      FROM (SELECT count(*) AS n FROM item_labels GROUP BY item) AS counts
      """
    )
    #expect(counts == "2 100 100")
  }
}
