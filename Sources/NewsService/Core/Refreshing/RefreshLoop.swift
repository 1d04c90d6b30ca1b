/// The engine of all refreshing: one task that starts transfers, gathers what they bring and has it stored.
///
/// Every decision is taken here, between two messages, so that nothing needs a lock. What takes time (fetching,
/// parsing, storing) runs in child tasks, which answer through the mailbox.
struct RefreshLoop {
  enum Message: Sendable {
    /// A fetch is over; its body's size in bytes.
    case transferEnded(Feed.ID, Int)
    case prepared(FeedRefresh.Prepared)
    case stored([FeedRefresh.Prepared], [Result<RefreshChange?, StoreError>])
    /// A timer.
    case tick
    /// No more transfers; what has arrived is still stored.
    case stop
    case command(PollCommand)
    /// The list of feeds was looked at; nil: it is the same.
    case feedList(version: Int64?, [DueFeed]?)
  }

  /// A feed between the start of its transfer and the end of storing.
  struct Running {
    var site: Int
    var started: ContinuousClock.Instant
    var isTransferring = true
    var isPrepared = false
    var bytes = 0
  }

  var refresh: FeedRefresh
  let mailbox: Mailbox<Message>
  let report: @Sendable (RefreshEvent) -> Void
  /// True: a run that ends when everything is done; false: a daemon.
  let endsWhenIdle: Bool

  var waiting: SiteQueue<FeedRefresh.Job>
  var running: [Feed.ID: Running] = [:]
  var window: TransferWindow
  private let gate: ReadingGate
  private var transfers = 0
  private var preparing = 0
  /// What bodies received and not yet stored weigh, in bytes.
  private var held = 0

  private var pending: [FeedRefresh.Prepared] = []
  private var pendingItems = 0
  private var pendingBytes = 0
  private var pendingSince: ContinuousClock.Instant?
  private var isStoring = false

  private var suspects: [FeedRefresh.Prepared] = []
  private var suspectsSince: ContinuousClock.Instant?
  private var lastAnswer: ContinuousClock.Instant?
  /// Hosts to which no connection came about since the last answer of any.
  private var silentHosts = Set<String>()
  private(set) var networkIsDown = false

  private(set) var isStopping = false
  private(set) var storeError: StoreError?
  /// Timers that have not gone off yet, rising.
  private var timers: [ContinuousClock.Instant] = []
  /// What hubs have done and nobody has looked at yet.
  private var hubEvents: [HubEvent] = []
  /// A daemon's next look at its queue.
  var wake: ContinuousClock.Instant?
  /// A daemon's outcomes since they were last taken.
  var finished: [RefreshOutcome] = []

  init(
    refresh: FeedRefresh,
    endsWhenIdle: Bool,
    mailbox: Mailbox<Message> = Mailbox(),
    report: @escaping @Sendable (RefreshEvent) -> Void
  ) {
    self.refresh = refresh
    self.endsWhenIdle = endsWhenIdle
    self.mailbox = mailbox
    self.report = report
    waiting = SiteQueue(limit: refresh.options.transfersPerSite)
    gate = ReadingGate(limit: refresh.options.heldBytes)
    window = TransferWindow(maximum: refresh.options.maximumTransfers, heldLimit: refresh.options.heldBytes)
  }

  var isIdle: Bool {
    running.isEmpty && waiting.count == 0 && !isStoring && (hubEvents.isEmpty || isStopping)
  }

  /// Takes in what has happened.
  mutating func handle(_ message: Message) {
    switch message {
    case .transferEnded(let id, let bytes): transferEnded(id, bytes)
    case .prepared(let prepared): take(prepared)
    case .stored(let batch, let results): stored(batch, results)
    case .tick: if !timers.isEmpty { timers.removeFirst() }
    case .stop: stop()
    case .command, .feedList: break
    }
  }

  /// Starts whatever can be started now.
  mutating func advance(_ group: inout DiscardingTaskGroup) {
    let now = ContinuousClock.now
    decideSuspicions(now)
    storePending(&group, now)
    takeHubEvents(&group, now)
    startTransfers(&group, now)
    armTimer(&group, now)
  }

  private mutating func stop() {
    isStopping = true
    gate.open()
    let rest = waiting.removeAll()
    guard endsWhenIdle else { return }
    for job in rest {
      finish(RefreshOutcome(feedID: job.id, feed: nil, result: .skipped(.cancelled)))
    }
  }

