public import NewsCore

/// Network settings for all feeds. A feed's own settings take precedence.
public struct NetworkConfiguration: Sendable {
  /// Value of the User-Agent field: name and version, and optionally the user's contact address.
  public var userAgent: String
  /// Maximum number of transfers that are not stalled. Including stalled transfers, there may be four times as many.
  public var concurrency: Int
  /// The descriptors that the transfers leave to the web server and the stores of accounts.
  public var otherDescriptors = 0
  /// Maximum number of concurrent requests per registrable domain, or per host and port if the host has none.
  public var requestsPerSite: Int
  /// Minimum time between the starts of two scheduled requests to a site, in milliseconds.
  public var spacing: Int
  /// Hosts that asked for a pause; checked before each request that respects cooldowns.
  public var cooldowns: HostCooldowns
  /// The wall clock, by which responses are dated and cooldowns end.
  public var clock: any WallClock
  /// Shares the per-site limits with other processes on the same store; nil if there are no other processes.
  public var sites: (any SiteSharing)?
  /// Budget for all bodies being received or still in use, in bytes. Each transfer may hold 64 KiB even if
  /// the budget is exhausted. If no transfer can proceed otherwise, one or two bodies may exceed the budget.
  public var bodyBudget: Int
  /// If true, lifts the address guard for every fetch, except for cloud metadata addresses.
  public var allowsPrivateAddresses: Bool
  /// Exceptions from the address guard.
  public var allowedDestinations: [AllowedDestination]
  /// URL of a proxy (`http://`, `https://`, `socks5://` or `socks5h://`). An empty string disables proxies; nil uses
  /// the environment (`http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`).
  public var proxy: String?
  /// The environment variables, read for proxies and `env:` credentials.
  public var environment: [String: String]
  /// Secrets by the NAME in `config:NAME`, as `user:password` or `Bearer TOKEN`.
  public var credentials: [String: String]
  /// Path of a PEM file with the certificate authorities that replace the system's.
  public var certificateAuthority: String?
  /// If false, certificates are not verified for any feed.
  public var verifiesTLS: Bool
  /// Overrides of name resolution as `HOST:PORT:ADDRESS`, for tests.
  var resolved: [String] = []

  public init(userAgent: String) {
    self.userAgent = userAgent
    cooldowns = HostCooldowns()
    clock = SystemTime()
    concurrency = 64
    requestsPerSite = 2
    spacing = 1000
    bodyBudget = 32 << 20
    allowsPrivateAddresses = false
    allowedDestinations = []
    proxy = nil
    environment = [:]
    credentials = [:]
    certificateAuthority = nil
    verifiesTLS = true
  }
}
