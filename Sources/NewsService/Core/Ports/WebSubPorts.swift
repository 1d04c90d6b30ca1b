/// A document that a hub has pushed to us (W3C WebSub section 7), its signature verified.
public struct PushedDocument: Sendable {
  public var feedID: Feed.ID
  /// The URL that the publisher calls the feed by: what relative links are resolved against.
  public var topic: String
  public var bytes: [UInt8]
  /// The Content-Type field value.
  public var contentType: String?
  public var received: Timestamp

  public init(feedID: Feed.ID, topic: String, bytes: [UInt8], contentType: String?, received: Timestamp) {
    self.feedID = feedID
    self.topic = topic
    self.bytes = bytes
    self.contentType = contentType
    self.received = received
  }
}

/// Has hubs push feeds to us, where publishers offer one (W3C WebSub). All calls return at once.
public protocol WebSubSubscribing: Sendable {
  /// Looks for a hub in what a refresh brought and sees to a subscription there. A 304, or a document that names no hub
  /// any more, changes nothing: the lease runs out.
  func noticed(_ response: FetchResponse, _ document: ParsedFeed?, of feed: Feed.ID)
  /// The feed is gone or archived: nothing is renewed, and what a hub still pushes is refused.
  func forget(_ feed: Feed.ID)
  /// Until when a hub pushes this feed, so that it may be polled at a lower rate; nil when none does.
  func pushes(_ feed: Feed.ID, at time: Timestamp) -> Timestamp?
}
