/// A document that a hub has pushed to us (W3C WebSub section 7).
public struct PushedDocument: Sendable {
  public var feedID: Feed.ID
  /// The URL that the publisher calls the feed by: what relative links are resolved against.
  public var topic: String
  public var bytes: [UInt8]
  /// The Content-Type field value.
  public var contentType: String?
  public var received: Timestamp
  /// True: signed with the subscription's secret. False: the hub was given none, for it could have been read on the
  /// way; what it sends is no more than a hint that the feed has something new.
  public var isSigned: Bool
  /// Its share of what may wait to be read; given back with the last copy of this document.
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
  /// A hub has begun, renewed or ended the pushing of a feed.
  case leaseChanged(Feed.ID)
}

/// Has hubs push feeds to us, where publishers offer one (W3C WebSub). All calls return at once.
public protocol WebSubSubscribing: Sendable {
  /// Sees to a subscription at the hub that a refresh has found. Nothing offered any more changes nothing: the lease
  /// runs out.
  ///
  /// - Parameters:
  ///   - offer: The hub and topic that the feed's last response or document named.
  ///   - feed: The feed.
  ///   - reach: Which addresses the hub may have; as for the feed itself.
  func noticed(_ offer: HubOffer?, of feed: Feed.ID, reach: FetchRequest.Reach)
  /// The feed is gone or archived: nothing is renewed, and what a hub still pushes is refused.
  func forget(_ feed: Feed.ID)
  /// Until when a hub pushes this feed, so that it may be polled at a lower rate; nil when none does.
  func pushes(_ feed: Feed.ID, at time: Timestamp) -> Timestamp?
  /// Feeds were added or removed, perhaps by another process.
  func feedsChanged()
}

/// A subscriber that listens.
public protocol WebSubRunning: WebSubSubscribing {
  /// Takes up the address to listen on; `run` does if it has not been done before.
  ///
  /// - Throws: When it cannot be listened on; the error says why.
  func open() throws
  /// Listens, asks hubs and hands over what they do, until the task is cancelled.
  ///
  /// - Parameter take: Called for one event after the other; no hub may push more while too many documents are held.
  /// - Throws: As `open`.
  func run(_ take: @escaping @Sendable (HubEvent) async -> Void) async throws
}

/// A subscription at a hub, as it is kept over restarts.
public struct HubSubscription: Hashable, Sendable {
  public var feedID: Feed.ID
  public var offer: HubOffer
  /// The URL that hubs were told to call, without the token.
  public var callback: String
  /// Names the subscription in the callback's path; cannot be guessed.
  public var token: String
  /// Key of the signatures.
  public var secret: String
  /// Until when the hub pushes; nil: it does not.
  public var leaseEnd: Timestamp?
  /// Refusals in a row.
  public var failures: Int
  /// When to talk to the hub next.
  public var due: Timestamp

  public init(
    feedID: Feed.ID,
    offer: HubOffer,
    callback: String,
    token: String,
    secret: String,
    leaseEnd: Timestamp? = nil,
    failures: Int = 0,
    due: Timestamp
  ) {
    self.feedID = feedID
    self.offer = offer
    self.callback = callback
    self.token = token
    self.secret = secret
    self.leaseEnd = leaseEnd
    self.failures = failures
    self.due = due
  }
}

/// A feed that a hub is offered for.
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
  /// Feeds that are polled and whose publisher offers a hub.
  func offeredHubs() async throws(StoreError) -> [OfferedHub]
  func hubSubscriptions() async throws(StoreError) -> [HubSubscription]
  /// Stores those, and forgets the subscriptions of `ended`.
  func keep(_ subscriptions: [HubSubscription], ended: [Feed.ID]) async throws(StoreError)
  /// Has feeds that waited because a hub pushed them polled by their own rhythm again: while no daemon ran, nobody
  /// heard the hub.
  func endWaitingForHubs() async throws(StoreError)
}
