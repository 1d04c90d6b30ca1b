/// A publisher's announcement that a hub pushes its feed (W3C WebSub section 4).
public struct HubOffer: Hashable, Sendable {
  /// The feed's topic URL: its `rel="self"` link, or else the URL of the response.
  public var topic: String
  /// The hub's URL, which accepts subscription requests.
  public var hub: String

  public init(topic: String, hub: String) {
    self.topic = topic
    self.hub = hub
  }
}
