import NewsToolbox
import CCurl
import Glibc
import NewsCore
import Synchronization

/// Runs all transfers on one thread: starts the requests admitted by the gate, returns results, and enforces time and
/// memory limits. A loop must be used on that thread only.
final class CurlLoop {
  private let configuration: NetworkConfiguration
  private let mailbox: LoopInbox
  private let budget: ByteBudget
  private let multi: UnsafeMutableRawPointer

  private var slots: TransferSlots
  private let mostSpareHandles: Int
  private var gate: SiteGate<UInt64>
  private var fetches: [UInt64: RunningFetch] = [:]
  /// The requests whose turn came while their account had its part of the transfers.
  private var parked: [Part: Queue<UInt64>] = [:]
  private var transfers: [UInt64: CurlTransfer] = [:]
  private var pauses = PauseList()
  private let sockets = IdleSockets()
  private var spareHandles: [EasyHandle] = []
  private var nextCheck = Int64.max
  private var memoryWantedSince: Int64?
  private var isStopping = false
  private var stopWaiters: [CheckedContinuation<Void, Never>] = []

  /// The requests of an account that have the same limit.
  private struct Part: Hashable {
    let account: String
    let lastPollSucceeded: Bool
  }

  /// Milliseconds for which bodies of responses in use may block all transfers.
  private static let releaseTimeout: Int64 = 1000

  init?(configuration: NetworkConfiguration, mailbox: LoopInbox, budget: ByteBudget) {
    guard let multi = curl_multi_init() else { return nil }
    self.configuration = configuration
    self.mailbox = mailbox
    self.budget = budget
    self.multi = multi
    gate = SiteGate(
      perSite: configuration.requestsPerSite,
      spacing: Int64(configuration.spacing),
      others: configuration.sites
    )
    let limits = TransferLimits(
      concurrency: configuration.concurrency,
      beside: configuration.otherDescriptors
    )
    slots = TransferSlots(limits)
    mostSpareHandles = limits.moving
    newsd_curl_multi_setopt_long(multi, CURLMOPT_MAXCONNECTS, limits.kept)
    mailbox.open(multi)
  }

  deinit {
    spareHandles = []
    curl_multi_cleanup(multi)
  }

  /// Runs until a stop message, then ends every fetch. Returns the continuations to resume after the end.
  func run() -> [CheckedContinuation<Void, Never>] {
    while true {
      readMessages()
      if isStopping { break }
      var finished = 0
      repeat {
        startTransfers()
        var running: Int32 = 0
        curl_multi_perform(multi, &running)
        finished = collectFinished()
      } while finished > 0
      let now = Monotonic.now()
      shareMemory(now: now)
      // No slot is free: check the clocks to find stalled transfers, which must free their slots.
      if !parked.isEmpty || (gate.waitingCount > 0 && !slots.isFreeForUnproven) {
        nextCheck = min(nextCheck, now + 500)
      }
      if now >= nextCheck { checkClocks(now: now) }
      if curl_multi_poll(multi, nil, 0, pollTimeout(now: Monotonic.now()), nil) != CURLM_OK {
        // Out of memory or descriptors: wait instead of spinning.
        usleep(100_000)
      }
    }
    stop()
    return stopWaiters
  }

  private func pollTimeout(now: Int64) -> Int32 {
    var time = nextCheck
    if hasFreeSlot, let next = slots.isFreeForUnproven ? gate.nextTime : gate.nextTimeOfProven {
      time = min(time, next)
    }
    // The mailbox wakes the loop for all other events.
    return Int32(min(max(time, now), now + 3_600_000) - now)
  }

  // MARK: - Messages

  private func readMessages() {
    for message in mailbox.takeAll() {
      handle(message)
    }
  }

  private func handle(_ message: LoopMessage) {
    switch message {
    case .start(let job):
      guard !job.ticket.isCancelled.load(ordering: .acquiring), !isStopping else {
        job.continuation.resume(returning: .failure(.cancelled))
        return
      }
      let fetch = RunningFetch(job)
      fetches[job.ticket.id] = fetch
      enqueue(fetch)
    case .cancel(let id):
      guard let fetch = fetches[id] else { return }
      if !gate.withdraw(id) { release(id) }
      answer(fetch, .failure(.cancelled))
    case .roomForBodies:
      break  // handled in each iteration of the loop
    case .stop(let waiter):
      isStopping = true
      if let waiter { stopWaiters.append(waiter) }
    case .ping(let waiter): waiter.resume()
    }
  }

