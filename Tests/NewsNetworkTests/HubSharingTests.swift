import NewsCore
import NewsToolbox
import Synchronization
import TestServer
import TestSupport
import Testing

@testable import NewsNetwork

@Suite struct `WebSub subscriptions shared by several processes` {
  private let feed = Feed.ID(rawValue: 7)
  private let offer = HubOffer(topic: "https://a.example/feed", hub: "https://hub.example/")
  private func time(_ seconds: Int64) -> Timestamp { Timestamp(seconds: seconds) }

  /// A table with a request that is stored as revision 1.
  private func asking() throws -> (HubSubscriptionTable, HubSubscription) {
    var table = HubSubscriptionTable(seed: [1], callback: "http://us/")
    _ = table.note(offer, of: feed, reach: .publicOnly, now: time(0))
    let request = table.nextRequest(now: time(0))
    #expect(request != nil)
    let changes = table.takeChanges()
    #expect(table.didStore(changes, revisions: [feed: 1]).isEmpty)
    var stored = try #require(changes.kept.first)
    stored.revision = 1
    return (table, stored)
  }

  @Test func `If another process confirms a request, the process that sent it learns this from the store`()
    throws
  {
    var (one, stored) = try asking()
    #expect(stored.isPending)
    var two = HubSubscriptionTable(seed: [2], callback: "http://us/")
    two.merge([stored])
    let token = stored.token
    let confirmedFeed = two.confirms(token: token, topic: offer.topic, leaseSeconds: 1000, now: time(10))
    #expect(confirmedFeed == feed)
    let confirmed = two.takeChanges()
    #expect(two.didStore(confirmed, revisions: [feed: 2]).isEmpty)
    var next = try #require(confirmed.kept.first)
    next.revision = 2
    one.merge([next])
    #expect(one.leaseEnd(of: feed, now: time(10)) == time(1010))
    // The hub has verified in time.
    #expect(one.nextRequest(now: time(400)) == nil)
    #expect(one.nextRequest(now: time(760))?.token == token)
  }

  @Test func `If the process that sent a request ends, another process sends it again after five minutes`()
    throws
  {
    let stored = try asking().1
    var two = HubSubscriptionTable(seed: [2], callback: "http://us/")
    two.merge([stored])
    #expect(two.nextRequest(now: time(299)) == nil)
    #expect(two.nextRequest(now: time(300))?.token == stored.token)
  }

  @Test func `If another process has stored a subscription first, its version replaces the local change`()
    throws
  {
    var (one, stored) = try asking()
    let request = try #require(one.nextRequest(now: time(300)) == nil ? stored : nil)
    // The request has failed here, but was confirmed elsewhere.
    let failed = one.takeChanges()
    #expect(failed.kept.first?.failures == 1)
    #expect(one.didStore(failed, revisions: [:]) == [feed])
    stored.isPending = false
    stored.leaseEnd = time(9000)
    stored.revision = 2
    one.merge([stored], conflicts: [feed])
    #expect(one.leaseEnd(of: feed, now: time(300)) == time(9000))
    #expect(one.conflicts(token: request.token) == 1)
    #expect(one.takeChanges().isEmpty)
  }

  @Test func `Changes that could not be stored are kept for the next attempt`() throws {
    var table = HubSubscriptionTable(seed: [1])
    _ = table.note(offer, of: feed, reach: .publicOnly, now: time(0))
    #expect(table.didStore(table.takeChanges(), revisions: nil).isEmpty)
    #expect(table.takeChanges().kept.count == 1)
  }

  @Test func `Subscriptions that another process has ended end here too, but new ones of this process stay`()
    throws
  {
    var (table, stored) = try asking()
    let other = Feed.ID(rawValue: 8)
    _ = table.note(offer, of: other, reach: .publicOnly, now: time(0))
    table.merge([])
    #expect(table.hasEnded(token: stored.token))
    #expect(table.feedIDs == [other])
    #expect(table.takeChanges().ended.isEmpty)
  }

  @Test func `A process that takes over the hubs asks them again if a subscription has another callback URL`()
    throws
  {
    let stored = try asking().1
    var two = HubSubscriptionTable(seed: [2], callback: "http://others/")
    two.merge([stored])
    #expect(two.takeChanges().isEmpty)
    two.adoptCallback(now: time(10))
    #expect(two.nextRequest(now: time(10))?.token == stored.token)
    #expect(two.takeChanges().kept.first?.callback == "http://others/")
  }

  @Test func `A contact with a hub is stored at most every ten minutes`() throws {
    var (table, stored) = try asking()
    table.noteContact(token: stored.token, now: time(1000))
    table.noteContact(token: stored.token, now: time(1599))
    #expect(table.takeChanges().kept.map(\.lastContact) == [time(1000)])
    table.noteContact(token: stored.token, now: time(1599))
    #expect(table.takeChanges().isEmpty)
    table.noteContact(token: stored.token, now: time(1600))
    #expect(table.lastContact == time(1600))
  }

  @Test func `At most ten unknown tokens per second are looked up in the store`() {
    var budget = LookupBudget()
    let taken = (0..<20).map { _ in budget.take(at: time(1)) }
    #expect(taken.count { $0 } == 10)
    let isTakenLater = budget.take(at: time(2))
    #expect(isTakenLater)
  }
}

