/// A publisher's word that a hub pushes a feed (W3C WebSub section 4).
public struct HubOffer: Hashable, Sendable {
  /// The URL that the publisher calls the feed by.
  public var topic: String
  /// The URL to ask for a subscription.
  public var hub: String

  public init(topic: String, hub: String) {
    self.topic = topic
    self.hub = hub
  }
}
