/// The event loop of all refreshes: one task that starts transfers, collects parsed feeds and passes them to the store.
///
/// All decisions are made here, between two messages, so that no state needs a lock. Fetching, parsing and storing run
/// in child tasks, which report through the mailbox.
struct RefreshLoop {
  enum Message: Sendable {
    /// A fetch ended, with its body's size in bytes. The continuation waits until the body may be parsed.
    case transferEnded(Feed.ID, Int, Reader?)
    /// A body was parsed; the bytes are the memory of the feed, nil if there is none.
    case parsed(Feed.ID, Int?)
    case prepared(FeedRefresh.Prepared)
    /// Another process is refreshing the feed of this hub event.
    case hubEventPostponed(HubEvent)
    case stored([FeedRefresh.Prepared], [Result<RefreshChange?, StoreError>])
    /// A timer fired.
    case tick
    /// Others have freed memory for parsed feeds.
    case memoryFreed
    /// Start no more transfers; store what has arrived.
    case stop
    case command(PollCommand)
    /// The list of feeds was checked; nil feeds: unchanged, or unreadable.
    case feedList(version: Int64?, [DueFeed]?)
  }

  typealias Reader = CheckedContinuation<Void, Never>

  /// A feed between the start of its transfer and the end of storing.
  struct Running {
    /// The slot of the refresh's transfer; nil if the refresh has no transfer.
    var place: WaitingJobs.Slot?
    var started: ContinuousClock.Instant
    var isTransferring = true
  }

  var refresh: FeedRefresh
  let mailbox: Mailbox<Message>
  let report: @Sendable (RefreshEvent) -> Void
  /// True: a one-shot run, which ends when all feeds are refreshed; false: a daemon.
  let endsWhenIdle: Bool

  var waiting: WaitingJobs
  var running: [Feed.ID: Running] = [:]
  var window: ConcurrencyWindow
  private var transfers = 0
  private var preparing = 0
  private var parseMemory: ParseMemoryLimiter
  private var readers: [Feed.ID: Reader] = [:]
  private var pending: PendingRecords
  /// Number of transactions that are being stored or wait for the store.
  private var storing = 0 { didSet { parseMemory.isStoring = storing > 0 } }

  private var unreachable: [FeedRefresh.Prepared] = []
  private var suspectsSince: ContinuousClock.Instant?
  private var lastAnswer: ContinuousClock.Instant?
  /// Hosts that could not be reached since the last answer from any host.
  private var unreachableHosts = Set<String>()
  private(set) var networkIsDown = false

  private(set) var isStopping = false
  private(set) var storeError: StoreError?
  /// True when a daemon cannot write its store: it starts no polls, and keeps fetched results until they can be stored.
  private(set) var storeIsDown = false
  /// True after a failure of the store was reported, until its end is.
  private var storeHasFailed = false
  /// When to try storing again.
  private var nextStoreProbe: ContinuousClock.Instant?
  /// Timers that have not fired yet, in ascending order.
  private var timers: [ContinuousClock.Instant] = []
  /// A hub's event that waits to be handled, at the earliest at `start`.
  private struct WaitingHubEvent {
    var event: HubEvent
    var start: ContinuousClock.Instant
  }