  private func stop() {
    for message in mailbox.close() { handle(message) }
    for id in Array(transfers.keys) { release(id) }
    for fetch in Array(fetches.values) { answer(fetch, .failure(.cancelled)) }
  }

  /// Rejects messages when no loop can handle them.
  static func refuse(_ messages: [LoopMessage]) {
    for message in messages {
      switch message {
      case .start(let job):
        job.continuation.resume(
          returning: .failure(
            FetchError(code: .transport, message: "the network thread could not be started: out of memory")
          )
        )
      case .stop(let waiter): waiter?.resume()
      case .ping(let waiter): waiter.resume()
      case .cancel, .roomForBodies: break
      }
    }
  }

  // MARK: - Starting

  private var hasFreeSlot: Bool {
    guard slots.isFree else { return false }
    // Bodies that wait to be parsed block new transfers. Bodies that are being received do not, because each has its
    // own `freeBytes`.
    if slots.isEmpty || !budget.isFullOfHeldBodies { return true }
    budget.requestWake()
    return !budget.isFullOfHeldBodies
  }

  /// Adds the next hop of a fetch to the queue of its site.
  private func enqueue(_ fetch: RunningFetch, isUrgent: Bool = false, continues: Bool = false) {
    let request = fetch.job.request
    gate.enqueue(
      fetch.job.ticket.id,
      site: fetch.target.site,
      isUrgent: isUrgent || request.isUrgent,
      lastPollSucceeded: request.lastPollSucceeded,
      continues: continues,
      account: request.account,
      feed: request.feedID,
      isShared: request.sharesSiteLimits,
      now: Monotonic.now()
    )
  }

  /// Puts requests of accounts that have room again back into the queues of their sites.
  private func enqueueParked() {
    for part in Array(parked.keys) {
      var room = slots.room(for: part.account, lastPollSucceeded: part.lastPollSucceeded)
      while room > 0, let id = parked[part]?.popFirst() {
        // A cancelled fetch is skipped.
        guard let fetch = fetches[id] else { continue }
        enqueue(fetch)
        room -= 1
      }
      if parked[part]?.isEmpty == true { parked[part] = nil }
    }
  }

  private func startTransfers() {
    enqueueParked()
    let now = Monotonic.now()
    while hasFreeSlot, let (id, site) = gate.next(provenOnly: !slots.isFreeForUnproven, now: now) {
      guard let fetch = fetches[id] else {
        gate.finished(site: site, now: now)
        continue
      }
      let request = fetch.job.request
      if let account = request.account,
        slots.room(for: account, lastPollSucceeded: request.lastPollSucceeded) == 0
      {
        gate.finished(site: site, account: account, now: now)
        let part = Part(account: account, lastPollSucceeded: request.lastPollSucceeded)
        parked[part, default: Queue()].append(id)
        continue
      }
      do {
        try start(fetch, id: id, site: site, now: now)
      } catch {
        gate.finished(site: site, account: request.account, now: now)
        answer(fetch, .failure(error.after(fetch.redirects.hops)))
      }
    }
    for id in gate.takeRefused() {
      if let fetch = fetches[id] { answer(fetch, .failure(.cancelled)) }
    }
  }

