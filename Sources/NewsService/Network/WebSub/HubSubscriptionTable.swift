import NewsCore
import NewsToolbox

/// Tracks the subscriptions at hubs and the next request to each hub. Pure state; times are passed in.
///
/// If several processes share a store, each has a table. The store resolves conflicting changes, and one process at a
/// time sends requests to hubs.
struct HubSubscriptionTable {
  /// A subscription request to a hub.
  struct Request: Hashable {
    var feedID: Feed.ID
    var offer: HubOffer
    /// Identifies the subscription in the callback's path; must not be guessable.
    var token: String
    /// The key for signatures.
    var secret: String
    var leaseSeconds: Int64
    /// The addresses to which requests to the hub may connect.
    var reach: FetchRequest.Reach
  }

  struct Subscription {
    var kept: HubSubscription
    var reach: FetchRequest.Reach
    /// True if this process sent the pending request, which the hub has not verified yet.
    var wasAskedHere = false
    /// Number of times that another process stored the subscription first, so that the change of this process was
    /// discarded.
    var conflicts = 0
  }

  private struct Timer: Comparable {
    let time: Timestamp
    let feedID: Feed.ID
    static func < (a: Timer, b: Timer) -> Bool { a.time < b.time }
  }

  /// Requested duration of a lease: ten days, which most hubs grant.
  static let leaseSeconds: Int64 = 864_000
  /// Maximum seconds for which a lease counts.
  static let longestLease: Int64 = 366 * 86_400
  /// Seconds that a hub has to verify a request before the request counts as failed.
  static let patience: Int64 = 300

  /// Subscriptions to store in their current state, and feeds whose subscriptions ended.
  struct Changes {
    var kept: [HubSubscription] = []
    var ended: [Feed.ID] = []
    var isEmpty: Bool { kept.isEmpty && ended.isEmpty }
  }

  private let seed: [UInt8]
  /// The callback URL for hubs, without the token.
  private let callback: String
  private var changed = Set<Feed.ID>()
  private(set) var subscriptions: [Feed.ID: Subscription] = [:]
  private var feeds: [String: Feed.ID] = [:]
  /// Tokens of subscriptions that ended since the start; cleared when there are too many.
  private var endedTokens = Set<String>()
  private static let mostEndedTokens = 10_000
  private var timers = Heap<Timer>()

  /// Tokens and secrets are derived from `seed`. `callback` is the callback URL for hubs, without the token.
  init(seed: [UInt8], callback: String = "") {
    self.seed = seed
    self.callback = callback
  }

  /// Restores a subscription after a restart. If the callback URL has changed, requests the subscription again.
  mutating func restore(_ kept: HubSubscription, reach: FetchRequest.Reach, now: Timestamp) {
    guard subscriptions[kept.feedID] == nil else { return }
    insert(kept, reach: reach)
    requestWithOwnCallback(kept.feedID, now: now)
  }

  private mutating func insert(_ kept: HubSubscription, reach: FetchRequest.Reach) {
    subscriptions[kept.feedID] = Subscription(kept: kept, reach: reach)
    feeds[kept.token] = kept.feedID
    timers.insert(Timer(time: kept.due, feedID: kept.feedID))
  }

  private mutating func requestWithOwnCallback(_ feedID: Feed.ID, now: Timestamp) {
    guard let kept = subscriptions[feedID]?.kept, kept.callback != callback else { return }
    subscriptions[feedID]?.kept.callback = callback
    subscriptions[feedID]?.kept.leaseEnd = nil
    subscriptions[feedID]?.kept.isPending = false
    schedule(feedID, at: now)
  }

  /// Records a feed's offer. Returns true if a request must be sent to the hub.
  mutating func note(_ offer: HubOffer, of feedID: Feed.ID, reach: FetchRequest.Reach, now: Timestamp) -> Bool
  {
    if subscriptions[feedID]?.kept.offer == offer {
      subscriptions[feedID]?.reach = reach
      return false
    }
    let revision = subscriptions[feedID]?.kept.revision ?? 0
    forget(feedID)
    let name = "\(feedID.rawValue)\n\(offer.topic)\n\(offer.hub)"
    insert(
      HubSubscription(
        feedID: feedID,
        offer: offer,
        callback: callback,
        token: derive("token\n\(name)", bytes: 16),
        secret: derive("secret\n\(name)", bytes: 32),
        due: now,
        revision: revision
      ),
      reach: reach
    )
    changed.insert(feedID)
    return true
  }

