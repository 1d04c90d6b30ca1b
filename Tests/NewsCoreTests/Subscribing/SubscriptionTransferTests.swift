import NewsCore
import Synchronization
import Testing

@Suite struct `Importing and exporting subscription lists` {
  /// A list of one URL per line.
  struct LineList: SubscriptionListCoding {
    func decodeList(_ bytes: [UInt8]) throws(FeedParseError) -> SubscriptionList {
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      return SubscriptionList(
        feeds: lines.map { line in
          var feed = NewFeed(url: String(line))
          feed.settings.allowsLocalOrigin = true
          return feed
        }
      )
    }
    func encodeOPML(_ feeds: [Feed], searches: [SavedSearch], title: String) -> String {
      ([title] + feeds.map(\.url)).joined(separator: "\n")
    }
  }

  @Test func `An exported list contains secrets only on request`() async throws {
    let store = FakeStore()
    store.insert("https://alice:s3cret@a.example/feed")
    store.insert("https://b.example/feed")
    let transfer = SubscriptionTransfer(coder: LineList(), subscriptions: store, clock: ManualClock())
    let shared = try await transfer.exportOPML(title: "Mine")
    #expect(shared.text == "Mine\nhttps://a.example/feed\nhttps://b.example/feed")
    #expect(shared.withoutSecrets == 1)
    let whole = try await transfer.exportOPML(title: "Mine", includesSecrets: true)
    #expect(whole.text.contains("alice:s3cret@"))
    #expect(whole.withoutSecrets == 0)
  }

  @Test func `Removing secrets keeps all other settings`() {
    var feed = Feed(
      id: Feed.ID(rawValue: 1),
      url: "https://u:p@a.example/",
      title: "https://u:p@a.example/",
      position: 1
    )
    feed.settings.headers = ["Cookie: session=1"]
    feed.settings.credential = "file:/home/me/secret"
    feed.settings.clientCertificate = "/home/me/key.pem"
    feed.settings.proxy = "http://u:p@proxy.example:3128"
    feed.settings.timeout = 30
    let shared = feed.withoutSecrets
    #expect(shared.url == "https://a.example/")
    #expect(shared.title == "https://a.example/")
    #expect(shared.settings.proxy == "http://proxy.example:3128")
    #expect(!shared.settings.holdsSecrets)
    #expect(shared.settings.timeout == 30)
  }

