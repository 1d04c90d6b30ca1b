public import NewsCore

/// How newsd behaves on the network; one value for all feeds. What a feed's own settings say goes first.
public struct NetworkConfiguration: Sendable {
  /// Value of the User-Agent field: name, version and a URL that tells publishers who asks.
  public var userAgent: String
  /// Transfers that move at a time. Those that stall do not count, up to four times as many.
  public var concurrency: Int
  /// Requests at a time for one registrable domain (for an address literal: address and port).
  public var requestsPerSite: Int
  /// Milliseconds between the starts of two scheduled requests to one such site.
  public var spacing: Int
  /// The other processes that ask the same sites; nil: there is none.
  public var sites: (any SiteSharing)?
  /// Bytes of bodies that are being received or that somebody still holds, all fetches together. One body may go
  /// beyond it when nothing else can make progress.
  public var bodyBudget: Int
  /// True lifts the guard against local addresses for every fetch.
  public var allowsPrivateAddresses: Bool
  /// Exceptions from that guard.
  public var allowedDestinations: [AllowedDestination]
  /// `http://`, `https://`, `socks5://`, `socks5h://`; an empty string: none, whatever the environment says.
  /// Nil: what the environment says (`http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`).
  public var proxy: String?
  /// The environment: proxies and `env:` credentials are looked up here.
  public var environment: [String: String]
  /// Secrets that a feed's `config:NAME` names, as `user:password` or `Bearer TOKEN`.
  public var credentials: [String: String]
  /// Path of a PEM file with the certificate authorities to believe instead of the system's.
  public var certificateAuthority: String?
  /// False: certificates are not verified, for any feed.
  public var verifiesTLS: Bool

  public init(userAgent: String) {
    self.userAgent = userAgent
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
