import CCurl
import Glibc
import NewsCore
import Synchronization

/// Drives all transfers on one thread: starts what the gate lets through, hands results back, keeps time and memory
/// limits. Everything in here belongs to that thread.
final class CurlLoop {
  private let configuration: NetworkConfiguration
  private let mailbox: Mailbox
  private let budget: ByteBudget
  private let multi: UnsafeMutableRawPointer

  /// Transfers that move at a time, and all together; fewer than configured where few files may be open.
  private let concurrency: Int
  private let mostTransfers: Int
  private var gate: SiteGate<UInt64>
  private var fetches: [UInt64: Fetch] = [:]
  private var transfers: [UInt64: CurlTransfer] = [:]
  private var pauses = PauseList()
  private let sockets = IdleSockets()
  private var spareHandles: [EasyHandle] = []
  private var stalledCount = 0
  private var nextCheck = Int64.max
  private var memoryWantedSince: Int64?
  private var isStopping = false
  private var stopWaiters: [CheckedContinuation<Void, Never>] = []

  /// A fetch between its start and its answer.
  private final class Fetch {
    let job: FetchJob
    var target: RequestURL
    var redirects: RedirectPolicy
    /// Milliseconds that the hops so far took.
    var spent: Int64 = 0
    /// True: the next hop must not use a connection that is there.
    var isFresh = false

    init(_ job: FetchJob) {
      self.job = job
      target = job.address
      redirects = RedirectPolicy(limits: job.limits)
    }
  }

  /// A transfer that has not moved for so long, in milliseconds, makes way for another.
  private static let stallTime: Int64 = 1500
  /// How long bodies that somebody holds may keep all transfers waiting, in milliseconds.
  private static let holdTime: Int64 = 1000
  /// How long one that does not move may hold memory that others wait for.
  private static let hoardTime: Int64 = 5000

  init?(configuration: NetworkConfiguration, mailbox: Mailbox, budget: ByteBudget) {
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
    // What the store, the resolver and the rest of the program need comes first.
    let room = max(8, DescriptorLimit.current - 48)
    concurrency = min(configuration.concurrency, max(4, room / 2))
    mostTransfers = min(4 * concurrency, max(4, room / 4 * 3))
    newsd_curl_multi_setopt_long(multi, CURLMOPT_MAXCONNECTS, min(128, room / 4))
    mailbox.open(multi)
  }

  deinit {
    spareHandles = []
    curl_multi_cleanup(multi)
  }

