import NewsCore

/// Which feeds are subscribed to at which hubs, and what to ask of a hub next. Pure state; time is passed in.
struct WebSubBook {
  /// A subscription request to a hub.
  struct Request: Hashable {
    var feedID: Feed.ID
    var offer: HubOffer
    /// Names the subscription in the callback's path; cannot be guessed.
    var token: String
    /// Key of the signatures.
    var secret: String
    var leaseSeconds: Int64
    /// Which addresses the hub may have.
    var reach: FetchRequest.Reach
  }

  private struct Subscription {
    var kept: HubSubscription
    var reach: FetchRequest.Reach
    /// A request was sent, and the hub may verify it.
    var isPending = false
  }

  private struct Timer: Comparable {
    let time: Timestamp
    let feedID: Feed.ID
    static func < (a: Timer, b: Timer) -> Bool { a.time < b.time }
  }

  /// Ten days, which most hubs grant.
  static let leaseSeconds: Int64 = 864_000
  /// Seconds a hub has to verify a request before it counts as failed.
  static let patience: Int64 = 300

  /// Subscriptions to store as they are now, and those that ended.
  struct Changes {
    var kept: [HubSubscription] = []
    var ended: [Feed.ID] = []
    var isEmpty: Bool { kept.isEmpty && ended.isEmpty }
  }

  private let seed: [UInt8]
  /// The URL that hubs are told to call, without the token.
  private let callback: String
  private var changed = Set<Feed.ID>()
  private var subscriptions: [Feed.ID: Subscription] = [:]
  private var feeds: [String: Feed.ID] = [:]
  /// Tokens of subscriptions that ended since the start, the latest ones.
  private var endedTokens = Set<String>()
  private static let mostEndedTokens = 10_000
  private var timers = Heap<Timer>()

  /// - Parameters:
  ///   - seed: Tokens and secrets follow from it.
  ///   - callback: The URL that hubs are told to call, without the token.
  init(seed: [UInt8], callback: String = "") {
    self.seed = seed
    self.callback = callback
  }

  /// Restores a subscription after a restart. If the callback has changed, the hub is asked again.
  mutating func restore(_ kept: HubSubscription, reach: FetchRequest.Reach, now: Timestamp) {
    guard subscriptions[kept.feedID] == nil else { return }
    var kept = kept
    if kept.callback != callback {
      kept.callback = callback
      kept.leaseEnd = nil
      kept.due = now
    }
    subscriptions[kept.feedID] = Subscription(kept: kept, reach: reach)
    feeds[kept.token] = kept.feedID
    timers.insert(Timer(time: kept.due, feedID: kept.feedID))
  }

  /// Records an offer. True when a hub has to be asked.
  mutating func note(_ offer: HubOffer, of feedID: Feed.ID, reach: FetchRequest.Reach, now: Timestamp) -> Bool
  {
    if subscriptions[feedID]?.kept.offer == offer {
      subscriptions[feedID]?.reach = reach
      return false
    }
    forget(feedID)
    let name = "\(feedID.rawValue)\n\(offer.topic)\n\(offer.hub)"
    let kept = HubSubscription(
      feedID: feedID,
      offer: offer,
      callback: callback,
      token: derive("token\n\(name)", bytes: 16),
      secret: derive("secret\n\(name)", bytes: 32),
      due: now
    )
    subscriptions[feedID] = Subscription(kept: kept, reach: reach)
    feeds[kept.token] = feedID
    timers.insert(Timer(time: now, feedID: feedID))
    changed.insert(feedID)
    return true
  }

  mutating func forget(_ feedID: Feed.ID) {
    guard let subscription = subscriptions.removeValue(forKey: feedID) else { return }
    feeds[subscription.kept.token] = nil
    if endedTokens.count >= Self.mostEndedTokens { endedTokens = [] }
    endedTokens.insert(subscription.kept.token)
    changed.insert(feedID)
  }

  /// Feeds with a subscription, whatever its state.
  var feedIDs: [Feed.ID] { Array(subscriptions.keys) }