  private func start(_ fetch: RunningFetch, id: UInt64, site: String, now: Int64) throws(FetchError) {
    if fetch.job.request.respectsCooldowns,
      let refusal = configuration.cooldowns.refusal(of: fetch.target.url, now: configuration.clock.now())
    {
      throw refusal
    }
    let plan = try RequestPlan(
      request: fetch.job.request,
      target: fetch.target,
      subscription: fetch.job.subscription,
      credential: fetch.job.credential,
      form: fetch.job.form,
      configuration: configuration
    )
    let guarding = AddressGuard(
      reach: fetch.job.request.reach,
      target: fetch.target,
      allowed: configuration.allowedDestinations,
      allowsPrivate: configuration.allowsPrivateAddresses
    )
    // Check the host name before connecting if a proxy hides the address, or if the host is a literal address, which
    // can be refused without a connection.
    if plan.proxy != nil || IPAddress(fetch.target.host) != nil, let refusal = guarding.refusalOfName() {
      throw refusal.error
    }
    guard let easy = spareHandles.popLast() ?? EasyHandle() else {
      throw FetchError(code: .transport, message: "libcurl is out of memory")
    }
    let transfer: CurlTransfer
    do {
      transfer = try CurlTransfer(
        id: id,
        site: site,
        lastPollSucceeded: fetch.job.request.lastPollSucceeded,
        account: fetch.job.request.account,
        easy: easy,
        plan: plan,
        target: fetch.target,
        limits: fetch.job.limits,
        guarding: guarding,
        budget: budget,
        pauses: pauses,
        sockets: sockets,
        isFresh: fetch.isFresh,
        spent: fetch.spent,
        now: now
      )
    } catch {
      throw FetchError(error.code, plan: plan, host: fetch.target.host, said: "")
    }
    try? easy.set(CURLOPT_PRIVATE, pointer: Unmanaged.passUnretained(transfer).toOpaque())
    guard curl_multi_add_handle(multi, easy.raw) == CURLM_OK else {
      throw FetchError(
        code: .transport,
        message: "libcurl cannot start another transfer; memory may be short"
      )
    }
    transfers[id] = transfer
    slots.started(lastPollSucceeded: transfer.lastPollSucceeded, account: transfer.account)
    nextCheck = min(nextCheck, now + 1000)
  }

  // MARK: - Ending