  /// Waiting events of hubs; events of the same feed are in the order of arrival.
  private var hubEvents: [WaitingHubEvent] = []
  /// When a daemon must check its queue again.
  var wake: ContinuousClock.Instant?
  /// Outcomes that a daemon has not collected yet.
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
    // A quarter is reserved for received bodies, so that the parser always has input.
    let held = refresh.options.heldBytes
    parseMemory = ParseMemoryLimiter(
      limit: held / 2 * 3,
      parsers: refresh.options.parsers,
      of: refresh.options.memory,
      account: refresh.options.account
    ) { mailbox.post(.memoryFreed) }
    window = ConcurrencyWindow(maximum: refresh.options.maximumTransfers, heldLimit: held / 4)
    pending = PendingRecords(refresh.options)
  }

  var isIdle: Bool {
    running.isEmpty && waiting.count == 0 && storing == 0 && (hubEvents.isEmpty || isStopping)
  }

  /// Handles one message; `advance` then starts the work that it made possible.
  mutating func handle(_ message: Message) {
    switch message {
    case .transferEnded(let id, let bytes, let reader): transferEnded(id, bytes, reader)
    case .parsed(let id, let bytes): parseMemory.finishParsing(id, bytes: bytes)
    case .prepared(let prepared): take(prepared)
    case .hubEventPostponed(let event):
      preparing -= 1
      postpone(event)
    case .stored(let batch, let results): stored(batch, results)
    case .tick: if !timers.isEmpty { timers.removeFirst() }
    case .stop: stop()
    case .memoryFreed, .command, .feedList: break
    }
  }

  /// Starts all work that can start now.
  mutating func advance(_ group: inout DiscardingTaskGroup) {
    let now = ContinuousClock.now
    decideUnreachableHosts(now)
    // Storing takes longest, so the next transaction starts before the next documents are parsed.
    storePending(&group, now)
    if storeIsDown { parseMemory.giveUpTurn() }
    admitReaders()
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
    parseMemory.release(outcome.feedID)
    switch outcome.result {
    case .skipped(.busy), .skipped(.unreadable): break
    default: refresh.options.claims?.release(outcome.feedID)
    }
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
      // Slow transfers do not predict how much data will arrive soon.
      let slow = running.values.count { $0.isTransferring && $0.started < now - .milliseconds(1500) }
      window.adapt(held: parseMemory.backlog, transfers: transfers, slow: slow, now: now)
    }
    while window.admits(transfers: transfers, held: parseMemory.backlog), let (job, place) = waiting.next() {
      guard running[job.id] == nil else {
        // This feed is being refreshed already.
        waiting.ended(place)
        continue
      }
      running[job.id] = Running(place: place, started: now)
      transfers += 1
      preparing += 1
      report(.started(job.id))
      // Lower priority than the loop, so that parsing delays neither the loop nor the store.
      group.addTask(priority: .utility) { [refresh, mailbox] in
        let prepared = await refresh.prepare(job) {
          await Self.waitToParse(job.id, $0, mailbox)
        } parsed: {
          mailbox.post(.parsed(job.id, $0))
        }
        mailbox.post(.prepared(prepared))
      }
    }
  }

  /// Reports the end of a fetch to the loop and waits until its body may be parsed.
  private static func waitToParse(_ id: Feed.ID, _ bytes: Int, _ mailbox: Mailbox<Message>) async {
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
    // A skipped feed had no transfer, so nothing has reported its end.
    transferEnded(prepared.outcome.feedID, 0)
    preparing -= 1
    if prepared.wasAnswered {
      lastAnswer = .now
      unreachableHosts = []
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
    // The daemon already has its own cooldowns in memory; a one-shot run must tell the daemon on the same store.
    if !endsWhenIdle { prepared.record?.notifiesOtherProcesses = false }
    guard let unreachableHost = prepared.unreachableHost,
      !wasAnswered(since: running[prepared.outcome.feedID]?.started)
    else {
      return enqueue(prepared)
    }
    suspectsSince = suspectsSince ?? .now
    unreachable.append(prepared)
    unreachableHosts.insert(unreachableHost.host)
  }
}

// MARK: - Hubs

extension RefreshLoop {
  /// Queues a hub's event. If its feed is being refreshed, the event waits for the end of the refresh.
  mutating func take(_ event: HubEvent) { hubEvents.append(WaitingHubEvent(event: event, start: .now)) }

  /// Puts back an event that could not be handled or stored now, before later ones of its feed.
  private mutating func postpone(_ event: HubEvent) {
    parseMemory.release(event.feedID)
    running[event.feedID] = nil
    let start = ContinuousClock.now + .milliseconds(refresh.options.claimPause)
    hubEvents.insert(WaitingHubEvent(event: event, start: start), at: 0)
  }

