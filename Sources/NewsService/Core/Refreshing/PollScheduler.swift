import NewsToolbox

/// The daemon's main loop: polls every feed when it is due.
///
/// Uses one task, one heap and one timer; a waiting feed costs a few bytes and no wake-up.
public final class PollScheduler: Sendable {
  /// Parameters of the scheduler.
  public struct Configuration: Sendable {
    /// Seconds between two checks for changes that other processes made to the list of feeds.
    public var feedListCheck: Int64 = 10
    /// Limit on polls started per second for feeds that are overdue at the start or after an outage.
    public var overdueRate = 20
    /// Seconds between two attempts while the network is down.
    public var networkProbe: Int64 = 15
    /// Longest sleep in milliseconds; bounds the delay until a changed system clock is noticed.
    public var longestSleep = 4000

    public init() {}
  }

  private let refresher: Refresher
  private let configuration: Configuration
  private let mailbox = Mailbox<RefreshLoop.Message>()

  public init(refresher: Refresher, configuration: Configuration = Configuration()) {
    self.refresher = refresher
    self.configuration = configuration
  }

  /// Polls all feeds now, due or not, except those whose host is in a cooldown.
  public func pollNow() { mailbox.post(.command(.pollNow)) }

  /// Checks now whether another process has changed the list of feeds.
  public func checkFeedList() { mailbox.post(.command(.checkFeedList)) }

  /// Continues with the fetcher, policy and options of another refresher. Running refreshes finish with the old ones.
  public func reload(_ refresher: Refresher) { mailbox.post(.command(.reload(refresher.refresh))) }

  /// Handles an event of a hub: stores pushed documents, and adapts the polling rate to the lease.
  public func take(_ event: HubEvent) { mailbox.post(.command(.hub(event))) }

  /// Returns when the scheduler's loop has answered, which shows that it is not blocked, or has ended. It answers from
  /// the start of `run` on.
  public func ping() async {
    await withCheckedContinuation { waiter in
      if !mailbox.offer(.command(.ping(waiter))) { waiter.resume() }
    }
  }

  /// Polls until the task is cancelled; then aborts the transfers, stores what has arrived, and returns.
  /// `report` is called sequentially. Throws when the store cannot list the feeds, or has another layout now.
  public func run(report: @escaping @Sendable (RefreshEvent) -> Void) async throws(StoreError) {
    defer {
      for case .command(.ping(let waiter)) in mailbox.close() { waiter.resume() }
    }
    // Read the version before the list, so that a change in between is found at the first check.
    let version = try await refresher.refresh.store.feedListVersion()
    var state = PollRun(refresher.refresh, configuration, mailbox: mailbox, report: report)
    let seat = refresher.refresh.options.seat
    seat?.open(refresher.refresh.store) { [mailbox] in mailbox.post(.command(.handedOver($0))) }
    defer { seat?.close() }
    try await state.begin(version: version)
    let start = seat?.arrive()
    state.isHeldBack = start != nil
    await withTaskCancellationHandler {
      await withDiscardingTaskGroup { group in
        if let start {
          group.addTask { [mailbox] in
            await start.wait()
            mailbox.post(.command(.begin))
          }
        }
        while true {
          state.advance(&group)
          if state.isOver { break }
          for message in await mailbox.next() { state.handle(message) }
        }
        group.cancelAll()
      }
    } onCancel: {
      mailbox.post(.stop)
    }
    if let error = state.storeError, error.requiresOtherVersion { throw error }
  }
}

/// The state of one `PollScheduler.run`.
private struct PollRun {
  private var loop: RefreshLoop
  private var queue: PollQueue
  /// Spaces the starts of due feeds.
  private var pacer = Pacer()
  private let configuration: PollScheduler.Configuration
  private var wasDown = false
  private var storeWasDown = false
  /// Feeds whose last attempt reached no host: they are polled before their due time once the network is back.
  private var unreached = Set<Feed.ID>()
  /// The time of the loop's last iteration, by the wall clock and by a monotonic clock.
  private var lastLook: (wall: Timestamp, steady: ContinuousClock.Instant)
  private var nextProbe: Timestamp
  private var nextListCheck: Timestamp
  private var listVersion: Int64?
  private var isReadingList = false
  /// True while no due feed is polled, because other accounts could not share the answer yet.
  var isHeldBack = false

  init(
    _ refresh: FeedRefresh,
    _ configuration: PollScheduler.Configuration,
    mailbox: Mailbox<RefreshLoop.Message>,
    report: @escaping @Sendable (RefreshEvent) -> Void
  ) {
    self.configuration = configuration
    loop = RefreshLoop(refresh: refresh, endsWhenIdle: false, mailbox: mailbox, report: report)
    queue = PollQueue(overdueRate: configuration.overdueRate, site: refresh.options.site)
    nextProbe = refresh.clock.now()
    nextListCheck = refresh.clock.now()
    lastLook = (refresh.clock.now(), .now)
  }

