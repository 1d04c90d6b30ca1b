@testable import NewsCore
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Polls shared by accounts` {
  private static let url = "https://a.example/feed"
  private static let body = "feed News\nitem a 1795000000 First\n"
  private let clock = ManualClock()
  private let web: FakeWeb
  private let polls: SharedPolls
  private let readings: Readings

  /// How often the time for stores to answer is over, and how often it has begun.
  private final class Readings: Sendable {
    let ends = Mutex(0)
    let begins = Mutex(0)

    func wait() async {
      begins.withLock { $0 += 1 }
      while !takeEnd(), (try? await Task.sleep(for: .milliseconds(1))) != nil {}
    }

    private func takeEnd() -> Bool {
      ends.withLock { ends in
        guard ends > 0 else { return false }
        ends -= 1
        return true
      }
    }
  }

  init() {
    let readings = Readings()
    self.readings = readings
    polls = SharedPolls { await readings.wait() }
    web = FakeWeb(clock: clock)
    web.set(Self.url, .response(200, ["ETag": "\"2\""], Self.body))
  }

  private struct Account {
    let store: FakeStore
    let id: Feed.ID
    let scheduler: PollScheduler
    let events = EventLog()

    var state: FetchState { store.state(id) }
  }

  /// An account whose feed was fetched an hour ago and is due in `due` seconds; nil: it was never fetched.
  private func account(
    _ name: String,
    due: Int64?,
    etag: String? = "\"1\"",
    settings: FeedSettings = FeedSettings()
  ) -> Account {
    var state = FetchState()
    if let due {
      state.lastFetched = clock.now() - 3600
      state.lastSuccess = state.lastFetched
      state.nextDue = clock.now() + due
      state.validators = etag.map { Validators(etag: $0, url: Self.url) }
    }
    let store = FakeStore()
    let id = store.insert(Self.url, state: state, settings: settings)
    var options = RefreshOptions()
    options.random = { 0.5 }
    options.seat = polls.seat(of: name)
    var configuration = PollScheduler.Configuration()
    configuration.longestSleep = 5
    let refresher = Refresher(
      fetcher: polls.fetcher(of: name, web),
      parser: FakeParser(),
      store: store,
      editor: store,
      clock: clock,
      policy: PollPolicy(PollPolicy.Configuration()),
      options: options
    )
    return Account(
      store: store,
      id: id,
      scheduler: PollScheduler(refresher: refresher, configuration: configuration)
    )
  }

  private func start(_ account: Account) async -> Task<Void, any Error> {
    let task = Task { try await account.scheduler.run { account.events.append($0) } }
    // Its answer shows that the list of feeds is read.
    await account.scheduler.ping()
    return task
  }

  /// Runs the schedulers, the later ones before the earlier ones, until each has polled its feed once. Once all run, the
  /// clock advances by some seconds.
  private func poll(_ accounts: Account..., advancing seconds: Int64 = 0) async throws {
    var tasks: [Task<Void, any Error>] = []
    for account in accounts.reversed() { tasks.append(await start(account)) }
    clock.advance(seconds)
    for account in accounts { try await account.events.wait(forFinished: 1) }
    for task in tasks { task.cancel() }
    for task in tasks { try await task.value }
  }

  @Test func `At the start, no account polls before all can share its polls or have failed`() async throws {
    let anna = account("anna", due: 0)
    let bob = account("bob", due: 0)
    polls.start.hold(for: ["anna", "bob", "carl"])
    var tasks = [await start(anna)]
    try await Task.sleep(for: .milliseconds(50))
    tasks.append(await start(bob))
    try await Task.sleep(for: .milliseconds(50))
    #expect(web.requests.isEmpty)
    // The store of Carl cannot be opened.
    polls.start.release("carl")
    for account in [anna, bob] { try await account.events.wait(forFinished: 1) }
    #expect(web.requests.count == 1)
    for task in tasks { task.cancel() }
    for task in tasks { try await task.value }
    // An account that comes later does not wait.
    let dora = account("dora", due: 0)
    try await poll(dora)
  }

  @Test func `A store that hangs at the start holds back the polls of others for a while only`() async throws
  {
    let anna = account("anna", due: 0)
    polls.start.hold(for: ["anna", "bob"])
    let stopped = await start(account("carl", due: 0))
    stopped.cancel()
    try await stopped.value
    let task = await start(anna)
    #expect(web.requests.isEmpty)
    polls.start.begin()
    try await anna.events.wait(forFinished: 1)
    task.cancel()
    try await task.value
  }

  @Test func `The first that is due asks, and the others get its document`() async throws {
    let anna = account("anna", due: 0)
    let bob = account("bob", due: 3000)
    let carl = account("carl", due: 9000)
    try await poll(anna, bob, carl)
    #expect(web.requests.count == 1)
    #expect(web.requests.first?.validators?.etag == "\"1\"")
    // Slow transfers of the account that asks do not delay it.
    #expect(web.requests.first?.account == FetchRequest.allAccounts)
    for account in [anna, bob, carl] {
      #expect(account.store.items(account.id).count == 1)
      #expect(account.state.validators?.etag == "\"2\"")
      #expect(account.state.lastFetched == clock.now())
      #expect(try #require(account.state.nextDue) > clock.now())
    }
  }

  @Test(arguments: [("https://a.example/%C3%A9", true), ("https://a.example/\u{E9}", false)])
  func `An address is shared only if no other text is equal to it`(_ url: String, _ isShared: Bool) {
    let feed = Feed(id: Feed.ID(rawValue: 1), url: url, title: "A", position: 1)
    #expect((feed.sharedAddress != nil) == isShared)
  }

  @Test func `A poll for one account is a transfer of that account`() async throws {
    let anna = account("anna", due: 0)
    try await poll(anna)
    #expect(web.requests.map(\.account) == ["anna"])
  }

  @Test func `Accounts whose feeds are due together ask once`() async throws {
    let accounts = (1...3).map { account("account\($0)", due: 10) }
    try await poll(accounts[0], accounts[1], accounts[2], advancing: 11)
    #expect(web.requests.count == 1)
    #expect(accounts.allSatisfy { $0.store.items($0.id).count == 1 })
  }

  @Test func `"Not modified" is an answer for all only if all have the document`() async throws {
    web.set(Self.url, .response(304, [:], ""))
    let anna = account("anna", due: 0)
    let bob = account("bob", due: 3000)
    try await poll(anna, bob)
    #expect(web.requests.map { $0.validators?.etag } == ["\"1\""])
    #expect(bob.state.lastStatus == 304)

    web.set(Self.url, .response(200, ["ETag": "\"2\""], Self.body))
    let carl = account("anna", due: 0)
    let dora = account("bob", due: 3000, etag: "\"0\"")
    try await poll(carl, dora)
    #expect(web.requests.count == 2)
    #expect(web.requests.last?.validators == nil)
    #expect(dora.store.items(dora.id).count == 1)
  }

  @Test func `The first poll of a subscription, credentials and headers have requests of their own`()
    async throws
  {
    var secret = FeedSettings()
    secret.credential = "config:anna/key"
    var field = FeedSettings()
    field.headers = ["X-Key: 1"]
    for other in [
      account("bob", due: nil), account("bob", due: 0, settings: secret),
      account("bob", due: 0, settings: field),
    ] {
      let before = web.requests.count
      try await poll(account("anna", due: 0), other)
      #expect(web.requests.count == before + 2)
    }
    // A paused feed stays as it is.
    var paused = FeedSettings()
    paused.isPaused = true
    let bob = account("bob", due: 3000, settings: paused)
    let anna = account("anna", due: 0)
    let task = await start(bob)
    try await poll(anna)
    task.cancel()
    try await task.value
    #expect(bob.state.lastFetched != clock.now())
  }

  @Test func `A store that does not answer delays no poll of others`() async throws {
    let anna = account("anna", due: 0)
    let bob = account("bob", due: 3000)
    bob.store.with { $0.isLocked = true }
    readings.ends.withLock { $0 = 1 }
    let second = await start(bob)
    let first = await start(anna)
    try await anna.events.wait(forFinished: 1)
    // It may be for bob, too: others that wait for it do not send their own.
    #expect(web.requests.map(\.account) == [FetchRequest.allAccounts])
    #expect(web.requests.last?.validators == nil)
    #expect(anna.store.items(anna.id).count == 1)
    bob.store.with { $0.isLocked = false }
    for task in [first, second] {
      task.cancel()
      try await task.value
    }
    // It is not handed over to an account that was left out.
    #expect(bob.store.items(bob.id).isEmpty)
  }

  @Test func `An account whose store was late finds the document when it polls`() async throws {
    let anna = account("anna", due: 0)
    let bob = account("bob", due: 0)
    bob.store.with { $0.isLocked = true }
    readings.ends.withLock { $0 = 1 }
    let tasks = await [start(bob), start(anna)]
    try await anna.events.wait(forFinished: 1)
    bob.store.with { $0.isLocked = false }
    try await bob.events.wait(forFinished: 1)
    #expect(web.requests.count == 1)
    #expect(bob.store.items(bob.id).count == 1)
    for task in tasks {
      task.cancel()
      try await task.value
    }
  }

  @Test func `No store is left out while others answer`() async throws {
    let anna = account("anna", due: 0)
    let bob = account("bob", due: 3000)
    let carl = account("carl", due: 3000)
    carl.store.with { $0.isLocked = true }
    let tasks = await [start(carl), start(bob), start(anna)]
    let seat = polls.seat(of: "bob")
    try await eventually { seat.answers == 1 }
    readings.ends.withLock { $0 = 1 }
    try await eventually { readings.begins.withLock { $0 } == 2 }
    carl.store.with { $0.isLocked = false }
    for account in [anna, bob, carl] {
      try await account.events.wait(forFinished: 1)
      #expect(account.store.items(account.id).count == 1)
    }
    #expect(web.requests.count == 1)
    for task in tasks {
      task.cancel()
      try await task.value
    }
  }

  @Test func `A failure is one for all`() async throws {
    web.set(Self.url, .failure(.timedOut))
    let anna = account("anna", due: 0)
    let bob = account("bob", due: 3000)
    try await poll(anna, bob)
    #expect(web.requests.count == 1)
    #expect(bob.state.failures == 1)
  }

  @Test func `If the account that asks is closed, another asks`() async throws {
    web.set(Self.url, .stall, .response(200, [:], Self.body))
    let anna = account("anna", due: 0)
    let bob = account("bob", due: 10)
    let second = await start(bob)
    let first = await start(anna)
    try await eventually { web.running == 1 }
    clock.advance(11)
    first.cancel()
    try await first.value
    try await bob.events.wait(forFinished: 1)
    second.cancel()
    try await second.value
    #expect(web.requests.count == 2)
    #expect(bob.store.items(bob.id).count == 1)
  }

  @Test func `A request that was sent for one account has no others wait`() async throws {
    web.set(Self.url, .stall, .response(200, [:], Self.body))
    let anna = account("anna", due: 0)
    let bob = account("bob", due: 0)
    let first = await start(anna)
    try await eventually { web.running == 1 }
    let second = await start(bob)
    try await bob.events.wait(forFinished: 1)
    #expect(web.requests.map(\.account) == ["anna", "bob"])
    for task in [first, second] {
      task.cancel()
      try await task.value
    }
  }
}
