public import NewsToolbox

/// The threads on which articles are extracted: a large page with a long selector takes seconds.
private let articleThreads = TaskThreads(2)

/// Makes the turns of an account: one of its articles is extracted at a time, so that those of another account have the other
/// thread.
public func makeArticleTurns() -> TaskTurns { TaskTurns(articleThreads, most: 1) }

/// Fetches the page of one item, extracts the article and checks it. Stores nothing.
public struct ArticleFetch: Sendable {
  /// Maximum number of pages of one article.
  static let maximumPages = 10
  /// Maximum number of bytes read from a page.
  static let maximumBytes = 5 << 20

  private let fetcher: any Fetching
  private let extractor: any ArticleExtracting
  private let clock: any WallClock
  private let reach: FetchRequest.Reach
  private let limits: FetchLimits
  package let turns: TaskTurns

  /// Pages may be fetched from the addresses in `reach`; if the user typed the feed's URL, also from its own
  /// origin. `turns` are those of the account.
  public init(
    fetcher: any Fetching,
    extractor: any ArticleExtracting,
    clock: any WallClock,
    turns: TaskTurns,
    reach: FetchRequest.Reach = .publicOnly,
    limits: FetchLimits = FetchLimits()
  ) {
    self.fetcher = fetcher
    self.extractor = extractor
    self.clock = clock
    self.turns = turns
    self.reach = reach
    self.limits = limits
  }

  /// Fetches the page of a job, extracts the article and checks it. `isUrgent`: the user waits; then
  /// cooldowns and the spacing of requests do not apply. Returns nil if the task was cancelled.
  public func read(_ job: ArticleJob, isUrgent: Bool = false) async -> ArticleRecord? {
    let response: FetchResponse
    do {
      response = try await fetcher.fetch(request(job.url, job, isUrgent, validators: job.validators))
    } catch {
      return record(of: error, job)
    }
    if response.status == 304, job.validators != nil {
      return ArticleRecord(itemID: job.itemID, outcome: .unchanged, time: clock.now())
    }
    guard (200..<300).contains(response.status), response.status != 206 else {
      let reason = "the page answered \(response.status)"
      return refused(reason, job, isFinal: !ArticleCheck.mayBeTemporary(response.status))
    }
    guard Self.isPage(response) else {
      return refused("the link does not lead to a web page", job, isFinal: true)
    }
    return await record(of: response, job, isUrgent)
  }

  private func request(
    _ url: String,
    _ job: ArticleJob,
    _ isUrgent: Bool,
    validators: Validators? = nil
  ) -> FetchRequest {
    var limits = limits.overridden(by: job.feed.settings)
    limits.bodyBytes = min(limits.bodyBytes, Self.maximumBytes)
    return FetchRequest(
      url: url,
      validators: validators?.url == url ? validators : nil,
      settings: job.feed.settings,
      limits: limits,
      reach: reach.including(job.feed),
      isUrgent: isUrgent,
      subscriptionURL: job.feed.settings.secretsFor ?? job.feed.url,
      respectsCooldowns: !isUrgent,
      content: .page
    )
  }

  private static func isPage(_ response: FetchResponse) -> Bool {
    guard let type = response.header("Content-Type")?.lowercased() else { return true }
    return ["text/html", "application/xhtml", "text/plain", "application/xml", "text/xml"].contains {
      type.hasPrefix(bytesOf: $0)
    }
  }

  // MARK: Successful responses

  private func record(of response: FetchResponse, _ job: ArticleJob, _ isUrgent: Bool) async -> ArticleRecord?
  {
    let first: PageArticle
    do {
      first = try await extract(response, job)
    } catch {
      if Task.isCancelled { return nil }
      switch error {
      case .wall:
        return refused("the page is an error page, or asks for a login, consent or a CAPTCHA", job)
      case .noArticle: return refused("the page has no article", job)
      case .selector(let problem): return refused("a selector is not valid: \(problem)", job, isFinal: true)
      }
    }
    let isChosen = job.feed.settings.articleContent != nil && !first.isSelectorUnmatched
    let whole = await withFurtherPages(first, response.url, job, isUrgent)
    guard !Task.isCancelled else { return nil }
    if let reason = ArticleCheck.refusal(of: whole, feedBytes: job.feedBytes, isChosen: isChosen) {
      return refused(reason, job)
    }
    return ArticleRecord(
      itemID: job.itemID,
      outcome: .fetched(html: whole.html, text: whole.text),
      time: clock.now(),
      validators: response.validators(for: job.url)
    )
  }