  @Test func `New entries are added once; duplicates, files and programs are reported`() async throws {
    let store = FakeStore()
    store.insert("https://a.example/feed")
    let transfer = SubscriptionTransfer(coder: LineList(), subscriptions: store, clock: ManualClock())
    let list = """
      https://a.example/feed
      https://b.example/feed
      HTTPS://B.example/feed
      file:///etc/passwd
      exec:rm
      """
    let report = try await transfer.importList(Array(list.utf8), folder: "New")
    #expect(report.added.map(\.url) == ["https://b.example/feed"])
    #expect(report.added.map(\.folder) == ["New"])
    #expect(report.duplicates.count == 2)
    #expect(report.refused.map(\.entry) == ["file:///etc/passwd", "exec:rm"])
    #expect(report.added.allSatisfy { $0.settings.allowsLocalOrigin == nil })
    #expect(
      try await transfer.exportOPML(title: "Mine").text
        == "Mine\nhttps://a.example/feed\nhttps://b.example/feed"
    )
  }

  @Test func `Addresses of a list that only look the same are two`() async throws {
    let store = FakeStore()
    store.insert("https://a.example/\u{E9}")
    let transfer = SubscriptionTransfer(coder: LineList(), subscriptions: store, clock: ManualClock())
    let list = "https://a.example/e\u{301}\nhttps://b.example/\u{E9}\nhttps://b.example/e\u{301}"
    let report = try await transfer.importList(Array(list.utf8), isDryRun: true)
    #expect(report.added.count == 3 && report.duplicates.isEmpty)
  }

  /// A list of two feeds with a rule for each.
  struct RulingList: SubscriptionListCoding {
    func decodeList(_ bytes: [UInt8]) throws(FeedParseError) -> SubscriptionList {
      let urls = ["https://a.example/feed", "https://b.example/feed", "https://u@c.example/feed"]
      var list = SubscriptionList(feeds: urls.map { NewFeed(url: $0) })
      list.rules = urls.map { .init(url: $0, query: "feed:\($0) ads", actions: [.markRead]) }
      return list
    }
    func encodeOPML(_ feeds: [Feed], searches: [SavedSearch], title: String) -> String { title }
  }

  @Test(arguments: [true, false])
  func `Only a trusted list adds rules for existing feeds, or for URLs with a user name`(
    isTrusted: Bool
  )
    async throws
  {
    let store = FakeStore()
    store.insert("https://a.example/feed")
    let rules = FakeRules()
    let transfer = SubscriptionTransfer(
      coder: RulingList(),
      subscriptions: store,
      rules: rules,
      clock: ManualClock()
    )
    let report = try await transfer.importList([], isTrusted: isTrusted)
    let queries = report.rules.map(\.query)
    #expect(queries.contains("feed:https://b.example/feed ads"))
    #expect(queries.count == (isTrusted ? 3 : 1))
    #expect(report.refused.count == (isTrusted ? 0 : 2))
  }

  /// A list whose only entry has these settings.
  struct GreedyList: SubscriptionListCoding {
    var settings: FeedSettings
    func decodeList(_ bytes: [UInt8]) throws(FeedParseError) -> SubscriptionList {
      SubscriptionList(feeds: [NewFeed(url: "https://a.example/feed", settings: settings)])
    }
    func encodeOPML(_ feeds: [Feed], searches: [SavedSearch], title: String) -> String { title }
  }

  @Test func `A list completes the settings of a feed that exists, and changes none`() async throws {
    var wanted = FeedSettings()
    wanted.timeout = 20
    wanted.article = .always
    wanted.articleContent = "main"
    let store = FakeStore()
    var own = FeedSettings()
    own.timeout = 10
    store.insert("https://a.example/feed", settings: own)
    let transfer = SubscriptionTransfer(
      coder: GreedyList(settings: wanted),
      subscriptions: store,
      clock: ManualClock()
    )
    _ = try await transfer.importList([], isTrusted: true)
    let settings = try await store.feeds()[0].settings
    #expect(settings.timeout == 10 && settings.article == .always && settings.articleContent == "main")
  }

  @Test(arguments: [false, true])
  func `An untrusted list gets no more time, memory or polls than configured, and no user agent`(
    isTrusted: Bool
  )
    async throws
  {
    var wanted = FeedSettings()
    wanted.timeout = 3600
    wanted.maximumBytes = 1 << 30
    wanted.minimumInterval = 60
    wanted.maximumInterval = 120
    wanted.userAgent = "Other/1"
    var limits = FetchLimits()
    limits.totalTimeout = 90_000
    limits.bodyBytes = 1 << 20
    let transfer = SubscriptionTransfer(
      coder: GreedyList(settings: wanted),
      subscriptions: FakeStore(),
      clock: ManualClock(),
      check: SettingsCheck(limits: limits, minimumInterval: 900)
    )
    let report = try await transfer.importList([], isTrusted: isTrusted)
    var given = FeedSettings()
    given.timeout = 90
    given.maximumBytes = 1 << 20
    given.minimumInterval = 900
    given.maximumInterval = 900
    #expect(report.added.map(\.settings) == [isTrusted ? wanted : given])
    #expect(report.stripped.count == (isTrusted ? 0 : 1))
  }
}

/// Rules in memory.
private final class FakeRules: DefinitionKeeping, PartialFake {
  private let kept = Mutex<[Rule]>([])

  func rules() async throws(StoreError) -> [Rule] { kept.withLock { $0 } }

  func addRule(_ query: String, do actions: [RuleAction], until: Timestamp?, at time: Timestamp)
    async throws(StoreError) -> Rule
  {
    kept.withLock { rules in
      let rule = Rule(number: rules.count + 1, query: query, actions: actions)
      rules.append(rule)
      return rule
    }
  }

  func changeRule(_ number: Int, _ change: RuleChange, at time: Timestamp) async throws(StoreError) -> Rule? {
    nil
  }
  func removeRule(_ number: Int) async throws(StoreError) -> Bool { false }
}
