public import NewsCore

/// Limits of a web server, and the address at which clients reach it.
public struct HTTPServerConfiguration: Sendable {
  /// Number of threads that read requests and write answers. Handlers run in tasks.
  public var threads = 2
  /// Maximum number of connections; further connections wait in the system's queue.
  public var connections = 1024
  /// Maximum number of connections from one address; 0 for no limit. Not applied to sockets that listen on a
  /// loopback address or on a unix path.
  public var connectionsOfAddress = 0
  /// Maximum number of running handlers; further requests receive a 503.
  public var handlers = 64
  /// Maximum size of all bodies being received, in bytes; further requests receive a 503.
  public var incomingBytes = 64 << 20
  /// The URL at which clients reach newsd; if nil, the Host field of each request determines it.
  public var site: WebSite?
  /// If true, requests with any Host field are answered.
  public var allowsAnyHost = false
  /// Addresses and networks (CIDR) of proxies whose X-Forwarded-For field is trusted.
  public var trustedProxies = ["127.0.0.0/8", "::1"]

  public init() {}
}
