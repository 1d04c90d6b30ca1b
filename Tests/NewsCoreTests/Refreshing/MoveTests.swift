import TestSupport
import Testing

@testable import NewsCore

@Suite struct `Permanent redirects` {
  let clock = ManualClock()
  let store = FakeStore()
  let web: FakeWeb
  static let body = "feed News\nitem a 1795000000 First\n"
  static let old = "https://old.example/feed"
  static let new = "https://new.example/feed"

  init() {
    web = FakeWeb(clock: clock)
    web.set(Self.new, .response(200, [:], Self.body))
  }

  private func poll(_ id: Feed.ID, after seconds: Int64 = 3600) async -> RefreshOutcome {
    clock.advance(seconds)
    return await Refresher(fetcher: web, parser: FakeParser(), store: store, editor: store, clock: clock)
      .refresh(id)
  }

  @Test(arguments: [301, 308]) func `The next poll requests the target directly`(_ status: Int) async {
    let id = store.insert(Self.old)
    web.set(Self.old, .redirect(status, Self.new))
    _ = await poll(id)
    _ = await poll(id)
    #expect(web.visited == [Self.old, Self.new, Self.new])
    #expect(web.requests.last?.subscriptionURL == Self.old)
    #expect(store.state(id).movedTo?.polls == 2)
  }

  @Test(.timeLimit(.minutes(1)))
  func `A refused target takes no memory while the old URL is asked`() async throws {
    let id = store.insert(Self.old)
    web.set(Self.old, .redirect(301, Self.new), .stall)
    _ = await poll(id)
    web.set(Self.new, .response(200, [:], "html"))
    clock.advance(3600)
    let memory = MemoryBudget(documents: 2)
    var options = RefreshOptions()
    options.memory = memory
    let refresher = Refresher(
      fetcher: web,
      parser: FakeParser(),
      store: store,
      editor: store,
      clock: clock,
      options: options
    )
    let refresh = Task { await refresher.refresh(id) }
    try await eventually { web.requests.count == 3 && memory.taken == 0 }
    refresh.cancel()
    _ = await refresh.value
  }

  @Test func `The fragment of a redirect's target is dropped`() async {
    let id = store.insert(Self.old)
    web.set(Self.old, .redirect(301, Self.new + "#top"))
    web.set(Self.new + "#top", .response(200, [:], Self.body))
    _ = await poll(id)
    #expect(store.state(id).movedTo?.url == Self.new)
  }

  /// Only a forged recording can contain such a redirect; the fetcher follows none of them.
  @Test(arguments: ["exec:touch /tmp/x", "file:///etc/passwd", "ftp://new.example/feed"])
  func `A permanent redirect to a URL other than http and https is not remembered`(_ url: String) async {
    let id = store.insert(Self.old)
    web.set(Self.old, .redirect(301, url))
    web.set(url, .response(200, [:], Self.body))
    let outcome = await poll(id)
    #expect(outcome.status == 200)
    #expect(store.state(id).movedTo == nil)
  }

  @Test(arguments: [302, 303, 307]) func `A temporary redirect is not remembered`(_ status: Int) async {
    let id = store.insert(Self.old)
    web.set(Self.old, .redirect(status, Self.new))
    _ = await poll(id)
    _ = await poll(id)
    #expect(web.visited == [Self.old, Self.new, Self.old, Self.new])
    #expect(store.state(id).movedTo == nil)
  }

  @Test func `Only the permanent redirects at the start of a chain are remembered`() async {
    let id = store.insert(Self.old)
    web.set(Self.old, .redirect(301, "https://mid.example/feed"))
    web.set("https://mid.example/feed", .redirect(302, Self.new))
    _ = await poll(id)
    #expect(store.state(id).movedTo?.url == "https://mid.example/feed")
    let other = store.insert("https://other.example/feed")
    web.set("https://other.example/feed", .redirect(302, Self.old))
    _ = await poll(other)
    #expect(store.state(other).movedTo == nil)
  }

  @Test func `Once polls over a day confirm a redirect, its target is the feed's URL; items are kept`()
    async
  {
    let id = store.insert(Self.old)
    web.set(Self.old, .redirect(301, Self.new))
    _ = await poll(id)
    _ = await poll(id)
    _ = await poll(id)
    #expect(store.with { $0.feeds[0].url } == Self.old)
    let outcome = await poll(id, after: 86_400)
    #expect(store.with { $0.feeds[0].url } == Self.new)
    #expect(store.state(id).movedTo == nil)
    #expect(store.state(id).movedFrom?.url == Self.old)
    #expect(store.items(id).count == 1)
    #expect(outcome.notices.contains { $0.contains(Self.new) && $0.contains(Self.old) })
  }

  @Test(arguments: [
    ("https://a.example/feed", "https://me:secret@a.example/feed", false),
    ("https://a.example:444/feed", "https://a.example:444/feed", true),
    ("https://b.example/feed", "https://b.example/feed", true),
  ])
  func `An adopted redirect keeps user name and password only if the target may receive them`(
    target: String,
    adopted: String,
    isToldOf: Bool
  ) async {
    let old = "http://me:secret@a.example/feed"
    let id = store.insert(old)
    web.set(old, .redirect(301, target))
    web.set(target, .response(200, [:], Self.body))
    for _ in 0..<3 { _ = await poll(id) }
    let outcome = await poll(id, after: 86_400)
    #expect(store.with { $0.feeds[0].url } == adopted)
    #expect(outcome.notices.contains { $0.contains("not sent there") } == isToldOf)
    #expect(!outcome.notices.contains { $0.contains("secret") })
  }

