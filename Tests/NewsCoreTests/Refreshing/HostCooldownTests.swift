@testable import NewsCore
import Testing

@Suite struct `Cooldowns of hosts` {
  let clock = ManualClock()
  let store = FakeStore()
  let web: FakeWeb
  static let body = "feed News\nitem a 1795000000 First\n"

  init() {
    web = FakeWeb(clock: clock)
  }

  var refresher: Refresher {
    Refresher(fetcher: web, parser: FakeParser(), store: store, editor: store, clock: clock)
  }

  @Test func `A cooldown that ends years ahead is ignored, because the clock was wrong`() async throws {
    let state = FetchState(cooldown: HostCooldown(host: "a.example", until: clock.now() + 400 * 86_400))
    store.insert("https://a.example/1", state: state)
    web.set("https://a.example/1", .response(200, [:], Self.body))
    #expect(try await refresher.refreshAll(.due).updated == 1)
  }

  @Test func `During a cooldown all feeds of the host are skipped and rescheduled, in later runs too`()
    async throws
  {
    let first = store.insert("https://a.example/1")
    let second = store.insert("https://a.example/2", state: FetchState(nextDue: clock.now() + 10))
    let other = store.insert("https://b.example/1", state: FetchState(nextDue: clock.now() + 10))
    for n in 1...2 { web.set("https://a.example/\(n)", .response(200, [:], Self.body)) }
    web.set("https://a.example/1", .response(429, ["Retry-After": "600"], ""), .response(200, [:], Self.body))
    web.set("https://b.example/1", .response(200, [:], Self.body))
    _ = try await refresher.refreshAll(.due)
    // A daemon on the same store must learn of the cooldown too.
    #expect(store.with { $0.forAll } == [first])
    clock.advance(20)
    let summary = try await refresher.refreshAll(.all)
    #expect(summary.skipped == 2)
    #expect(summary.unchanged + summary.updated == 1)
    #expect(web.visited == ["https://a.example/1", "https://b.example/1"])
    #expect(store.state(second).nextDueReason == .retryAfter)
    #expect(store.state(second).nextDue.map { $0 >= clock.now() + 580 } == true)
    #expect(store.state(second).lastFetched == nil)
    #expect(store.state(other).lastStatus == 200)
    // A feed that the user names is fetched nevertheless; its success ends the cooldown.
    #expect(await refresher.refresh(first).status == 200)
    #expect(store.state(first).cooldown == nil)
  }

  @Test func `After the cooldown the feeds are polled again`() async throws {
    let first = store.insert("https://a.example/1")
    web.set(
      "https://a.example/1",
      .response(503, ["Retry-After": "1200"], ""),
      .response(200, [:], Self.body)
    )
    _ = try await refresher.refreshAll(.due)
    clock.advance(1199)
    #expect(try await refresher.refreshAll(.due).total == 0)
    clock.advance(1)
    #expect(try await refresher.refreshAll(.due).updated == 1)
    #expect(store.state(first).failures == 0)
  }

  @Test
  func `A cooldown in the store of one account does not hold for the others, one that a host asked for does`()
    async throws
  {
    let shared = HostCooldowns()
    func refresher(_ store: FakeStore) -> Refresher {
      Refresher(
        fetcher: web,
        parser: FakeParser(),
        store: store,
        editor: store,
        clock: clock,
        cooldowns: HostCooldowns(beside: shared)
      )
    }
    let hold = HostCooldown(host: "a.example", until: clock.now() + 86_400)
    store.insert("https://a.example/eve", state: FetchState(cooldown: hold))
    let others = FakeStore()
    others.insert("https://a.example/anna")
    for name in ["eve", "anna"] { web.set("https://a.example/\(name)", .response(200, [:], Self.body)) }
    #expect(try await refresher(store).refreshAll(.all).skipped == 1)
    #expect(try await refresher(others).refreshAll(.all).updated == 1)
    shared.begin(hold)
    #expect(try await refresher(others).refreshAll(.all).skipped == 1)
  }

  @Test func `A cooldown in the store of one account ends no other one of all accounts`() {
    let shared = HostCooldowns()
    let account = HostCooldowns(beside: shared)
    let asked = HostCooldown(host: "a.example", until: clock.now() + 600)
    shared.begin(asked)
    for seconds: Int64 in [10, 86_400] {
      let forged = HostCooldown(host: "a.example", until: clock.now() + seconds)
      account.begin(forged)
      account.finish(forged)
      #expect(account.end(for: "a.example", now: clock.now()) == asked.until, "\(seconds)")
    }
    account.finish(asked)
    #expect(shared.end(for: "a.example", now: clock.now()) == nil)
  }

