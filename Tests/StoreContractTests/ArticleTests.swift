@testable import NewsCore
import NewsStoresShared
import SearchCases
import Synchronization
import Testing

@Suite(.everyStore) struct `Articles in the store` {
  private func word(_ word: String) -> Query { .text(TextMatch(text: word)) }

  private static let time = Timestamp(seconds: 2_000_000)

  private static func item(_ id: String, _ text: String = "An excerpt.") -> ParsedItem {
    var item = ParsedItem(id, title: "Title \(id)", text: text, url: "https://example.org/\(id)")
    item.contentHTML = "<p>\(text)</p>"
    return item
  }

  /// A store that contains a feed with these settings and items.
  private func filled(
    _ policy: ArticlePolicy?,
    _ items: [ParsedItem]
  ) async throws -> (TemporaryStore, Feed) {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    var settings = FeedSettings()
    settings.article = policy
    try await temporary.store.update(feed.id, settings: settings)
    try await temporary.refresh(feed, items)
    return (temporary, feed)
  }

  private func taken(_ store: any StorePorts, at time: Timestamp = time) async throws -> [ArticleJob] {
    try await store.takeArticles(at: time, limit: 10, lease: 900)
  }

  private func fetched(_ id: NewsItem.ID, _ text: String, at seconds: Int64 = 2_000_100) -> ArticleRecord {
    ArticleRecord(
      itemID: id,
      outcome: .fetched(html: "<p>\(text)</p>", text: text),
      time: Timestamp(seconds: seconds),
      validators: Validators(etag: "\"1\"", url: "https://example.org/1")
    )
  }

  @Test(arguments: [(ArticlePolicy.always, 2), (.never, 0), (nil, 0), (.auto, 0)])
  func `Two new items are queued for articles only with the policy always, and again after the lease`(
    _ policy: ArticlePolicy?,
    _ count: Int
  )
    async throws
  {
    let (temporary, _) = try await filled(policy, [Self.item("1"), Self.item("2")])
    let jobs = try await taken(temporary.store)
    #expect(jobs.count == count)
    #expect(try await taken(temporary.store).isEmpty)
    #expect(try await taken(temporary.store, at: Self.time + 901).count == count)
    if let job = jobs.first {
      #expect(job.feedText == "An excerpt." && job.url.hasPrefix("https://example.org/"))
    }
  }

  @Test func `Pages that wait have the beginnings of long texts and the lengths of all`() async throws {
    let long = String(repeating: "é", count: ArticleJob.beginning + 1)
    let (temporary, _) = try await filled(.always, [Self.item("1", long), Self.item("2")])
    let jobs = try await taken(temporary.store)
    #expect(Set(jobs.map(\.feedBytes)) == [long.utf8.count, "An excerpt.".utf8.count])
    for job in jobs {
      let whole = try await temporary.store.articleJob(of: job.itemID)
      #expect(whole.feedBytes == job.feedBytes && whole.feedText.utf8.count == job.feedBytes)
      #expect(job.feedText == String(whole.feedText.prefix(ArticleJob.beginning)))
    }
  }

  @Test func `Pages that were queued or taken while the clock was ahead are due when it is right`()
    async throws
  {
    let (temporary, _) = try await filled(.always, [Self.item("1")])
    let store = temporary.store
    let right = Self.time - 2 * 86_400
    let job = try #require(try await taken(store, at: right).first)
    #expect(try await taken(store, at: right).isEmpty)
    #expect(try await taken(store).map(\.itemID) == [job.itemID])
    #expect(try await taken(store, at: right).map(\.itemID) == [job.itemID])
    #expect(try await taken(store, at: right + 900).map(\.itemID) == [job.itemID])
    // A page that was refused is looked at again after four hours at most.
    for (hours, count) in [(4, 0), (5, 1)] as [(Int64, Int)] {
      try await store.keep(
        ArticleRecord(
          itemID: job.itemID,
          outcome: .refused(reason: "status 429"),
          time: right,
          attempts: 1,
          due: right + hours * 3600
        )
      )
      #expect(try await taken(store, at: right).count == count)
    }
  }

  @Test func `With the policy auto, items are queued if most of the newest five have short texts`()
    async throws
  {
    let long = String(repeating: "long text ", count: 100)
    let short = try await filled(
      .auto,
      ["1", "2", "3", "4", "5"].map { Self.item($0, $0 < "4" ? "short" : long) }
    )
    #expect(try await taken(short.0.store).count == 5)
    let whole = try await filled(
      .auto,
      ["1", "2", "3", "4", "5"].map { Self.item($0, $0 < "3" ? "short" : long) }
    )
    #expect(try await taken(whole.0.store).isEmpty)
  }

