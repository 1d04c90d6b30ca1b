import NewsStoresShared
@testable import NewsCore
import NewsPostgres
import SearchCases
import TestSupport
import Testing

@Suite(.everyStore) struct `Subscriptions at hubs` {
  private func subscription(_ feed: Feed.ID, token: String = "t", due: Int64 = 5) -> HubSubscription {
    HubSubscription(
      feedID: feed,
      offer: HubOffer(topic: "http://a/", hub: "https://hub/"),
      callback: "http://me/",
      token: token,
      secret: "s",
      leaseEnd: Timestamp(seconds: 100),
      failures: 2,
      due: Timestamp(seconds: due)
    )
  }

  private func tokens(_ store: any StorePorts) async throws -> [String] {
    try await store.hubSubscriptions().map(\.token).sorted()
  }

  @Test func `Hub subscriptions are stored, changed and removed`() async throws {
    let store = try TemporaryStore()
    let feed = try await store.subscribe().id
    var revisions = try await store.store.keep([subscription(feed)], ended: [])
    var kept = try #require(try await store.store.hubSubscriptions().first)
    #expect(kept.revision == revisions[feed])
    kept.revision = 0
    #expect(kept == subscription(feed))
    var changed = subscription(feed, token: "u")
    changed.revision = revisions[feed] ?? 0
    revisions = try await store.store.keep([changed], ended: [])
    #expect(revisions[feed] != nil)
    #expect(try await tokens(store.store) == ["u"])
    try await store.store.keep([], ended: [feed])
    #expect(try await tokens(store.store).isEmpty)
  }

  @Test(arguments: [(pause: nil, due: 3601), (pause: 600, due: 601)] as [(pause: Int64?, due: Int64)])
  func `Feeds that waited for pushes are due soon after their last poll`(pause: Int64?, due: Int64)
    async throws
  {
    let store = try TemporaryStore()
    let feed = try await store.subscribe().id
    func put(_ due: Int64) async throws {
      let state = FetchState(
        nextDue: Timestamp(seconds: due),
        nextDueReason: .webSub,
        lastFetched: Timestamp(seconds: 1)
      )
      let record = RefreshRecord(feedID: feed, state: state, parsed: nil, time: Timestamp(seconds: 1))
      _ = try await store.store.commit([record])
    }
    try await put(90_000)
    try await store.store.resumePolling(after: pause)
    var state = try await store.store.feed(feed).fetchState
    #expect(state.nextDueReason == .adaptive)
    #expect(state.nextDue == Timestamp(seconds: due))
    try await put(500)
    try await store.store.resumePolling(after: pause)
    state = try await store.store.feed(feed).fetchState
    #expect(state.nextDue == Timestamp(seconds: 500))
  }

  @Test func `A hub subscription for a feed that does not exist is not stored`() async throws {
    let store = try TemporaryStore()
    try await store.store.keep([subscription(Feed.ID(rawValue: 9))], ended: [])
    #expect(try await tokens(store.store).isEmpty)
  }
}

/// Subscriptions that several processes change.
@Suite struct `Subscriptions at hubs on PostgreSQL` {
  private func open(_ address: String) throws -> PostgresStore {
    PostgresStore(try StoreURI(address)) { (_, _) throws(StoreError) in }
  }

  private func newAddress() -> String? { TestDatabase.shared?.newStore() }

  private func new(_ feed: Feed.ID, _ token: String) -> HubSubscription {
    HubSubscription(
      feedID: feed,
      offer: HubOffer(topic: "http://a/", hub: "https://hub/"),
      callback: "http://me/",
      token: token,
      secret: "s",
      due: Timestamp(seconds: 5),
      isPending: true,
      lastContact: Timestamp(seconds: 7)
    )
  }

  @Test func `If two processes change a hub subscription, the change that is stored first wins`() async throws
  {
    guard let address = newAddress() else { return }
    let (one, two) = (try open(address), try open(address))
    let feed = try await one.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1)).id
    let before = try await one.hubRevision()
    #expect(try await one.keep([new(feed, "one")], ended: []).count == 1)
    #expect(try await one.hubRevision() != before)
    #expect(try await two.keep([new(feed, "two")], ended: []).isEmpty)
    var first = try #require(try await one.hubSubscriptions().first)
    var second = try #require(try await two.hubSubscriptions().first)
    #expect(first == second)
    #expect(first.token == "one" && first.isPending && first.lastContact == Timestamp(seconds: 7))
    first.isPending = false
    #expect(try await one.keep([first], ended: []).count == 1)
    second.failures = 1
    #expect(try await two.keep([second], ended: []).isEmpty)
    // A subscription that was ended does not come back.
    let last = try #require(try await two.hubSubscriptions().first)
    try await one.keep([], ended: [feed])
    #expect(try await two.keep([last], ended: []).isEmpty)
    #expect(try await two.hubSubscriptions().isEmpty)
    await one.close()
    await two.close()
  }

  @Test func `Only the process that manages the hubs reschedules feeds that waited for pushes`() async throws
  {
    guard let address = newAddress() else { return }
    let (one, two) = (try open(address), try open(address))
    let feed = try await one.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1)).id
    let state = FetchState(
      nextDue: Timestamp(seconds: 90_000),
      nextDueReason: .webSub,
      lastFetched: Timestamp(seconds: 1)
    )
    let record = RefreshRecord(feedID: feed, state: state, parsed: nil, time: Timestamp(seconds: 1))
    _ = try await one.commit([record])
    #expect(await one.claims.holds(.hubs))
    try await two.resumePolling(after: nil)
    #expect(try await two.feed(feed).fetchState.nextDueReason == .webSub)
    let version = try await two.feedListVersion()
    try await one.resumePolling(after: nil)
    #expect(try await two.feed(feed).fetchState.nextDueReason == .adaptive)
    #expect(try await two.feed(feed).fetchState.nextDue == Timestamp(seconds: 3601))
    #expect(try await two.feedListVersion() != version)
    await one.close()
    await two.close()
  }
}
