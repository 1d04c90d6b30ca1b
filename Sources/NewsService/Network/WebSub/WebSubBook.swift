import NewsService

/// Which feeds are subscribed to at which hubs, and what is to be said to a hub next. Decides and does nothing; time comes
/// from outside.
struct WebSubBook {
  /// What to ask of a hub.
  struct Request: Hashable {
    var feedID: Feed.ID
    var offer: WebSubOffer
    /// Names the subscription in the callback's path; cannot be guessed.
    var token: String
    /// Key of the signatures.
    var secret: String
    var leaseSeconds: Int64
  }

  private struct Subscription {
    var offer: WebSubOffer
    var token: String
    var secret: String
    /// A request was sent, and the hub may ask whether we meant it.
    var isPending = false
    /// Until when the hub pushes.
    var leaseEnd: Timestamp?
    var failures = 0
    /// When to talk to the hub next.
    var due: Timestamp
  }

  private struct Timer: Comparable {
    let time: Timestamp
    let feedID: Feed.ID
    static func < (a: Timer, b: Timer) -> Bool { a.time < b.time }
  }

  /// Ten days, what most hubs grant anyway.
  static let leaseSeconds: Int64 = 864_000
  /// How long a hub has to ask back before the request counts as failed.
  static let patience: Int64 = 300

  private let seed: [UInt8]
  private var subscriptions: [Feed.ID: Subscription] = [:]
  private var feeds: [String: Feed.ID] = [:]
  private var timers = Heap<Timer>()

  /// - Parameter seed: Tokens and secrets follow from it: the same after a restart if this is the same.
  init(seed: [UInt8]) {
    self.seed = seed
  }

  /// Takes note of an offer. True when there is something new to ask of a hub.
  mutating func note(_ offer: WebSubOffer, of feedID: Feed.ID, now: Timestamp) -> Bool {
    if subscriptions[feedID]?.offer == offer { return false }
    forget(feedID)
    let name = "\(feedID.rawValue)\n\(offer.topic)\n\(offer.hub)"
    let token = derive("token\n\(name)", bytes: 16)
    subscriptions[feedID] = Subscription(
      offer: offer,
      token: token,
      secret: derive("secret\n\(name)", bytes: 32),
      due: now
    )
    feeds[token] = feedID
    timers.insert(Timer(time: now, feedID: feedID))
    return true
  }

  mutating func forget(_ feedID: Feed.ID) {
    guard let subscription = subscriptions.removeValue(forKey: feedID) else { return }
    feeds[subscription.token] = nil
  }

  /// When `nextRequest` will have something.
  var nextTime: Timestamp? { timers.first?.time }

  /// What is to be asked of a hub now; counts as asked from here on.
  mutating func nextRequest(now: Timestamp) -> Request? {
    while let timer = timers.first, timer.time <= now {
      timers.removeFirst()
      guard var subscription = subscriptions[timer.feedID], subscription.due == timer.time else { continue }
      if subscription.isPending {
        // The hub never asked back.
        subscription.isPending = false
        subscriptions[timer.feedID] = subscription
        failed(timer.feedID, now: now)
        continue
      }
      subscription.isPending = true
      subscriptions[timer.feedID] = subscription
      schedule(timer.feedID, at: now + Self.patience)
      return Request(
        feedID: timer.feedID,
        offer: subscription.offer,
        token: subscription.token,
        secret: subscription.secret,
        leaseSeconds: Self.leaseSeconds
      )
    }
    return nil
  }

  /// The hub refused the request, or could not be reached: try later, an hour and then twice as long each time, up to a
  /// week.
  mutating func refused(_ request: Request, now: Timestamp) {
    guard let subscription = subscriptions[request.feedID], subscription.token == request.token,
      subscription.isPending
    else { return }
    failed(request.feedID, now: now)
  }

  /// The hub asks whether we meant it (section 5.3). True: yes.
  mutating func confirms(token: String, topic: String, leaseSeconds: Int64?, now: Timestamp) -> Bool {
    guard let feedID = feeds[token], var subscription = subscriptions[feedID], subscription.isPending,
      subscription.offer.topic == topic
    else { return false }
    let lease = min(max(leaseSeconds ?? Self.leaseSeconds, 60), 366 * 86_400)
    subscription.isPending = false
    subscription.failures = 0
    subscription.leaseEnd = now + lease
    subscriptions[feedID] = subscription
    schedule(feedID, at: now + lease * 3 / 4)
    return true
  }

  /// True when nobody here wants what a hub wants to end (section 5.3.1, `unsubscribe`).
  func confirmsEnd(token: String) -> Bool {
    feeds[token] == nil
  }

  /// The hub will not push this feed (section 5.2).
  mutating func denied(token: String, topic: String, now: Timestamp) {
    guard let feedID = feeds[token], subscriptions[feedID]?.offer.topic == topic else { return }
    subscriptions[feedID]?.leaseEnd = nil
    failed(feedID, now: now)
  }

  /// Whose content comes in under this token, and the key that signs it.
  func receiver(token: String) -> (feedID: Feed.ID, topic: String, secret: String)? {
    guard let feedID = feeds[token], let subscription = subscriptions[feedID] else { return nil }
    return (feedID, subscription.offer.topic, subscription.secret)
  }

  /// The end of a running lease.
  func leaseEnd(of feedID: Feed.ID, now: Timestamp) -> Timestamp? {
    guard let end = subscriptions[feedID]?.leaseEnd, end > now else { return nil }
    return end
  }

  private mutating func failed(_ feedID: Feed.ID, now: Timestamp) {
    guard let failures = subscriptions[feedID]?.failures else { return }
    subscriptions[feedID]?.isPending = false
    subscriptions[feedID]?.failures = failures + 1
    schedule(feedID, at: now + min(3600 << Int64(min(failures, 10)), 7 * 86_400))
  }

  private mutating func schedule(_ feedID: Feed.ID, at time: Timestamp) {
    subscriptions[feedID]?.due = time
    timers.insert(Timer(time: time, feedID: feedID))
  }

  private func derive(_ name: String, bytes: Int) -> String {
    Hex.encode(SecureHash.sha256.authenticate(Array(name.utf8), key: seed).prefix(bytes))
  }
}
