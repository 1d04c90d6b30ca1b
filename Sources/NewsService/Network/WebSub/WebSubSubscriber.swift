public import NewsCore
import NewsToolbox
import Synchronization

/// The callback URL for hubs, and the address on which newsd listens.
public struct WebSubConfiguration: Sendable {
  /// The URL at which hubs reach the listener; a path component is appended for each feed.
  public var callback: String
  /// The `ADDRESS:PORT` to listen on, possibly behind a reverse proxy.
  public var listen: String
  /// Maximum size of a pushed document in bytes.
  public var bodyBytes: Int
  /// If true, hubs may be at any address; if false, only at addresses that the feed may have.
  public var reachesAnywhere: Bool
  /// The key from which tokens and secrets of new subscriptions are derived; nil for a random one.
  public var seed: [UInt8]?
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
  private let configuration: WebSubConfiguration
  private let fetcher: CurlFetcher
  private let clock: any WallClock
  /// Stores the subscriptions; if nil, they end with the process.
  private let keeper: (any HubSubscriptionKeeping)?
  private let book: Mutex<HubSubscriptionTable>
  private let inbox = HubInbox()
  private let alarm = Alarm()
  private let listener = Mutex<HTTPServer?>(nil)
  private let mustReadOffers = Atomic<Bool>(true)
  private let watch = Mutex(PushWatch())

  /// Maximum size of a challenge to return; hubs use a few dozen bytes.
  static let challengeBytes = 1024
  /// Maximum number of connections of hubs.
  static let maximumConnections = 64
  /// Maximum number of connections from one address, so that one client cannot use all. Not applied if the listener is
  /// on a loopback address: behind a local reverse proxy, all connections come from one address.
  private static let mostConnectionsOfAddress = 16
  /// Maximum total size of bodies being received; when it is exceeded, hubs get a 503.
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

  /// The port of the listener while `run` runs.
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
    limits.allowsAnyHost = true
    let route = WebRoute(
      api: "websub",
      path: [],
      methods: [.get, .post],
      bodyLimit: configuration.bodyBytes,
      handler: HubCallbacks(subscriber: self)
    )
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

  /// Ends connections that take too long, and detects that hubs cannot connect or have stopped pushing.
  ///
  /// - Parameter now: The current time by `Monotonic`.
  func lookAfterListener(now: Int64) {
    guard let listener = listener.withLock({ $0 }) else { return }
    let isFull = listener.connectionCount >= Self.maximumConnections
    listener.closeOverdue(now: now)
    let time = clock.now()
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

  private func heardHub(at time: Timestamp) {
    if let news = watch.withLock({ $0.recordContact(at: time) }) { configuration.report(news) }
  }

  // MARK: - Stored subscriptions

  private func restore() async {
    guard let keeper else { return }
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

  private func keepChanges() async {
    let changes = book.withLock { $0.takeChanges() }
    guard !changes.isEmpty, let keeper else { return }
    // If storing fails, the hub is asked again after a restart; until then, no push is lost.
    try? await keeper.keep(changes.kept, ended: changes.ended)
  }

  // MARK: - Hubs

  private func askHubs() async {
    while !Task.isCancelled {
      await readOffers()
      await keepChanges()
      let now = clock.now()
      let requests = book.withLock { book in
        var requests: [HubSubscriptionTable.Request] = []
        while requests.count < Self.requestsAtATime, let request = book.nextRequest(now: now) {
          requests.append(request)
        }
        return requests
      }
      if requests.isEmpty {
        await sleep(until: book.withLock { $0.nextTime })
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
      // Store the subscription before the hub can call back.
      await keepChanges()
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

  /// Sleeps until that time or until the alarm rings, at most an hour.
  private func sleep(until time: Timestamp?) async {
    let seconds = time.map { max($0 - clock.now(), 1) } ?? 3600
    await alarm.sleep(for: .seconds(min(seconds, 3600)))
  }
}

// MARK: - Callbacks

extension WebSubSubscriber {
  func refusal(of request: HTTPRequest) -> HTTPReply? {
    guard request.method == .post else { return nil }
    guard book.withLock({ $0.receiver(token: request.token) }) != nil else {
      return HTTPReply(status: statusOfUnknown(request.token))
    }
    return inbox.hasRoom ? nil : HTTPReply(status: 503)
  }

  func reply(to request: HTTPRequest) -> HTTPReply {
    request.method == .post ? receive(request) : verify(request)
  }

  /// Returns 410 for a subscription that has ended, which tells the hub to stop (section 7), and 404 otherwise.
  private func statusOfUnknown(_ token: String) -> Int {
    book.withLock { $0.hasEnded(token: token) } ? 410 : 404
  }

  /// Handles verification of intent (section 5.3) and denials (section 5.2). newsd never asks a hub to end a
  /// subscription, so it does not confirm such requests.
  private func verify(_ request: HTTPRequest) -> HTTPReply {
    let now = clock.now()
    let topic = request.query.first("hub.topic") ?? ""
    var isMeant = false
    switch request.query.first("hub.mode") {
    case "subscribe":
      let lease = request.query.first("hub.lease_seconds").flatMap { Int64($0) }
      let feed = book.withLock {
        $0.confirms(token: request.token, topic: topic, leaseSeconds: lease, now: now)
      }
      if let feed {
        isMeant = true
        heardHub(at: now)
        inbox.leaseChanged(feed)
        alarm.ring()
      }
    case "denied":
      if let feed = book.withLock({ $0.denied(token: request.token, topic: topic, now: now) }) {
        inbox.leaseChanged(feed)
        alarm.ring()
      }
      return HTTPReply(status: 200)
    default: break
    }
    guard isMeant, let challenge = request.query.first("hub.challenge"),
      challenge.utf8.count <= Self.challengeBytes
    else { return HTTPReply(status: 404) }
    // Return the challenge as received, as plain text, so that browsers do not treat it as HTML.
    return .text(200, challenge)
  }

  /// Handles content distribution (section 7). Deliveries with a missing or wrong signature get a 202 and are
  /// discarded.
  private func receive(_ request: HTTPRequest) -> HTTPReply {
    guard let receiver = book.withLock({ $0.receiver(token: request.token) }) else {
      return HTTPReply(status: statusOfUnknown(request.token))
    }
    let isSigned = receiver.offer.maySeeSecret
    if isSigned {
      let signature = request.fields.first("X-Hub-Signature")
      guard HubSignature.isValid(signature, body: request.body, secret: receiver.secret) else {
        return HTTPReply(status: 202)
      }
    }
    heardHub(at: clock.now())
    let document = PushedDocument(
      feedID: receiver.feedID,
      topic: receiver.offer.topic,
      bytes: isSigned ? request.body : [],
      contentType: request.fields.first("Content-Type"),
      received: clock.now(),
      isSigned: isSigned
    )
    return HTTPReply(status: inbox.take(document) ? 202 : 503)
  }
}

/// Answers hubs. Retains the subscriber until `run` drops the listener.
private struct HubCallbacks: HTTPInstantHandling, HTTPAdmitting {
  let subscriber: WebSubSubscriber

  func refusal(of request: HTTPRequest) -> HTTPReply? { subscriber.refusal(of: request) }
  func instantReply(to request: HTTPRequest) -> HTTPReply { subscriber.reply(to: request) }
}

extension HTTPRequest {
  /// The last path component; a reverse proxy may have removed the preceding ones.
  fileprivate var token: String { path.last { !$0.isEmpty } ?? "" }
}