  @Test func `Two accounts that find the same jump of the clock shift the cooldowns of all once`() {
    let shared = HostCooldowns()
    let accounts = [HostCooldowns(beside: shared), HostCooldowns(beside: shared)]
    let start = ContinuousClock.now
    shared.begin(HostCooldown(host: "a.example", until: clock.now() + 600))
    for (number, account) in accounts.enumerated() {
      account.begin(HostCooldown(host: "b.example", until: clock.now() + 600))
      account.shift(by: -100, between: start, and: start + .seconds(number + 1))
    }
    #expect(shared.end(for: "a.example", now: clock.now()) == clock.now() + 500)
    #expect(
      accounts.map { $0.end(for: "b.example", now: clock.now()) } == [clock.now() + 500, clock.now() + 500]
    )
    // The next jump counts again.
    accounts[1].shift(by: -100, between: start + .seconds(2), and: start + .seconds(3))
    accounts[0].shift(by: -100, between: start + .seconds(1), and: start + .seconds(4))
    #expect(shared.end(for: "a.example", now: clock.now()) == clock.now() + 400)
  }

  @Test func `A cooldown that starts during a run skips the host's remaining feeds`() async throws {
    for n in 0..<20 {
      store.insert("https://a.example/\(n)")
      web.set("https://a.example/\(n)", .response(429, ["Retry-After": "600"], ""))
    }
    let summary = try await refresher.refreshAll(.all)
    #expect(web.visited.count <= 4)
    #expect(summary.failed + summary.skipped == 20)
  }
}

@Suite struct `Detection of network outages` {
  let clock = ManualClock()
  let store = FakeStore()
  let web: FakeWeb

  init() {
    web = FakeWeb(clock: clock)
  }

  private func run() async throws -> RefreshSummary {
    try await Refresher(fetcher: web, parser: FakeParser(), store: store, editor: nil, clock: clock)
      .refreshAll(.all)
  }

  @Test func `If no host can be reached, the failure counts of the feeds do not rise`() async throws {
    let ids = ["a", "b", "c"].map { store.insert("https://\($0).example/") }
    for name in ["a", "b", "c"] {
      web.set("https://\(name).example/", .failure(name == "b" ? .refused : .hostNotFound))
    }
    let summary = try await run()
    #expect(summary.networkIsDown)
    #expect(summary.failed == 3)
    for id in ids {
      #expect(store.state(id).failures == 0)
      #expect(store.state(id).nextDueReason == .networkDown)
      #expect(store.state(id).lastError != nil)
    }
  }

  @Test func `If one host answers, even with an error, unreachable feeds count as failed`() async throws {
    let dead = store.insert("https://a.example/")
    let dead2 = store.insert("https://b.example/")
    store.insert("https://c.example/")
    web.set("https://a.example/", .failure(.hostNotFound))
    web.set("https://b.example/", .failure(.refused))
    web.set("https://c.example/", .response(500, [:], ""))
    let summary = try await run()
    #expect(!summary.networkIsDown)
    #expect(store.state(dead).failures == 1)
    #expect(store.state(dead2).failures == 1)
  }

  @Test func `A single unreachable host is no network outage`() async throws {
    let ids = [1, 2].map { store.insert("https://a.example/\($0)") }
    for n in 1...2 { web.set("https://a.example/\(n)", .failure(.hostNotFound)) }
    #expect(try await run().networkIsDown == false)
    #expect(ids.allSatisfy { store.state($0).failures == 1 })
  }

  @Test func `Reading a file does not prove that the network works, reaching a server does`() async throws {
    let dead = ["a", "b"].map { store.insert("https://\($0).example/") }
    for name in ["a", "b"] { web.set("https://\(name).example/", .failure(.hostNotFound)) }
    store.insert("file:///feed.xml")
    web.set("file:///feed.xml", .response(200, [:], "feed News\n"))
    #expect(try await run().networkIsDown)
    store.insert("https://c.example/")
    web.set("https://c.example/", .failure(.bodyTooLarge))
    #expect(try await run().networkIsDown == false)
    #expect(dead.allSatisfy { store.state($0).failures == 1 })
  }

  @Test func `Timeouts after a connection are no network outage`() async throws {
    let slow = store.insert("https://a.example/")
    store.insert("https://b.example/")
    web.set("https://a.example/", .failure(.timedOut))
    web.set("https://b.example/", .failure(.timedOut))
    #expect(try await run().networkIsDown == false)
    #expect(store.state(slow).failures == 1)
  }
}
