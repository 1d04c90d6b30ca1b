import Synchronization

/// Refreshes any number of feeds concurrently: fetch, parse, store. A slow or failing feed does not affect the others.
public struct Refresher: Sendable {
  var refresh: FeedRefresh

  /// Returns a copy that subscribes to the hubs that feeds offer.
  public func listening(to webSub: any WebSubSubscribing) -> Refresher {
    var refresher = self
    refresher.refresh.webSub = webSub
    return refresher
  }

  /// Without an editor, permanent redirects are never adopted. `cooldowns` must be the same instance as the
  /// fetcher's, or one beside it. The parser runs on the tasks' own threads.
  public init(
    fetcher: any Fetching,
    parser: any FeedParsing,
    store: any ArrivalStoring,
    editor: (any FeedKeeping)?,
    clock: any WallClock,
    policy: PollPolicy = PollPolicy(),
    options: RefreshOptions = RefreshOptions(),
    cooldowns: HostCooldowns = HostCooldowns()
  ) {
    refresh = FeedRefresh(
      fetcher: fetcher,
      parser: parser,
      store: store,
      editor: editor,
      clock: clock,
      policy: policy,
      options: options,
      webSub: nil,
      cooldowns: cooldowns
    )
  }

  /// Refreshes the given feeds, regardless of due times and cooldowns. Duplicates count once. `urls` has the addresses that are
  /// known. `report` is called sequentially.
  public func refresh(
    named ids: [Feed.ID],
    at urls: [Feed.ID: String] = [:],
    report: @escaping @Sendable (RefreshEvent) -> Void = { _ in }
  ) async -> RefreshSummary {
    var seen = Set<Feed.ID>()
    let jobs = ids.filter { seen.insert($0).inserted }
      .map { FeedRefresh.Job(id: $0, url: urls[$0], mode: .named, isUrgent: true) }
    return await run(jobs, report: report)
  }

  /// Refreshes all feeds, or only the due ones. Cancelling the task aborts the transfers; what has arrived is
  /// stored. `report` is called sequentially.
  public func refreshAll(
    _ mode: RefreshMode,
    report: @escaping @Sendable (RefreshEvent) -> Void = { _ in }
  ) async throws(StoreError) -> RefreshSummary {
    let feeds = try await refresh.store.dueFeeds()
    let now = refresh.clock.now()
    var sites = SiteNumbers(refresh.options.site)
    var feedsPerSite: [Int32: Int] = [:]
    var jobs: [(job: FeedRefresh.Job, site: Int32)] = []
    for feed in feeds {
      let site = sites.number(of: feed.url)
      feedsPerSite[site, default: 0] += 1
      if let cooldown = feed.cooldown, cooldown.isRunning(now) { refresh.cooldowns.begin(cooldown) }
      if mode == .due, refresh.policy.wait(feed.nextDue, lastFetched: feed.lastFetched, now: now) != nil {
        continue
      }
      let job = FeedRefresh.Job(
        id: feed.id,
        url: feed.url,
        mode: mode,
        isUrgent: mode != .due,
        lastPollSucceeded: feed.lastPollSucceeded
      )
      jobs.append((job, site))
    }
    for index in jobs.indices { jobs[index].job.siteFeeds = feedsPerSite[jobs[index].site] ?? 1 }
    return await run(jobs.map(\.job), sites: jobs.map { "\($0.site)" }, report: report)
  }

  private func run(
    _ jobs: [FeedRefresh.Job],
    sites: [String]? = nil,
    report: @escaping @Sendable (RefreshEvent) -> Void
  ) async -> RefreshSummary {
    let summary = Mutex(RefreshSummary())
    summary.withLock { $0.total = jobs.count }
    let mailbox = Mailbox<RefreshLoop.Message>()
    report(.began(total: jobs.count))
    var loop = RefreshLoop(refresh: refresh, endsWhenIdle: true, mailbox: mailbox) { event in
      if case .finished(let outcome) = event { summary.withLock { $0.count(outcome.result) } }
      report(event)
    }
    for (index, job) in jobs.enumerated() {
      loop.waiting.append(job, site: sites?[index] ?? "\(job.id.rawValue)")
    }
    if !jobs.isEmpty {
      // Request nothing if the store cannot be written: each run would request the same documents again.
      do { try await refresh.store.probeWriting() } catch { loop.fail(error) }
    }
    await withTaskCancellationHandler {
      await withDiscardingTaskGroup { group in
        loop.advance(&group)
        while !loop.isIdle {
          for message in await mailbox.next() { loop.handle(message) }
          loop.advance(&group)
        }
        group.cancelAll()
      }
    } onCancel: {
      mailbox.post(.stop)
    }
    return summary.withLock { summary in
      summary.storeError = loop.storeError
      summary.networkIsDown = loop.networkIsDown
      return summary
    }
  }
}