  @Test
  func `An article is shown and searched instead of the feed's text, and is logged as a change of state`()
    async throws
  {
    let (temporary, _) = try await filled(.always, [Self.item("1")])
    let store = temporary.store
    let job = try #require(try await taken(store).first)
    let before = try await store.latestSequence()
    try await store.keep(fetched(job.itemID, "The whole article about lighthouses."))
    let item = try await store.item(job.itemID)
    #expect(item.contentText == "The whole article about lighthouses.")
    #expect(item.contentHTML == "<p>The whole article about lighthouses.</p>")
    #expect(item.article?.state == .fetched && item.article?.feedText == "An excerpt.")
    #expect(item.article?.feedHTML == "<p>An excerpt.</p>")
    #expect(try await temporary.titles(word("lighthouses")) == ["Title 1"])
    #expect(try await temporary.titles(word("excerpt")).isEmpty)
    // The first article is not an edit, but it is logged, so that clients reload the item.
    let changes = try await store.changes(after: before, limit: 10, query: .all)
    #expect(changes.map(\.kind) == [.state] && changes.first?.item?.contentText == item.contentText)
    #expect(try await store.versions(of: job.itemID, newest: 50).isEmpty)
    #expect(try await taken(store, at: Self.time + 1_000_000).isEmpty)
    #expect(try await store.check().isEmpty)
  }

  @Test func `Items with large articles that one document edits keep their articles`() async throws {
    let numbers = (1...10).map(String.init)
    let (temporary, feed) = try await filled(.always, numbers.map { Self.item($0) })
    let store = temporary.store
    let filler = String(repeating: "- ", count: 1 << 19)
    let jobs = try await taken(store)
    #expect(jobs.count == 10)
    for job in jobs { try await store.keep(fetched(job.itemID, "\(filler)article\(job.itemID.rawValue)")) }
    let change = try await temporary.refresh(feed, numbers.map { Self.item($0, "A new excerpt.") })
    #expect(Set(change.updated) == Set(jobs.map(\.itemID)) && change.updated.count == 10)
    for id in change.updated {
      let text = "\(filler)article\(id.rawValue)"
      let item = try await store.item(id)
      #expect(item.contentText == text && item.contentHTML == "<p>\(text)</p>")
      #expect(item.article?.feedText == "A new excerpt.")
      #expect(try await temporary.titles(word("article\(id.rawValue)")) == [item.title])
    }
    #expect(try await temporary.titles(word("excerpt")).isEmpty)
    #expect(try await store.check().isEmpty)
  }

  @Test func `An edit of an article makes a version and an entry in the change log`() async throws {
    let (temporary, _) = try await filled(.always, [Self.item("1")])
    let store = temporary.store
    let job = try #require(try await taken(store).first)
    try await store.keep(fetched(job.itemID, "The whole article about lighthouses."))
    let before = try await store.latestSequence()
    try await store.keep(
      fetched(job.itemID, "Another text altogether, about ships and harbours.", at: 2_000_200)
    )
    #expect(try await store.versions(of: job.itemID, newest: 50).count == 1)
    let changes = try await store.changes(after: before, limit: 10, query: .all)
    #expect(changes.map(\.kind) == [.updated])
    #expect(try await temporary.titles(word("harbours")) == ["Title 1"])
    #expect(try await store.item(job.itemID).article?.feedText == "An excerpt.")
  }

  @Test func `An unchanged document changes nothing, and an edit by the feed keeps the article`()
    async throws
  {
    let (temporary, feed) = try await filled(.always, [Self.item("1")])
    let store = temporary.store
    let job = try #require(try await taken(store).first)
    try await store.keep(fetched(job.itemID, "The whole article about lighthouses."))
    let same = try await temporary.refresh(feed, [Self.item("1")], at: 2_000_300)
    #expect(same.updated.isEmpty && same.inserted.isEmpty)
    var edited = Self.item("1", "Another excerpt.")
    edited.title = "A new title"
    let change = try await temporary.refresh(feed, [edited], at: 2_000_400)
    #expect(change.updated == [job.itemID])
    let item = try await store.item(job.itemID)
    #expect(item.title == "A new title" && item.contentText == "The whole article about lighthouses.")
    #expect(item.article?.feedText == "Another excerpt.")
    #expect(try await temporary.titles(word("lighthouses")) == ["A new title"])
    // The page may have changed, too: it is requested with its validators.
    let again = try #require(try await taken(store, at: Timestamp(seconds: 2_000_500)).first)
    #expect(again.validators?.etag == "\"1\"" && again.feedText == "Another excerpt.")
    #expect(try await store.check().isEmpty)
  }

