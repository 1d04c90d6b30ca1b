/// Scheme, host and port: they determine which server is contacted, and which credentials it may receive (RFC 6454).
public struct Origin: Hashable, Sendable {
  public let scheme: String
  public let host: String
  /// The port that a connection uses; 0 for a scheme without connections.
  public let port: Int

  public init(scheme: String, host: String, port: Int) {
    self.scheme = scheme
    self.host = host
    self.port = port
  }

  /// True when credentials meant for `other` may be sent here: both are equal, or `other` is http and this is https of
  /// the same host, both on the default port.
  public func canReceiveCredentials(from other: Origin) -> Bool {
    if self == other { return true }
    return host == other.host && scheme == "https" && port == 443 && other.scheme == "http"
      && other.port == 80
  }
}
