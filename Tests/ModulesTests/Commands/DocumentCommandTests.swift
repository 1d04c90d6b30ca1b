import NewsCore
import NewsToolbox
import Synchronization
import Testing

@testable import Modules

/// A parser whose documents are lines: each is the title of an item, or a problem.
private struct LineParser: FeedParsing {
  func parse(_ document: FeedDocument) throws(FeedParseError) -> ParsedFeed {
    try parse(document) { _ in }
  }

  func parse(_ document: FeedDocument, onItem: @escaping (ParsedItem) -> Void) throws(FeedParseError)
    -> ParsedFeed
  {
    let lines = lines(document)
    guard lines.first != "none" else { throw FeedParseError(code: .notAFeed, message: "not a feed") }
    for line in lines {
      var item = ParsedItem()
      item.title = line
      onItem(item)
    }
    return ParsedFeed(format: "lines")
  }

  func parse(_ document: FeedDocument, fileAt path: String, onItem: @escaping (ParsedItem) -> Void)
    throws(FeedParseError) -> ParsedFeed?
  { nil }

  func check(_ document: FeedDocument) throws(FeedParseError) -> [SyntaxProblem] {
    lines(document).enumerated().map { SyntaxProblem(line: $0.offset, column: 4, message: $0.element) }
  }

