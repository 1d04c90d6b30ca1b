public import NewsCore
import NewsHTTP
import NewsToolbox
import Synchronization

/// The callback URL for hubs, and the address on which newsd listens.
public struct WebSubConfiguration: Sendable {
  /// The URL at which hubs call the listener; a path component is appended for each feed.
  public var callback: String
  /// The `ADDRESS:PORT` to listen on, possibly behind a reverse proxy.
  public var listen: String
  /// Maximum size of a pushed document in bytes.
  public var bodyBytes: Int
  /// If true, hubs may be at any address; if false, only at addresses that the feed may have.
  public var reachesAnywhere: Bool
  /// The key from which tokens and secrets of new subscriptions are derived; nil for a random one.
  public var seed: [UInt8]?
  /// Set if several processes share the store.
  public var sharing: HubSharing?
  /// Called with a one-line message when pushes stop, and when they resume.
  public var report: @Sendable (String) -> Void = { _ in }

  public init(callback: String, listen: String = "127.0.0.1:8787") {
    self.callback = callback
    self.listen = listen
    bodyBytes = 20 << 20
    reachesAnywhere = false
    seed = nil
  }
}

/// Subscribes to feeds at their hubs and receives pushed content (W3C WebSub): requests with a secret, verification of
/// intent, renewal after three quarters of a lease, signature checks. Subscriptions survive restarts.
public final class WebSubSubscriber: WebSubSubscribing, Sendable {
  let configuration: WebSubConfiguration
  private let fetcher: CurlFetcher
  let clock: any WallClock
  /// Stores the subscriptions; if nil, they end with the process.
  let keeper: (any HubSubscriptionKeeping)?
  let book: Mutex<HubSubscriptionTable>
  let inbox = HubInbox()
  let alarm = Alarm()
  private let listener = Mutex<HTTPServer?>(nil)
  private let mustReadOffers = Atomic<Bool>(true)
  private let watch = Mutex(PushWatch())
  /// The last task that reads or writes the store. The next task begins when this one has ended.
  private let exchange = Mutex<Task<Void, Never>?>(nil)
  /// The store's revision of the subscriptions that were read last.
  let knownRevision = Mutex<Int64?>(nil)
  /// Limits the look-ups for requests with unknown tokens.
  let lookups = Mutex(LookupBudget())

  /// Maximum size of a challenge to return; hubs use a few dozen bytes.
  static let challengeBytes = 1024
  /// Maximum number of connections of hubs.
  static let maximumConnections = 64
  /// Maximum number of connections from one address, so that one client cannot use all. Not applied if the listener is
  /// on a loopback address: behind a local reverse proxy, all connections come from one address.
  private static let mostConnectionsOfAddress = 16
  /// Maximum total size of bodies being received. When it is exceeded, hubs receive a 503.
  private static let maximumIncomingBytes = 48 << 20
  /// Maximum number of concurrent requests to hubs.
  private static let requestsAtATime = 16

  public init(
    configuration: WebSubConfiguration,
    fetcher: CurlFetcher,
    clock: any WallClock,
    keeper: (any HubSubscriptionKeeping)? = nil
  ) {
    self.configuration = configuration
    self.fetcher = fetcher
    self.clock = clock
    self.keeper = keeper
    let seed = configuration.seed ?? (0..<32).map { _ in UInt8.random(in: .min ... .max) }
    book = Mutex(HubSubscriptionTable(seed: seed, callback: configuration.callback))
  }

  public func update(_ offer: HubOffer?, for feed: Feed.ID, reach: FetchRequest.Reach) {
    guard let offer else { return }
    let now = clock.now()
    if book.withLock({ $0.note(offer, of: feed, reach: allowed(reach), now: now) }) {
      alarm.ring()
    }
  }

  public func forget(_ feed: Feed.ID) {
    book.withLock { $0.forget(feed) }
    alarm.ring()
  }

  public func leaseEnd(of feed: Feed.ID, at time: Timestamp) -> Timestamp? {
    guard let lease = book.withLock({ $0.leaseEnd(of: feed, now: time) }) else { return nil }
    return watch.withLock { $0.relianceEnd(lease: lease, now: time) }
  }

  public func feedsChanged() {
    mustReadOffers.store(true, ordering: .releasing)
    alarm.ring()
  }

  private func allowed(_ reach: FetchRequest.Reach) -> FetchRequest.Reach {
    configuration.reachesAnywhere ? .anywhere : reach
  }

  /// The port of the listener; nil if the listener is not open.
  public var port: UInt16? { listener.withLock { $0?.port } }

  public func open() throws { try openListener() }

