import NewsCore
import Synchronization
import TestSupport
import Testing

@Suite struct `Fetching articles` {
  private static let text = String(repeating: "A sentence of the article, and another. ", count: 12)

  /// Returns the body as the article; words in it set the properties of the result.
  private struct BodyExtractor: ArticleExtracting {
    func article(inPage document: FeedDocument, hints: ArticleHints) throws(ArticleRefusal) -> PageArticle {
      let body = String(decoding: document.bytes, as: UTF8.self)
      if body.hasPrefix("WALL") { throw .wall }
      if body.isEmpty { throw .noArticle }
      let next = body.split(separator: " ").first { $0.hasPrefix("next=") }
      return PageArticle(
        html: "<p>\(body)</p>",
        text: body,
        isExcerptFound: hints.excerpt.map { body.contains($0) },
        isTitleFound: hints.title.map { body.contains($0) },
        nextPage: next.map { String($0.dropFirst(5)) }
      )
    }
  }

  /// Jobs in memory.
  private final class Pages: ArticleKeeping {
    struct State {
      var waiting: [ArticleJob] = []
      var kept: [ArticleRecord] = []
    }
    let state = Mutex(State())

    init(_ jobs: [ArticleJob]) { state.withLock { $0.waiting = jobs } }

    func takeArticles(at time: Timestamp, limit: Int, lease: Int64) async throws(StoreError) -> [ArticleJob] {
      state.withLock { state in
        let jobs = Array(state.waiting.prefix(limit))
        state.waiting.removeFirst(jobs.count)
        return jobs
      }
    }
    func articleJob(of id: NewsItem.ID) async throws(StoreError) -> ArticleJob {
      guard let job = state.withLock({ $0.waiting.first { $0.itemID == id } }) else {
        throw StoreError(code: .noSuchItem, message: "none")
      }
      return job
    }
    func keep(_ record: ArticleRecord) async throws(StoreError) { state.withLock { $0.kept.append(record) } }
    func newestArticles(of feed: Feed.ID, limit: Int) async throws(StoreError) -> [ArticleJob] {
      state.withLock { Array($0.waiting.prefix(limit)) }
    }
  }

  private let clock = ManualClock()
  private let web: FakeWeb

  init() {
    web = FakeWeb(clock: clock)
  }

  private var fetch: ArticleFetch { makeFetch(BodyExtractor()) }

  private func makeFetch(_ extractor: any ArticleExtracting) -> ArticleFetch {
    ArticleFetch(fetcher: web, extractor: extractor, clock: clock, turns: makeArticleTurns())
  }

  private static func job(
    _ id: Int64 = 1,
    _ url: String = "https://a.example/1",
    feedText: String = "sentence of the article",
    attempts: Int = 0,
    content: String? = nil
  ) -> ArticleJob {
    var feed = Feed(id: Feed.ID(rawValue: 1), url: "https://a.example/feed", title: "F", position: 1)
    feed.settings.articleContent = content
    return ArticleJob(
      itemID: NewsItem.ID(rawValue: id),
      feed: feed,
      url: url,
      title: "Headline",
      feedText: feedText,
      attempts: attempts
    )
  }

  /// Notes whether it runs where other tasks do not.
  private final class PlaceExtractor: ArticleExtracting {
    let isApart = Mutex(false)

    func article(inPage document: FeedDocument, hints: ArticleHints) throws(ArticleRefusal) -> PageArticle {
      isApart.withLock { $0 = withUnsafeCurrentTask { $0?.unownedTaskExecutor != nil } }
      throw .noArticle
    }
  }

  @Test func `Articles are extracted on threads of their own`() async {
    answer(200, Self.text)
    let extractor = PlaceExtractor()
    _ = await makeFetch(extractor).read(Self.job())
    #expect(extractor.isApart.withLock { $0 })
  }

  private func answer(_ status: Int, _ body: String, _ headers: [String: String] = [:]) {
    web.set("https://a.example/1", .response(status, headers, body))
  }

  @Test func `An article that contains the excerpt and is longer is accepted`() async throws {
    answer(200, Self.text, ["ETag": "\"e\"", "Content-Type": "text/html; charset=utf-8"])
    let record = try #require(await fetch.read(Self.job()))
    #expect(record.outcome == .fetched(html: "<p>\(Self.text)</p>", text: Self.text))
    #expect(record.due == nil && record.validators?.etag == "\"e\"")
    #expect(web.requests[0].content == .page)
    #expect(web.requests[0].respectsCooldowns && web.requests[0].reach == .publicOnly)
  }

