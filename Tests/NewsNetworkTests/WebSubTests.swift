import Glibc
import NewsCore
import NewsToolbox
import Synchronization
import TestServer
import TestSupport
import Testing

@testable import NewsHTTP
@testable import NewsNetwork

@Suite struct `WebSub offers` {
  private func response(_ links: [String]) -> FetchResponse {
    FetchResponse(
      status: 200,
      headers: links.map { ("Link", $0) },
      url: "https://example.org/feeds/all.xml",
      received: Timestamp(seconds: 0)
    )
  }

  @Test(arguments: [
    (
      ["<https://hub.example/>; rel=\"hub\"", "<https://example.org/feed>; rel=\"self\""],
      "https://example.org/feed"
    ),
    (["<https://hub.example/>; rel=hub, <https://example.org/feed>; rel=self"], "https://example.org/feed"),
    (
      ["<https://example.org/feed>; title=\"a, b; c\"; rel=\"alternate self\",<https://hub.example>;rel=HUB"],
      "https://example.org/feed"
    ),
    (
      ["<https://hub.example/>; rel=\"hub\"; rel=\"self\", <../feed>; rel=\"self\""],
      "https://example.org/feed"
    ),
    (["<https://hub.example/>; rel=\"hub\""], "https://example.org/feeds/all.xml"),
  ])
  func `Link fields announce hub and topic`(links: [String], topic: String) {
    #expect(HubLinks.offer(response(links), nil) == HubOffer(topic: topic, hub: "https://hub.example/"))
  }

  @Test(arguments: [
    "", "<>; rel=hub", "<https://hub.example/", "https://hub.example/; rel=hub", "<mailto:a@b>; rel=hub",
  ])
  func `A malformed Link field announces no hub`(link: String) {
    #expect(HubLinks.offer(response([link]), nil) == nil)
  }

  @Test func `If the topic must be announced, a hub without a link to the feed itself is not used`() {
    let hub = "<https://hub.example/>; rel=hub"
    #expect(HubLinks.offer(response([hub]), nil, namesTopic: true) == nil)
    let offer = HubLinks.offer(
      response([hub, "<https://u:p@example.org/f>; rel=self"]),
      nil,
      namesTopic: true
    )
    #expect(offer?.topic == "https://example.org/f")
  }

  @Test func `If the header announces no hub, the document's hubs are used, https ones first`() {
    var document = ParsedFeed(format: "atom10")
    document.hubs = ["http://plain.example/", "https://hub.example/"]
    document.feedURL = "https://example.org/self"
    #expect(
      HubLinks.offer(response([]), document)
        == HubOffer(topic: "https://example.org/self", hub: "https://hub.example/")
    )
  }
}

@Suite struct `The table of WebSub subscriptions` {
  private let feed = Feed.ID(rawValue: 7)
  private let offer = HubOffer(topic: "https://a.example/feed", hub: "https://hub.example/")
  private func time(_ seconds: Int64) -> Timestamp { Timestamp(seconds: seconds) }

  @Test
  func `An offer causes one request; after confirmation, renewal is due at three quarters of the lease`()
    throws
  {
    var book = HubSubscriptionTable(seed: [1])
    let isNew = book.note(offer, of: feed, reach: .publicOnly, now: time(0))
    let isNewAgain = book.note(offer, of: feed, reach: .publicOnly, now: time(1))
    #expect(isNew && !isNewAgain)
    let first = book.nextRequest(now: time(1))
    let request = try #require(first)
    #expect(request.token.count == 32)
    #expect(request.secret.count == 64)
    #expect(book.nextRequest(now: time(1)) == nil)
    let isConfirmed = book.confirms(
      token: request.token,
      topic: offer.topic,
      leaseSeconds: 1000,
      now: time(2)
    )
    #expect(isConfirmed == feed)
    #expect(book.leaseEnd(of: feed, now: time(2)) == time(1002))
    #expect(book.leaseEnd(of: feed, now: time(1002)) == nil)
    #expect(book.nextRequest(now: time(751)) == nil)
    #expect(book.nextRequest(now: time(752))?.token == request.token)
    // During the renewal, the old lease is still valid.
    #expect(book.leaseEnd(of: feed, now: time(752)) == time(1002))
  }