  private mutating func takeHubEvents(_ group: inout DiscardingTaskGroup, _ now: ContinuousClock.Instant) {
    guard !hubEvents.isEmpty, !isStopping else { return }
    var rest: [WaitingHubEvent] = []
    var waitingFeeds: Set<Feed.ID> = []
    for entry in hubEvents {
      let event = entry.event
      guard running[event.feedID] == nil, !waitingFeeds.contains(event.feedID), entry.start <= now,
        parseMemory.backlog < window.heldLimit, !storeIsDown
      else {
        rest.append(entry)
        waitingFeeds.insert(event.feedID)
        continue
      }
      running[event.feedID] = Running(started: now, isTransferring: false)
      preparing += 1
      group.addTask(priority: .utility) { [refresh, mailbox] in
        guard await refresh.claims(event.feedID) else { return mailbox.post(.hubEventPostponed(event)) }
        if case .pushed(let document) = event {
          await Self.waitToParse(event.feedID, document.bytes.count, mailbox)
        }
        mailbox.post(.prepared(await refresh.prepare(event) { mailbox.post(.parsed(event.feedID, $0)) }))
      }
    }
    hubEvents = rest
  }
}

// MARK: - Detecting a network outage

extension RefreshLoop {
  /// True when any host has answered since `start`; a one-shot run also counts the minute before.
  private func wasAnswered(since start: ContinuousClock.Instant?) -> Bool {
    guard let start, let lastAnswer else { return false }
    // A one-shot run is short; a daemon may have lost its network right after the last answer.
    let grace = endsWhenIdle ? Duration.seconds(60) : .zero
    return lastAnswer > start - grace
  }

  /// Decides whether single hosts or the network is down. The network is down if at least two hosts cannot be reached
  /// and no host answers.
  private mutating func decideUnreachableHosts(_ now: ContinuousClock.Instant) {
    guard let since = suspectsSince else { return }
    let wasAnswered = wasAnswered(since: since)
    let isOver =
      isStopping || networkIsDown || now >= since + .milliseconds(refresh.options.silence)
      || (endsWhenIdle && preparing == 0 && waiting.count == 0)
    guard wasAnswered || isOver else { return }
    let isDown = !wasAnswered && (networkIsDown || unreachableHosts.count > 1)
    if isDown, !networkIsDown {
      networkIsDown = true
      report(.networkDown(true))
    }
    for var suspect in unreachable {
      if isDown, let state = suspect.unreachableHost?.stateIfDown {
        suspect.record?.state = state
        suspect.outcome.state = state
      }
      enqueue(suspect)
    }
    unreachable = []
    suspectsSince = nil
  }
}

// MARK: - Storing

extension RefreshLoop {
  private mutating func enqueue(_ prepared: FeedRefresh.Prepared) { pending.append(prepared) }

  /// Stores a batch when enough records are pending or the first has waited for `commitDelay`. Also stores it
  /// when no more records will come, because all feeds are done or wait for memory that only storing can
  /// free.
  private mutating func storePending(_ group: inout DiscardingTaskGroup, _ now: ContinuousClock.Instant) {
    guard !pending.records.isEmpty else { return }
    // Pass on the next full transaction before the store has finished the former, so that it need not wait for the loop.
    guard storing == 0 || (storing == 1 && pending.isNearlyFull && !storeIsDown) else { return }
    if storeIsDown, !isStopping {
      guard nextStoreProbe.map({ now >= $0 }) ?? true else { return }
    } else {
      guard pending.isDue(now) || parseMemory.isFull || (preparing == 0 && waiting.count == 0) else { return }
    }
    // While the store is down, try with a single record.
    let batch = storeIsDown && nextStoreProbe != nil ? pending.takeFirst() : pending.take()
    storing += 1
    group.addTask { [store = refresh.store, mailbox, report] in
      let start = ContinuousClock.now
      let results = await Self.commit(batch.compactMap(\.record), to: store)
      let noted = await Self.noteRefusals(batch, results, in: store)
      report(.committed(seconds: (ContinuousClock.now - start) / .seconds(1)))
      mailbox.post(.stored(noted, results))
    }
  }

