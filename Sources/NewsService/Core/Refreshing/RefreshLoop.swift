/// Runs refreshes: one task that starts transfers, collects parsed feeds and hands them to the store.
///
/// Every decision is taken here, between two messages, so that nothing needs a lock. Fetching, parsing and storing run in
/// child tasks, which answer through the mailbox.
struct RefreshLoop {
  enum Message: Sendable {
    /// A fetch ended, with its body's size in bytes. The continuation waits until the body may be parsed.
    case transferEnded(Feed.ID, Int, Reader?)
    case prepared(FeedRefresh.Prepared)
    case stored([FeedRefresh.Prepared], [Result<RefreshChange?, StoreError>])
    /// A timer fired.
    case tick
    /// Starts no more transfers; what has arrived is still stored.
    case stop
    case command(PollCommand)
    /// The list of feeds was checked; nil: it has not changed.
    case feedList(version: Int64?, [DueFeed]?)
  }

  typealias Reader = CheckedContinuation<Void, Never>

  /// A feed between the start of its transfer and the end of storing.
  struct Running {
    /// Nil: it has no transfer.
    var place: WaitingJobs.Place?
    var started: ContinuousClock.Instant
    var isTransferring = true
  }

  var refresh: FeedRefresh
  let mailbox: Mailbox<Message>
  let report: @Sendable (RefreshEvent) -> Void
  /// True: a run that ends when all feeds are refreshed; false: a daemon.
  let endsWhenIdle: Bool

  var waiting: WaitingJobs
  var running: [Feed.ID: Running] = [:]
  var window: ConcurrencyWindow
  private var transfers = 0
  private var preparing = 0
  private var parseMemory: ParseMemoryLimiter
  private var readers: [Feed.ID: Reader] = [:]
  private var pending: PendingRecords
  private var isStoring = false

  private var suspects: [FeedRefresh.Prepared] = []
  private var suspectsSince: ContinuousClock.Instant?
  private var lastAnswer: ContinuousClock.Instant?
  /// Hosts that could not be connected to since any host last answered.
  private var silentHosts = Set<String>()
  private(set) var networkIsDown = false

  private(set) var isStopping = false
  private(set) var storeError: StoreError?
  /// A daemon's store that cannot be written: no feed is asked, and what was fetched is kept until it can be stored.
  private(set) var storeIsDown = false
  /// When storing is tried again.
  private var nextStoreProbe: ContinuousClock.Instant?
  /// Timers that have not fired yet, rising.
  private var timers: [ContinuousClock.Instant] = []
  /// Events of hubs that were not handled yet.
  private var hubEvents: [HubEvent] = []
  /// When a daemon looks at its queue next.
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
    waiting = WaitingJobs(
      perSite: refresh.options.transfersPerSite,
      openTransfers: refresh.options.openTransfers ?? 4 * refresh.options.maximumTransfers
    )
    // Memory for what one transaction stores and for what is parsed during it; and a quarter for received bodies, so that
    // parsing never waits for the network.
    let held = refresh.options.heldBytes
    parseMemory = ParseMemoryLimiter(limit: held / 4 * 5, places: refresh.options.readers)
    window = ConcurrencyWindow(maximum: refresh.options.maximumTransfers, heldLimit: held / 4)
    pending = PendingRecords(refresh.options)
  }

  var isIdle: Bool {
    running.isEmpty && waiting.count == 0 && !isStoring && (hubEvents.isEmpty || isStopping)
  }

  /// Handles a message.
  mutating func handle(_ message: Message) {
    switch message {
    case .transferEnded(let id, let bytes, let reader): transferEnded(id, bytes, reader)
    case .prepared(let prepared): take(prepared)
    case .stored(let batch, let results): stored(batch, results)
    case .tick: if !timers.isEmpty { timers.removeFirst() }
    case .stop: stop()
    case .command, .feedList: break
    }
  }

  /// Starts everything that can be started now.
  mutating func advance(_ group: inout DiscardingTaskGroup) {
    let now = ContinuousClock.now
    decideUnreachableHosts(now)
    admitReaders()
    storePending(&group, now)
    takeHubEvents(&group, now)
    startTransfers(&group, now)
    armTimer(&group, now)
  }

  private mutating func stop() {
    isStopping = true
    parseMemory.open()
    let rest = waiting.removeAll()
    guard endsWhenIdle else { return }
    for job in rest {
      finish(RefreshOutcome(feedID: job.id, feed: nil, result: .skipped(.cancelled)))
    }
  }

  private mutating func finish(_ outcome: RefreshOutcome) {
    var outcome = outcome
    parseMemory.leave(outcome.feedID)
    if outcome.result != .skipped(.busy) { refresh.options.claims?.release(outcome.feedID) }
    if let entry = running.removeValue(forKey: outcome.feedID) {
      outcome.duration = entry.started.duration(to: .now).milliseconds
    }
    if !endsWhenIdle { finished.append(outcome) }
    report(.finished(outcome))
  }
}

