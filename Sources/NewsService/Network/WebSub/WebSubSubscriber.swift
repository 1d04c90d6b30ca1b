public import NewsService
import Synchronization

/// Where hubs reach us, and what we listen on.
public struct WebSubConfiguration: Sendable {
  /// The URL under which hubs reach the listener; a path component is added for each feed.
  public var callback: String
  /// `ADDRESS:PORT` to listen on; a reverse proxy may stand between.
  public var listen: String
  /// Bytes of one pushed document.
  public var bodyBytes: Int
  /// Which hubs may be asked.
  public var reach: FetchRequest.Reach
  /// Kept by the caller, subscriptions after a restart renew those before it; nil: random, and they are made anew.
  public var seed: [UInt8]?

  public init(callback: String, listen: String = "127.0.0.1:8787") {
    self.callback = callback
    self.listen = listen
    bodyBytes = 20 << 20
    reach = .publicOnly
    seed = nil
  }
}

/// Subscribes to feeds at their hubs and takes in what hubs push (W3C WebSub): requests with a secret, verification of
/// intent, renewal at three quarters of a lease, and signature checks.
public final class WebSubSubscriber: WebSubSubscribing, Sendable {
  private let configuration: WebSubConfiguration
  private let fetcher: CurlFetcher
  private let clock: any WallClock
  private let book: Mutex<WebSubBook>
  private let inbox = PushInbox()
  private let wakeups = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  private let boundPort = Mutex<UInt16?>(nil)

  /// Hubs asked at a time.
  private static let requestsAtATime = 16

  public init(configuration: WebSubConfiguration, fetcher: CurlFetcher, clock: any WallClock) {
    self.configuration = configuration
    self.fetcher = fetcher
    self.clock = clock
    let seed = configuration.seed ?? (0..<32).map { _ in UInt8.random(in: .min ... .max) }
    book = Mutex(WebSubBook(seed: seed))
  }

  public func noticed(_ response: FetchResponse, _ document: ParsedFeed?, of feed: Feed.ID) {
    guard let offer = WebSubOffer(response, document) else { return }
    let now = clock.now()
    if book.withLock({ $0.note(offer, of: feed, now: now) }) { wakeups.continuation.yield() }
  }

  public func forget(_ feed: Feed.ID) {
    book.withLock { $0.forget(feed) }
  }

  public func pushes(_ feed: Feed.ID, at time: Timestamp) -> Timestamp? {
    book.withLock { $0.leaseEnd(of: feed, now: time) }
  }

  /// The port listened on while `run` runs.
  public var port: UInt16? { boundPort.withLock { $0 } }

  /// Listens, asks hubs and hands over what they push, until the task is cancelled.
  ///
  /// - Parameter deliver: Called for one document after the other; the hub's next ones wait, within bounds, and are sent
  ///   again by the hub beyond them.
  /// - Throws: When the listener cannot listen.
  public func run(deliver: @escaping @Sendable (PushedDocument) async -> Void) async throws(ListenerError) {
    let listener = try HTTPListener(address: configuration.listen, handler: self)
    boundPort.withLock { $0 = listener.port }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [inbox] in
        for await document in inbox.documents {
          await deliver(document)
          inbox.delivered(document)
        }
      }
      group.addTask { await self.askHubs() }
      await group.waitForAll()
    }
    boundPort.withLock { $0 = nil }
    withExtendedLifetime(listener) {}
  }

  // MARK: - Hubs

  private func askHubs() async {
    while !Task.isCancelled {
      let now = clock.now()
      let requests = book.withLock { book in
        var requests: [WebSubBook.Request] = []
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

  private func ask(_ request: WebSubBook.Request) async {
    var limits = FetchLimits()
    limits.firstByteTimeout = 15_000
    limits.totalTimeout = 30_000
    limits.bodyBytes = 64 << 10
    let base = configuration.callback.last == "/" ? configuration.callback : configuration.callback + "/"
    do {
      let response = try await fetcher.post(
        [
          ("hub.mode", "subscribe"), ("hub.topic", request.offer.topic),
          ("hub.callback", base + request.token),
          ("hub.lease_seconds", "\(request.leaseSeconds)"), ("hub.secret", request.secret),
        ],
        FetchRequest(url: request.offer.hub, limits: limits, reach: configuration.reach)
      )
      if !(200..<300).contains(response.status) { refused(request) }
    } catch {
      if error.code != .cancelled { refused(request) }
    }
  }

  private func refused(_ request: WebSubBook.Request) {
    let now = clock.now()
    book.withLock { $0.refused(request, now: now) }
  }

  /// Until that time or the next wakeup.
  private func sleep(until time: Timestamp?) async {
    let seconds = time.map { max($0 - clock.now(), 1) } ?? 3600
    await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await Task.sleep(for: .seconds(min(seconds, 3600))) }
      group.addTask { [wakeups] in
        for await _ in wakeups.stream { return }
      }
      await group.next()
      group.cancelAll()
    }
  }
}