  private func lines(_ document: FeedDocument) -> [String] {
    String(decoding: document.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

/// Writes the title of each item on a line, and the number of items at the end.
private struct TitleEncoder: ParsedFeedEncoding {
  private var count = 0
  mutating func append(_ item: ParsedItem, to output: ([UInt8]) -> Void) {
    count += 1
    output(Array("\(item.title ?? "")\n".utf8))
  }
  mutating func finish(_ feed: ParsedFeed, to output: ([UInt8]) -> Void) {
    output(Array("\(feed.format) \(count)\n".utf8))
  }
}

@Suite struct `Commands that read one document` {
  private static func file(_ text: String) -> FileReading {
    { path in
      guard path == "feed.xml" else { throw FileError(code: .cannotRead, message: "\(path): no such file") }
      return Array(text.utf8)
    }
  }

  private let source = DocumentSource(path: "feed.xml")

  @Test func `A parsed feed is written item by item, then its end`() async throws {
    let interactor = ParseInteractor(
      parser: LineParser(),
      encoder: TitleEncoder(),
      read: Self.file("one\ntwo")
    )
    let seen = try await emitted(interactor, source)
    #expect(seen.bytes == "one\ntwo\nlines 2\n")
    #expect(seen.all.count == 4)
  }

  @Test func `A document that is no feed, and a missing file, are errors with their exit statuses`()
    async throws
  {
    let interactor = ParseInteractor(
      parser: LineParser(),
      encoder: TitleEncoder(),
      read: Self.file("none")
    )
    let bad = try await emitted(interactor, source)
    #expect(bad.failure == UserMessage(code: .badData, text: "not a feed"))
    let missing = try await emitted(interactor, DocumentSource(path: "nowhere"))
    #expect(missing.failure == UserMessage(code: .notFound, text: "nowhere: no such file"))
  }

  @Test func `A closed output ends the parsing of a feed with its error`() async throws {
    struct Closed: Error {}
    let interactor = ParseInteractor(
      parser: LineParser(),
      encoder: TitleEncoder(),
      read: Self.file("one\ntwo")
    )
    await #expect(throws: Closed.self) { try await interactor.run(source) { _ in throw Closed() } }
  }

  @Test func `A publisher's problem is shown with file, line and column, if the line is known`() async throws
  {
    let interactor = ParseCheckInteractor(parser: LineParser(), read: Self.file("no place\nbad date"))
    let seen = try await emitted(interactor, source)
    #expect(seen.lines() == ["feed.xml:no place", "feed.xml:1:4: bad date"])
    #expect(seen.failure == nil)
  }

  private struct Extractor: ArticleExtracting {
    func article(inPage document: FeedDocument, hints: ArticleHints) throws(ArticleRefusal) -> PageArticle {
      guard !document.bytes.isEmpty else { throw .noArticle }
      let text = String(decoding: document.bytes, as: UTF8.self)
      return PageArticle(html: "<p>\(text)</p>", text: text, isExcerptFound: hints.excerpt.map(text.contains))
    }
  }

  @Test(arguments: [(nil as String?, nil as Bool?), ("harbour", true), ("mountain", false)])
  func `The article of a page says whether it contains the excerpt`(_ excerpt: String?, _ isFound: Bool?)
    async throws
  {
    let interactor = ParseArticleInteractor(articles: Extractor(), read: Self.file("the harbour"))
    let seen = try await emitted(interactor, (page: source, excerpt: excerpt))
    #expect(seen.content?.article.text == "the harbour")
    #expect(seen.content?.article.isExcerptFound == isFound)
  }

  @Test func `A page without an article is bad data`() async throws {
    let interactor = ParseArticleInteractor(articles: Extractor(), read: Self.file(""))
    let seen = try await emitted(interactor, (page: source, excerpt: nil))
    #expect(seen.failure?.code == .badData)
  }

  @Test func `Words of a text are printed with the bytes that they take`() async throws {
    let seen = try await emitted(DebugTokensInteractor(), (text: "Two words", isQuery: false))
    #expect(seen.content?.lines.map(\.string) == ["two\t0\t3\t", "words\t4\t9\t"])
  }
}

@Suite struct `Commands on items and feeds` {
  private let store = FakeStore(
    items: [.sample(1, "One"), .sample(2, "Two", hoursAgo: 2)],
    feeds: [
      Feed(id: Feed.ID(rawValue: 1), url: "https://a.example/feed", title: "Alpha feed", position: 1),
      Feed(id: Feed.ID(rawValue: 2), url: "https://b.example/feed", title: "Beta", position: 2),
    ]
  )

  private final class Opened: Sendable {
    let urls = Mutex<[String]>([])
    func open(_ url: String) { urls.withLock { $0.append(url) } }
  }

  @Test func `Items are opened in the browser in the order of the ids`() async throws {
    let opened = Opened()
    let interactor = BrowseInteractor(news: store) { opened.open($0) }
    let seen = try await emitted(interactor, [NewsItem.ID(rawValue: 2), NewsItem.ID(rawValue: 1)])
    #expect(opened.urls.withLock { $0 } == ["https://example.org/2", "https://example.org/1"])
    #expect(seen.failure == nil)
  }

  @Test(arguments: [nil, "javascript:alert(1)", "file:///etc/passwd"])
  func `If one item has no link on the web, no page opens`(_ url: String?) async throws {
    store.state.withLock { $0.items[1].url = url }
    let opened = Opened()
    let interactor = BrowseInteractor(news: store) { opened.open($0) }
    let seen = try await emitted(interactor, [NewsItem.ID(rawValue: 1), NewsItem.ID(rawValue: 2)])
    #expect(seen.failure?.code == .notFound)
    #expect(seen.failure?.text.contains("2") == true)
    #expect(opened.urls.withLock { $0.isEmpty })
  }

  @Test func `An item that does not exist opens nothing`() async throws {
    let opened = Opened()
    let interactor = BrowseInteractor(news: store) { opened.open($0) }
    let seen = try await emitted(interactor, [NewsItem.ID(rawValue: 1), NewsItem.ID(rawValue: 9)])
    #expect(seen.failure?.code == .notFound)
    #expect(opened.urls.withLock { $0.isEmpty })
  }

  private struct Stories: ItemReading, PartialFake {
    func itemsOfStory(of id: NewsItem.ID, limit: Int) async throws(StoreError) -> [NewsItem] {
      guard id.rawValue == 1 else {
        throw StoreError(code: .noSuchItem, message: "there is no item \(id.rawValue)")
      }
      return [.sample(1, "Bridge closed"), .sample(7, "The bridge is closed")].prefix(limit).map(\.self)
    }
  }

  @Test func `The items of a story are listed as headlines; an unknown item is an error`() async throws {
    let interactor = StoriesInteractor(stories: Stories(), times: TimeDisplay(now: .noon))
    let seen = try await emitted(interactor, NewsItem.ID(rawValue: 1))
    #expect(seen.content?.lines.count == 2)
    #expect(
      seen.content?.lines.map { $0.title.map(\.text.string).joined() } == [
        "Bridge closed", "The bridge is closed",
      ]
    )
    let missing = try await emitted(interactor, NewsItem.ID(rawValue: 2))
    #expect(missing.failure == UserMessage(code: .notFound, text: "there is no item 2"))
  }

  private final class Identities: FeedKeeping, PartialFake {
    let policy = Mutex<String?>(nil)
    private let store: FakeStore
    init(_ store: FakeStore) { self.store = store }
    func feeds() async throws(StoreError) -> [Feed] { try await store.feeds() }
    func feeds(_ window: FeedWindow) async throws(StoreError) -> (feeds: [Feed], totals: FeedWindow.Totals) {
      try await store.feeds(window)
    }
    func folders() async throws(StoreError) -> [String] { [] }
    func feed(named name: String) async throws(StoreError) -> Feed { try await store.feed(named: name) }
    func identity(of id: Feed.ID) async throws(StoreError) -> FeedIdentity {
      let policy = policy.withLock { $0 }
      return FeedIdentity(policy: policy ?? "guid", isChosenByUser: policy != nil)
    }
    func setIdentity(of id: Feed.ID, to policy: String?) async throws(StoreError) {
      self.policy.withLock { $0 = policy }
    }
  }

  @Test func `A feed's identity policy is shown, chosen, and left to newsd again`() async throws {
    let identities = Identities(store)
    let interactor = FeedsIdentityInteractor(store: identities)
    let shown = try await emitted(interactor, (feed: "Beta", policy: nil))
    #expect(shown.lines() == ["guid\tchosen from its history"])
    let chosen = try await emitted(interactor, (feed: "Beta", policy: "link"))
    #expect(chosen.lines() == ["link\tchosen by you"])
    let left = try await emitted(interactor, (feed: "Beta", policy: "auto"))
    #expect(left.lines() == ["guid\tchosen from its history"])
    let unknown = try await emitted(interactor, (feed: "Gamma", policy: "link"))
    #expect(unknown.failure?.code == .notFound)
    #expect(identities.policy.withLock { $0 } == nil)
  }

  @Test func `Names of feeds are completed in the order of their names, without those that cannot be typed`()
    async throws
  {
    let store = CompletionStore(feeds: ["Zeta", "Alpha feed", "bad\u{1B}name", ""], searches: ["swift"])
    let interactor = CompletionsInteractor { store }
    let seen = try await emitted(interactor, .names(.feeds, prefix: "A"))
    #expect(seen.content?.candidates.map(\.text) == ["Alpha feed", "Zeta"])
    #expect(seen.content?.prefix == "A")
    #expect(seen.content?.kind == .words)
    let both = try await emitted(interactor, .names(.feedsAndSearches, prefix: ""))
    #expect(both.content?.candidates.map(\.text) == ["Alpha feed", "Zeta", "swift"])
    let quoted = try await emitted(interactor, .queryNames(.feeds, prefix: ""))
    #expect(quoted.content?.candidates.map(\.text) == ["\"Alpha feed\"", "Zeta"])
  }

  @Test func `Labels are completed, with quotes in a query`() async throws {
    let store = CompletionStore(feeds: ["F"])
    let names = try await emitted(CompletionsInteractor { store }, .names(.labels, prefix: ""))
    #expect(names.content?.candidates.map(\.text) == ["read later", "work"])
    let words = try await emitted(CompletionsInteractor { store }, .queryNames(.labels, prefix: "label:"))
    #expect(words.content?.candidates.map(\.text) == ["\"read later\"", "work"])
  }

  @Test func `A folder is completed with its parents; a missing store completes nothing`() async throws {
    let store = CompletionStore(feeds: ["F"], folder: "News/Ships")
    let folders = try await emitted(CompletionsInteractor { store }, .names(.folders, prefix: ""))
    #expect(folders.content?.candidates.map(\.text) == ["News", "News/Ships"])
    let missing = CompletionsInteractor { () throws(StoreError) in
      throw StoreError(code: .missing, message: "there is no store")
    }
    let none = try await emitted(missing, .names(.feeds, prefix: ""))
    #expect(none.failure == nil)
    #expect(none.content?.candidates.isEmpty == true)
    let broken = CompletionsInteractor { () throws(StoreError) in
      throw StoreError(code: .corrupt, message: "the store is damaged")
    }
    #expect(try await emitted(broken, .names(.feeds, prefix: "")).failure?.code == .io)
  }

  private struct Failures: HookKeepingWithoutHooks {
    func failedEntries() async throws(StoreError) -> [FailedHookEntry] {
      let entry = HookEntry(sequence: 5, event: .item, time: .noon, itemID: NewsItem.ID(rawValue: 3))
      return [
        FailedHookEntry(hook: "web", entry: entry, title: "One", attempts: 1, error: "status 500"),
        FailedHookEntry(hook: "web", entry: entry, title: "One", attempts: 8, error: "timed out"),
      ]
    }
  }

  @Test func `A failed delivery is listed with its key, item and title, and with its attempts and error`()
    async throws
  {
    let times = TimeDisplay(now: .noon)
    let seen = try await emitted(HookFailuresInteractor(store: Failures(), times: times), ())
    #expect(seen.lines().first == "web-5  item  item 3  \(times.dateAndTime(.noon))  One")
    #expect(
      seen.content?.lines.map { $0.note?.string } == [
        "1 attempt, last error: status 500", "8 attempts, last error: timed out",
      ]
    )
  }
}

/// Feeds and saved searches by their names.
private struct CompletionStore: FeedKeeping, DefinitionKeeping, ItemReading, PartialFake {
  func labelNames() async throws(StoreError) -> [String] { ["read later", "work"] }