  var isOver: Bool { loop.isStopping && loop.isIdle }

  var storeError: StoreError? { loop.storeError }

  /// Consumes the initial list and frees it before polling begins.
  mutating func begin(version: Int64?) async throws(StoreError) {
    let feeds = try await loop.refresh.store.dueFeeds()
    loop.report(.began(total: feeds.count))
    takeOver(feeds)
    listVersion = version
    nextListCheck = loop.refresh.clock.now() + configuration.feedListCheck
  }

  mutating func takeOver(_ feeds: [DueFeed]) {
    loop.refresh.options.seat?.follow(feeds)
    let now = loop.refresh.clock.now()
    let policy = loop.refresh.policy
    for feed in feeds {
      if let cooldown = feed.cooldown, cooldown.isRunning(now),
        !policy.isFromWrongClock(lastFetched: feed.lastFetched, now: now)
      {
        loop.refresh.cooldowns.begin(cooldown)
      }
    }
    queue.update(feeds, now: now, random: loop.refresh.options.random) {
      policy.wait($0.nextDue, lastFetched: $0.lastFetched, now: now)
    }
  }

  mutating func handle(_ message: RefreshLoop.Message) {
    switch message {
    case .command(.begin): isHeldBack = false
    case .command(.pollNow):
      for id in pacer.removeAll() + queue.takeAll() { enqueue(id, .all) }
    case .command(.reload(var refresh)):
      refresh.cooldowns.merge(loop.refresh.cooldowns)
      refresh.webSub = loop.refresh.webSub
      // Running refreshes must release the locks that they took.
      refresh.options.claims = loop.refresh.options.claims
      loop.refresh = refresh
      // The new interval limits may have changed due times in the store.
      nextListCheck = refresh.clock.now()
    case .command(.checkFeedList): nextListCheck = loop.refresh.clock.now()
    case .command(.hub(let event)): loop.take(event)
    case .command(.handedOver(let id)):
      if !storeWasDown, queue.take(id) { enqueue(id, .handedOver) }
    case .command(.ping(let waiter)): waiter.resume()
    case .feedList(let version, let feeds):
      isReadingList = false
      if let feeds {
        takeOver(feeds)
        loop.refresh.webSub?.feedsChanged()
      }
      listVersion = version
    default:
      loop.handle(message)
    }
  }

  mutating func advance(_ group: inout DiscardingTaskGroup) {
    let now = loop.refresh.clock.now()
    followClock(now)
    putBack(now)
    followNetwork(now)
    followStore(now)
    if !loop.isStopping {
      takeDue(now)
      checkFeedList(now, &group)
      let wake =
        [queue.nextDue, nextListCheck, wasDown ? nextProbe : nil].compactMap(\.self).min() ?? nextListCheck
      // Due feeds that wait for the network to return must not keep the loop awake.
      let pause =
        storeWasDown
        ? max(1, nextListCheck - now)
        : wasDown ? max(1, min(nextProbe, nextListCheck) - now) : max(1, wake - now)
      let sleep = min(pause * 1000, Int64(configuration.longestSleep))
      let alarm = ContinuousClock.now + .milliseconds(sleep)
      loop.wake = min(alarm, pacer.nextStart ?? alarm)
    }
    loop.advance(&group)
    // `loop.advance` may have finished feeds or changed network and store state.
    putBack(now)
    followNetwork(now)
    followStore(now)
  }

  /// A clock that ran ahead and was set back leaves due times too far in the future, here and in the store. Every feed
  /// is checked again: feeds whose last poll is in the future are polled, the others keep their due time.
  private mutating func followClock(_ now: Timestamp) {
    let steady = ContinuousClock.now
    let last = lastLook.steady
    let jump = now - lastLook.wall - (steady - last).components.seconds
    lastLook = (now, steady)
    let tolerance = PollPolicy.clockTolerance
    guard !(-tolerance...tolerance).contains(jump) else { return }
    loop.report(.clockSet(seconds: jump))
    guard jump < 0 else { return }
    loop.refresh.cooldowns.shift(by: jump, between: last, and: steady)
    nextProbe = now
    nextListCheck = now
    queue.rescheduleAll(now: now, random: loop.refresh.options.random)
  }

