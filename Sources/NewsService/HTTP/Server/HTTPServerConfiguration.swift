public import NewsCore

/// Limits of a web server, and the address at which clients reach it.
public struct HTTPServerConfiguration: Sendable {
  /// Number of threads that read requests and write answers. Handlers run in tasks.
  public var threads = 2
  /// Maximum number of connections; further connections wait in the system's queue.
  public var connections = 1024
  /// Maximum number of connections from one address; further ones are closed. Not applied to loopback addresses, unix
  /// sockets and trusted proxies.
  public var connectionsOfAddress = 64
  /// Maximum number of requests at once of one client behind a trusted proxy or a unix socket; further requests receive
  /// a 503.
  public var requestsOfAddress = 64
  /// Maximum number of running handlers; further requests receive a 503.
  public var handlers = 64
  /// Maximum size of all bodies being received, in bytes; further requests receive a 503.
  public var incomingBytes = 64 << 20
  /// Maximum size of all bodies being received from one address, in bytes. One body from a known client may be larger.
  public var incomingBytesOfAddress = 4 << 20
  /// The time between two checks whether the credentials of an endless stream still exist.
  public var watchPeriod = Duration.seconds(15)
  /// The URL at which clients reach newsd; if nil, the Host field of each request determines it.
  public var site: WebSite?
  /// Further hosts that newsd answers to.
  public var knownHosts = KnownHosts()
  /// Makes the answer to a request for a host that newsd does not answer to: given the Host field, and the accepted
  /// hosts. Called on the server's threads, so it must not wait.
  public var misdirected: @Sendable (_ host: String, _ accepted: [String]) -> HTTPReply = { _, _ in
    HTTPReply(status: 421)
  }
  /// If true, requests with any Host field are answered.
  public var allowsAnyHost = false
  /// Addresses and networks (CIDR) of proxies whose X-Forwarded-For field is trusted.
  public var trustedProxies = ["127.0.0.0/8", "::1"]
  /// The header field in which a proxy names the account, and the proxies that may; clients of unix sockets may, too.
  /// Nil: no field counts.
  public var proxyUser: (field: String, proxies: [String])?

  public init() {}
}