  private func extract(
    _ response: FetchResponse,
    _ job: ArticleJob
  ) async throws(ArticleRefusal) -> PageArticle {
    let document = FeedDocument(
      bytes: response.body,
      contentType: response.header("Content-Type"),
      baseURL: response.url
    )
    let hints = ArticleHints(
      excerpt: job.feedText.isEmpty ? nil : job.feedText,
      title: job.title.isEmpty ? nil : job.title,
      selectors: job.feed.settings.articleSelectors
    )
    return try await withTaskExecutorPreference(turns) { () async throws(ArticleRefusal) in
      try extractor.article(inPage: document, hints: hints)
    }
  }

  /// Returns the article together with its further pages, if a selector finds links to them. They must be on
  /// the same host, and each is fetched once.
  private func withFurtherPages(
    _ first: PageArticle,
    _ url: String,
    _ job: ArticleJob,
    _ isUrgent: Bool
  ) async -> PageArticle {
    var whole = first
    var seen: Set<String> = [job.url, url]
    var next = first.nextPage
    var pages = 1
    while let page = next, pages < Self.maximumPages, seen.insert(page).inserted,
      WebAddress.hostKey(of: page) == WebAddress.hostKey(of: url)
    {
      guard let response = try? await fetcher.fetch(request(page, job, isUrgent)), response.status == 200,
        Self.isPage(response), let article = try? await extract(response, job)
      else { break }
      pages += 1
      whole.html += "\n" + article.html
      whole.text += "\n\n" + article.text
      if article.isExcerptFound == true { whole.isExcerptFound = true }
      if article.isTitleFound == true { whole.isTitleFound = true }
      next = article.nextPage
    }
    return whole
  }

  // MARK: Failures

  private func record(of error: FetchError, _ job: ArticleJob) -> ArticleRecord? {
    switch error.code {
    case .cancelled: return nil
    case .inCooldown(_, let until):
      return ArticleRecord(
        itemID: job.itemID,
        outcome: .refused(reason: error.message),
        time: clock.now(),
        attempts: job.attempts,
        // A due time further ahead comes from a clock that was ahead, so a longer cooldown is looked at several times.
        due: min(until + 30, clock.now() + ArticleCheck.longestDelay)
      )
    case .bodyTooLarge:
      let bytes = request(job.url, job, false).limits.bodyBytes
      return refused("the page has more than \(bytes) bytes", job, isFinal: true)
    case .badURL, .unsupportedScheme, .forbiddenAddress, .headersTooLarge, .tooManyRedirects,
      .redirectLoop, .downgradeRefused, .fileNotFound:
      return refused(error.message, job, isFinal: true)
    case .hostNotFound, .refused, .timedOut, .tls, .badResponse, .transport:
      return refused(error.message, job)
    }
  }

  private func refused(_ reason: String, _ job: ArticleJob, isFinal: Bool = false) -> ArticleRecord {
    let now = clock.now()
    let attempts = job.attempts + 1
    return ArticleRecord(
      itemID: job.itemID,
      outcome: .refused(reason: reason),
      time: now,
      attempts: attempts,
      due: isFinal ? nil : ArticleCheck.delay(afterFailures: attempts).map { now + $0 }
    )
  }
}

extension FetchResponse {
  /// Validators for the next request to `url`; nil when there are none, or another URL answered.
  fileprivate func validators(for url: String) -> Validators? {
    let etag = header("ETag")
    let modified = header("Last-Modified")
    guard etag != nil || modified != nil, hops.isEmpty else { return nil }
    return Validators(etag: etag, lastModified: modified, url: url)
  }
}

/// Tries a feed's settings for articles on its newest items. Stores nothing.
public struct ArticlePreview: Sendable {
  /// An item with the feed's text, and the outcome of fetching its page: the article, or why it was refused.
  public struct Entry: Hashable, Sendable {
    public var job: ArticleJob
    public var outcome: ArticleRecord.Outcome
  }

  private let fetch: ArticleFetch
  private let store: any ArticleKeeping

  public init(fetch: ArticleFetch, store: any ArticleKeeping) {
    self.fetch = fetch
    self.store = store
  }

  /// Fetches the pages of the newest items, one after the other.
  public func entries(of feed: Feed.ID, limit: Int) async throws(StoreError) -> [Entry] {
    var entries: [Entry] = []
    for var job in try await store.newestArticles(of: feed, limit: limit) {
      job.validators = nil
      guard let record = await fetch.read(job, isUrgent: true) else { break }
      entries.append(Entry(job: job, outcome: record.outcome))
    }
    return entries
  }
}