// MARK: - Callbacks

extension WebSubSubscriber: ListenerHandling {
  func admit(_ request: ListenerRequest) -> ListenerAdmission {
    guard request.method == "POST" else { return .body(limit: 0) }
    guard book.withLock({ $0.receiver(token: request.token) }) != nil else {
      // Tells the hub to give up (section 7).
      return .reply(ListenerReply(status: 410))
    }
    guard inbox.hasRoom else { return .reply(ListenerReply(status: 503)) }
    return .body(limit: configuration.bodyBytes)
  }

  func answer(_ request: ListenerRequest) -> ListenerReply {
    switch request.method {
    case "GET": verify(request)
    case "POST": receive(request)
    default: ListenerReply(status: 405)
    }
  }

  /// Verification of intent (section 5.3) and denials (5.2).
  private func verify(_ request: ListenerRequest) -> ListenerReply {
    let now = clock.now()
    let topic = request.query["hub.topic"] ?? ""
    let isMeant: Bool
    switch request.query["hub.mode"] {
    case "subscribe":
      let lease = request.query["hub.lease_seconds"].flatMap { Int64($0) }
      isMeant = book.withLock {
        $0.confirms(token: request.token, topic: topic, leaseSeconds: lease, now: now)
      }
      if isMeant { wakeups.continuation.yield() }
    case "unsubscribe":
      isMeant = book.withLock { $0.confirmsEnd(token: request.token) }
    case "denied":
      book.withLock { $0.denied(token: request.token, topic: topic, now: now) }
      return ListenerReply(status: 200)
    default:
      isMeant = false
    }
    guard isMeant, let challenge = request.query["hub.challenge"] else { return ListenerReply(status: 404) }
    return ListenerReply(status: 200, body: Array(challenge.utf8))
  }

  /// Content distribution (section 7). What is not signed as it should be is thanked for and dropped.
  private func receive(_ request: ListenerRequest) -> ListenerReply {
    guard let receiver = book.withLock({ $0.receiver(token: request.token) }) else {
      return ListenerReply(status: 410)
    }
    let signature = request.headers["x-hub-signature"]
    guard HubSignature.isValid(signature, body: request.body, secret: receiver.secret) else {
      return ListenerReply(status: 202)
    }
    let document = PushedDocument(
      feedID: receiver.feedID,
      topic: receiver.topic,
      bytes: request.body,
      contentType: request.headers["content-type"],
      received: clock.now()
    )
    return ListenerReply(status: inbox.take(document) ? 202 : 503)
  }
}

extension ListenerRequest {
  /// The last component of the path: a reverse proxy may have cut what stands before.
  fileprivate var token: String { path.split(separator: "/").last.map(String.init) ?? "" }
}

/// Pushed documents that wait to be stored, bounded in number and bytes.
final class PushInbox: Sendable {
  let documents: AsyncStream<PushedDocument>
  private let continuation: AsyncStream<PushedDocument>.Continuation
  private let waiting = Mutex((count: 0, bytes: 0))

  private static let mostDocuments = 256
  private static let mostBytes = 32 << 20

  init() {
    (documents, continuation) = AsyncStream.makeStream()
  }

  /// False: the hub should come again later.
  var hasRoom: Bool {
    waiting.withLock { $0.count < Self.mostDocuments && $0.bytes < Self.mostBytes }
  }

  /// False when there is no room.
  func take(_ document: PushedDocument) -> Bool {
    let isTaken = waiting.withLock { waiting in
      guard waiting.count < Self.mostDocuments, waiting.bytes < Self.mostBytes else { return false }
      waiting.count += 1
      waiting.bytes += document.bytes.count
      return true
    }
    if isTaken { continuation.yield(document) }
    return isTaken
  }

  func delivered(_ document: PushedDocument) {
    waiting.withLock { waiting in
      waiting.count -= 1
      waiting.bytes -= document.bytes.count
    }
  }
}