  @Test func `A subscription that was not requested is not confirmed`() throws {
    var book = HubSubscriptionTable(seed: [1])
    _ = book.note(offer, of: feed, reach: .publicOnly, now: time(0))
    let early = book.confirms(token: "", topic: offer.topic, leaseSeconds: nil, now: time(0))
    let next = book.nextRequest(now: time(0))
    let request = try #require(next)
    let wrongTopic = book.confirms(
      token: request.token,
      topic: "https://b.example/",
      leaseSeconds: nil,
      now: time(1)
    )
    let wrongToken = book.confirms(token: "x", topic: offer.topic, leaseSeconds: nil, now: time(1))
    let right = book.confirms(token: request.token, topic: offer.topic, leaseSeconds: nil, now: time(1))
    let again = book.confirms(token: request.token, topic: offer.topic, leaseSeconds: nil, now: time(1))
    #expect([early, wrongTopic, wrongToken, right, again] == [nil, nil, nil, feed, nil])
    #expect(!book.hasEnded(token: request.token))
    book.forget(feed)
    #expect(book.hasEnded(token: request.token))
    #expect(!book.hasEnded(token: "x"))
    #expect(book.receiver(token: request.token) == nil)
  }

  @Test func `If a hub refuses, or does not verify in time, it is asked again with exponential backoff`()
    throws
  {
    var book = HubSubscriptionTable(seed: [1])
    _ = book.note(offer, of: feed, reach: .publicOnly, now: time(0))
    let first = book.nextRequest(now: time(0))
    book.refused(try #require(first), now: time(0))
    #expect(book.nextRequest(now: time(3599)) == nil)
    #expect(book.nextRequest(now: time(3600)) != nil)
    // The hub does not verify within five minutes: retry in two hours.
    #expect(book.nextRequest(now: time(3900)) == nil)
    #expect(book.nextRequest(now: time(3900 + 7199)) == nil)
    let third = book.nextRequest(now: time(3900 + 7200))
    let denied = book.denied(token: try #require(third).token, topic: offer.topic, now: time(20_000))
    #expect(denied == feed)
    // Repeated denials do not postpone the next request.
    for _ in 0..<100 {
      let again = book.denied(token: try #require(third).token, topic: offer.topic, now: time(20_001))
      #expect(again == nil)
    }
    #expect(book.nextRequest(now: time(20_000 + 4 * 3600 - 1)) == nil)
    #expect(book.nextRequest(now: time(20_000 + 4 * 3600)) != nil)
  }

  @Test(arguments: [80, 1000, 864_000] as [Int64])
  func `A subscription that was confirmed while the clock was ahead is requested again when it is right`(
    lease: Int64
  ) throws {
    let ahead: Int64 = 2 * 86_400
    var book = HubSubscriptionTable(seed: [1])
    _ = book.note(offer, of: feed, reach: .publicOnly, now: time(0))
    let next = book.nextRequest(now: time(0))
    let request = try #require(next)
    _ = book.confirms(token: request.token, topic: offer.topic, leaseSeconds: lease, now: time(0))
    // Times that the clock has set when it was right stay.
    for seconds in [0, lease / 2, lease] { #expect(book.correct(now: time(seconds)).isEmpty) }
    let renewal = book.nextRequest(now: time(ahead + lease))
    #expect(renewal != nil)
    #expect(book.correct(now: time(ahead + lease)).isEmpty)
    _ = book.confirms(token: request.token, topic: offer.topic, leaseSeconds: lease, now: time(ahead + lease))
    book.noteContact(token: request.token, now: time(ahead + lease))
    #expect(book.correct(now: time(ahead + lease)).isEmpty)
    // The clock is right again.
    #expect(book.nextRequest(now: time(lease)) == nil)
    #expect(book.correct(now: time(lease)) == [feed])
    #expect(book.leaseEnd(of: feed, now: time(lease)) == nil)
    #expect(book.lastContact == time(lease))
    #expect(book.correct(now: time(lease)).isEmpty)
    #expect(book.nextRequest(now: time(lease))?.token == request.token)
  }

  @Test func `A request that a hub refused while the clock was ahead is sent again when it is right`() throws
  {
    var book = HubSubscriptionTable(seed: [1])
    _ = book.note(offer, of: feed, reach: .publicOnly, now: time(0))
    let first = book.nextRequest(now: time(0))
    book.refused(try #require(first), now: time(0))
    #expect(book.correct(now: time(0)).isEmpty)
    let second = book.nextRequest(now: time(2 * 86_400))
    book.refused(try #require(second), now: time(2 * 86_400))
    #expect(book.correct(now: time(100)) == [feed])
    #expect(book.nextRequest(now: time(100)) != nil)
  }

  @Test func `Restored subscriptions are requested again only if the callback URL has changed`() throws {
    var book = HubSubscriptionTable(seed: [1], callback: "http://here/")
    _ = book.note(offer, of: feed, reach: .publicOnly, now: time(0))
    let next = book.nextRequest(now: time(0))
    let request = try #require(next)
    _ = book.confirms(token: request.token, topic: offer.topic, leaseSeconds: 1000, now: time(0))
    let kept = try #require(book.takeChanges().kept.first)
    #expect(book.takeChanges().isEmpty)

    var same = HubSubscriptionTable(seed: [2], callback: "http://here/")
    same.restore(kept, reach: .publicOnly, now: time(10))
    #expect(same.leaseEnd(of: feed, now: time(10)) == time(1000))
    #expect(same.receiver(token: request.token)?.secret == request.secret)
    let isNew = same.note(offer, of: feed, reach: .publicOnly, now: time(10))
    #expect(!isNew)
    #expect(same.nextRequest(now: time(749)) == nil)
    #expect(same.nextRequest(now: time(750))?.token == request.token)

    var other = HubSubscriptionTable(seed: [2], callback: "http://there/")
    other.restore(kept, reach: .publicOnly, now: time(10))
    #expect(other.leaseEnd(of: feed, now: time(10)) == nil)
    #expect(other.nextRequest(now: time(10))?.token == request.token)
  }

  @Test(arguments: [
    ("https://hub.example/", true), ("http://127.0.0.1:80/", true), ("http://[::1]/", true),
    ("http://localhost/", true), ("http://hub.example/", false), ("http://10.0.0.1/", false),
    ("no url", false),
  ])
  func `A secret is sent only over https or to loopback`(hub: String, may: Bool) {
    #expect(HubOffer(topic: "https://a.example/", hub: hub).maySeeSecret == may)
  }

  @Test func `Tokens depend on the hub and the seed`() throws {
    var book = HubSubscriptionTable(seed: [1])
    _ = book.note(offer, of: feed, reach: .publicOnly, now: time(0))
    let first = book.nextRequest(now: time(0))
    _ = book.note(
      HubOffer(topic: offer.topic, hub: "https://other.example/"),
      of: feed,
      reach: .publicOnly,
      now: time(1)
    )
    let second = book.nextRequest(now: time(1))
    #expect(first?.token != second?.token)
    #expect(book.receiver(token: first?.token ?? "") == nil)
    var again = HubSubscriptionTable(seed: [1])
    _ = again.note(offer, of: feed, reach: .publicOnly, now: time(0))
    #expect(again.nextRequest(now: time(0)) == first)
    var other = HubSubscriptionTable(seed: [2])
    _ = other.note(offer, of: feed, reach: .publicOnly, now: time(0))
    #expect(other.nextRequest(now: time(0))?.token != first?.token)
  }
}

/// Stores subscriptions in memory.
private final class Keeper: HubSubscriptionKeeping {
  let kept = Mutex<[Feed.ID: HubSubscription]>([:])
  let offers = Mutex<[OfferedHub]>([])

  func offeredHubs() async throws(StoreError) -> [OfferedHub] { offers.withLock { $0 } }
  func hubSubscriptions() async throws(StoreError) -> [HubSubscription] {
    kept.withLock { Array($0.values) }
  }
  func hubRevision() async throws(StoreError) -> Int64 { 0 }
  func keep(
    _ subscriptions: [HubSubscription],
    ended: [Feed.ID]
  ) async throws(StoreError) -> [Feed.ID: Int64] {
    kept.withLock { kept in
      for id in ended { kept[id] = nil }
      for subscription in subscriptions { kept[subscription.feedID] = subscription }
    }
    return Dictionary(subscriptions.map { ($0.feedID, 0) }) { first, _ in first }
  }
  func resumePolling(after pause: Int64?) async throws(StoreError) {}
}

/// End-to-end tests with a hub run by the test.
@Suite(.timeLimit(.minutes(5)))
struct `WebSub` {
  private struct Clock: WallClock {
    func now() -> Timestamp { .now() }
  }

  /// the documents delivered so far.
  private final class Delivered: Sendable {
    let documents = Mutex<[PushedDocument]>([])
  }

  private func withSubscriber(
    _ body: (WebSubSubscriber, CurlFetcher, Delivered, String) async throws -> Void
  ) async throws {
    let fetcher = CurlFetcher.forTests()
    // The callback contains the port, so it must be known first.
    let port = try UnusedPort.next()
    var configuration = WebSubConfiguration(
      callback: "http://127.0.0.1:\(port)/hook",
      listen: "127.0.0.1:\(port)"
    )
    configuration.bodyBytes = 1000
    let subscriber = WebSubSubscriber(configuration: configuration, fetcher: fetcher, clock: Clock())
    let delivered = Delivered()
    try subscriber.open()
    let run = Task {
      try await subscriber.run { event in
        if case .pushed(let document) = event { delivered.documents.withLock { $0.append(document) } }
      }
    }
    try await body(subscriber, fetcher, delivered, "http://127.0.0.1:\(port)/hook")
    run.cancel()
    try await run.value
  }

  private func form(_ request: ReceivedRequest) -> [String: String] {
    var result: [String: String] = [:]
    for pair in String(decoding: request.body, as: UTF8.self).split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { continue }
      result[String(parts[0])] = String(parts[1]).replacing("%3A", with: ":").replacing("%2F", with: "/")
    }
    return result
  }

  private func offer(_ hub: TestServer) -> HubOffer {
    HubOffer(topic: hub.url("/feed"), hub: hub.url("/hub"))
  }

  /// Subscribes and lets the hub verify the subscription.
  private func subscribe(
    _ subscriber: WebSubSubscriber,
    _ fetcher: CurlFetcher,
    _ hub: TestServer
  ) async throws -> (callback: String, secret: String) {
    hub.on("/hub", .status(202))
    subscriber.update(offer(hub), for: Feed.ID(rawValue: 3), reach: .anywhere)
    try await eventually { !hub.requests.isEmpty }
    let request = try #require(hub.requests.first)
    #expect(request.method == "POST")
    #expect(request.header("Content-Type") == "application/x-www-form-urlencoded")
    let fields = form(request)
    #expect(fields["hub.mode"] == "subscribe")
    #expect(fields["hub.topic"] == hub.url("/feed"))
    let callback = try #require(fields["hub.callback"])
    #expect(subscriber.leaseEnd(of: Feed.ID(rawValue: 3), at: .now()) == nil)
    let query = "?hub.mode=subscribe&hub.topic=\(hub.url("/feed"))&hub.challenge=c%20h&hub.lease_seconds=3600"
    let answer = try await fetcher.fetch(FetchRequest(url: callback + query))
    #expect(answer.status == 200)
    #expect(answer.text == "c h")
    let end = try #require(subscriber.leaseEnd(of: Feed.ID(rawValue: 3), at: .now()))
    #expect((3590...3600).contains(end - Timestamp.now()))
    return (callback, try #require(fields["hub.secret"]))
  }

  private func push(
    _ body: String,
    to callback: String,
    signature: String?,
    _ fetcher: CurlFetcher
  ) async throws -> Int {
    var request = FetchRequest(url: callback)
    request.settings.headers = ["Content-Type: application/atom+xml"]
    if let signature { request.settings.headers?.append("X-Hub-Signature: \(signature)") }
    // Posts the bytes as they are.
    return try await fetcher.post(raw: Array(body.utf8), request).status
  }

  private func sign(_ body: String, _ secret: String, _ hash: SecureHash = .sha256) -> String {
    "\(hash.rawValue)=\(Hex.encode(hash.authenticate(Array(body.utf8), key: Array(secret.utf8))))"
  }

  @Test func `A hub is asked, verifies the subscription, and its content is delivered`() async throws {
    try await withServer { hub in
      try await withSubscriber { subscriber, fetcher, delivered, _ in
        let (callback, secret) = try await subscribe(subscriber, fetcher, hub)
        #expect(try await push("<feed/>", to: callback, signature: sign("<feed/>", secret), fetcher) == 202)
        try await eventually { !delivered.documents.withLock({ $0.isEmpty }) }
        let document = try #require(delivered.documents.withLock { $0.first })
        #expect(document.feedID == Feed.ID(rawValue: 3))
        #expect(document.bytes == Array("<feed/>".utf8))
        #expect(document.contentType == "application/atom+xml")
        #expect(document.topic == hub.url("/feed"))
      }
    }
  }

  @Test func `A hub gets a 503 while the inbox is full of documents that are not released`() async throws {
    try await withServer { hub in
      try await withSubscriber { subscriber, fetcher, delivered, _ in
        let (callback, secret) = try await subscribe(subscriber, fetcher, hub)
        let signature = sign("<feed/>", secret)
        var statuses: [Int] = []
        for _ in 0...HubInbox.mostDocuments {
          statuses.append(try await push("<feed/>", to: callback, signature: signature, fetcher))
        }
        #expect(statuses.dropLast().allSatisfy { $0 == 202 })
        #expect(statuses.last == 503)
        try await eventually { delivered.documents.withLock({ $0.count }) >= HubInbox.mostDocuments }
        delivered.documents.withLock { $0 = [] }
        #expect(try await push("<feed/>", to: callback, signature: signature, fetcher) == 202)
      }
    }
  }

  @Test func `Content without a valid signature gets a 202 and is discarded`() async throws {
    try await withServer { hub in
      try await withSubscriber { subscriber, fetcher, delivered, _ in
        let (callback, secret) = try await subscribe(subscriber, fetcher, hub)
        #expect(try await push("<bad/>", to: callback, signature: nil, fetcher) == 202)
        #expect(try await push("<bad/>", to: callback, signature: sign("<bad/>", "guess"), fetcher) == 202)
        #expect(
          try await push("<good/>", to: callback, signature: sign("<good/>", secret, .sha512), fetcher) == 202
        )
        try await eventually { !delivered.documents.withLock({ $0.isEmpty }) }
        #expect(delivered.documents.withLock { $0.map(\.bytes) } == [Array("<good/>".utf8)])
      }
    }
  }

  @Test func `Unknown callbacks get 404, large bodies 413, and verifications that newsd did not request 404`()
    async throws
  {
    try await withServer { hub in
      try await withSubscriber { subscriber, fetcher, delivered, hook in
        let (callback, secret) = try await subscribe(subscriber, fetcher, hub)
        #expect(try await push("x", to: hook + "/unknown", signature: nil, fetcher) == 404)
        let unknown = hook + "/unknown?hub.mode=unsubscribe&hub.topic=x&hub.challenge=echo"
        #expect(try await fetcher.fetch(FetchRequest(url: unknown)).status == 404)
        let large = String(repeating: "x", count: 1001)
        #expect(try await push(large, to: callback, signature: sign(large, secret), fetcher) == 413)
        for query in [
          "", "?hub.mode=subscribe&hub.topic=http://other.example/&hub.challenge=x",
          "?hub.mode=unsubscribe&hub.topic=\(hub.url("/feed"))&hub.challenge=x",
        ] {
          #expect(try await fetcher.fetch(FetchRequest(url: callback + query)).status == 404)
        }
        subscriber.forget(Feed.ID(rawValue: 3))
        #expect(try await push("<feed/>", to: callback, signature: sign("<feed/>", secret), fetcher) == 410)
        #expect(delivered.documents.withLock { $0.isEmpty })
      }
    }
  }

  @Test func `A challenge of up to a kilobyte is returned as plain text that browsers do not treat as HTML`()
    async throws
  {
    try await withServer { hub in
      try await withSubscriber { subscriber, fetcher, _, _ in
        hub.on("/hub", .status(202))
        subscriber.update(offer(hub), for: Feed.ID(rawValue: 3), reach: .anywhere)
        try await eventually { !hub.requests.isEmpty }
        let callback = try #require(form(hub.requests[0])["hub.callback"])
        let question = "\(callback)?hub.mode=subscribe&hub.topic=\(hub.url("/feed"))&hub.challenge="
        let long = String(repeating: "x", count: WebSubSubscriber.challengeBytes + 1)
        let refused = try await fetcher.fetch(FetchRequest(url: question + long))
        #expect(refused.status == 404)
        #expect(refused.body.isEmpty)
        subscriber.forget(Feed.ID(rawValue: 3))
        subscriber.update(offer(hub), for: Feed.ID(rawValue: 3), reach: .anywhere)
        try await eventually { hub.requests.count >= 2 }
        let answer = try await fetcher.fetch(FetchRequest(url: question + "%3Cb%3E"))
        #expect(answer.text == "<b>")
        #expect(answer.header("X-Content-Type-Options") == "nosniff")
        #expect(answer.header("Content-Type")?.hasPrefix("text/plain") == true)
      }
    }
  }

  @Test func `Slow connections are ended at a deadline, and then hubs can connect again`() async throws {
    try await withServer { hub in
      try await withSubscriber { subscriber, fetcher, delivered, _ in
        let (callback, secret) = try await subscribe(subscriber, fetcher, hub)
        let feed = Feed.ID(rawValue: 3)
        let idle = try (0..<64).map { _ in try Dribble(port: #require(subscriber.port)) }
        for one in idle { one.send("P") }
        try await eventually { idle.allSatisfy { $0.isAccepted(by: subscriber) } }
        subscriber.lookAfterListener(now: Monotonic.now())
        // No connection is overdue, but hubs could not connect: feeds are polled at their normal interval again.
        #expect(subscriber.leaseEnd(of: feed, at: .now()) == nil)
        // Some connections may have been accepted only now.
        try await eventually {
          subscriber.lookAfterListener(now: Monotonic.now() + ConnectionDeadlines.headTime + 1)
          return idle.allSatisfy(\.isEnded)
        }
        #expect(try await push("<feed/>", to: callback, signature: sign("<feed/>", secret), fetcher) == 202)
        try await eventually { !delivered.documents.withLock({ $0.isEmpty }) }
      }
    }
  }

  @Test(arguments: ["", "8787", "127.0.0.1", "example.org:80", "127.0.0.1:99999", "192.0.2.1:80"])
  func `A WebSub address on which newsd cannot listen is an error`(address: String) async {
    var configuration = WebSubConfiguration(callback: "http://127.0.0.1/")
    configuration.listen = address
    let subscriber = WebSubSubscriber(configuration: configuration, fetcher: .forTests(), clock: Clock())
    await #expect(throws: ListenerError.self) { try await subscriber.run { _ in } }
  }

  @Test func `A hub at a local address is not contacted unless configured`() async throws {
    try await withServer { hub in
      let fetcher = CurlFetcher.forTests { $0.allowsPrivateAddresses = false }
      let configuration = WebSubConfiguration(callback: "http://127.0.0.1/", listen: "127.0.0.1:0")
      let keeper = Keeper()
      let feed = Feed.ID(rawValue: 1)
      keeper.offers.withLock {
        $0 = [OfferedHub(feedID: feed, url: hub.url("/feed"), settings: FeedSettings(), offer: offer(hub))]
      }
      let subscriber = WebSubSubscriber(
        configuration: configuration,
        fetcher: fetcher,
        clock: Clock(),
        keeper: keeper
      )
      let run = Task { try await subscriber.run { _ in } }
      // Wait until the request was refused by the address guard.
      try await eventually { keeper.kept.withLock({ $0[feed]?.failures ?? 0 }) != 0 }
      #expect(hub.connectionCount == 0)
      run.cancel()
      try await run.value
    }
  }
}

/// A slow client that connects and sends single bytes.
private final class Dribble {
  private let descriptor: Int32

  init(port: UInt16) throws {
    descriptor = try Loopback.connect(port)
  }

  deinit { close(descriptor) }

  func send(_ text: String) { _ = text.withCString { write(descriptor, $0, strlen($0)) } }

  /// True if the listener has as many connections as it allows.
  func isAccepted(by subscriber: WebSubSubscriber) -> Bool {
    subscriber.connectionCount >= WebSubSubscriber.maximumConnections
  }

  /// True if the listener has closed the connection.
  var isEnded: Bool {
    var byte: UInt8 = 0
    let count = recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT))
    return count == 0 || count < 0 && errno != EAGAIN
  }
}

@Suite struct `Return to normal polling when hubs stop pushing` {
  private func time(_ seconds: Int64) -> Timestamp { Timestamp(seconds: seconds) }

  @Test func `After six hours without a push, newsd does not rely on hubs until one pushes again`() {
    var watch = PushWatch()
    let patience = PushWatch.patience
    #expect(watch.check(at: time(0)) == nil)
    #expect(watch.relianceEnd(lease: time(1_000_000), now: time(0)) == time(patience))
    #expect(watch.relianceEnd(lease: time(100), now: time(0)) == time(100))
    #expect(watch.check(at: time(patience - 1)) == nil)
    #expect(watch.check(at: time(patience))?.contains("6 hours") == true)
    #expect(watch.check(at: time(patience + 1)) == nil)
    #expect(watch.relianceEnd(lease: time(1_000_000), now: time(patience)) == nil)
    #expect(watch.recordContact(at: time(patience + 2)) == "hubs push again")
    #expect(watch.relianceEnd(lease: time(1_000_000), now: time(patience + 2)) == time(2 * patience + 2))
  }

  @Test func `A push while the clock was ahead counts as one now when it is right`() {
    var watch = PushWatch()
    let patience = PushWatch.patience
    _ = watch.recordContact(at: time(1_000_000))
    #expect(watch.relianceEnd(lease: time(1_000_000), now: time(0)) == time(patience))
    #expect(watch.check(at: time(0)) == nil)
    #expect(watch.check(at: time(patience)) != nil)
  }

  @Test func `When the listener is full, newsd does not rely on hubs for an hour, and reports this once`() {
    var watch = PushWatch()
    _ = watch.recordContact(at: time(0))
    #expect(watch.recordFullListener(at: time(10)) != nil)
    #expect(watch.recordFullListener(at: time(20)) == nil)
    #expect(watch.relianceEnd(lease: time(1_000_000), now: time(3619)) == nil)
    #expect(watch.relianceEnd(lease: time(1_000_000), now: time(3620)) != nil)
  }
}
