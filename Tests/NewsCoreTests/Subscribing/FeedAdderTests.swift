@testable import NewsCore
import TestSupport
import Testing

@Suite struct `Adding a feed` {
  let clock = ManualClock()
  let store = FakeStore()
  let web: FakeWeb

  static let body = "feed News\nitem a 1795000000 First\n"
  static let url = "https://a.example/feed"

  init() {
    web = FakeWeb(clock: clock)
  }

  var adder: FeedAdder {
    FeedAdder(
      fetcher: web,
      parser: FakeParser(),
      discoverer: FakeParser(),
      subscriptions: store,
      store: store,
      clock: clock
    )
  }

  private func failure(_ typed: String, _ options: FeedAdditionOptions = FeedAdditionOptions()) async
    -> FeedAdditionError?
  {
    do {
      _ = try await adder.add(typed, options)
      return nil
    } catch {
      return error
    }
  }

  @Test func `Nothing is requested for a store that cannot be written`() async {
    web.set(Self.url, .response(200, [:], Self.body))
    store.with { $0.probeError = StoreError(code: .full, message: "The disk is full.") }
    #expect(await failure("a.example/feed")?.code == .store(.full))
    #expect(web.visited.isEmpty)
  }

  @Test func `Adding a feed takes one request and stores its items and validators`() async throws {
    web.set(Self.url, .response(200, ["ETag": "\"1\""], Self.body))
    guard case .added(let feed, let items) = try await adder.add("a.example/feed") else {
      Issue.record("not added")
      return
    }
    #expect(web.visited == [Self.url])
    #expect(items == 1)
    #expect(feed.title == "News")
    #expect(feed.fetchState.validators?.etag == "\"1\"")
    #expect(web.requests[0].reach == .localOrigin(of: Self.url))
  }

  @Test func `A feed is parsed once there is memory for it, which is free when it is stored`() async throws {
    web.set(Self.url, .response(200, [:], Self.body))
    let memory = MemoryBudget(documents: 2)
    var options = RefreshOptions()
    options.memory = memory
    let adder = FeedAdder(
      fetcher: web,
      parser: FakeParser(),
      discoverer: FakeParser(),
      subscriptions: store,
      store: store,
      clock: clock,
      options: options
    )
    var other: MemoryBudget.Claim? = await memory.claim(forBody: 1000, of: "")
    let added = Task { try await adder.add("a.example/feed") }
    try await eventually { memory.waitingCount == 1 }
    #expect(store.with { $0.commits.isEmpty })
    #expect(other != nil)
    other = nil
    guard case .added(_, let items) = try await added.value else {
      Issue.record("not added")
      return
    }
    #expect(items == 1)
    try await eventually { memory.taken == 0 }
  }

  @Test(arguments: [true, false])
  func `A typed origin is exempt from the address guard only if its address is local`(isLocal: Bool)
    async throws
  {
    web.set(Self.url, .response(200, [:], Self.body))
    web.set(Self.url, isLocal: isLocal)
    guard case .added(let feed, _) = try await adder.add(Self.url) else {
      Issue.record("not added")
      return
    }
    #expect(feed.settings.allowsLocalOrigin == (isLocal ? true : nil))
    // If the name points to a local address later, the next poll must not follow it.
    _ = await Refresher(fetcher: web, parser: FakeParser(), store: store, editor: store, clock: clock)
      .refresh(feed.id)
    #expect(web.requests.last?.reach == (isLocal ? .localOrigin(of: Self.url) : .publicOnly))
  }

  @Test(arguments: [true, false])
  func `A feed on the page's origin may have a local address only if the page had one`(isLocal: Bool)
    async throws
  {
    web.set("https://a.example/", .response(200, [:], "html\n\(Self.url)"))
    web.set("https://a.example/", isLocal: isLocal)
    web.set(Self.url, .response(200, [:], Self.body))
    // Between the two requests, the name was made to point to a local address.
    web.set(Self.url, isLocal: true)
    guard case .added(let feed, _) = try await adder.add("https://a.example/") else {
      Issue.record("not added")
      return
    }
    #expect(web.requests.last?.reach == (isLocal ? .localOrigin(of: "https://a.example/") : .publicOnly))
    #expect(feed.settings.allowsLocalOrigin == (isLocal ? true : nil))
  }