  @Test func `A permanent redirect to another subscription's URL is not adopted`() async {
    let id = store.insert(Self.old)
    store.insert(Self.new)
    web.set(Self.old, .redirect(301, Self.new))
    for _ in 0..<3 { _ = await poll(id, after: 86_400) }
    #expect(store.with { $0.feeds[0].url } == Self.old)
    #expect(store.state(id).failures == 0)
  }

  @Test(arguments: [
    FakeWeb.Answer.response(404, [:], ""), .response(500, [:], ""), .response(410, [:], ""),
    .response(200, [:], "html"), .response(200, [:], "PNG"), .failure(.hostNotFound), .failure(.timedOut),
    .failure(.redirectLoop),
  ])
  func `If the target fails, the same poll requests the original URL`(_ answer: FakeWeb.Answer) async {
    let id = store.insert(Self.old)
    web.set(Self.old, .redirect(301, Self.new))
    _ = await poll(id)
    web.set(Self.new, answer)
    web.set(Self.old, .response(200, [:], Self.body))
    _ = await poll(id)
    #expect(web.visited == [Self.old, Self.new, Self.new, Self.old])
    #expect(store.state(id).movedTo == nil)
    #expect(store.state(id).failures == 0)
  }

  @Test(arguments: [429, 503]) func `A redirect's target that answers 429 or 503 is not forgotten`(
    _ status: Int
  ) async {
    let id = store.insert(Self.old)
    web.set(Self.old, .redirect(301, Self.new))
    _ = await poll(id)
    web.set(Self.new, .response(status, ["Retry-After": "600"], ""))
    _ = await poll(id)
    #expect(web.visited == [Self.old, Self.new, Self.new])
    #expect(store.state(id).movedTo?.url == Self.new)
    #expect(store.state(id).cooldown?.host == "new.example")
  }

  @Test(arguments: ["html", "PNG", ""]) func `A permanent redirect to a non-feed is not remembered`(
    _ body: String
  ) async {
    let id = store.insert(Self.old)
    web.set(Self.old, .redirect(301, Self.new))
    web.set(Self.new, .response(200, [:], body))
    _ = await poll(id)
    _ = await poll(id)
    #expect(web.visited == [Self.old, Self.new, Self.old, Self.new])
    #expect(store.state(id).movedTo == nil)
    #expect(store.state(id).failures == 2)
  }

  @Test func `The exemption for a local origin ends when the origin changes`() async {
    var settings = FeedSettings()
    settings.allowsLocalOrigin = true
    let id = store.insert(Self.old, settings: settings)
    web.set(Self.old, .redirect(301, Self.new))
    for _ in 0..<3 { _ = await poll(id, after: 86_400) }
    #expect(store.with { $0.feeds[0].url } == Self.new)
    #expect(store.with { $0.feeds[0].settings.allowsLocalOrigin } == nil)
    #expect(web.requests.allSatisfy { $0.reach == .localOrigin(of: Self.old) })
  }

  @Test func `410 ends polling and keeps the items; the user can still fetch the feed`() async throws {
    let id = store.insert(Self.new)
    _ = await poll(id)
    web.set(Self.new, .response(410, [:], ""))
    for _ in 0..<3 { _ = await poll(id, after: 43_200) }
    #expect(store.state(id).isGone)
    #expect(store.state(id).nextDue == nil)
    #expect(store.state(id).nextDueReason == .gone)
    #expect(store.items(id).count == 1)
    let refresher = Refresher(fetcher: web, parser: FakeParser(), store: store, editor: nil, clock: clock)
    #expect(try await refresher.refreshAll(.all).total == 0)
    web.set(Self.new, .response(200, [:], Self.body))
    _ = await poll(id)
    #expect(!store.state(id).isGone)
  }

  @Test(arguments: [(3, 7200), (2, 86_400)])
  func `410 on few polls, or for less than a day, is an ordinary failure`(_ polls: Int, _ pause: Int64) async
  {
    let id = store.insert(Self.new)
    _ = await poll(id)
    web.set(Self.new, .response(410, [:], ""))
    for _ in 0..<polls { _ = await poll(id, after: pause) }
    #expect(!store.state(id).isGone)
    #expect(store.state(id).nextDue.map { $0 > clock.now() } == true)
    #expect(store.state(id).nextDueReason == .backoff(polls))
    web.set(Self.new, .response(200, [:], Self.body))
    _ = await poll(id)
    // The count begins anew.
    web.set(Self.new, .response(410, [:], ""))
    _ = await poll(id, after: 86_400)
    #expect(!store.state(id).isGone)
  }

  @Test func `410 counts again after a while, whatever the clock was at the first one`() async {
    let id = store.insert(Self.new)
    web.set(Self.new, .response(410, [:], ""))
    _ = await poll(id)
    // The clock was two days behind.
    for pause: Int64 in [2 * 86_400, 0, 21_599, 0] { _ = await poll(id, after: pause) }
    #expect(!store.state(id).isGone)
    _ = await poll(id, after: 21_600)
    #expect(store.state(id).isGone)
  }

  @Test(arguments: [(404, false), (503, true)])
  func `Another answer between those with 410 begins the count anew unless it says nothing of the feed`(
    _ status: Int,
    _ counts: Bool
  ) async {
    let id = store.insert(Self.new)
    for answer in [410, 410, status, 410] {
      web.set(Self.new, .response(answer, [:], ""))
      _ = await poll(id, after: 86_400)
    }
    #expect(store.state(id).isGone == counts)
  }

  @Test func `410 after a temporary redirect is an ordinary failure`() async {
    let id = store.insert(Self.old)
    web.set(Self.old, .redirect(302, Self.new))
    web.set(Self.new, .response(410, [:], ""))
    _ = await poll(id)
    #expect(!store.state(id).isGone)
    #expect(store.state(id).failures == 1)
  }
}
