import NewsCore
import NewsText
import Synchronization
import Testing

@testable import Modules

private let clock = FixedClock(time: .noon)

@Suite struct `Commands for rules` {
  /// Rules in memory; the query `(` is refused.
  private final class Kept: DefinitionKeeping, PartialFake {
    let all = Mutex<[Rule]>([])
    func rules() async throws(StoreError) -> [Rule] { all.withLock { $0 } }
    func addRule(_ query: String, do actions: [RuleAction], until: Timestamp?, at time: Timestamp)
      async throws(StoreError)
      -> Rule
    {
      guard query != "(" else { throw StoreError(code: .badQuery, message: "a parenthesis is not closed") }
      return all.withLock { rules in
        rules.append(Rule(number: rules.count + 1, query: query, actions: actions, until: until))
        return rules[rules.count - 1]
      }
    }
    func changeRule(_ number: Int, _ change: RuleChange, at time: Timestamp) async throws(StoreError) -> Rule?
    {
      all.withLock { rules in
        guard rules.indices.contains(number - 1) else { return nil }
        if let query = change.query { rules[number - 1].query = query }
        return rules[number - 1]
      }
    }
    func removeRule(_ number: Int) async throws(StoreError) -> Bool {
      all.withLock { rules in
        guard rules.indices.contains(number - 1) else { return false }
        rules.remove(at: number - 1)
        return true
      }
    }
  }

  private let kept = Kept()
  private func run(_ request: RulesRequest) async throws -> Emitted<RecordList<Rule>> {
    try await emitted(RulesInteractor(rules: kept, clock: clock), request)
  }

  @Test func `Rules are added, listed with their actions, and removed by number`() async throws {
    #expect(try await run(.list).lines().isEmpty)
    let added = try await run(.add(query: "linux", [.star, .tag("os")]))
    #expect(added.notes == ["rule 1: star, tag:os linux"])
    _ = try await run(.add(query: "sport", [.drop]))
    #expect(try await run(.list).lines() == ["1  star, tag:os  linux", "2  drop  sport"])
    #expect(try await run(.remove(1)).notes == ["removed rule 1"])
    #expect(kept.all.withLock { $0.map(\.query) } == ["sport"])
  }

  @Test func `A changed rule is repeated; ends and hits are listed`() async throws {
    _ = try await run(.add(query: "linux", [.star], until: .noon + 60))
    let end = (Timestamp.noon + 60).rfc3339
    #expect(try await run(.list).lines() == ["1  star  linux  (until \(end))"])
    #expect(try await run(.change(1, RuleChange(query: "bsd"))).notes == ["rule 1: star bsd, until \(end)"])
    kept.all.withLock { $0[0].hits = 2 }
    #expect(try await run(.list).lines() == ["1  star  bsd  (until \(end), 2 hits)"])
    #expect(try await run(.change(2, RuleChange(place: 1))).failure?.code == .notFound)
  }

  @Test func `A query with an error, and a number without a rule, change nothing`() async throws {
    #expect(try await run(.add(query: "(", [.drop])).failure?.code == .usage)
    #expect(try await run(.remove(1)).failure?.code == .notFound)
    #expect(kept.all.withLock { $0.isEmpty })
  }
}

@Suite struct `Importing a list of subscriptions` {
  /// A list of URLs, one a line. `exec:` is skipped; `cut` ends a truncated list; a URL with `secret` has a header.
  private struct Lines: SubscriptionListCoding {
    func decodeList(_ bytes: [UInt8]) throws(FeedParseError) -> SubscriptionList {
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
      var list = SubscriptionList(feeds: [])
      for (index, line) in lines.enumerated() {
        if line == "cut" {
          list.isTruncated = true
        } else if line.hasPrefix("exec:") {
          list.skipped.append(.init(line: index + 1, entry: line, reason: "runs a command"))
        } else {
          var settings = FeedSettings()
          if line.contains("secret") { settings.headers = ["X-Key: 1"] }
          list.feeds.append(NewFeed(url: line, settings: settings))
        }
      }
      return list
    }
    func encodeOPML(_ feeds: [Feed], searches: [SavedSearch], title: String) -> String { "" }
  }