/// Keeps subscriptions for several subscribers, as a shared store does.
private final class SharedKeeper: HubSubscriptionKeeping {
  private struct State {
    var kept: [Feed.ID: HubSubscription] = [:]
    var revision: Int64 = 0
  }
  private let state = Mutex(State())

  func offeredHubs() async throws(StoreError) -> [OfferedHub] {
    state.withLock { state in
      state.kept.values.map {
        OfferedHub(feedID: $0.feedID, url: $0.offer.topic, settings: FeedSettings(), offer: $0.offer)
      }
    }
  }
  func hubSubscriptions() async throws(StoreError) -> [HubSubscription] {
    state.withLock { Array($0.kept.values) }
  }
  func hubRevision() async throws(StoreError) -> Int64 { state.withLock { $0.revision } }
  func resumePolling(after pause: Int64?) async throws(StoreError) {}

  func keep(
    _ subscriptions: [HubSubscription],
    ended: [Feed.ID]
  ) async throws(StoreError) -> [Feed.ID: Int64] {
    state.withLock { state in
      var stored: [Feed.ID: Int64] = [:]
      state.revision += 1
      for id in ended { state.kept[id] = nil }
      for one in subscriptions where (state.kept[one.feedID]?.revision ?? 0) == one.revision {
        state.kept[one.feedID] = one
        state.kept[one.feedID]?.revision = state.revision
        stored[one.feedID] = state.revision
      }
      return stored
    }
  }
}

/// Never announces a change: what a subscriber knows of the others it has asked for.
private struct Silence: ChangeAwaiting {
  func wait() async throws { try await untilCancelled() }
  func wait(atMost limit: Duration) async throws -> Bool {
    try await Task.sleep(for: limit)
    return false
  }
}

/// The events that subscribers have passed on.
private final class Events: Sendable {
  private let events = Mutex<[HubEvent]>([])

  var hasPush: Bool {
    events.withLock { $0.contains { if case .pushed = $0 { true } else { false } } }
  }

  func append(_ event: HubEvent) { events.withLock { $0.append(event) } }
}

/// Two subscribers with one callback URL, and a hub that calls either of them.
@Suite(.timeLimit(.minutes(2))) struct `WebSub behind a load balancer` {
  private let feed = Feed.ID(rawValue: 3)

  private func subscriber(_ keeper: SharedKeeper, _ port: UInt16, asks: Bool, _ fetcher: CurlFetcher)
    -> WebSubSubscriber
  {
    var configuration = WebSubConfiguration(
      callback: "http://newsd.example/hook",
      listen: "127.0.0.1:\(port)"
    )
    configuration.reachesAnywhere = true
    configuration.sharing = HubSharing(maySendRequests: { asks }, waiter: Silence())
    return WebSubSubscriber(
      configuration: configuration,
      fetcher: fetcher,
      clock: SystemTime(),
      keeper: keeper
    )
  }

  private struct SystemTime: WallClock {
    func now() -> Timestamp { .now() }
  }

  @Test func `A process that did not send the request confirms the subscription and takes its pushes`()
    async throws
  {
    try await withServer { hub in
      hub.on("/hub", .status(202))
      let fetcher = CurlFetcher.forTests()
      let keeper = SharedKeeper()
      let ports = [try UnusedPort.next(), try UnusedPort.next()]
      let asker = subscriber(keeper, ports[0], asks: true, fetcher)
      let other = subscriber(keeper, ports[1], asks: false, fetcher)
      let events = Events()
      for one in [asker, other] { try one.open() }
      let runs = [asker, other].map { one in
        Task { try await one.run { event in events.append(event) } }
      }
      // Either of them may find the offer; one asks.
      other.update(HubOffer(topic: hub.url("/feed"), hub: hub.url("/hub")), for: feed, reach: .anywhere)
      try await eventually { try await !keeper.hubSubscriptions().isEmpty }
      await asker.reload()
      try await eventually { !hub.requests.isEmpty }
      #expect(hub.requests.count == 1)
      let stored = try #require(try await keeper.hubSubscriptions().first)
      let callback = "http://127.0.0.1:\(ports[1])/hook/\(stored.token)"
      let query = "?hub.mode=subscribe&hub.topic=\(hub.url("/feed"))&hub.challenge=c&hub.lease_seconds=3600"
      #expect(try await fetcher.fetch(FetchRequest(url: callback + query)).text == "c")
      #expect(try await keeper.hubSubscriptions().first?.leaseEnd != nil)
      #expect(try await fetcher.fetch(FetchRequest(url: callback + query)).status == 404)
      #expect(other.leaseEnd(of: feed, at: .now()) != nil)
      let body = Array("<feed/>".utf8)
      let key = Array(stored.secret.utf8)
      var request = FetchRequest(url: callback)
      request.settings.headers = [
        "X-Hub-Signature: sha256=\(Hex.encode(SecureHash.sha256.authenticate(body, key: key)))"
      ]
      #expect(try await fetcher.post(raw: body, request).status == 202)
      try await eventually { events.hasPush }
      #expect(try await fetcher.fetch(FetchRequest(url: callback + "x" + query)).status == 404)
      for run in runs {
        run.cancel()
        try await run.value
      }
    }
  }
}