  private func collectFinished() -> Int {
    var count = 0
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE else { continue }
      let result = newsd_curl_message_result(message)
      var context: UnsafeMutableRawPointer?
      newsd_curl_getinfo_pointer(message.pointee.easy_handle, CURLINFO_PRIVATE, &context)
      guard let context else { continue }
      // `transfers` holds the transfer until `release`, so no retain is needed.
      let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
      conclude(transfer, result)
      count += 1
    }
    return count
  }

  /// Removes the transfer and frees its slot on its site.
  private func release(_ id: UInt64) {
    guard let transfer = transfers.removeValue(forKey: id) else { return }
    curl_multi_remove_handle(multi, transfer.easy.raw)
    slots.ended(
      lastPollSucceeded: transfer.lastPollSucceeded,
      isStalled: transfer.isStalled,
      account: transfer.account
    )
    if spareHandles.count < mostSpareHandles { spareHandles.append(transfer.easy) }
    gate.finished(site: transfer.site, account: transfer.account, now: Monotonic.now())
  }

  private func conclude(_ transfer: CurlTransfer, _ code: CURLcode, ending: CurlTransfer.Ending? = nil) {
    let retryReason = ending == nil ? transfer.retryReason(code) : nil
    let result = transfer.conclude(code, ending: ending)
    release(transfer.id)
    guard let fetch = fetches[transfer.id] else { return }
    fetch.spent += Monotonic.now() - transfer.clock.start
    fetch.isFresh = retryReason != nil
    if let retryReason {
      enqueue(fetch, isUrgent: retryReason == .notSent, continues: true)
      return
    }
    if transfer.usedExemption { fetch.usedExemption = true }
    switch result {
    case .success(let outcome):
      fetch.reachedLocalAddress = fetch.reachedLocalAddress ?? transfer.reachedLocalAddress
      proceed(fetch, outcome)
    case .failure(let error):
      var error = error.after(fetch.redirects.hops)
      error.usedExemption = fetch.usedExemption
      answer(fetch, .failure(error))
    }
  }

  private func proceed(_ fetch: RunningFetch, _ outcome: CurlTransfer.Outcome) {
    do {
      let keepsMethod = fetch.job.form == nil || outcome.head.status == 307 || outcome.head.status == 308
      let step = try fetch.redirects.evaluate(
        status: keepsMethod ? outcome.head.status : 200,
        location: outcome.head.field("Location"),
        from: fetch.target
      )
      switch step {
      case .done:
        var response = FetchResponse(
          status: outcome.head.status,
          headers: outcome.head.fields,
          body: outcome.body,
          url: fetch.answeringURL,
          hops: fetch.redirects.hops,
          isTruncated: outcome.isTruncated,
          reachedLocalAddress: fetch.reachedLocalAddress,
          received: configuration.clock.now(),
          bodyShare: outcome.share
        )
        response.usedExemption = fetch.usedExemption
        // Record the cooldown first: the next request to the host may be about to start.
        configuration.cooldowns.record(response)
        answer(fetch, .success(response))
      case .follow(let target):
        fetch.target = target
        enqueue(fetch, continues: true)
      }
    } catch {
      answer(fetch, .failure(error))
    }
  }

  private func answer(_ fetch: RunningFetch, _ result: Result<FetchResponse, FetchError>) {
    guard fetches.removeValue(forKey: fetch.job.ticket.id) != nil else { return }
    fetch.job.continuation.resume(returning: result)
  }

  // MARK: - Time and memory

  private func checkClocks(now: Int64) {
    var next = Int64.max
    for transfer in Array(transfers.values) {
      let ending: CurlTransfer.Ending
      switch transfer.clock.check(now: now) {
      case .fine(let until):
        next = min(next, until)
        let isStalled = transfer.clock.isStalled(now: now)
        if isStalled != transfer.isStalled {
          transfer.isStalled = isStalled
          slots.stallChanged(
            to: isStalled,
            lastPollSucceeded: transfer.lastPollSucceeded,
            account: transfer.account
          )
        }
        continue
      case .noFirstByte: ending = .noFirstByte
      case .tooLong: ending = .tooLong
      case .tooSlow: ending = .tooSlow
      }
      conclude(transfer, CURLE_OPERATION_TIMEDOUT, ending: ending)
    }
    // Check every second while a request waits for a slot or for memory.
    if gate.waitingCount > 0 || !parked.isEmpty || !pauses.isEmpty { next = min(next, now + 1000) }
    nextCheck = transfers.isEmpty ? .max : next
  }

  /// Resumes paused transfers as memory is released.
  ///
  /// If no response in use will release memory in time, one transfer may exceed the budget. If that transfer
  /// is not for a feed whose last poll succeeded, a second transfer, which is, may exceed the budget too. If
  /// transfers still wait, ends the largest transfer that holds memory but receives too slowly, or whose account holds too
  /// much.
  private func shareMemory(now: Int64) {
    if pauses.isEmpty { memoryWantedSince = nil }
    while !pauses.isEmpty {
      budget.requestWake()
      let hasSpace = budget.hasSpace(for: CurlTransfer.freeBytes)
      let since = memoryWantedSince ?? now
      memoryWantedSince = since
      let isStuck = !budget.isHeld || now - since >= Self.releaseTimeout
      let lastPollSucceeded = pauses.isProvenNext
      guard
        hasSpace
          || (isStuck
            && !transfers.values.contains { $0.isExempt && ($0.lastPollSucceeded || !lastPollSucceeded) })
      else { break }
      memoryWantedSince = nil
      guard let id = pauses.popFirst(), let transfer = transfers[id], transfer.isPaused else {
        continue
      }
      transfer.isExempt = !hasSpace
      transfer.resume(now: now)
    }
    guard !pauses.isEmpty else { return }
    nextCheck = min(nextCheck, now + 1000)
    let stalledHolder = transfers.values
      .filter { $0.body.count > CurlTransfer.freeBytes && $0.clock.isHoarding($0.body.count, now: now) }
      .max { $0.body.count < $1.body.count }
    if let transfer = stalledHolder ?? excessiveHolder(now: now) {
      conclude(transfer, CURLE_OPERATION_TIMEDOUT, ending: .memoryNeeded)
    }
  }

  /// Returns the largest long transfer of an account that holds more than its part of the budget while another account waits
  /// for memory; nil if there is none. Its own pauses do not protect it.
  private func excessiveHolder(now: Int64) -> CurlTransfer? {
    var shares = BodyShares()
    for transfer in transfers.values {
      shares.add(transfer.body.count, of: transfer.account, isWaiting: transfer.isPaused)
    }
    guard let account = shares.excessiveHolder(capacity: budget.capacity) else { return nil }
    return transfers.values
      .filter { $0.account == account && $0.clock.isLong(now: now) }
      .max { $0.body.count < $1.body.count }
  }
}

extension FetchError {
  static var cancelled: FetchError { FetchError(code: .cancelled, message: "the fetch was cancelled") }
}
