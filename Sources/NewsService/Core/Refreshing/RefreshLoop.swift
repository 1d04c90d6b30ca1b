/// The engine of all refreshing: one task that starts transfers, gathers what they bring and has it stored.
///
/// Every decision is taken here, between two messages, so that nothing needs a lock. What takes time (fetching,
/// parsing, storing) runs in child tasks, which answer through the mailbox.
struct RefreshLoop {
  enum Message: Sendable {
    /// A fetch is over; its body's size in bytes. The reader waits until it may read on.
    case transferEnded(Feed.ID, Int, Reader?)
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

  typealias Reader = CheckedContinuation<Void, Never>

  /// A feed between the start of its transfer and the end of storing.
  struct Running {
    var site: Int
    var started: ContinuousClock.Instant
    var isTransferring = true
  }

  var refresh: FeedRefresh
  let mailbox: Mailbox<Message>
  let report: @Sendable (RefreshEvent) -> Void
  /// True: a run that ends when everything is done; false: a daemon.
  let endsWhenIdle: Bool

  var waiting: SiteQueue<FeedRefresh.Job>
  var running: [Feed.ID: Running] = [:]
  var window: TransferWindow
  private var transfers = 0
  private var preparing = 0
  private var room: ReadingRoom
  private var readers: [Feed.ID: Reader] = [:]
  private var pending: PendingRecords
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
    // Room for what one transaction stores and for what is read meanwhile; and a quarter for bodies that have come and
    // wait, so that reading never waits for the network.
    let held = refresh.options.heldBytes
    room = ReadingRoom(limit: held / 4 * 5, places: refresh.options.readers)
    window = TransferWindow(maximum: refresh.options.maximumTransfers, heldLimit: held / 4)
    pending = PendingRecords(refresh.options)
  }

  var isIdle: Bool {
    running.isEmpty && waiting.count == 0 && !isStoring && (hubEvents.isEmpty || isStopping)
  }

  /// Takes in what has happened.
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

  /// Starts whatever can be started now.
  mutating func advance(_ group: inout DiscardingTaskGroup) {
    let now = ContinuousClock.now
    decideSuspicions(now)
    admitReaders()
    storePending(&group, now)
    takeHubEvents(&group, now)
    startTransfers(&group, now)
    armTimer(&group, now)
  }

  private mutating func stop() {
    isStopping = true
    room.open()
    let rest = waiting.removeAll()
    guard endsWhenIdle else { return }
    for job in rest {
      finish(RefreshOutcome(feedID: job.id, feed: nil, result: .skipped(.cancelled)))
    }
  }

  private mutating func finish(_ outcome: RefreshOutcome) {
    var outcome = outcome
    room.leave(outcome.feedID)
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
    guard !isStopping else { return }
    if window.isDue(now) {
      // Transfers that take their time say nothing about what will arrive at once.
      let slow = running.values.count { $0.isTransferring && $0.started < now - .milliseconds(1500) }
      window.adapt(held: room.backlog, transfers: transfers, slow: slow, now: now)
    }
    while window.admits(transfers: transfers, held: room.backlog), let (job, site) = waiting.next() {
      guard running[job.id] == nil else {
        // It is being refreshed already; once is enough.
        waiting.ended(site: site)
        continue
      }
      running[job.id] = Running(site: site, started: now)
      transfers += 1
      preparing += 1
      report(.started(job.id))
      // Below the loop's own priority: it and the store never wait in line behind documents.
      group.addTask(priority: .utility) { [refresh, mailbox] in
        let prepared = await refresh.prepare(job) { await Self.waitToRead(job.id, $0, mailbox) }
        mailbox.post(.prepared(prepared))
      }
    }
  }

  /// Tells the loop that a fetch is over, and waits until its body may be read.
  private static func waitToRead(_ id: Feed.ID, _ bytes: Int, _ mailbox: Mailbox<Message>) async {
    guard bytes > 0 else { return mailbox.post(.transferEnded(id, 0, nil)) }
    await withCheckedContinuation { mailbox.post(.transferEnded(id, bytes, $0)) }
  }

  private mutating func transferEnded(_ id: Feed.ID, _ bytes: Int, _ reader: Reader? = nil) {
    if let index = running.index(forKey: id), running.values[index].isTransferring {
      window.note(bytes)
      running.values[index].isTransferring = false
      transfers -= 1
      waiting.ended(site: running.values[index].site)
    }
    guard let reader else { return }
    if room.enter(id, body: bytes) { reader.resume() } else { readers[id] = reader }
  }

  private mutating func admitReaders() {
    while let id = room.admitted() { readers.removeValue(forKey: id)?.resume() }
  }

  private mutating func take(_ prepared: FeedRefresh.Prepared) {
    // A feed that was skipped had no transfer to end.
    transferEnded(prepared.outcome.feedID, 0)
    preparing -= 1
    room.read(prepared.outcome.feedID, keeps: prepared.record?.parsed != nil)
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
    // A daemon knows its own rests; one beside a run does not know the run's.
    if !endsWhenIdle { prepared.record?.isForAll = false }
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
      guard running[event.feedID] == nil, room.backlog < window.heldLimit else {
        rest.append(event)
        continue
      }
      running[event.feedID] = Running(site: 0, started: now, isTransferring: false)
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
  /// True when any host has answered since that instant, or not long before.
  private func wasAnswered(since start: ContinuousClock.Instant?) -> Bool {
    guard let start, let lastAnswer else { return false }
    // A run ends soon; a daemon may have lost its network right after the last answer.
    let grace = endsWhenIdle ? Duration.seconds(60) : .zero
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
  private mutating func enqueue(_ prepared: FeedRefresh.Prepared) { pending.append(prepared) }

  /// Hands what waits to the store, as much as one transaction takes, when enough has gathered, or when nothing more comes:
  /// all is done, or the rest waits for room that only storing can give.
  private mutating func storePending(_ group: inout DiscardingTaskGroup, _ now: ContinuousClock.Instant) {
    guard !isStoring, !pending.records.isEmpty else { return }
    guard pending.isDue(now) || room.isFull || (preparing == 0 && waiting.count == 0) else { return }
    let batch = pending.take()
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
        // Told again when it fails again, which may be months later.
        if !endsWhenIdle { storeError = nil }
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

  /// A store that cannot be written ends a run; a daemon tries again with the next polls, unless a later newsd has taken
  /// the store over: what it asked servers for would never be kept.
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
    if !isStoring, let deadline = pending.deadline { want(deadline) }
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