  mutating func forget(_ feedID: Feed.ID) {
    guard remove(feedID) else { return }
    changed.insert(feedID)
  }

  private mutating func remove(_ feedID: Feed.ID) -> Bool {
    guard let subscription = subscriptions.removeValue(forKey: feedID) else { return false }
    feeds[subscription.kept.token] = nil
    if endedTokens.count >= Self.mostEndedTokens { endedTokens = [] }
    endedTokens.insert(subscription.kept.token)
    return true
  }

  /// The feeds with a subscription in any state.
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

  /// The time of the next timer, at which `nextRequest` may return a request; nil if there is no timer.
  var nextTime: Timestamp? { timers.first?.time }

  /// Returns the next due request and marks it as sent.
  mutating func nextRequest(now: Timestamp) -> Request? {
    while let timer = timers.first, timer.time <= now {
      timers.removeFirst()
      guard let subscription = subscriptions[timer.feedID], subscription.kept.due == timer.time else {
        continue
      }
      if subscription.kept.isPending, subscription.wasAskedHere {
        // The hub did not verify its last request in time.
        failed(timer.feedID, now: now)
        continue
      }
      subscriptions[timer.feedID]?.kept.isPending = true
      subscriptions[timer.feedID]?.wasAskedHere = true
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

  /// True if the hub has not verified this request yet.
  func awaits(_ request: Request) -> Bool {
    subscriptions[request.feedID].map { $0.kept.token == request.token && $0.kept.isPending } ?? false
  }

  /// Handles a request that the hub refused or did not receive. Retries after an hour, with exponential backoff up to a
  /// week.
  mutating func refused(_ request: Request, now: Timestamp) {
    guard awaits(request) else { return }
    failed(request.feedID, now: now)
  }

  /// Handles the hub's verification of a request (section 5.3). Returns the feed; nil if no such request is pending.
  mutating func confirms(token: String, topic: String, leaseSeconds: Int64?, now: Timestamp) -> Feed.ID? {
    guard let feedID = feeds[token], let kept = subscriptions[feedID]?.kept, kept.isPending,
      kept.offer.topic == topic
    else { return nil }
    let lease = min(max(leaseSeconds ?? Self.leaseSeconds, 60), Self.longestLease)
    subscriptions[feedID]?.kept.isPending = false
    subscriptions[feedID]?.kept.failures = 0
    subscriptions[feedID]?.kept.leaseEnd = now + lease
    schedule(feedID, at: now + lease * 3 / 4)
    return feedID
  }

  /// Requests subscriptions again whose times only a clock that was ahead can have set, and dates contacts from the future
  /// now. Returns the feeds whose lease counts no longer.
  mutating func correct(now: Timestamp) -> [Feed.ID] {
    let latest = now + PollPolicy.clockTolerance
    var wrong: [Feed.ID] = []
    for (feedID, kept) in subscriptions.mapValues(\.kept) {
      if let contact = kept.lastContact, contact > latest {
        subscriptions[feedID]?.kept.lastContact = now
        changed.insert(feedID)
      }
      guard Self.earliestStart(of: kept) > latest else { continue }
      subscriptions[feedID]?.kept.leaseEnd = nil
      subscriptions[feedID]?.kept.isPending = false
      schedule(feedID, at: now)
      wrong.append(feedID)
    }
    return wrong
  }

  /// Returns the earliest time at which the next request to the hub can have been scheduled.
  private static func earliestStart(of kept: HubSubscription) -> Timestamp {
    guard kept.failures == 0 else { return kept.due - pause(afterFailures: kept.failures - 1) }
    guard let end = kept.leaseEnd, end > kept.due, !kept.isPending else { return kept.due - patience }
    // A quarter of the lease is left then, see `confirms`.
    return end - 4 &* min(end - kept.due, longestLease)
  }

  /// Returns true if this token identified a subscription that has ended.
  func hasEnded(token: String) -> Bool {
    feeds[token] == nil && endedTokens.contains(token)
  }

  /// Handles a denial by the hub (section 5.2). Returns the feed; nil if there is no such subscription, or if
  /// the hub has already denied it, so that repeated denials have no effect.
  mutating func denied(token: String, topic: String, now: Timestamp) -> Feed.ID? {
    guard let feedID = feeds[token], let kept = subscriptions[feedID]?.kept,
      kept.offer.topic == topic, kept.isPending || kept.leaseEnd != nil
    else { return nil }
    subscriptions[feedID]?.kept.leaseEnd = nil
    failed(feedID, now: now)
    return feedID
  }

  /// Returns the feed whose content is delivered under this token, the feed's offer, and the key of the signatures.
  func receiver(token: String) -> (feedID: Feed.ID, offer: HubOffer, secret: String)? {
    guard let feedID = feeds[token], let subscription = subscriptions[feedID] else { return nil }
    return (feedID, subscription.kept.offer, subscription.kept.secret)
  }

  /// Returns the end of an active lease; nil if there is none.
  func leaseEnd(of feedID: Feed.ID, now: Timestamp) -> Timestamp? {
    guard let end = subscriptions[feedID]?.kept.leaseEnd, end > now else { return nil }
    return end
  }

  private mutating func failed(_ feedID: Feed.ID, now: Timestamp) {
    guard let failures = subscriptions[feedID]?.kept.failures else { return }
    subscriptions[feedID]?.kept.isPending = false
    subscriptions[feedID]?.kept.failures = failures + 1
    schedule(feedID, at: now + Self.pause(afterFailures: failures))
  }

  /// Returns the seconds until the next request to a hub after `failures` failed requests and a further one.
  private static func pause(afterFailures failures: Int) -> Int64 {
    min(3600 << Int64(min(failures, 10)), 7 * 86_400)
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

// MARK: - Several processes

extension HubSubscriptionTable {
  /// Minimum seconds between two contacts with a hub that are stored for the other processes.
  static let contactPause: Int64 = 600

  /// Adopts the subscriptions that other processes have stored. For the feeds in `conflicts`, the changes of
  /// this process are discarded, because another process stored its own first.
  mutating func merge(_ stored: [HubSubscription], conflicts: Set<Feed.ID> = []) {
    for kept in stored {
      let known = subscriptions[kept.feedID]
      if conflicts.contains(kept.feedID) {
        changed.remove(kept.feedID)
      } else if changed.contains(kept.feedID) || known?.kept.revision == kept.revision {
        continue
      }
      if let known, known.kept.token != kept.token { _ = remove(kept.feedID) }
      insert(kept, reach: known?.reach ?? .publicOnly)
      subscriptions[kept.feedID]?.wasAskedHere = known?.wasAskedHere == true && known?.kept.due == kept.due
      subscriptions[kept.feedID]?.conflicts =
        (known?.conflicts ?? 0) + (conflicts.contains(kept.feedID) ? 1 : 0)
    }
    let ids = Set(stored.map(\.feedID))
    for id in feedIDs where !ids.contains(id) {
      // Keep a subscription that this process has added but not stored yet.
      guard conflicts.contains(id) || !changed.contains(id) else { continue }
      changed.remove(id)
      _ = remove(id)
    }
  }

  /// Records the result of storing changes. `revisions` are nil if the store could not be written. Returns
  /// the feeds for which another process stored a change first.
  mutating func didStore(_ changes: Changes, revisions: [Feed.ID: Int64]?) -> Set<Feed.ID> {
    guard let revisions else {
      changed.formUnion(changes.kept.map(\.feedID) + changes.ended)
      return []
    }
    var conflicts: Set<Feed.ID> = []
    for kept in changes.kept {
      if let revision = revisions[kept.feedID] {
        subscriptions[kept.feedID]?.kept.revision = revision
      } else if subscriptions[kept.feedID] != nil {
        conflicts.insert(kept.feedID)
      }
    }
    return conflicts
  }

  /// Requests subscriptions again whose hubs use a callback URL other than this process's.
  mutating func adoptCallback(now: Timestamp) {
    for id in feedIDs { requestWithOwnCallback(id, now: now) }
  }

  /// Stores the time of a contact with a hub for the other processes, at most once per `contactPause`.
  mutating func noteContact(token: String, now: Timestamp) {
    guard let feedID = feeds[token], let kept = subscriptions[feedID]?.kept,
      kept.lastContact.map({ now - $0 >= Self.contactPause }) ?? true
    else { return }
    subscriptions[feedID]?.kept.lastContact = now
    changed.insert(feedID)
  }

  /// The last stored contact with any hub.
  var lastContact: Timestamp? { subscriptions.values.compactMap(\.kept.lastContact).max() }

  /// Number of times that another process stored the token's subscription first.
  func conflicts(token: String) -> Int {
    feeds[token].flatMap { subscriptions[$0]?.conflicts } ?? 0
  }

  func knows(token: String) -> Bool { feeds[token] != nil }
}
