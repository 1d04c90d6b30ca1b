/// Limits and callbacks for refreshing.
public struct RefreshOptions: Sendable {
  /// Addresses that feeds may be fetched from; a feed whose URL the user typed may also use its own local origin.
  public var reach: FetchRequest.Reach
  public var limits: FetchLimits
  /// Maximum number of concurrent transfers.
  public var maximumTransfers: Int
  /// Maximum number of concurrent transfers of the fetcher, including stalled ones, from which `WaitingJobs`
  /// computes its limit. Nil: four times `maximumTransfers`.
  public var openTransfers: Int?
  /// Maximum number of concurrent transfers per site.
  public var transfersPerSite: Int
  /// The site of a URL: its registrable domain if a public suffix list is available, else its host.
  public var site: @Sendable (_ url: String) -> String
  /// The hub that a response or its document names; nil when there is none. If `namesTopic` is true, the publisher must
  /// also name the topic, so that the hub does not learn the subscription's own URL.
  public var hub:
    @Sendable (_ response: FetchResponse, _ document: ParsedFeed?, _ namesTopic: Bool) -> HubOffer?
  /// Memory in bytes for the documents of one loop. Bodies that wait for the parser may take a quarter of it. Parsed feeds
  /// that are not stored yet may take one and a half times this memory.
  public var heldBytes: Int
  /// The memory for parsed feeds that all loops have together.
  public var memory: MemoryBudget
  /// The account whose feeds these are, for its turns at the memory; empty if there is one store.
  public var account = ""
  /// Number of documents parsed concurrently.
  public var parsers: Int
  /// Maximum number of items of a transaction. A transaction starts when three quarters are pending.
  public var commitItems: Int
  /// Maximum number of bytes of parsed bodies of a transaction; the last body may exceed it. A transaction starts when
  /// three quarters are pending.
  public var commitBytes: Int
  /// Milliseconds that a record waits at most before a transaction starts. It also starts when nothing else can proceed.
  public var commitDelay: Int
  /// Milliseconds without an answer from any host after which unreachable hosts mean that the network is down.
  public var silence: Int
  /// Milliseconds between two attempts to write an unwritable store.
  public var storeProbe = 10_000
  /// Milliseconds between two attempts to claim a feed with a pushed document that another process is refreshing.
  public var claimPause = 1000
  /// Seconds after a request to a feed for which a refresh of all feeds that a person starts leaves it out.
  public var pause: Int64 = 0
  /// Claims feeds for this process; nil: no other process uses the store.
  public var claims: (any FeedClaiming)?
  /// Shares polls with other accounts; nil: no other account has polls to share.
  public var seat: SharedPolls.Seat?
  /// Returns a random number in 0..<1.
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
    parsers: Int = 2,
    commitItems: Int = 16_000,
    commitBytes: Int = 12 << 20,
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
    memory = MemoryBudget(documents: heldBytes)
    self.parsers = parsers
    self.commitItems = commitItems
    self.commitBytes = commitBytes
    self.commitDelay = commitDelay
    self.silence = silence
    self.random = random
  }

  /// Returns the hub to use for a feed. Nil for a feed with its own proxy, because its user may not want to be visible
  /// to a hub; nil for a feed with credentials unless the publisher names the topic.
  func hub(for feed: Feed, _ response: FetchResponse, _ document: ParsedFeed?) -> HubOffer? {
    feed.settings.proxy == nil ? hub(response, document, feed.hasCredentials) : nil
  }
}