  /// Returns the changes since the last call.
  mutating func takeChanges() -> Changes {
    var changes = Changes()
    for id in changed {
      if let subscription = subscriptions[id] {
        changes.kept.append(subscription.kept)
      } else {
        changes.ended.append(id)
      }
    }
    changed = []
    return changes
  }

  /// When `nextRequest` may return a request.
  var nextTime: Timestamp? { timers.first?.time }

  /// The next request that is due; it counts as sent.
  mutating func nextRequest(now: Timestamp) -> Request? {
    while let timer = timers.first, timer.time <= now {
      timers.removeFirst()
      guard var subscription = subscriptions[timer.feedID], subscription.kept.due == timer.time else {
        continue
      }
      if subscription.isPending {
        // The hub never verified the request.
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
        offer: subscription.kept.offer,
        token: subscription.kept.token,
        secret: subscription.kept.secret,
        leaseSeconds: Self.leaseSeconds,
        reach: subscription.reach
      )
    }
    return nil
  }

  /// The hub refused the request or could not be reached: tries again after an hour, doubled with each failure up to a
  /// week.
  mutating func refused(_ request: Request, now: Timestamp) {
    guard let subscription = subscriptions[request.feedID], subscription.kept.token == request.token,
      subscription.isPending
    else { return }
    failed(request.feedID, now: now)
  }

  /// The hub verifies a request (section 5.3). Returns the feed; nil: nothing like that was requested.
  mutating func confirms(token: String, topic: String, leaseSeconds: Int64?, now: Timestamp) -> Feed.ID? {
    guard let feedID = feeds[token], var subscription = subscriptions[feedID], subscription.isPending,
      subscription.kept.offer.topic == topic
    else { return nil }
    let lease = min(max(leaseSeconds ?? Self.leaseSeconds, 60), 366 * 86_400)
    subscription.isPending = false
    subscription.kept.failures = 0
    subscription.kept.leaseEnd = now + lease
    subscriptions[feedID] = subscription
    schedule(feedID, at: now + lease * 3 / 4)
    return feedID
  }

  /// True when this token named a subscription that has ended.
  func hasEnded(token: String) -> Bool {
    feeds[token] == nil && endedTokens.contains(token)
  }

  /// The hub denies the subscription (section 5.2). Returns the feed; nil when that is known, so that repeated denials cost
  /// nothing.
  mutating func denied(token: String, topic: String, now: Timestamp) -> Feed.ID? {
    guard let feedID = feeds[token], let subscription = subscriptions[feedID],
      subscription.kept.offer.topic == topic, subscription.isPending || subscription.kept.leaseEnd != nil
    else { return nil }
    subscriptions[feedID]?.kept.leaseEnd = nil
    failed(feedID, now: now)
    return feedID
  }

  /// The feed whose content arrives under this token, and the key that signs it.
  func receiver(token: String) -> (feedID: Feed.ID, offer: HubOffer, secret: String)? {
    guard let feedID = feeds[token], let subscription = subscriptions[feedID] else { return nil }
    return (feedID, subscription.kept.offer, subscription.kept.secret)
  }

  /// The end of a running lease.
  func leaseEnd(of feedID: Feed.ID, now: Timestamp) -> Timestamp? {
    guard let end = subscriptions[feedID]?.kept.leaseEnd, end > now else { return nil }
    return end
  }

  private mutating func failed(_ feedID: Feed.ID, now: Timestamp) {
    guard let failures = subscriptions[feedID]?.kept.failures else { return }
    subscriptions[feedID]?.isPending = false
    subscriptions[feedID]?.kept.failures = failures + 1
    schedule(feedID, at: now + min(3600 << Int64(min(failures, 10)), 7 * 86_400))
  }

  private mutating func schedule(_ feedID: Feed.ID, at time: Timestamp) {
    subscriptions[feedID]?.kept.due = time
    changed.insert(feedID)
    timers.insert(Timer(time: time, feedID: feedID))
  }

  private func derive(_ name: String, bytes: Int) -> String {
    Hex.encode(SecureHash.sha256.authenticate(Array(name.utf8), key: seed).prefix(bytes))
  }
}