  private let store = FakeStore()
  private func run(_ list: String, isTrusted: Bool = false, isDryRun: Bool = false) async throws
    -> Emitted<FeedsImportViewModel>
  {
    let transfer = SubscriptionTransfer(coder: Lines(), subscriptions: store, clock: clock)
    let request = FeedsImportRequest(Array(list.utf8), isTrusted: isTrusted, isDryRun: isDryRun)
    return try await emitted(FeedsImportInteractor(transfer: transfer), request)
  }
  private var urls: [String] { get async throws { try await store.feeds().map(\.url) } }

  @Test func `Feeds are added; entries that run commands are named with their line`() async throws {
    let seen = try await run("https://a.example/\nexec:ls\nhttps://a.example/\nhttps://b.example/")
    #expect(try await urls == ["https://a.example/", "https://b.example/"])
    #expect(seen.warnings == ["exec:ls: line 2: runs a command"])
    #expect(seen.notes == ["added 2 feeds; 1 was there already"])
    #expect(seen.failure == nil)
  }

  @Test(arguments: [(false, 1), (true, 0)])
  func `Headers are imported only from a trusted list; otherwise the option that keeps them is named`(
    _ isTrusted: Bool,
    _ warnings: Int
  ) async throws {
    let seen = try await run("https://a.example/secret", isTrusted: isTrusted)
    #expect(seen.warnings.count == warnings)
    #expect(seen.notes.contains { $0.contains("--trust") } == !isTrusted)
    #expect(seen.content?.feeds.count == 1)
  }

  @Test func `A dry run says what it would add, and adds nothing`() async throws {
    let seen = try await run("https://a.example/", isDryRun: true)
    #expect(seen.notes == ["would add 1 feed"])
    #expect(try await urls.isEmpty)
  }

  @Test(arguments: [false, true])
  func `A truncated list is bad data; its feeds are added, except in a dry run`(_ isDryRun: Bool) async throws
  {
    let seen = try await run("https://a.example/\ncut", isDryRun: isDryRun)
    #expect(seen.failure?.code == .badData)
    #expect(seen.failure?.text.contains(isDryRun ? "would be imported" : "were imported") == true)
    #expect(try await urls == (isDryRun ? [] : ["https://a.example/"]))
  }
}

@Suite struct `The settings of one feed` {
  /// One setting, `agent`; the value `bad` cannot be read.
  private struct Words: FeedSettingWording {
    func words(of settings: FeedSettings) -> [FeedDetailsViewModel.Setting] {
      [FeedDetailsViewModel.Setting(name: "agent", help: "the user agent", value: settings.userAgent)]
    }
    func apply(_ values: [String: String], to settings: inout FeedSettings) throws(UserMessage) {
      guard let value = values["agent"] else { return }
      guard value != "bad" else { throw UserMessage(code: .usage, text: "agent=bad is not a user agent") }
      settings.userAgent = value.isEmpty ? nil : value
    }
  }

  /// The ports that a change of a URL needs, besides those of the feeds.
  private struct Arrivals: ArrivalStoring, PartialFake {
    let store: FakeStore
    func feed(_ id: Feed.ID) async throws(StoreError) -> Feed {
      try await store.feed(named: "\(id.rawValue)")
    }
    func commit(_ records: [RefreshRecord]) async throws(StoreError) -> [RefreshChange] { [] }
  }

  private let store = FakeStore(feeds: [
    Feed(id: Feed.ID(rawValue: 1), url: "https://a.example/", title: "A", position: 1)
  ])

  private func run(_ request: FeedDetailsRequest) async throws -> Emitted<FeedDetailsViewModel> {
    let module = FeedDetailsInteractor(
      feeds: store,
      moves: MoveEditor(subscriptions: store, store: Arrivals(store: store), clock: clock),
      words: Words(),
      intervals: FeedSettings.intervals,
      times: Terminal.plain().times
    )
    return try await emitted(module, request)
  }