  private mutating func finish(_ outcome: RefreshOutcome) {
    var outcome = outcome
    gate.leave(outcome.feedID)
    if let entry = running.removeValue(forKey: outcome.feedID) {
      held -= entry.bytes
      outcome.duration = entry.started.duration(to: .now).milliseconds
    }
    if !endsWhenIdle { finished.append(outcome) }
    report(.finished(outcome))
  }
}

// MARK: - Transfers

extension RefreshLoop {
  private mutating func startTransfers(_ group: inout DiscardingTaskGroup, _ now: ContinuousClock.Instant) {
    guard !isStopping else { return }
    if window.isDue(now) {
      // Transfers that take their time say nothing about what will arrive at once.
      let slow = running.values.count { $0.isTransferring && $0.started < now - .milliseconds(1500) }
      window.adapt(held: held, transfers: transfers, slow: slow, now: now)
    }
    while window.admits(transfers: transfers, held: held), let (job, site) = waiting.next() {
      guard running[job.id] == nil else {
        // It is being refreshed already; once is enough.
        waiting.ended(site: site)
        continue
      }
      running[job.id] = Running(site: site, started: now)
      transfers += 1
      preparing += 1
      report(.started(job.id))
      group.addTask { [refresh, mailbox, gate] in
        let prepared = await refresh.prepare(job) { bytes in
          mailbox.post(.transferEnded(job.id, bytes))
          await gate.enter(job.id, body: bytes)
        }
        mailbox.post(.prepared(prepared))
      }
    }
  }

  private mutating func transferEnded(_ id: Feed.ID, _ bytes: Int) {
    guard let index = running.index(forKey: id) else { return }
    running.values[index].bytes += bytes
    held += bytes
    if running.values[index].isTransferring {
      window.note(bytes)
      running.values[index].isTransferring = false
      transfers -= 1
      waiting.ended(site: running.values[index].site)
    }
  }

  private mutating func take(_ prepared: FeedRefresh.Prepared) {
    // A feed that was skipped had no transfer to end.
    transferEnded(prepared.outcome.feedID, 0)
    preparing -= 1
    if prepared.record?.parsed != nil, let index = running.index(forKey: prepared.outcome.feedID) {
      // Items with their HTML and text take about twice the room of the document.
      held += running.values[index].bytes
      running.values[index].bytes *= 2
    }
    if prepared.wasAnswered {
      lastAnswer = .now
      silentHosts = []
      if networkIsDown {
        networkIsDown = false
        report(.networkDown(false))
      }
    }
    if let error = prepared.storeError {
      fail(error)
      return finish(prepared.outcome)
    }
    guard prepared.record != nil else { return finish(prepared.outcome) }
    guard let suspicion = prepared.suspicion, !wasAnswered(since: running[prepared.outcome.feedID]?.started)
    else {
      return enqueue(prepared)
    }
    suspectsSince = suspectsSince ?? .now
    suspects.append(prepared)
    silentHosts.insert(suspicion.host)
  }
}

// MARK: - Hubs

extension RefreshLoop {
  /// A feed is looked after by one task at a time: what its hub does waits for the end of its refresh.
  mutating func take(_ event: HubEvent) { hubEvents.append(event) }

  private mutating func takeHubEvents(_ group: inout DiscardingTaskGroup, _ now: ContinuousClock.Instant) {
    guard !hubEvents.isEmpty, !isStopping else { return }
    var rest: [HubEvent] = []
    for event in hubEvents {
      guard running[event.feedID] == nil, held < window.heldLimit else {
        rest.append(event)
        continue
      }
      running[event.feedID] = Running(site: 0, started: now, isTransferring: false)
      if case .pushed(let document) = event { transferEnded(event.feedID, document.bytes.count) }
      preparing += 1
      group.addTask { [refresh, mailbox, gate] in
        if case .pushed(let document) = event {
          await gate.enter(event.feedID, body: document.bytes.count)
        }
        mailbox.post(.prepared(await refresh.prepare(event)))
      }
    }
    hubEvents = rest
  }
}

// MARK: - Is it the network?

extension RefreshLoop {
  /// True when any host has answered since that instant, or not long before.
  private func wasAnswered(since start: ContinuousClock.Instant?) -> Bool {
    guard let start, let lastAnswer else { return false }
    // A run ends soon; a daemon may have lost its network a minute after the last answer.
    let grace = endsWhenIdle ? Duration.seconds(60) : .milliseconds(refresh.options.silence / 2)
    return lastAnswer > start - grace
  }

