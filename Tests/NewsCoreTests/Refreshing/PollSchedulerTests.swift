@testable import NewsCore
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Polling on schedule` {
  let clock = ManualClock()
  let store = FakeStore()
  let web: FakeWeb
  static let body = "feed News\nitem a 1795000000 First\n"

  init() {
    web = FakeWeb(clock: clock)
  }

  private func scheduler(
    silence: Int = 100,
    _ change: (inout PollScheduler.Configuration) -> Void = { _ in }
  ) -> PollScheduler {
    var configuration = PollScheduler.Configuration()
    configuration.longestSleep = 5
    change(&configuration)
    return PollScheduler(refresher: refresher(silence: silence), configuration: configuration)
  }

  private func refresher(
    _ policy: PollPolicy.Configuration = PollPolicy.Configuration(),
    claims: FakeClaims? = nil,
    silence: Int = 100
  ) -> Refresher {
    var options = RefreshOptions()
    options.claims = claims
    options.random = { 0.5 }
    options.silence = silence
    options.storeProbe = 2
    return Refresher(
      fetcher: web,
      parser: FakeParser(),
      store: store,
      editor: store,
      clock: clock,
      policy: PollPolicy(policy),
      options: options
    )
  }

  /// Runs the scheduler during `body`, then stops it.
  private func running(
    _ scheduler: PollScheduler,
    _ body: (EventLog) async throws -> Void
  ) async throws {
    let events = EventLog()
    let task = Task { try await scheduler.run { events.append($0) } }
    try await body(events)
    task.cancel()
    try await task.value
  }

  @Test func `Due feeds are polled, and again when they are due again`() async throws {
    let id = store.insert("https://a.example/feed")
    web.set("https://a.example/feed", .response(200, [:], Self.body))
    try await running(scheduler()) { events in
      try await events.wait(forFinished: 1)
      #expect(web.visited.count == 1)
      let due = try #require(store.state(id).nextDue)
      clock.advance(due - clock.now() - 1)
      try await clock.waitForReadings()
      #expect(web.visited.count == 1)
      clock.advance(2)
      try await events.wait(forFinished: 2)
      #expect(web.visited.count == 2)
    }
  }

  @Test func `The scheduler ends when a newer newsd has migrated the store`() async throws {
    store.insert("https://a.example/feed")
    web.set("https://a.example/feed", .response(200, [:], Self.body))
    store.with { $0.commitErrors = [StoreError(code: .newerLayout(found: 9, known: 8), message: "later")] }
    let error = await #expect(throws: StoreError.self) { try await scheduler().run { _ in } }
    #expect(error?.requiresOtherVersion == true)
    #expect(web.visited.count == 1)
  }

  @Test func `An unwritable store pauses polling; fetched results are stored once it is writable`()
    async throws
  {
    let full = StoreError(code: .full, message: "the disk is full")
    let urls = ["a", "b", "c"].map { "https://\($0).example/feed" }
    for url in urls + ["https://d.example/feed"] { web.set(url, .response(200, [:], Self.body)) }
    var ids = urls.map { store.insert($0) }
    store.with { $0.commitErrors = Array(repeating: full, count: 10_000) }
    try await running(scheduler { $0.feedListCheck = 0 }) { events in
      try await events.wait { if case .storeFailed(full) = $0 { true } else { false } }
      ids.append(store.insert("https://d.example/feed"))
      func awaitAttempts() async throws {
        let left = store.with { $0.commitErrors.count }
        try await eventually { store.with({ $0.commitErrors.count }) <= left - 5 }
      }
      // Feeds that were started before the store failed are still polled.
      try await awaitAttempts()
      let before = web.visited.count
      // After five more attempts to store, no further feed was polled.
      try await awaitAttempts()
      #expect(web.visited.count == before)
      store.with { $0.commitErrors = [] }
      try await events.wait { if case .storeRecovered = $0 { true } else { false } }
      clock.advance(1)
      try await events.wait(forFinished: 4)
    }
    #expect(web.visited.sorted() == urls + ["https://d.example/feed"])
    #expect(store.with { $0.commits.first } == 1)
    for id in ids { #expect(store.items(id).count == 1) }
  }

  @Test func `A record that cannot be stored does not bring its feed's next poll forward`() async throws {
    let id = store.insert("https://a.example/feed")
    web.set("https://a.example/feed", .response(200, ["cache-control": "max-age=7200"], Self.body))
    store.with { $0.commitErrors = [StoreError(code: .other, message: "odd")] }
    try await running(scheduler()) { events in
      try await events.wait(forFinished: 1)
      #expect(store.state(id).nextDue == nil)
      clock.advance(7000)
      store.insert("https://b.example/feed", state: FetchState(nextDue: clock.now()))
      web.set("https://b.example/feed", .response(200, [:], Self.body))
      try await events.wait(forFinished: 2)
      #expect(web.visited == ["https://a.example/feed", "https://b.example/feed"])
      clock.advance(38_000)
      try await events.wait(forFinished: 3)
      #expect(web.visited.last == "https://a.example/feed")
    }
  }

  @Test func `The scheduler answers a ping while it runs`() async throws {
    let scheduler = scheduler()
    try await running(scheduler) { _ in await scheduler.ping() }
  }

  @Test func `A scheduler that has ended answers a ping`() async throws {
    let scheduler = scheduler()
    try await running(scheduler) { _ in await scheduler.ping() }
    await scheduler.ping()
  }

  @Test func `Feeds that another process adds and removes are noticed`() async throws {
    let first = store.insert("https://a.example/feed")
    try await running(scheduler { $0.feedListCheck = 1 }) { events in
      try await events.wait(forFinished: 1)
      store.insert("https://b.example/feed")
      try await store.remove(first)
      clock.advance(2)
      try await events.wait(forFinished: 2)
      #expect(web.visited == ["https://a.example/feed", "https://b.example/feed"])
      clock.advance(8 * 86_400)
      try await events.wait(forFinished: 3)
      try await clock.waitForReadings()
      #expect(web.visited.filter { $0 == "https://a.example/feed" }.count == 1)
    }
  }

  @Test func `An immediate poll of all feeds leaves out those of a host in cooldown`() async throws {
    let cooldown = HostCooldown(host: "b.example", until: clock.now() + 1000)
    store.insert("https://a.example/feed", state: FetchState(nextDue: clock.now() + 5000))
    store.insert("https://b.example/1", state: FetchState(nextDue: clock.now() + 1000, cooldown: cooldown))
    store.insert("https://b.example/2", state: FetchState(nextDue: clock.now() + 500))
    let scheduler = scheduler()
    try await running(scheduler) { events in
      try await clock.waitForReadings()
      #expect(web.visited.isEmpty)
      scheduler.pollNow()
      try await events.wait(forFinished: 3)
      #expect(web.visited == ["https://a.example/feed"])
    }
  }

  @Test func `Overdue feeds start at a limited rate`() async throws {
    for n in 0..<30 { store.insert("https://h\(n).example/feed") }
    try await running(scheduler { $0.overdueRate = 10 }) { events in
      try await events.wait(forFinished: 10)
      try await clock.waitForReadings()
      #expect(web.visited.count == 10)
      clock.advance(1)
      try await events.wait(forFinished: 20)
      #expect(web.visited.count == 20)
    }
  }

  @Test func `Feeds are polled after a clock that ran ahead was set back`() async throws {
    let rightTime = clock.now()
    let polled = store.insert("https://a.example/feed")
    let waiting = store.insert(
      "https://b.example/feed",
      state: FetchState(nextDue: rightTime + 20 * 86_400, lastFetched: rightTime - 100)
    )
    web.set("https://a.example/feed", .response(200, [:], Self.body))
    clock.advance(10 * 86_400)
    try await running(scheduler()) { events in
      try await events.wait(forFinished: 1)
      #expect(web.visited == ["https://a.example/feed"])
      clock.advance(-10 * 86_400)
      try await events.wait { if case .clockSet(let seconds) = $0 { seconds < -800_000 } else { false } }
      try await events.wait(forFinished: 3)
      #expect(web.visited == ["https://a.example/feed", "https://a.example/feed"])
      let due = try #require(store.state(polled).nextDue)
      #expect(due > rightTime && due < rightTime + 86_400)
      // A due time that was computed with the right clock remains valid.
      #expect(store.state(waiting).nextDue == rightTime + 20 * 86_400)
      clock.advance(due - clock.now() + 1)
      try await events.wait(forFinished: 4)
    }
  }

  @Test func `A clock that was set is noticed within five seconds`() {
    #expect(PollScheduler.Configuration().longestSleep <= 5000)
  }

  @Test func `Feeds that a wrong clock postponed are polled after a restart`() async throws {
    let now = clock.now()
    let ahead = FetchState(
      nextDue: now + 10 * 86_400 + 900,
      lastFetched: now + 10 * 86_400,
      cooldown: HostCooldown(host: "a.example", until: now + 11 * 86_400)
    )
    let id = store.insert("https://a.example/feed", state: ahead)
    web.set("https://a.example/feed", .response(200, [:], Self.body))
    try await running(scheduler()) { events in
      try await events.wait(forFinished: 1)
      #expect(web.visited == ["https://a.example/feed"])
      #expect(store.state(id).lastFetched == now)
      #expect(store.state(id).cooldown == nil)
    }
  }

  @Test func `A reloaded policy applies from the next poll on`() async throws {
    let id = store.insert("https://a.example/feed")
    web.set("https://a.example/feed", .response(200, ["Cache-Control": "max-age=86400"], Self.body))
    let scheduler = scheduler()
    try await running(scheduler) { events in
      try await events.wait(forFinished: 1)
      var policy = PollPolicy.Configuration()
      policy.maximumInterval = 1000
      scheduler.reload(refresher(policy))
      scheduler.pollNow()
      try await events.wait(forFinished: 2)
      #expect(store.state(id).nextDue == clock.now() + 1000)
    }
  }

  @Test func `After a reload, the scheduler still uses the feed locks that it used before`()
    async throws
  {
    let id = store.insert("https://a.example/feed")
    web.set("https://a.example/feed", .response(200, [:], Self.body))
    let claims = FakeClaims()
    let scheduler = PollScheduler(refresher: refresher(claims: claims), configuration: .init())
    try await running(scheduler) { events in
      try await events.wait(forFinished: 1)
      scheduler.reload(refresher(claims: FakeClaims(othersHold: [id])))
      scheduler.pollNow()
      try await events.wait(forFinished: 2)
    }
    let both = ["claim \(id.rawValue)", "release \(id.rawValue)"]
    #expect(claims.log.withLock { $0 } == both + both)
  }

  @Test func `During a network outage no feed fails, and a probe detects its end`()
    async throws
  {
    let ids = (0..<6).map { store.insert("https://h\($0).example/feed") }
    for n in 0..<6 { web.set("https://h\(n).example/feed", .failure(.hostNotFound)) }
    // The starts are spaced: the silence must be long enough for all feeds to start before the network counts as down.
    try await running(scheduler(silence: 15_000)) { events in
      try await events.wait { if case .networkDown(true) = $0 { true } else { false } }
      try await events.wait(forFinished: 6)
      #expect(ids.allSatisfy { store.state($0).failures == 0 })
      #expect(ids.allSatisfy { store.state($0).nextDueReason == .networkDown })
      for n in 0..<6 { web.set("https://h\(n).example/feed", .response(200, [:], Self.body)) }
      // After one probe all feeds are polled, although their due times are at least a minute away.
      clock.advance(16)
      try await events.wait { if case .networkDown(false) = $0 { true } else { false } }
      clock.advance(1)
      try await events.wait(forFinished: 12)
      #expect(ids.allSatisfy { store.state($0).lastStatus == 200 })
    }
  }

  @Test func `Feeds whose last poll succeeded are polled while all others hang`() async throws {
    let good = (0..<3).map { store.insert("https://good\($0).example/feed", state: proven) }
    for n in 0..<3 { web.set("https://good\(n).example/feed", .response(200, [:], Self.body)) }
    for n in 0..<40 {
      store.insert("https://dead\(n).example/feed", state: failed)
      web.set("https://dead\(n).example/feed", .stall)
    }
    var options = RefreshOptions()
    options.random = { 0.5 }
    options.maximumTransfers = 1000
    options.openTransfers = 16
    let scheduler = PollScheduler(
      refresher: Refresher(
        fetcher: web,
        parser: FakeParser(),
        store: store,
        editor: store,
        clock: clock,
        options: options
      )
    )
    try await running(scheduler) { events in
      try await eventually { web.running >= 12 }
      for round in 1...3 {
        scheduler.pollNow()
        try await events.wait(forFinished: 3 * round)
      }
      #expect(good.allSatisfy { store.state($0).lastStatus == 200 })
      #expect(web.visited.filter { $0.contains("dead") }.count == 12)
    }
  }

  private var proven: FetchState { FetchState(nextDue: clock.now() + -1, lastFetched: clock.now() + -3600) }

  private var failed: FetchState {
    var state = proven
    state.failures = 1
    return state
  }

  @Test func `Feeds that fail slowly while another host answers count as failed`() async throws {
    let dead = (0..<2).map { store.insert("https://h\($0).example/feed") }
    for n in 0..<2 { web.set("https://h\(n).example/feed", .silence(400)) }
    store.insert("https://a.example/feed")
    web.set("https://a.example/feed", .response(200, [:], Self.body))
    try await running(scheduler()) { events in
      try await events.wait(forFinished: 3)
      #expect(dead.allSatisfy { store.state($0).failures == 1 })
    }
  }

  @Test func `Stopping ends a stalled transfer and stores nothing for it`() async throws {
    let id = store.insert("https://a.example/feed")
    web.set("https://a.example/feed", .stall)
    try await running(scheduler()) { events in
      try await events.wait { if case .started = $0 { true } else { false } }
    }
    #expect(store.state(id) == FetchState())
  }
}

/// The events that a scheduler reported.
final class EventLog: Sendable {
  private let events = Mutex<[RefreshEvent]>([])

  func append(_ event: RefreshEvent) { events.withLock { $0.append(event) } }

  func wait(forFinished count: Int) async throws {
    try await eventually { finished >= count }
  }

  func wait(for match: (RefreshEvent) -> Bool) async throws {
    try await eventually { events.withLock({ $0 }).contains(where: match) }
  }

  private var finished: Int {
    events.withLock { $0.count { if case .finished = $0 { true } else { false } } }
  }
}