  @Test(arguments: [
    (200, "WALL", "consent", true), (200, "", "no article", true), (200, "Short text.", "too little", true),
    (200, String(repeating: "Something else, which is long. ", count: 12), "neither", true),
    (404, "gone", "404", false), (410, "gone", "410", false), (403, "no", "403", true),
    (503, "no", "503", true),
    (429, "no", "429", true), (206, "part", "206", false),
  ])
  func `A page without an article is refused with a reason`(
    _ status: Int,
    _ body: String,
    _ why: String,
    _ again: Bool
  )
    async throws
  {
    answer(status, body)
    let record = try #require(await fetch.read(Self.job()))
    guard case .refused(let reason) = record.outcome else { return #expect(Bool(false), "\(record.outcome)") }
    #expect(reason.contains(why), "\(reason)")
    #expect((record.due != nil) == again)
    #expect(record.attempts == 1)
  }

  @Test func `A page above the size limit is refused for good, and the reason gives the limit`() async throws
  {
    web.set("https://a.example/1", .failure(.bodyTooLarge))
    let record = try #require(await fetch.read(Self.job()))
    #expect(record.outcome == .refused(reason: "the page has more than 5242880 bytes"))
    #expect(record.due == nil)
  }

  @Test func `A page that fails is requested twice more, and then never again`() async throws {
    answer(503, "")
    let waits = await [0, 1, 2].asyncMap { attempts in
      await fetch.read(Self.job(attempts: attempts))?.due.map { $0.seconds - clock.now().seconds }
    }
    #expect(waits == [900, 14_400, nil])
  }

  @Test(arguments: [(600, 630), (7 * 86_400, 14_400)])
  func `A page of a site in a cooldown is looked at again at its end, or after four hours`(
    _ cooldown: Int64,
    _ wait: Int64
  ) async {
    web.set("https://a.example/1", .failure(.inCooldown(host: "a.example", until: clock.now() + cooldown)))
    let record = await fetch.read(Self.job(attempts: 1))
    #expect(record?.attempts == 1)
    #expect(record?.due == clock.now() + wait)
  }

  @Test func `A text that is not longer than the feed's is refused`() async throws {
    answer(200, Self.text)
    let record = try #require(await fetch.read(Self.job(feedText: Self.text)))
    guard case .refused(let reason) = record.outcome else { return #expect(Bool(false)) }
    #expect(reason.contains("not longer"))
    // The job may have only the beginning of the text.
    var job = Self.job()
    job.feedBytes = Self.text.utf8.count
    let other = try #require(await fetch.read(job))
    #expect(other.outcome == record.outcome)
  }

  @Test func `Content chosen by the user's selector is accepted without checks`() async throws {
    answer(200, "Short and without the excerpt.")
    let record = try #require(await fetch.read(Self.job(content: ".x")))
    #expect(
      record.outcome
        == .fetched(html: "<p>Short and without the excerpt.</p>", text: "Short and without the excerpt.")
    )
  }

  @Test func `A PDF document instead of a page is not requested again`() async throws {
    answer(200, Self.text, ["Content-Type": "application/pdf"])
    let record = try #require(await fetch.read(Self.job()))
    #expect(record.due == nil)
  }

  @Test func `Up to ten pages of an article are read on one host, each page once`() async throws {
    for page in 1...30 {
      web.set(
        "https://a.example/\(page)",
        .response(200, [:], "\(Self.text) next=https://a.example/\(page + 1)")
      )
    }
    _ = await fetch.read(Self.job())
    #expect(web.requests.count == 10)
    web.set("https://a.example/2", .response(200, [:], "\(Self.text) next=https://a.example/1"))
    _ = await fetch.read(Self.job())
    #expect(web.requests.count == 12)
    web.set("https://a.example/1", .response(200, [:], "\(Self.text) next=https://b.example/2"))
    _ = await fetch.read(Self.job())
    #expect(web.requests.count == 13)
  }

  @Test func `304 keeps the article`() async throws {
    answer(304, "")
    var job = Self.job()
    job.validators = Validators(etag: "\"e\"", url: job.url)
    let record = try #require(await fetch.read(job))
    #expect(record.outcome == .unchanged)
    #expect(web.requests[0].validators?.etag == "\"e\"")
  }

  @Test func `The pages of one site are fetched one at a time, all of them once`() async throws {
    let jobs = (1...9).map { Self.job(Int64($0), "https://a.example/\($0)") }
    for job in jobs { web.set(job.url, .response(200, [:], Self.text)) }
    let pages = Pages(jobs)
    let summary = try await ArticleQueue(fetch: fetch, store: pages, clock: clock).drain()
    #expect(summary.fetched == 9)
    #expect(web.mostRunning == 1)
    #expect(pages.state.withLock { $0.kept.map(\.itemID.rawValue) } == Array(1...9))
  }

  @Test func `A site that does not answer holds up no page of another site, even of a later portion`()
    async throws
  {
    var jobs = (1...60).map { Self.job(Int64($0), "https://slow.example/\($0)") }
    jobs += (61...120).map { Self.job(Int64($0), "https://a.example/\($0)") }
    for job in jobs { web.set(job.url, job.itemID.rawValue > 60 ? .response(200, [:], Self.text) : .stall) }
    let pages = Pages(jobs)
    let queue = ArticleQueue(fetch: fetch, store: pages, clock: clock)
    let drain = Task { try await queue.drain() }
    try await eventually { pages.state.withLock { $0.kept.count } == 60 }
    #expect(web.visited.count { $0.hasPrefix("https://slow.") } == 1)
    drain.cancel()
    #expect(try await drain.value.fetched == 60)
    #expect(web.running == 0)
  }

  @Test(arguments: [
    ([100, 100, 100, 100, 100], true), ([100, 100, 100, 900, 900], true), ([100, 100, 900, 900, 900], false),
    ([100, 100], false), ([], false),
  ])
  func `In the mode auto, articles are fetched if most of the newest five items have short texts`(
    _ lengths: [Int],
    _ expected: Bool
  ) {
    #expect(ArticlePolicy.isForExcerpts(lengths.map { ($0, true) }) == expected)
    #expect(!ArticlePolicy.isForExcerpts(lengths.map { ($0, false) }))
  }
}

extension Sequence {
  fileprivate func asyncMap<Result>(_ body: (Element) async -> Result) async -> [Result] {
    var results: [Result] = []
    for element in self { results.append(await body(element)) }
    return results
  }
}
