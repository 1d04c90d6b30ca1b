/// A document that a hub pushed to newsd (W3C WebSub section 7).
public struct PushedDocument: Sendable {
  public var feedID: Feed.ID
  /// The feed's topic URL: the base of relative links.
  public var topic: String
  public var bytes: [UInt8]
  /// The Content-Type field value.
  public var contentType: String?
  public var received: Timestamp
  /// True: signed with the subscription's secret. False: the hub got no secret, because it could have been intercepted;
  /// the document only indicates that the feed has changed.
  public var isSigned: Bool
  /// The document's share of the memory for unread documents; released with the last copy of this document.
  public var share: BodyShare?

  public init(
    feedID: Feed.ID,
    topic: String,
    bytes: [UInt8],
    contentType: String?,
    received: Timestamp,
    isSigned: Bool = true
  ) {
    self.feedID = feedID
    self.topic = topic
    self.bytes = bytes
    self.contentType = contentType
    self.received = received
    self.isSigned = isSigned
  }
}

/// An event from a hub.
public enum HubEvent: Sendable {
  case pushed(PushedDocument)
  /// A hub has started, renewed or ended a subscription.
  case leaseChanged(Feed.ID)
}

/// Subscribes to feeds at the hubs that their publishers offer (W3C WebSub), and listens for pushes. All calls but `run`
/// return at once.
public protocol WebSubSubscribing: Sendable {
  /// Subscribes at the hub that a refresh has found, if necessary. Without an offer nothing changes until the
  /// lease expires. The hub may have the addresses in `reach`, the same as for the feed itself.
  func update(_ offer: HubOffer?, for feed: Feed.ID, reach: FetchRequest.Reach)
  /// Ends the hub's pushes for a feed that is gone or removed: its lease is not renewed, and further pushes are
  /// rejected.
  func forget(_ feed: Feed.ID)
  /// Returns the time until which polling may rely on a hub's pushes and use a lower rate; nil: no hub pushes this
  /// feed.
  func leaseEnd(of feed: Feed.ID, at time: Timestamp) -> Timestamp?
  /// Tells the subscriber that feeds were added or removed, possibly by another process.
  func feedsChanged()
  /// Binds the address to listen on, unless already bound. `run` calls it too. Throws when the address cannot
  /// be bound.
  func open() throws
  /// Listens, sends requests to hubs and passes on their events until the task is cancelled. `take` is called
  /// for one event at a time; while too many documents wait, hubs cannot push more.
  func run(_ take: @escaping @Sendable (HubEvent) async -> Void) async throws
}

/// A subscription at a hub, kept across restarts.
public struct HubSubscription: Hashable, Sendable {
  public var feedID: Feed.ID
  public var offer: HubOffer
  /// The URL that the hub calls, without the token.
  public var callback: String
  /// Identifies the subscription in the callback's path; unguessable.
  public var token: String
  /// HMAC key of the signatures.
  public var secret: String
  /// The end of the lease; nil: no active subscription.
  public var leaseEnd: Timestamp?
  /// Number of consecutive requests that the hub refused, did not receive or did not verify.
  public var failures: Int
  /// When to send the next request to the hub.
  public var due: Timestamp
  /// True if a request was sent that the hub has not verified yet. It counts as failed at `due`. Stored only where several
  /// processes share the store.
  public var isPending: Bool
  /// When the hub last pushed or confirmed something, accurate to minutes. Stored only where several processes share
  /// the store.
  public var lastContact: Timestamp?
  /// Differs after each change by any process; 0: not stored yet, or only one process changes it.
  public var revision: Int64

  public init(
    feedID: Feed.ID,
    offer: HubOffer,
    callback: String,
    token: String,
    secret: String,
    leaseEnd: Timestamp? = nil,
    failures: Int = 0,
    due: Timestamp,
    isPending: Bool = false,
    lastContact: Timestamp? = nil,
    revision: Int64 = 0
  ) {
    self.feedID = feedID
    self.offer = offer
    self.callback = callback
    self.token = token
    self.secret = secret
    self.leaseEnd = leaseEnd
    self.failures = failures
    self.due = due
    self.isPending = isPending
    self.lastContact = lastContact
    self.revision = revision
  }
}

/// A feed whose publisher offers a hub.
public struct OfferedHub: Hashable, Sendable {
  public var feedID: Feed.ID
  public var url: String
  public var settings: FeedSettings
  public var offer: HubOffer

  public init(feedID: Feed.ID, url: String, settings: FeedSettings, offer: HubOffer) {
    self.feedID = feedID
    self.url = url
    self.settings = settings
    self.offer = offer
  }
}

/// Stores the subscriptions at hubs.
public protocol HubSubscriptionKeeping: Sendable {
  /// Returns the polled feeds whose publisher offers a hub.
  func offeredHubs() async throws(StoreError) -> [OfferedHub]
  func hubSubscriptions() async throws(StoreError) -> [HubSubscription]
  /// Stores `subscriptions`, except subscriptions that have another revision in the store, and deletes the
  /// subscriptions of the feeds `ended`. Returns the new revisions of the subscriptions that were stored.
  @discardableResult
  func keep(
    _ subscriptions: [HubSubscription],
    ended: [Feed.ID]
  ) async throws(StoreError) -> [Feed.ID: Int64]
  /// Returns a number that changes whenever a subscription changes; always 0 where only one process changes
  /// them.
  func hubRevision() async throws(StoreError) -> Int64
  /// Ends the reduced polling of feeds that hubs push: each feed is due `pause` seconds after its last poll, because pushes
  /// were missed while no daemon ran; nil: after its own interval. Does nothing while another process sends the requests
  /// to hubs.
  func resumePolling(after pause: Int64?) async throws(StoreError)
}

/// How several processes on one store share the hubs: each answers callbacks, and one sends requests.
public struct HubSharing: Sendable {
  /// True while this process, and no other, sends requests to hubs.
  public var maySendRequests: @Sendable () async -> Bool
  /// Its waits end when another process has changed subscriptions.
  public var waiter: any ChangeAwaiting

  public init(maySendRequests: @escaping @Sendable () async -> Bool, waiter: any ChangeAwaiting) {
    self.maySendRequests = maySendRequests
    self.waiter = waiter
  }
}
