/// Fetches the pages that are due: one page of a site at a time, several sites concurrently.
public struct ArticleQueue: Sendable {
  /// A page that was fetched.
  public struct Event: Sendable {
    public var job: ArticleJob
    public var outcome: ArticleRecord.Outcome
  }

  /// The result of a run.
  public struct Summary: Hashable, Sendable {
    public var fetched = 0
    public var unchanged = 0
    public var refused = 0

    public init() {}

    mutating func count(_ outcome: ArticleRecord.Outcome) {
      switch outcome {
      case .fetched: fetched += 1
      case .unchanged: unchanged += 1
      case .refused: refused += 1
      }
    }
  }

  /// Maximum number of sites fetched from concurrently.
  private static let sites = 4
  /// Number of pages taken from the store at once, and the lease on them in seconds.
  private static let portion = 40
  private static let lease: Int64 = 900

  private let fetch: ArticleFetch
  private let store: any ArticleKeeping
  private let clock: any WallClock
  private let site: @Sendable (_ url: String) -> String

  /// `site` returns the site of a URL.
  public init(
    fetch: ArticleFetch,
    store: any ArticleKeeping,
    clock: any WallClock,
    site: @escaping @Sendable (_ url: String) -> String = { WebAddress.hostKey(of: $0) }
  ) {
    self.fetch = fetch
    self.store = store
    self.clock = clock
    self.site = site
  }

  /// Fetches until no page is due or the task is cancelled. `report` is called from one task at a time.
  public func drain(
    report: @escaping @Sendable (Event) -> Void = { _ in }
  ) async throws(StoreError) -> Summary {
    var summary = Summary()
    while !Task.isCancelled {
      let jobs = try await store.takeArticles(at: clock.now(), limit: Self.portion, lease: Self.lease)
      guard !jobs.isEmpty else { break }
      for event in try await read(jobs) {
        summary.count(event.outcome)
        report(event)
      }
    }
    return summary
  }

  /// Fetches and stores the page of one item, because the user asks for it. Returns nil if the task was
  /// cancelled. Throws `noSuchItem`, or `badQuery` for an item without a link to a page.
  public func fetch(_ id: NewsItem.ID) async throws(StoreError) -> ArticleRecord.Outcome? {
    let job = try await store.articleJob(of: id)
    guard let record = await fetch.read(job, isUrgent: true) else { return nil }
    try await store.keep(record)
    return record.outcome
  }

  private func read(_ jobs: [ArticleJob]) async throws(StoreError) -> [Event] {
    var bySite: [[ArticleJob]] = []
    var places: [String: Int] = [:]
    for job in jobs {
      let name = site(job.url)
      if let place = places[name] {
        bySite[place].append(job)
      } else {
        places[name] = bySite.count
        bySite.append([job])
      }
    }
    let queues = bySite
    let results = await withTaskGroup(of: Result<[Event], StoreError>.self) { group in
      var next = 0
      var results: [Result<[Event], StoreError>] = []
      func start() {
        guard next < queues.count else { return }
        let queue = queues[next]
        next += 1
        group.addTask { await inTurn(queue) }
      }
      for _ in 0..<Self.sites { start() }
      while let result = await group.next() {
        results.append(result)
        start()
      }
      return results
    }
    var events: [Event] = []
    for result in results { events += try result.get() }
    return events
  }

  private func inTurn(_ jobs: [ArticleJob]) async -> Result<[Event], StoreError> {
    var events: [Event] = []
    do {
      for job in jobs {
        guard !Task.isCancelled, let record = await fetch.read(job) else { break }
        try await store.keep(record)
        events.append(Event(job: job, outcome: record.outcome))
      }
      return .success(events)
    } catch {
      return .failure(error)
    }
  }
}
