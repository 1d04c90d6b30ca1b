@testable import NewsCore
import Synchronization
import Testing

/// Documents that hubs push while several processes poll the feeds of one store.
@Suite(.timeLimit(.minutes(2))) struct `Pushed documents while other processes poll the same feeds` {
  let clock = ManualClock()
  let store = FakeStore()

  private func scheduler(_ claims: FakeClaims) -> PollScheduler {
    var options = RefreshOptions()
    options.claims = claims
    options.claimPause = 1
    return PollScheduler(
      refresher: Refresher(
        fetcher: FakeWeb(clock: clock),
        parser: FakeParser(),
        store: store,
        editor: store,
        clock: clock,
        options: options
      )
    )
  }

  /// A feed that is not due during the test.
  private func insertFeed() -> Feed.ID {
    let state = FetchState(nextDue: clock.now() + 100_000, lastFetched: clock.now())
    return store.insert("https://a.example/feed", state: state)
  }

  private func push(_ id: Feed.ID, _ title: String) -> HubEvent {
    .pushed(
      PushedDocument(
        feedID: id,
        topic: "https://a.example/feed",
        bytes: Array("feed News\nitem a 1795000000 \(title)\n".utf8),
        contentType: nil,
        received: clock.now()
      )
    )
  }

  private func run(_ scheduler: PollScheduler, _ events: [HubEvent]) async throws {
    let log = EventLog()
    let task = Task { try await scheduler.run { log.append($0) } }
    for event in events { scheduler.take(event) }
    try await log.wait(forFinished: events.count)
    task.cancel()
    try await task.value
  }

  @Test func `Pushes wait in their order while another process refreshes the feed`() async throws {
    let id = insertFeed()
    let claims = FakeClaims(busyTimes: 3)
    try await run(scheduler(claims), [push(id, "First"), push(id, "Second")])
    #expect(store.items(id).map(\.title) == ["Second"])
    let both = ["claim \(id.rawValue)", "release \(id.rawValue)"]
    #expect(claims.log.withLock { $0 } == both + both)
  }

  @Test func `A push that the store refuses, because the claim was lost, is stored under a new claim`()
    async throws
  {
    let id = insertFeed()
    store.with { $0.refusals = 2 }
    let claims = FakeClaims()
    try await run(scheduler(claims), [push(id, "First")])
    #expect(store.items(id).map(\.title) == ["First"])
    #expect(claims.log.withLock { $0.count { $0.hasPrefix("claim") } } == 3)
  }

  @Test func `A push for a paused feed stores nothing, and one after it is resumed is stored`() async throws {
    let id = insertFeed()
    store.with { $0.feeds[0].settings.isPaused = true }
    try await run(scheduler(FakeClaims()), [push(id, "First")])
    #expect(store.items(id).isEmpty)
    store.with { $0.feeds[0].settings.isPaused = nil }
    try await run(scheduler(FakeClaims()), [push(id, "Second")])
    #expect(store.items(id).map(\.title) == ["Second"])
  }

  @Test func `A push for a feed that was removed is dropped`() async throws {
    let id = insertFeed()
    store.with { $0.feeds = [] }
    try await run(scheduler(FakeClaims()), [push(id, "First")])
    #expect(store.items(id).isEmpty)
  }
}
