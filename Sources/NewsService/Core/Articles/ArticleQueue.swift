/// Fetches the pages that are due: one page of a site at a time, several sites concurrently. A site that answers slowly holds up
/// only its own pages.
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
  /// Maximum number of pages that wait in memory, most of them for a page of their site.
  private static let mostWaiting = 400

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

  /// The pages that were taken from the store and wait.
  private struct Waiting {
    private var jobs: [(site: String, job: ArticleJob, leaseEnd: Timestamp)] = []
    /// Sites of which a page is being fetched.
    var busy: Set<String> = []
    var count: Int { jobs.count }

    mutating func add(_ job: ArticleJob, of site: String, until leaseEnd: Timestamp) {
      jobs.append((site, job, leaseEnd))
    }

    /// Takes the first page of a site that is free, and drops pages whose lease has ended: the store gives them out again.
    mutating func next(at now: Timestamp) -> (site: String, job: ArticleJob)? {
      jobs.removeAll { $0.leaseEnd <= now }
      guard let place = jobs.firstIndex(where: { !busy.contains($0.site) }) else { return nil }
      let (site, job, _) = jobs.remove(at: place)
      busy.insert(site)
      return (site, job)
    }
  }

  /// Fetches until no page is due or the task is cancelled. `report` is called from one task at a time.
  public func drain(
    report: @escaping @Sendable (Event) -> Void = { _ in }
  ) async throws(StoreError) -> Summary {
    let (summary, failure) = await withTaskGroup(
      of: (site: String, result: Result<Event?, StoreError>).self
    ) { group in
      var (summary, failure) = (Summary(), StoreError?.none)
      var waiting = Waiting()
      while true {
        while failure == nil, waiting.busy.count < Self.sites, let (site, job) = waiting.next(at: clock.now())
        {
          group.addTask { (site, await read(job)) }
        }
        if failure == nil, waiting.busy.count < Self.sites, waiting.count < Self.mostWaiting {
          do throws(StoreError) {
            if try await take(&waiting) { continue }
          } catch {
            failure = error
          }
        }
        guard let (site, result) = await group.next() else { break }
        waiting.busy.remove(site)
        switch result {
        case .success(let event?):
          summary.count(event.outcome)
          report(event)
        case .success(nil): break
        case .failure(let error): failure = failure ?? error
        }
      }
      return (summary, failure)
    }
    if let failure { throw failure }
    return summary
  }

  /// Takes due pages from the store. Returns false if no page is due, or if the task was cancelled.
  private func take(_ waiting: inout Waiting) async throws(StoreError) -> Bool {
    guard !Task.isCancelled else { return false }
    let now = clock.now()
    let jobs = try await store.takeArticles(at: now, limit: Self.portion, lease: Self.lease)
    for job in jobs { waiting.add(job, of: site(job.url), until: now + Self.lease) }
    return !jobs.isEmpty
  }

  /// Fetches and stores the page of one item, because the user asks for it. Returns nil if the task was
  /// cancelled. Throws `noSuchItem`, or `badQuery` for an item without a link to a page.
  public func fetch(_ id: NewsItem.ID) async throws(StoreError) -> ArticleRecord.Outcome? {
    let job = try await store.articleJob(of: id)
    guard let record = await fetch.read(job, isUrgent: true) else { return nil }
    try await store.keep(record)
    return record.outcome
  }

  /// Fetches and stores a page. Returns nil if the task was cancelled.
  private func read(_ job: ArticleJob) async -> Result<Event?, StoreError> {
    guard !Task.isCancelled, let record = await fetch.read(job) else { return .success(nil) }
    do {
      try await store.keep(record)
      return .success(Event(job: job, outcome: record.outcome))
    } catch {
      return .failure(error)
    }
  }
}