  private func openListener() throws(ListenerError) {
    guard port == nil else { return }
    let socket = try ListenSocket.tcp(configuration.listen, example: "127.0.0.1:8787")
    var limits = HTTPServerConfiguration()
    limits.threads = 1
    limits.connections = Self.maximumConnections
    limits.connectionsOfAddress = Self.mostConnectionsOfAddress
    limits.incomingBytes = Self.maximumIncomingBytes
    limits.incomingBytesOfAddress = Self.maximumIncomingBytes
    limits.allowsAnyHost = true
    var route = WebRoute(
      api: "websub",
      path: [],
      methods: [.get, .post],
      bodyLimit: configuration.bodyBytes,
      handler: HubCallbacks(answer: sharedReply)
    )
    route.refusal = refusal
    // If no other process shares the store, all subscriptions are in memory.
    if configuration.sharing == nil { route.instant = reply }
    let opened = try HTTPServer(sockets: [socket], configuration: limits, routes: [route])
    listener.withLock { $0 = opened }
  }

  public func run(_ take: @escaping @Sendable (HubEvent) async -> Void) async throws {
    try openListener()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [inbox] in
        for await event in inbox.events { await take(event) }
      }
      group.addTask {
        await self.restore()
        await self.askHubs()
      }
      if let sharing = configuration.sharing {
        group.addTask { await self.followStore(sharing.waiter) }
      }
      group.addTask {
        while !Task.isCancelled {
          try? await Task.sleep(for: Self.lookPause)
          self.lookAfterListener(now: Monotonic.now())
        }
      }
      await group.waitForAll()
    }
    listener.withLock { $0 = nil }
    await keepChanges()
  }

  /// Interval between two checks of the listener's connections.
  private static let lookPause = Duration.seconds(2)

  /// Ends connections that take too long, and detects that hubs cannot connect or have stopped pushing, and that the clock was
  /// ahead. `now` is the time by `Monotonic`.
  func lookAfterListener(now: Int64) {
    guard let listener = listener.withLock({ $0 }) else { return }
    let isFull = listener.connectionCount >= Self.maximumConnections
    listener.closeOverdue(now: now)
    let time = clock.now()
    let wrong = book.withLock { $0.correct(now: time) }
    if !wrong.isEmpty {
      for feed in wrong { inbox.leaseChanged(feed) }
      alarm.ring()
    }
    let leased = book.withLock { book in book.feedIDs.filter { book.leaseEnd(of: $0, now: time) != nil } }
    guard !leased.isEmpty else { return }
    if let silence = watch.withLock({ $0.check(at: time) }) { configuration.report(silence) }
    if isFull, let crowd = watch.withLock({ $0.recordFullListener(at: time) }) {
      configuration.report(crowd)
      for feed in leased { inbox.leaseChanged(feed) }
    }
  }

  /// The number of open connections to the listener.
  var connectionCount: Int { listener.withLock { $0?.connectionCount } ?? 0 }

  /// Records that a hub has pushed or confirmed something at `time`, to this process or another one on the store.
  func heardHub(at time: Timestamp) {
    if let news = watch.withLock({ $0.recordContact(at: time) }) { configuration.report(news) }
  }

  // MARK: - Stored subscriptions

  private func restore() async {
    guard let keeper else { return }
    guard configuration.sharing == nil else { return await restoreShared() }
    let kept = (try? await keeper.hubSubscriptions()) ?? []
    let offers = (try? await keeper.offeredHubs()) ?? []
    let reaches = Dictionary(offers.map { ($0.feedID, $0.reach) }) { first, _ in first }
    let now = clock.now()
    book.withLock { book in
      for subscription in kept {
        book.restore(subscription, reach: allowed(reaches[subscription.feedID] ?? .publicOnly), now: now)
      }
    }
    for subscription in kept where subscription.leaseEnd.map({ $0 > now }) == true {
      inbox.leaseChanged(subscription.feedID)
    }
  }

  /// Reads the subscriptions, and tells the scheduler which feeds hubs push. Other processes may have requested them.
  private func restoreShared() async {
    await reload()
    announceLeases()
  }

  /// Tells the scheduler which feeds hubs push, so that it polls them rarely.
  func announceLeases() {
    let now = clock.now()
    let leased = book.withLock { book in book.feedIDs.filter { book.leaseEnd(of: $0, now: now) != nil } }
    for feed in leased { inbox.leaseChanged(feed) }
  }

  /// Makes `askHubs` read again from the store which feeds offer a hub.
  func noteNewSubscriptions() { mustReadOffers.store(true, ordering: .releasing) }

  /// Reloads the offers, because other processes add and remove feeds too.
  private func readOffers() async {
    guard mustReadOffers.exchange(false, ordering: .acquiringAndReleasing), let keeper else { return }
    guard let offers = try? await keeper.offeredHubs() else { return }
    let now = clock.now()
    let offered = Set(offers.map(\.feedID))
    book.withLock { book in
      for feed in book.feedIDs where !offered.contains(feed) { book.forget(feed) }
      for one in offers { _ = book.note(one.offer, of: one.feedID, reach: allowed(one.reach), now: now) }
    }
  }

  /// Stores the changed subscriptions. Returns when the changes made before the call are stored.
  func keepChanges() async { await inTurn { await self.storeChanges() } }

  /// Runs a read or write of the store after all earlier ones have ended. A read that overlaps a write could restore
  /// values that the write has replaced.
  func inTurn(_ body: @escaping @Sendable () async -> Void) async {
    let task = exchange.withLock { last in
      let task = Task { [last] in
        await last?.value
        await body()
      }
      last = task
      return task
    }
    await task.value
  }

  private func storeChanges() async {
    let changes = book.withLock { $0.takeChanges() }
    guard !changes.isEmpty, let keeper else { return }
    // If storing fails, the next change tries again. No push is lost until then.
    let revisions = try? await keeper.keep(changes.kept, ended: changes.ended)
    let conflicts = book.withLock { $0.didStore(changes, revisions: revisions) }
    if !conflicts.isEmpty { await readStored(givingUp: conflicts) }
  }

  // MARK: - Hubs

  private func askHubs() async {
    var wasAsking = configuration.sharing == nil
    while !Task.isCancelled {
      let sendsRequests = await configuration.sharing?.maySendRequests() ?? true
      if sendsRequests, !wasAsking { await takeOver() }
      wasAsking = sendsRequests
      if sendsRequests { await readOffers() }
      await keepChanges()
      let now = clock.now()
      let requests = book.withLock { book in
        var requests: [HubSubscriptionTable.Request] = []
        while sendsRequests, requests.count < Self.requestsAtATime, let request = book.nextRequest(now: now) {
          requests.append(request)
        }
        return requests
      }
      if requests.isEmpty {
        await sleep(until: sendsRequests ? book.withLock { $0.nextTime } : nil)
        continue
      }
      await withTaskGroup(of: Void.self) { group in
        for request in requests {
          group.addTask { await self.ask(request) }
        }
      }
    }
  }

  private func ask(_ request: HubSubscriptionTable.Request) async {
    var limits = FetchLimits()
    limits.firstByteTimeout = 15_000
    limits.totalTimeout = 30_000
    limits.bodyBytes = 64 << 10
    let base = configuration.callback.last == "/" ? configuration.callback : configuration.callback + "/"
    do {
      var form = [
        ("hub.mode", "subscribe"), ("hub.topic", request.offer.topic),
        ("hub.callback", base + request.token), ("hub.lease_seconds", "\(request.leaseSeconds)"),
      ]
      if request.offer.maySeeSecret { form.append(("hub.secret", request.secret)) }
      // Store the subscription before sending the request, because the hub may call back at once.
      await keepChanges()
      // Another process may have changed the subscription meanwhile.
      guard book.withLock({ $0.awaits(request) }) else { return }
      let response = try await fetcher.post(
        form,
        FetchRequest(url: request.offer.hub, limits: limits, reach: request.reach)
      )
      if !(200..<300).contains(response.status) { refused(request) }
    } catch {
      if error.code != .cancelled { refused(request) }
    }
  }

  private func refused(_ request: HubSubscriptionTable.Request) {
    let now = clock.now()
    book.withLock { $0.refused(request, now: now) }
  }

  /// Sleeps until `time` or until the alarm rings, for an hour at most. If several processes share the store, sleeps
  /// for `dutyCheck` seconds at most.
  private func sleep(until time: Timestamp?) async {
    let longest = configuration.sharing == nil ? 3600 : Self.dutyCheck
    let seconds = time.map { max($0 - clock.now(), 1) } ?? longest
    await alarm.sleep(for: .seconds(min(seconds, longest)))
  }

  /// Seconds between two checks whether this process has to send the requests to hubs.
  private static let dutyCheck: Int64 = 10
}

/// Answers hubs if several processes share the store. Looks up unknown subscriptions in the store.
private struct HubCallbacks: HTTPHandling {
  let answer: @Sendable (HTTPRequest) async -> HTTPReply

  func reply(to request: HTTPRequest) async -> HTTPReply { await answer(request) }
}

/// Limits the look-ups per second for requests with unknown tokens, because any client can send such requests.
struct LookupBudget {
  private static let mostPerSecond = 10
  private var second = Timestamp(seconds: 0)
  private var count = 0

  /// Takes one look-up. Returns false if no look-up is left in this second.
  mutating func take(at now: Timestamp) -> Bool {
    if now != second {
      second = now
      count = 0
    }
    count += 1
    return count <= Self.mostPerSecond
  }
}