  /// Runs until a stop message; ends every fetch with an answer. Returns those who wait for the end.
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
      // With all places taken the clocks tell who may make way.
      if gate.waitingCount > 0, transfers.count - stalledCount >= concurrency {
        nextCheck = min(nextCheck, now + 500)
      }
      if now >= nextCheck { checkClocks(now: now) }
      if curl_multi_poll(multi, nil, 0, pollTimeout(now: Monotonic.now()), nil) != CURLM_OK {
        // Out of memory or of descriptors: better slow than busy.
        usleep(100_000)
      }
    }
    stop()
    return stopWaiters
  }

  private func pollTimeout(now: Int64) -> Int32 {
    var time = nextCheck
    if hasFreeSlot, let next = gate.nextTime { time = min(time, next) }
    // Woken by the mailbox for everything else, so an hour is as good as for ever.
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
      fetches[job.ticket.id] = Fetch(job)
      gate.enqueue(
        job.ticket.id,
        site: job.address.site,
        isUrgent: job.request.isUrgent,
        now: Monotonic.now()
      )
    case .cancel(let id):
      guard let fetch = fetches[id] else { return }
      if !gate.withdraw(id) { release(id) }
      answer(fetch, .failure(.cancelled))
    case .roomForBodies:
      break  // looked after in every turn of the loop
    case .stop(let waiter):
      isStopping = true
      if let waiter { stopWaiters.append(waiter) }
    }
  }

  private func stop() {
    for message in mailbox.close() { handle(message) }
    for id in Array(transfers.keys) { release(id) }
    for fetch in Array(fetches.values) { answer(fetch, .failure(.cancelled)) }
  }

  /// Answers messages that no loop will read.
  static func refuse(_ messages: [LoopMessage]) {
    for message in messages {
      switch message {
      case .start(let job):
        job.continuation.resume(
          returning: .failure(
            FetchError(code: .transport, message: "The network could not be started: no memory.")
          )
        )
      case .stop(let waiter): waiter?.resume()
      case .cancel, .roomForBodies: break
      }
    }
  }

  // MARK: - Starting

  private var hasFreeSlot: Bool {
    guard transfers.count - stalledCount < concurrency, transfers.count < mostTransfers else { return false }
    // Bodies that nobody takes in hand yet hold back new fetches; those still on their way do not, each has a little
    // memory that it never waits for.
    if transfers.isEmpty || !budget.isFullOfHeldBodies { return true }
    budget.awaitRoom()
    return !budget.isFullOfHeldBodies
  }

  private func startTransfers() {
    let now = Monotonic.now()
    while hasFreeSlot, let (id, site) = gate.next(now: now) {
      guard let fetch = fetches[id] else {
        gate.finished(site: site, now: now)
        continue
      }
      do {
        try start(fetch, id: id, site: site, now: now)
      } catch {
        gate.finished(site: site, now: now)
        answer(fetch, .failure(error.after(fetch.redirects.hops)))
      }
    }
  }

  private func start(_ fetch: Fetch, id: UInt64, site: String, now: Int64) throws(FetchError) {
    if let held = fetch.job.request.holds?.objection(to: fetch.target.url, now: .now()) { throw held }
    let plan = RequestPlan(
      request: fetch.job.request,
      target: fetch.target,
      owner: fetch.job.owner,
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
    // Behind a proxy the address is not seen, and a literal needs no connection to be refused.
    if plan.proxy != nil || IPAddress(fetch.target.host) != nil, let objection = guarding.objectionToName() {
      throw FetchError(
        code: .forbiddenAddress,
        message: "\(objection); refused. \(FetchError.refusalAdvice)"
      )
    }
    guard let easy = spareHandles.popLast() ?? EasyHandle() else {
      throw FetchError(code: .transport, message: "libcurl is out of memory.")
    }
    let transfer: CurlTransfer
    do {
      transfer = try CurlTransfer(
        id: id,
        site: site,
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
      throw FetchError(code: .transport, message: "libcurl refused another transfer.")
    }
    transfers[id] = transfer
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
      // Unretained: `transfers` holds it until `release`.
      let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
      conclude(transfer, result)
      count += 1
    }
    return count
  }

  /// Takes the transfer out and frees its place on its site.
  private func release(_ id: UInt64) {
    guard let transfer = transfers.removeValue(forKey: id) else { return }
    curl_multi_remove_handle(multi, transfer.easy.raw)
    if transfer.isStalled { stalledCount -= 1 }
    if spareHandles.count < concurrency { spareHandles.append(transfer.easy) }
    gate.finished(site: transfer.site, now: Monotonic.now())
  }

  private func conclude(_ transfer: CurlTransfer, _ code: CURLcode, ending: CurlTransfer.Ending? = nil) {
    let doubt = ending == nil ? transfer.doubt(code) : nil
    let result = transfer.conclude(code, ending: ending)
    release(transfer.id)
    guard let fetch = fetches[transfer.id] else { return }
    fetch.spent += Monotonic.now() - transfer.clock.start
    fetch.isFresh = doubt != nil
    if let doubt {
      gate.enqueue(
        transfer.id,
        site: fetch.target.site,
        isUrgent: fetch.job.request.isUrgent || doubt == .unasked,
        continues: true,
        now: Monotonic.now()
      )
      return
    }
    switch result {
    case .success(let outcome):
      proceed(fetch, outcome)
    case .failure(let error):
      answer(fetch, .failure(error.after(fetch.redirects.hops)))
    }
  }

  private func proceed(_ fetch: Fetch, _ outcome: CurlTransfer.Outcome) {
    do {
      let keepsMethod = fetch.job.form == nil || outcome.head.status == 307 || outcome.head.status == 308
      let step = try fetch.redirects.judge(
        status: keepsMethod ? outcome.head.status : 200,
        location: outcome.head.field("Location"),
        from: fetch.target
      )
      switch step {
      case .done:
        let response = FetchResponse(
          status: outcome.head.status,
          headers: outcome.head.fields,
          body: outcome.body,
          url: fetch.redirects.hops.isEmpty ? fetch.job.request.url : fetch.target.url,
          hops: fetch.redirects.hops,
          isTruncated: outcome.isTruncated,
          received: .now(),
          bodyShare: outcome.share
        )
        // At once: the next request to the host may be about to leave.
        fetch.job.request.holds?.note(response)
        answer(fetch, .success(response))
      case .follow(let target):
        fetch.target = target
        gate.enqueue(
          fetch.job.ticket.id,
          site: target.site,
          isUrgent: fetch.job.request.isUrgent,
          continues: true,
          now: Monotonic.now()
        )
      }
    } catch {
      answer(fetch, .failure(error))
    }
  }

  private func answer(_ fetch: Fetch, _ result: Result<FetchResponse, FetchError>) {
    guard fetches.removeValue(forKey: fetch.job.ticket.id) != nil else { return }
    fetch.job.continuation.resume(returning: result)
  }

  // MARK: - Time and memory

  private func checkClocks(now: Int64) {
    var next = Int64.max
    stalledCount = 0
    for transfer in Array(transfers.values) {
      let ending: CurlTransfer.Ending
      switch transfer.clock.verdict(now: now) {
      case .fine(let until):
        next = min(next, until)
        transfer.isStalled = !transfer.isPaused && now - transfer.clock.lastProgress >= Self.stallTime
        if transfer.isStalled { stalledCount += 1 }
        continue
      case .noFirstByte: ending = .noFirstByte
      case .tooLong: ending = .tooLong
      case .tooSlow: ending = .tooSlow
      }
      transfer.isStalled = false
      conclude(transfer, CURLE_OPERATION_TIMEDOUT, ending: ending)
    }
    // Once a second while something waits for a place or for memory.
    if gate.waitingCount > 0 || !pauses.queue.isEmpty { next = min(next, now + 1000) }
    nextCheck = transfers.isEmpty ? .max : next
  }

  /// Lets paused transfers go on as memory comes back. When none will come, because nobody holds a body or he does not
  /// let go of it, one of them may exceed the budget; and one that holds much and has stopped moving is ended.
  private func shareMemory(now: Int64) {
    if pauses.queue.isEmpty { memoryWantedSince = nil }
    while !pauses.queue.isEmpty {
      budget.awaitRoom()
      let hasRoom = budget.hasRoom(for: CurlTransfer.freeBytes)
      let since = memoryWantedSince ?? now
      memoryWantedSince = since
      let isStuck = !budget.isHeld || now - since >= Self.holdTime
      guard hasRoom || (isStuck && !transfers.values.contains { $0.isExempt }) else { break }
      memoryWantedSince = nil
      guard let id = pauses.queue.popFirst(), let transfer = transfers[id], transfer.isPaused else {
        continue
      }
      transfer.isExempt = !hasRoom
      transfer.resume(now: now)
    }
    guard !pauses.queue.isEmpty else { return }
    nextCheck = min(nextCheck, now + 1000)
    let hoarder = transfers.values
      .filter {
        !$0.isPaused && now - $0.clock.lastProgress >= Self.hoardTime
          && $0.body.count > CurlTransfer.freeBytes
      }
      .max { $0.body.count < $1.body.count }
    if let hoarder { conclude(hoarder, CURLE_OPERATION_TIMEDOUT, ending: .memoryNeeded) }
  }
}

extension FetchError {
  static var cancelled: FetchError { FetchError(code: .cancelled, message: "The fetch was cancelled.") }
}
