public import NewsCore

/// Limits of a web server, and its address as clients see it.
public struct HTTPServerConfiguration: Sendable {
  /// Threads that read and write. Handlers run in tasks.
  public var threads = 2
  /// Maximum number of connections; further ones wait for their turn in the system's queue.
  public var connections = 1024
  /// Maximum number of connections from one address; 0: no limit of its own.
  public var connectionsOfAddress = 0
  /// Maximum number of handlers at work; further requests get 503.
  public var handlers = 64
  /// Maximum size of all bodies being received; beyond it requests get 503.
  public var incomingBytes = 64 << 20
  /// Where clients see newsd; nil: at the Host of each request.
  public var site: WebSite?
  /// True: any Host is answered.
  public var allowsAnyHost = false
  /// Addresses and networks (CIDR) whose X-Forwarded-For is believed.
  public var trustedProxies = ["127.0.0.0/8", "::1"]

  public init() {}
}