  @Test func `An exemption ends with the first response from a public address`() async throws {
    web.set(Self.url, .response(200, [:], Self.body))
    var settings = FeedSettings()
    settings.allowsLocalOrigin = true
    let id = store.insert(Self.url, settings: settings)
    let refresher = Refresher(fetcher: web, parser: FakeParser(), store: store, editor: store, clock: clock)
    web.set(Self.url, isLocal: true)
    _ = await refresher.refresh(id)
    #expect(try await store.feed(id).settings.allowsLocalOrigin == true)
    web.set(Self.url, isLocal: false)
    let outcome = await refresher.refresh(id)
    #expect(try await store.feed(id).settings.allowsLocalOrigin == nil)
    #expect(outcome.notes.contains { $0.contains("public address") })
  }

  @Test func `A forced addition stores no exemption`() async throws {
    web.set(Self.url, .failure(.refused))
    guard
      case .addedUnreached(let feed, _) = try await adder.add(Self.url, FeedAdditionOptions(isForced: true))
    else {
      Issue.record("not added")
      return
    }
    #expect(feed.settings.allowsLocalOrigin == nil)
  }

  @Test(arguments: [false, true])
  func `A forced addition says whether polls will be refused`(_ isLocal: Bool) async throws {
    web.set(Self.url, .failure(.refused))
    web.set(Self.url, isLocal: isLocal)
    let answer = try await adder.add(Self.url, FeedAdditionOptions(isForced: true))
    guard case .addedUnreached(_, let failure) = answer else {
      Issue.record("not added")
      return
    }
    #expect(failure.message.contains("Later polls will be refused") == isLocal, "\(failure.message)")
    #expect(!failure.message.contains(".."), "\(failure.message)")
    #expect(failure.message.contains("network.allow") == isLocal)
  }

  @Test func `A forced feed that a page links to gets neither the exemption nor the credential`()
    async throws
  {
    web.set("https://a.example/", .response(200, [:], "html\nhttps://b.example/feed"))
    web.set("https://a.example/", isLocal: true)
    web.set("https://b.example/feed", .response(500, [:], ""))
    var options = FeedAdditionOptions(isForced: true)
    options.settings.credential = "env:SECRET"
    guard case .addedUnreached(let feed, _) = try await adder.add("https://a.example/", options) else {
      Issue.record("not added")
      return
    }
    #expect(feed.url == "https://b.example/feed")
    #expect(feed.settings.allowsLocalOrigin == nil)
    #expect(feed.settings.secretsFor == "https://a.example:443")
    #expect(web.requests.last?.subscriptionURL == "https://a.example/")
  }

  @Test func `A forced addition adds a forbidden address only if it was typed`() async throws {
    let metadata = "http://169.254.169.254/feed"
    web.set("https://a.example/", .response(200, [:], "html\n\(metadata)"))
    web.set(metadata, .failure(.forbiddenAddress))
    let forced = FeedAdditionOptions(isForced: true)
    #expect(await failure("https://a.example/", forced)?.code == .unreachable)
    #expect(store.with { $0.feeds.isEmpty })
    guard case .addedUnreached(let feed, _) = try await adder.add(metadata, forced) else {
      Issue.record("not added")
      return
    }
    #expect(feed.settings.allowsLocalOrigin == nil)
  }

  @Test func `Adding a page's feed takes two requests`() async throws {
    web.set("https://a.example/", .response(200, [:], "html\nhttps://a.example/feed"))
    web.set(Self.url, .response(200, [:], Self.body))
    guard case .added(let feed, _) = try await adder.add("a.example") else {
      Issue.record("not added")
      return
    }
    #expect(feed.url == Self.url)
    #expect(web.visited == ["https://a.example/", Self.url])
  }

