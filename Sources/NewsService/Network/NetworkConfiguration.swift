public import NewsCore

/// Network settings for all feeds. A feed's own settings take precedence.
public struct NetworkConfiguration: Sendable {
  /// Value of the User-Agent field: name and version, and where the user wants it an address for publishers.
  public var userAgent: String
  /// Transfers at a time. Stalled ones do not count, up to four times this number in all.
  public var concurrency: Int
  /// Requests at a time for one registrable domain (for an address literal: address and port).
  public var requestsPerSite: Int
  /// Milliseconds between the starts of two scheduled requests to one such site.
  public var spacing: Int
  /// Hosts to leave alone for a while: looked at before each request that respects them.
  public var cooldowns: HostCooldowns
  /// Shares the limits per site with other processes on the same store; nil: there are none.
  public var sites: (any SiteSharing)?
  /// Bytes of bodies being received or not yet released, over all fetches. One body may exceed it when no other transfer
  /// can proceed.
  public var bodyBudget: Int
  /// True lifts the address guard for every fetch, except for addresses of cloud metadata.
  public var allowsPrivateAddresses: Bool
  /// Exceptions from the address guard.
  public var allowedDestinations: [AllowedDestination]
  /// `http://`, `https://`, `socks5://`, `socks5h://`; an empty string: none, whatever the environment says.
  /// Nil: what the environment says (`http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`).
  public var proxy: String?
  /// The environment: proxies and `env:` credentials are looked up here.
  public var environment: [String: String]
  /// Secrets by the NAME of `config:NAME`, as `user:password` or `Bearer TOKEN`.
  public var credentials: [String: String]
  /// Path of a PEM file with the certificate authorities to trust instead of the system's.
  public var certificateAuthority: String?
  /// False: certificates are not verified, for any feed.
  public var verifiesTLS: Bool
  /// `HOST:PORT:ADDRESS`: answers instead of the resolver's. For tests of names that lead elsewhere.
  var resolved: [String] = []

  public init(userAgent: String) {
    self.userAgent = userAgent
    cooldowns = HostCooldowns()
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