// MARK: - Transfers

extension RefreshLoop {
  private mutating func startTransfers(_ group: inout DiscardingTaskGroup, _ now: ContinuousClock.Instant) {
    guard !isStopping, !storeIsDown else { return }
    if window.isDue(now) {
      // Slow transfers say nothing about how much will arrive soon.
      let slow = running.values.count { $0.isTransferring && $0.started < now - .milliseconds(1500) }
      window.adapt(held: parseMemory.backlog, transfers: transfers, slow: slow, now: now)
    }
    while window.admits(transfers: transfers, held: parseMemory.backlog), let (job, place) = waiting.next() {
      guard running[job.id] == nil else {
        // It is being refreshed already.
        waiting.ended(place)
        continue
      }
      running[job.id] = Running(place: place, started: now)
      transfers += 1
      preparing += 1
      report(.started(job.id))
      // Lower priority than the loop: parsing must not delay the loop and the store.
      group.addTask(priority: .utility) { [refresh, mailbox] in
        let prepared = await refresh.prepare(job) { await Self.waitToRead(job.id, $0, mailbox) }
        mailbox.post(.prepared(prepared))
      }
    }
  }

  /// Tells the loop that a fetch ended, and waits until its body may be parsed.
  private static func waitToRead(_ id: Feed.ID, _ bytes: Int, _ mailbox: Mailbox<Message>) async {
    guard bytes > 0 else { return mailbox.post(.transferEnded(id, 0, nil)) }
    await withCheckedContinuation { mailbox.post(.transferEnded(id, bytes, $0)) }
  }

  private mutating func transferEnded(_ id: Feed.ID, _ bytes: Int, _ reader: Reader? = nil) {
    if let index = running.index(forKey: id), running.values[index].isTransferring {
      window.note(bytes)
      running.values[index].isTransferring = false
      transfers -= 1
      if let place = running.values[index].place { waiting.ended(place) }
    }
    guard let reader else { return }
    if parseMemory.enter(id, body: bytes) { reader.resume() } else { readers[id] = reader }
  }

  private mutating func admitReaders() {
    while let id = parseMemory.admitted() { readers.removeValue(forKey: id)?.resume() }
  }

  private mutating func take(_ prepared: FeedRefresh.Prepared) {
    // A feed that was skipped had no transfer to end.
    transferEnded(prepared.outcome.feedID, 0)
    preparing -= 1
    parseMemory.read(prepared.outcome.feedID, keeps: prepared.record?.parsed != nil)
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
    var prepared = prepared
    // A daemon knows its own cooldowns already; a one-shot run tells a daemon on the same store.
    if !endsWhenIdle { prepared.record?.isForAll = false }
    guard let unreachableHost = prepared.unreachableHost,
      !wasAnswered(since: running[prepared.outcome.feedID]?.started)
    else {
      return enqueue(prepared)
    }
    suspectsSince = suspectsSince ?? .now
    suspects.append(prepared)
    silentHosts.insert(unreachableHost.host)
  }
}

// MARK: - Hubs

extension RefreshLoop {
  /// One task at a time handles a feed: its hub's events wait for the end of its refresh.
  mutating func take(_ event: HubEvent) { hubEvents.append(event) }

  private mutating func takeHubEvents(_ group: inout DiscardingTaskGroup, _ now: ContinuousClock.Instant) {
    guard !hubEvents.isEmpty, !isStopping else { return }
    var rest: [HubEvent] = []
    for event in hubEvents {
      guard running[event.feedID] == nil, parseMemory.backlog < window.heldLimit, !storeIsDown else {
        rest.append(event)
        continue
      }
      running[event.feedID] = Running(started: now, isTransferring: false)
      preparing += 1
      group.addTask(priority: .utility) { [refresh, mailbox] in
        if case .pushed(let document) = event {
          await Self.waitToRead(event.feedID, document.bytes.count, mailbox)
        }
        mailbox.post(.prepared(await refresh.prepare(event)))
      }
    }
    hubEvents = rest
  }
}