  @Test func `Without changes, the feed is shown with its settings and its state`() async throws {
    let seen = try await run(FeedDetailsRequest(feed: "A"))
    #expect(seen.content?.settings.map(\.value) == [nil])
    #expect(
      seen.content?.facts.map { "\($0.name.string): \($0.value.string)" }.contains("Last fetched: never")
        == true
    )
    #expect(seen.notes.isEmpty)
  }

  @Test func `A new value is stored and shown, and an empty one removes it`() async throws {
    let set = try await run(FeedDetailsRequest(feed: "A", values: ["agent": "x/1"]))
    #expect(set.content?.settings.first?.value == "x/1")
    #expect(set.notes.count == 1)
    #expect(try await store.feed(named: "A").settings.userAgent == "x/1")
    _ = try await run(FeedDetailsRequest(feed: "A", values: ["agent": ""]))
    #expect(try await store.feed(named: "A").settings.userAgent == nil)
  }

  @Test(arguments: [
    FeedDetailsRequest(feed: "A", url: "https://b.example/", values: ["agent": "bad"]),
    FeedDetailsRequest(feed: "A", url: "exec:ls", values: ["agent": "x/1"]),
    FeedDetailsRequest(feed: "A", url: "", values: ["agent": "x/1"]),
  ])
  func `If one value cannot be read, nothing is changed`(_ request: FeedDetailsRequest) async throws {
    let seen = try await run(request)
    #expect(seen.failure?.code == .usage)
    let feed = try await store.feed(named: "A")
    #expect(feed.url == "https://a.example/")
    #expect(feed.settings.userAgent == nil)
    #expect(seen.content?.feed.id == feed.id, "the form is shown again")
  }

  @Test func `A new URL is stored`() async throws {
    let seen = try await run(FeedDetailsRequest(feed: "A", url: "b.example"))
    try #require(seen.failure == nil, "\(seen.failure?.text ?? "")")
    #expect(seen.content?.feed.url == "https://b.example/")
  }
}

@Suite struct `Trying a feed's settings for articles` {
  private struct Jobs: ArticleKeeping {
    func takeArticles(at time: Timestamp, limit: Int, lease: Int64) async throws(StoreError) -> [ArticleJob] {
      []
    }
    func articleJob(of id: NewsItem.ID) async throws(StoreError) -> ArticleJob {
      throw StoreError(code: .noSuchItem, message: "there is no item \(id.rawValue)")
    }
    func keep(_ record: ArticleRecord) async throws(StoreError) { Issue.record("a preview stores nothing") }
    func newestArticles(of feed: Feed.ID, limit: Int) async throws(StoreError) -> [ArticleJob] {
      let feed = Feed(id: feed, url: "https://a.example/", title: "A", position: 1)
      return (1...9).prefix(limit).map { number in
        let id = NewsItem.ID(rawValue: Int64(number))
        let url = "https://a.example/\(number)"
        return ArticleJob(itemID: id, feed: feed, url: url, title: "T\(number)", feedText: "excerpt")
      }
    }
  }

  private struct Pages: Fetching, ArticleExtracting {
    func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
      let headers = [(name: "Content-Type", value: "text/html")]
      let body = Array("excerpt and the whole text".utf8)
      return FetchResponse(status: 200, headers: headers, body: body, url: request.url, received: .noon)
    }
    func article(inPage document: FeedDocument, hints: ArticleHints) throws(ArticleRefusal) -> PageArticle {
      throw .noArticle
    }
  }

  private func run(_ feed: String, limit: Int) async throws -> Emitted<RecordList<ArticlePreview.Entry>> {
    let store = FakeStore(feeds: [
      Feed(id: Feed.ID(rawValue: 1), url: "https://a.example/", title: "A", position: 1)
    ])
    let fetch = ArticleFetch(
      fetcher: Pages(),
      extractor: Pages(),
      clock: clock,
      turns: makeArticleTurns()
    )
    let module = FeedsPreviewInteractor(feeds: store, preview: ArticlePreview(fetch: fetch, store: Jobs()))
    return try await emitted(module, (feed: feed, limit: limit))
  }

  @Test func `As many pages are fetched as the limit says; a page without an article gives its reason`()
    async throws
  {
    let seen = try await run("A", limit: 2)
    #expect(seen.progress == ["fetching pages"])
    #expect(seen.lines().filter { !$0.hasPrefix(" ") } == ["1  T1", "2  T2"])
    #expect(seen.lines().filter { $0.contains("the feed's text stays: ") }.count == 2)
  }

  @Test func `A feed without items is exit status 1, and an unknown feed an error`() async throws {
    #expect(try await run("A", limit: 0).content?.failsIfEmpty == true)
    #expect(try await run("B", limit: 1).failure?.code == .notFound)
  }
}
