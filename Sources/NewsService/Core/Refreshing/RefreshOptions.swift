/// Bounds and choices of refreshing.
public struct RefreshOptions: Sendable {
  /// Addresses that feeds may be fetched from, unless a feed's own settings say that the user typed its URL.
  public var reach: FetchRequest.Reach
  public var limits: FetchLimits
  /// Transfers at a time, in all.
  public var maximumTransfers: Int
  /// Transfers at a time in all, counting those that have not moved for a while. Nil: four times `maximumTransfers`.
  public var openTransfers: Int?
  /// Transfers at a time for one site.
  public var transfersPerSite: Int
  /// What counts as one site; the registrable domain where a public suffix list is at hand.
  public var site: @Sendable (_ url: String) -> String
  /// The hub that a response or the document in it names; nil when there is none. With `namesTopic` only where the
  /// publisher names the topic, too, so that a hub does not learn the subscription's own URL.
  public var hub:
    @Sendable (_ response: FetchResponse, _ document: ParsedFeed?, _ namesTopic: Bool) -> HubOffer?
  /// Bytes of bodies: up to a quarter of it waits to be read, and what is read and not yet stored, which weighs twice its
  /// body, takes a quarter more than it.
  public var heldBytes: Int
  /// Documents read at a time.
  public var readers: Int
  /// A transaction is begun when this many items wait…
  public var commitItems: Int
  /// … or parsed bodies of this many bytes, or the first record has waited this many milliseconds; and in any case when
  /// all that is held waits for it.
  public var commitBytes: Int
  public var commitDelay: Int
  /// Milliseconds without any answer after which hosts that cannot be connected to make a dead network.
  public var silence: Int
  /// Milliseconds between two attempts to write a store that cannot be written.
  public var storeProbe = 10_000
  /// Nil: no other process is on the store.
  public var claims: (any FeedClaiming)?
  /// From 0 up to, not including, 1.
  public var random: @Sendable () -> Double

  public init(
    reach: FetchRequest.Reach = .publicOnly,
    limits: FetchLimits = FetchLimits(),
    maximumTransfers: Int = 256,
    transfersPerSite: Int = 2,
    site: @escaping @Sendable (_ url: String) -> String = { WebAddress.hostKey(of: $0) },
    hub:
      @escaping @Sendable (_ response: FetchResponse, _ document: ParsedFeed?, _ namesTopic: Bool) ->
      HubOffer? = {
        _,
        _,
        _ in nil
      },
    heldBytes: Int = 32 << 20,
    readers: Int = 2,
    commitItems: Int = 16_000,
    commitBytes: Int = 16 << 20,
    commitDelay: Int = 1000,
    silence: Int = 10_000,
    random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    self.reach = reach
    self.limits = limits
    self.maximumTransfers = maximumTransfers
    self.transfersPerSite = transfersPerSite
    self.site = site
    self.hub = hub
    self.heldBytes = heldBytes
    self.readers = readers
    self.commitItems = commitItems
    self.commitBytes = commitBytes
    self.commitDelay = commitDelay
    self.silence = silence
    self.random = random
  }

  /// The hub to ask for a feed. None for a feed with a proxy of its own, whose reader may not want to be known to a hub,
  /// and none for one with credentials unless its publisher names the topic.
  func hub(for feed: Feed, _ response: FetchResponse, _ document: ParsedFeed?) -> HubOffer? {
    feed.settings.proxy == nil ? hub(response, document, feed.hasCredentials) : nil
  }
}