  /// Without connection to one host the host is to blame; without any answer from at least two, the network is.
  private mutating func decideSuspicions(_ now: ContinuousClock.Instant) {
    guard let since = suspectsSince else { return }
    let wasAnswered = wasAnswered(since: since)
    let isOver =
      isStopping || networkIsDown || now >= since + .milliseconds(refresh.options.silence)
      || (endsWhenIdle && preparing == 0 && waiting.count == 0)
    guard wasAnswered || isOver else { return }
    let isDown = !wasAnswered && (networkIsDown || silentHosts.count > 1)
    if isDown, !networkIsDown {
      networkIsDown = true
      report(.networkDown(true))
    }
    for var suspect in suspects {
      if isDown, let state = suspect.suspicion?.stateIfDown {
        suspect.record?.state = state
        suspect.outcome.state = state
      }
      enqueue(suspect)
    }
    suspects = []
    suspectsSince = nil
  }
}

// MARK: - Storing

extension RefreshLoop {
  private mutating func enqueue(_ prepared: FeedRefresh.Prepared) {
    pending.append(prepared)
    pendingItems += prepared.record?.parsed?.items.count ?? 0
    pendingBytes += prepared.outcome.bytes
    pendingSince = pendingSince ?? .now
  }

  /// Hands everything that waits to the store, in one transaction, when enough has gathered or nothing more will come.
  private mutating func storePending(_ group: inout DiscardingTaskGroup, _ now: ContinuousClock.Instant) {
    guard !isStoring, let since = pendingSince else { return }
    let options = refresh.options
    let isEnough =
      pendingItems >= options.commitItems || pendingBytes >= options.commitBytes
      || now >= since + .milliseconds(options.commitDelay) || (preparing == 0 && waiting.count == 0)
    guard isEnough else { return }
    let batch = pending
    pending = []
    pendingItems = 0
    pendingBytes = 0
    pendingSince = nil
    isStoring = true
    group.addTask { [store = refresh.store, mailbox] in
      let results = await Self.commit(batch.compactMap(\.record), to: store)
      mailbox.post(.stored(batch, results))
    }
  }

  /// The change that each record made. Where the store refuses the whole for no reason of its own, records are tried
  /// one by one, so that one bad record costs only itself.
  private static func commit(
    _ records: [RefreshRecord],
    to store: any RefreshStoring
  ) async -> [Result<RefreshChange?, StoreError>] {
    do {
      let changes = try await store.commit(records)
      let byFeed = Dictionary(changes.map { ($0.feedID, $0) }) { first, _ in first }
      return records.map { .success(byFeed[$0.feedID]) }
    } catch  where error.code == .other && records.count > 1 {
      var results: [Result<RefreshChange?, StoreError>] = []
      for record in records { results += await commit([record], to: store) }
      return results
    } catch {
      return records.map { _ in .failure(error) }
    }
  }

  private mutating func stored(
    _ batch: [FeedRefresh.Prepared],
    _ results: [Result<RefreshChange?, StoreError>]
  ) {
    isStoring = false
    for (prepared, result) in zip(batch, results) {
      var outcome = prepared.outcome
      switch result {
      case .success(let change):
        if case .updated = outcome.result {
          outcome.result = .updated(new: change?.inserted ?? [], changed: change?.updated ?? [])
        }
      case .failure(let error):
        outcome.result = .failed(RefreshFailure(code: .store(error.code), message: error.message))
        if batch.count == 1 || error.code != .other { fail(error) }
      }
      finish(outcome)
    }
  }

  /// A store that cannot be written ends a run; a daemon tries again with the next polls.
  private mutating func fail(_ error: StoreError) {
    if storeError == nil { report(.storeFailed(error)) }
    storeError = error
    if endsWhenIdle { stop() }
  }
}

// MARK: - Timer

extension RefreshLoop {
  private mutating func armTimer(_ group: inout DiscardingTaskGroup, _ now: ContinuousClock.Instant) {
    guard !isStopping else { return }
    var wanted: ContinuousClock.Instant?
    func want(_ instant: ContinuousClock.Instant) { wanted = min(wanted ?? instant, instant) }
    if !isStoring, let pendingSince { want(pendingSince + .milliseconds(refresh.options.commitDelay)) }
    if let wake { want(wake) }
    if let suspectsSince { want(suspectsSince + .milliseconds(refresh.options.silence)) }
    if waiting.count > 0 { want(now + TransferWindow.pace) }
    // A timer that goes off in time does; one that goes off too early costs one look.
    guard let wanted, timers.first.map({ wanted < $0 }) ?? true else { return }
    timers.insert(wanted, at: 0)
    group.addTask { [mailbox] in
      try? await Task.sleep(until: wanted, clock: .continuous)
      mailbox.post(.tick)
    }
  }
}

extension Duration {
  var milliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}