// MARK: - Is it the network?

extension RefreshLoop {
  /// True when any host has answered since `start`, or shortly before.
  private func wasAnswered(since start: ContinuousClock.Instant?) -> Bool {
    guard let start, let lastAnswer else { return false }
    // A run ends soon; a daemon may have lost its network right after the last answer.
    let grace = endsWhenIdle ? Duration.seconds(60) : .zero
    return lastAnswer > start - grace
  }

  /// Decides between dead hosts and a dead network: if at least two hosts cannot be connected to and none answers, the
  /// network is down.
  private mutating func decideUnreachableHosts(_ now: ContinuousClock.Instant) {
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
      if isDown, let state = suspect.unreachableHost?.stateIfDown {
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
  private mutating func enqueue(_ prepared: FeedRefresh.Prepared) { pending.append(prepared) }

  /// Stores a batch when enough records are pending, or when no more will come: all feeds are done, or the rest waits for
  /// memory that only storing can free.
  private mutating func storePending(_ group: inout DiscardingTaskGroup, _ now: ContinuousClock.Instant) {
    guard !isStoring, !pending.records.isEmpty else { return }
    if storeIsDown, !isStopping {
      guard nextStoreProbe.map({ now >= $0 }) ?? true else { return }
    } else {
      guard pending.isDue(now) || parseMemory.isFull || (preparing == 0 && waiting.count == 0) else { return }
    }
    // One record decides whether the store can be written again.
    let batch = storeIsDown && nextStoreProbe != nil ? pending.takeFirst() : pending.take()
    isStoring = true
    group.addTask { [store = refresh.store, mailbox] in
      let results = await Self.commit(batch.compactMap(\.record), to: store)
      mailbox.post(.stored(batch, results))
    }
  }

  /// Commits the records. If the store rejects the batch for an unknown reason, commits them one by one, so that one bad
  /// record costs only itself.
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
    nextStoreProbe = nil
    var kept: [FeedRefresh.Prepared] = []
    for (prepared, result) in zip(batch, results) {
      if case .failure(let error) = result, keepsWhatFailed(error) {
        kept.append(prepared)
        fail(error)
        continue
      }
      var outcome = prepared.outcome
      switch result {
      case .success(let change):
        // Reported again when it fails again, which may be months later.
        if !endsWhenIdle, kept.isEmpty { storeError = nil }
        if case .updated = outcome.result {
          outcome.result = .updated(new: change?.inserted ?? [], changed: change?.updated ?? [])
        }
      case .failure(let error):
        outcome.result = .failed(RefreshFailure(code: .store(error.code), message: error.message))
        if batch.count == 1 || error.code != .other { fail(error) }
      }
      finish(outcome)
    }
    if !kept.isEmpty {
      storeIsDown = true
      nextStoreProbe = .now + .milliseconds(refresh.options.storeProbe)
      pending.putBack(kept)
    } else if storeIsDown, pending.records.isEmpty {
      storeIsDown = false
      report(.storeRecovered)
    }
  }

  /// True: the store could not be written for a reason that may pass, and a daemon keeps the records until it can.
  private func keepsWhatFailed(_ error: StoreError) -> Bool { !endsWhenIdle && !isStopping && error.mayPass }

  /// Reports a store that cannot be used. It ends a run; a daemon ends only if a later newsd has migrated the store, which
  /// this one can never write again.
  private mutating func fail(_ error: StoreError) {
    if storeError == nil { report(.storeFailed(error)) }
    storeError = error
    if endsWhenIdle || error.isOfLaterLayout { stop() }
  }
}

// MARK: - Timer

extension RefreshLoop {
  private mutating func armTimer(_ group: inout DiscardingTaskGroup, _ now: ContinuousClock.Instant) {
    guard !isStopping else { return }
    var wanted: ContinuousClock.Instant?
    func want(_ instant: ContinuousClock.Instant) { wanted = min(wanted ?? instant, instant) }
    if !isStoring, let deadline = storeIsDown ? nextStoreProbe : pending.deadline { want(deadline) }
    if let wake { want(wake) }
    if let suspectsSince { want(suspectsSince + .milliseconds(refresh.options.silence)) }
    if waiting.count > 0, !storeIsDown { want(now + ConcurrencyWindow.pace) }
    // An existing timer that fires earlier will do: it costs one more turn of the loop.
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