  private mutating func enqueue(_ id: Feed.ID, _ mode: RefreshMode) {
    guard let site = queue.siteNumber(id) else { return }
    let job = FeedRefresh.Job(
      id: id,
      mode: unreached.remove(id) == nil || mode == .handedOver ? mode : .all,
      siteFeeds: queue.siteFeeds(id),
      lastPollSucceeded: queue.lastPollSucceeded(id)
    )
    loop.waiting.append(job, site: "\(site)")
  }

  private mutating func takeDue(_ now: Timestamp) {
    guard !storeWasDown, !isHeldBack else { return }
    if wasDown {
      guard now >= nextProbe else { return }
      if let first = unreached.first { queue.bringForward(first, to: now) }
      guard let id = queue.takeDue(now: now) else { return }
      nextProbe = now + configuration.networkProbe
      // Ignore the due time: unreachable feeds have just been postponed.
      enqueue(id, .all)
      return
    }
    var due: [Feed.ID] = []
    while let id = queue.takeDue(now: now) { due.append(id) }
    let instant = ContinuousClock.now
    pacer.append(due, now: instant)
    while let id = pacer.take(now: instant) { enqueue(id, .due) }
  }

  private mutating func putBack(_ now: Timestamp) {
    for outcome in loop.finished {
      let id = outcome.feedID
      if outcome.state?.nextDueReason == .networkDown { unreached.insert(id) } else { unreached.remove(id) }
      switch outcome.result {
      case .failed(let failure) where failure.code == .store(.noSuchFeed): queue.remove(id)
      case .skipped(.gone), .skipped(.paused): queue.remove(id)
      case .skipped(.notDue(let until)): queue.putBack(id, due: until, isStored: true, now: now)
      // The next due time is unknown until the other process has stored its result. A process that was killed stores
      // none, so the feed is polled after 10 s.
      case .skipped(.busy), .skipped(.unreadable), .skipped(.takenOver):
        queue.putBack(id, due: now + 10, now: now)
      case .skipped(.cancelled): queue.putBack(id, due: now + 60, now: now)
      default:
        if outcome.state?.isGone == true {
          queue.remove(id)
        } else {
          let isStored =
            if case .failed(let failure) = outcome.result, case .store = failure.code { false } else { true }
          // If the clock was set back meanwhile, the state's times are in the future.
          let isSound = !loop.refresh.policy.isFromWrongClock(
            lastFetched: outcome.state?.lastFetched,
            now: now
          )
          // Even if the state could not be stored, its due time applies: the server was contacted.
          let due = isSound ? outcome.state?.nextDue : nil
          queue.note(id, lastPollSucceeded: isStored && outcome.state?.failures == 0)
          queue.putBack(id, due: due ?? now + 60, isStored: isStored && due != nil, now: now)
        }
      }
    }
    loop.finished = []
  }

  /// When the network goes down, puts the waiting feeds back into the queue, from which `takeDue` then polls
  /// single feeds to detect its return. When it returns, spreads all overdue feeds.
  private mutating func followNetwork(_ now: Timestamp) {
    guard loop.networkIsDown != wasDown else { return }
    wasDown = loop.networkIsDown
    if wasDown {
      for id in loop.waiting.removeAll().map(\.id) + pacer.removeAll() {
        queue.putBack(id, due: now, now: now)
      }
      nextProbe = now + configuration.networkProbe
    } else {
      for id in unreached { queue.bringForward(id, to: now) }
      queue.spreadOverdue(now: now, random: loop.refresh.options.random)
    }
  }

  /// When the store can no longer be written, puts the waiting feeds back into the queue; `takeDue` starts no
  /// polls then, because results could not be stored. When it can be written again, spreads all overdue
  /// feeds.
  private mutating func followStore(_ now: Timestamp) {
    guard loop.storeIsDown != storeWasDown else { return }
    storeWasDown = loop.storeIsDown
    loop.refresh.options.seat?.hold(storeWasDown)
    if storeWasDown {
      for id in loop.waiting.removeAll().map(\.id) + pacer.removeAll() {
        queue.putBack(id, due: now, now: now)
      }
    } else {
      queue.spreadOverdue(now: now, random: loop.refresh.options.random)
    }
  }

  /// Checks periodically whether another process has changed the list of feeds.
  private mutating func checkFeedList(_ now: Timestamp, _ group: inout DiscardingTaskGroup) {
    guard now >= nextListCheck, !isReadingList else { return }
    nextListCheck = now + configuration.feedListCheck
    isReadingList = true
    group.addTask { [store = loop.refresh.store, mailbox = loop.mailbox, known = listVersion] in
      let version = (try? await store.feedListVersion()) ?? nil
      let feeds = version == known && version != nil ? nil : try? await store.dueFeeds()
      mailbox.post(.feedList(version: feeds == nil ? known : version, feeds))
    }
  }
}