  @Test func `If an article is refused, the item keeps the feed's text and gets the reason`() async throws {
    let (temporary, _) = try await filled(.always, [Self.item("1")])
    let store = temporary.store
    let job = try #require(try await taken(store).first)
    let record = ArticleRecord(
      itemID: job.itemID,
      outcome: .refused(reason: "the page answered 403"),
      time: Self.time,
      attempts: 1,
      due: Self.time + 900
    )
    try await store.keep(record)
    let item = try await store.item(job.itemID)
    #expect(item.contentText == "An excerpt." && item.article?.state == .refused)
    #expect(item.article?.reason == "the page answered 403")
    #expect(try await taken(store, at: Self.time + 900).map(\.attempts) == [1])
  }

  @Test func `Articles are removed with their items, and exported and imported`() async throws {
    let (temporary, feed) = try await filled(.always, [Self.item("1"), Self.item("2")])
    let store = temporary.store
    let jobs = try await taken(store)
    try await store.keep(fetched(jobs[0].itemID, "The whole article about lighthouses."))
    let bytes = Mutex<[UInt8]>([])
    try await store.exportAll { piece in bytes.withLock { $0 += piece } }
    let other = try TemporaryStore()
    let lines = Mutex(bytes.withLock { $0 }.split(separator: 0x0A).map(Array.init)[...])
    _ = try await other.store.importAll(.trusted) { lines.withLock { $0.popFirst() } }
    #expect(try await other.store.item(jobs[0].itemID) == store.item(jobs[0].itemID))
    #expect(try await other.store.check().isEmpty)
    try await store.remove(feed.id)
    #expect(try await temporary.sql("SELECT count(*) FROM articles") == "0")
  }

  @Test func `An item without a link is not queued for its article`() async throws {
    let (temporary, feed) = try await filled(.always, [ParsedItem("x", title: "No link", text: "t")])
    #expect(try await taken(temporary.store).isEmpty)
    #expect(try await temporary.store.newestArticles(of: feed.id, limit: 5).isEmpty)
    await #expect(throws: StoreError.self) {
      try await temporary.store.articleJob(of: NewsItem.ID(rawValue: 99))
    }
  }

  @Test func `An item with an invalid link is refused instead of queued`() async throws {
    var item = Self.item("1")
    item.url = "http://"
    let (temporary, _) = try await filled(.always, [item])
    #expect(try await taken(temporary.store).isEmpty)
    #expect(try await temporary.sql("SELECT state FROM articles WHERE due IS NULL") == "refused")
  }

  @Test func `Feeds that are put into a folder inherit its settings for articles`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    var news = FeedSettings()
    news.article = .auto
    news.articleRemove = ".ad"
    news.timeout = 5
    try await store.keep(news, forFolder: "News")
    var ships = FeedSettings()
    ships.article = .always
    try await store.keep(ships, forFolder: "News/Ships")
    var own = FeedSettings()
    own.articleRemove = "aside"
    let added = try await store.add(
      NewFeed(url: "https://example.org/1", folder: "News/Ships/Old", settings: own),
      at: Self.time
    )
    #expect(added.settings.article == .always && added.settings.articleRemove == "aside")
    #expect(added.settings.timeout == nil)
    let moved = try await store.add(NewFeed(url: "https://example.org/2"), at: Self.time)
    #expect(moved.settings.isEmpty)
    try await store.move(moved.id, toFolder: "News")
    let settings = try await store.feed(moved.id).settings
    #expect(settings.article == .auto && settings.articleRemove == ".ad")
    try await store.keep(FeedSettings(), forFolder: "News")
    #expect(try await store.folderSettings("News").isEmpty)
    #expect(try await store.folderSettings("News/Ships").article == .always)
  }

  @Test func `A folder's settings move with it, and its feeds inherit those of the new parent folder`()
    async throws
  {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let feed = try await store.add(NewFeed(url: "https://example.org/1", folder: "Ships/Old"), at: Self.time)
    var always = FeedSettings()
    always.article = .always
    var selector = FeedSettings()
    selector.articleRemove = ".ad"
    try await store.keep(always, forFolder: "Ships/Old")
    try await store.keep(selector, forFolder: "News")
    try await store.moveFolder("Ships", to: "News/Ships")
    #expect(try await store.folderSettings("News/Ships/Old").article == .always)
    #expect(try await store.folderSettings("Ships/Old").isEmpty)
    let settings = try await store.feed(feed.id).settings
    #expect(settings.article == .always && settings.articleRemove == ".ad")
  }
}
