public import NewsCore

/// Limits of a web server, and the address at which clients reach it.
public struct HTTPServerConfiguration: Sendable {
  /// Number of threads that read and write. Handlers run in tasks.
  public var threads = 2
  /// Maximum number of connections; further ones wait in the system's queue.
  public var connections = 1024
  /// Maximum number of connections from one address; 0: no limit.
  public var connectionsOfAddress = 0
  /// Maximum number of running handlers; further requests get 503.
  public var handlers = 64
  /// Maximum size of all bodies being received; beyond it requests get 503.
  public var incomingBytes = 64 << 20
  /// The URL at which clients reach newsd; nil: the Host of each request decides.
  public var site: WebSite?
  /// True: requests with any Host are answered.
  public var allowsAnyHost = false
  /// Addresses and networks (CIDR) whose X-Forwarded-For is trusted.
  public var trustedProxies = ["127.0.0.0/8", "::1"]

  public init() {}
}