  /// Stores a failure of each feed whose document the store refused. Returns the batch with the stored states.
  private static func noteRefusals(
    _ batch: [FeedRefresh.Prepared],
    _ results: [Result<RefreshChange?, StoreError>],
    in store: any ArrivalStoring
  ) async -> [FeedRefresh.Prepared] {
    var batch = batch
    for (place, result) in results.enumerated() {
      guard case .failure(let error) = result, error.code == .badData,
        var record = batch[place].record, var state = batch[place].stateIfRefused
      else { continue }
      state.lastError = PollPolicy.shortened(FailureReport.refusalByStore + error.message)
      record.state = state
      record.parsed = nil
      record.preparation = nil
      guard (try? await store.commit([record])) != nil else { continue }
      batch[place].outcome.state = state
    }
    return batch
  }

  /// Commits the records. If the store rejects the batch because of its data or for an unknown reason, commits them one
  /// by one, so that one bad record does not affect the others.
  private static func commit(
    _ records: [RefreshRecord],
    to store: any ArrivalStoring
  ) async -> [Result<RefreshChange?, StoreError>] {
    do {
      let changes = try await store.commit(records)
      let byFeed = Dictionary(changes.map { ($0.feedID, $0) }) { first, _ in first }
      return records.map { .success(byFeed[$0.feedID]) }
    } catch  where error.mayConcernOneRecord && records.count > 1 {
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
    storing -= 1
    nextStoreProbe = nil
    var kept: [FeedRefresh.Prepared] = []
    for (prepared, result) in zip(batch, results) {
      if case .failure(let error) = result, retriesLater(error) {
        kept.append(prepared)
        fail(error)
        continue
      }
      var outcome = prepared.outcome
      switch result {
      case .success(let change):
        if change == nil {
          // The store refused the record: another process has removed the feed, or has claimed it while this one was
          // stopped.
          if let event = prepared.pushed, !isStopping {
            refresh.options.claims?.release(event.feedID)
            postpone(event)
            continue
          }
          outcome.result = .skipped(.takenOver)
        }
        // Clear the error, so that a later failure is reported again.
        if !endsWhenIdle, kept.isEmpty { storeError = nil }
        if case .updated = outcome.result {
          outcome.result = .updated(new: change?.inserted ?? [], changed: change?.updated ?? [])
        }
      case .failure(let error) where error.code == .badData:
        outcome.result = .failed(RefreshFailure(code: .refusedByStore, message: error.message))
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
    } else {
      if pending.records.isEmpty { storeIsDown = false }
      // A failed read is reported like a failed write, and then nothing waits to be stored.
      if !storeIsDown, !endsWhenIdle, storeHasFailed, storeError == nil {
        storeHasFailed = false
        report(.storeRecovered)
      }
    }
  }

  /// True for a daemon when the store may become writable again; the daemon then keeps the records.
  private func retriesLater(_ error: StoreError) -> Bool {
    !endsWhenIdle && !isStopping && error.mayBeTemporary
  }

  /// Reports an unusable store. A one-shot run ends; a daemon ends only if the store has another layout
  /// now, because this version can never write to it again.
  mutating func fail(_ error: StoreError) {
    if storeError == nil { report(.storeFailed(error)) }
    storeError = error
    storeHasFailed = true
    if endsWhenIdle || error.requiresOtherVersion { stop() }
  }
}

// MARK: - Timer

extension RefreshLoop {
  private mutating func armTimer(_ group: inout DiscardingTaskGroup, _ now: ContinuousClock.Instant) {
    guard !isStopping else { return }
    var wanted: ContinuousClock.Instant?
    func want(_ instant: ContinuousClock.Instant) { wanted = min(wanted ?? instant, instant) }
    if storing == 0, let deadline = storeIsDown ? nextStoreProbe : pending.deadline { want(deadline) }
    if let wake { want(wake) }
    if let start = hubEvents.map(\.start).filter({ $0 > now }).min() { want(start) }
    if let suspectsSince { want(suspectsSince + .milliseconds(refresh.options.silence)) }
    if waiting.count > 0, !storeIsDown { want(now + ConcurrencyWindow.pace) }
    // An earlier timer suffices; it only costs one more iteration of the loop.
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