  @Test func `From a page with several feeds, the user must pick one`() async throws {
    web.set("https://a.example/", .response(200, [:], "html\nhttps://a.example/one\nhttps://a.example/feed"))
    web.set(Self.url, .response(200, [:], Self.body))
    guard case .choices(_, let found) = try await adder.add("a.example") else {
      Issue.record("no choices")
      return
    }
    #expect(found.map(\.url) == ["https://a.example/one", Self.url])
    #expect(store.with { $0.feeds.isEmpty })
    guard case .added(let feed, _) = try await adder.add("a.example", FeedAdditionOptions(pick: 2)) else {
      Issue.record("not added")
      return
    }
    #expect(feed.url == Self.url)
    guard case .noSuchChoice = await failure("a.example", FeedAdditionOptions(pick: 3))?.code else {
      Issue.record("picked the third of two")
      return
    }
  }

  @Test func `For a page without links to feeds, well-known URLs are tried`() async throws {
    web.set("https://a.example/blog", .response(200, [:], "html"))
    web.set("https://a.example/blog/rss.xml", .response(200, [:], Self.body))
    guard case .added(let feed, _) = try await adder.add("a.example/blog") else {
      Issue.record("not added")
      return
    }
    #expect(feed.url == "https://a.example/blog/rss.xml")
    web.set("https://b.example/", .response(200, [:], "html"))
    #expect(await failure("b.example")?.code == .notAFeed)
  }

  @Test func `A feed that a page links to may be neither a file nor exempt from the address guard`()
    async throws
  {
    web.set("https://a.example/", .response(200, [:], "html\nfile:///etc/passwd"))
    #expect(await failure("a.example")?.code == .notAFeed)
    web.set("https://b.example/", .response(200, [:], "html\nhttp://c.example/feed"))
    web.set("http://c.example/feed", .response(200, [:], Self.body))
    guard case .added(let feed, _) = try await adder.add("b.example") else {
      Issue.record("not added")
      return
    }
    #expect(feed.settings.allowsLocalOrigin == nil)
    #expect(web.requests.last?.reach == .publicOnly)
  }

  @Test func `A duplicate is reported with its feed, without a request`() async throws {
    store.insert(Self.url)
    guard case .duplicate(let feed) = await failure("A.example/feed")?.code else {
      Issue.record("not refused")
      return
    }
    #expect(feed.url == Self.url)
    #expect(web.visited.isEmpty)
  }

  @Test func `A permanent redirect to a subscribed feed is a duplicate too`() async throws {
    store.insert(Self.url)
    web.set("http://a.example/feed", .redirect(301, Self.url))
    web.set(Self.url, .response(200, [:], Self.body))
    guard case .duplicate = await failure("http://a.example/feed")?.code else {
      Issue.record("not refused")
      return
    }
  }

  @Test func `A permanent redirect is remembered from the first request`() async throws {
    web.set("http://a.example/feed", .redirect(308, Self.url))
    web.set(Self.url, .response(200, [:], Self.body))
    guard case .added(let feed, _) = try await adder.add("http://a.example/feed") else {
      Issue.record("not added")
      return
    }
    #expect(feed.url == "http://a.example/feed")
    #expect(feed.fetchState.movedTo?.url == Self.url)
  }

  @Test(arguments: [
    FakeWeb.Answer.failure(.hostNotFound), .failure(.refused), .failure(.timedOut), .response(404, [:], ""),
    .response(500, [:], ""),
  ])
  func `An unreachable feed is added only if forced`(_ answer: FakeWeb.Answer) async throws {
    web.set(Self.url, answer)
    #expect(await failure(Self.url)?.code == .unreachable)
    #expect(store.with { $0.feeds.isEmpty })
    guard
      case .addedUnreached(let feed, _) = try await adder.add(Self.url, FeedAdditionOptions(isForced: true))
    else {
      Issue.record("not added")
      return
    }
    #expect(feed.fetchState.failures == 1)
    #expect(feed.fetchState.nextDue.map { $0 > clock.now() } == true)
  }

  @Test func `A response that is neither a feed nor a page is rejected`() async {
    web.set(Self.url, .response(200, [:], "PNG"))
    #expect(await failure(Self.url)?.code == .notAFeed)
    #expect(await failure("ftp://a.example")?.code == .badURL)
  }
}