  private let store: FakeStore
  private let searches: [String]

  init(feeds: [String], searches: [String] = [], folder: String? = nil) {
    var all: [Feed] = []
    for (index, title) in feeds.enumerated() {
      let id = Feed.ID(rawValue: Int64(index + 1))
      var feed = Feed(id: id, url: "https://\(index).example/", title: title, position: index + 1)
      feed.folder = folder
      all.append(feed)
    }
    store = FakeStore(feeds: all)
    self.searches = searches
  }

  func feeds() async throws(StoreError) -> [Feed] { try await store.feeds() }
  func feeds(_ window: FeedWindow) async throws(StoreError) -> (feeds: [Feed], totals: FeedWindow.Totals) {
    try await store.feeds(window)
  }
  func folders() async throws(StoreError) -> [String] { try await store.folders() }
  func feed(named name: String) async throws(StoreError) -> Feed { try await store.feed(named: name) }
  func savedSearches() async throws(StoreError) -> [SavedSearch] {
    searches.map { SavedSearch(name: $0, query: $0) }
  }
  func savedSearch(named name: String) async throws(StoreError) -> SavedSearch? { nil }
  func save(_ search: SavedSearch, at time: Timestamp) async throws(StoreError) {}
  func removeSavedSearch(named name: String) async throws(StoreError) -> Bool { false }
}
