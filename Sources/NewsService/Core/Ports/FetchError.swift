/// The reason why there is no response.
public struct FetchError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Code: Hashable, Sendable {
    case cancelled
    case badURL
    case unsupportedScheme
    case hostNotFound
    case refused
    case timedOut
    case tls
    case bodyTooLarge
    case headersTooLarge
    case tooManyRedirects
    case redirectLoop
    case downgradeRefused
    case forbiddenAddress
    /// The host asked to be left alone until then (Retry-After); nothing was sent to it.
    case held(host: String, until: Timestamp)
    case fileNotFound
    case badResponse
    case transport
  }
  public let code: Code
  /// Says what was tried, what happened and what to do.
  public let message: String
  /// The redirects followed before it happened.
  public let hops: [RedirectHop]
  /// True: not even a connection came about (no address found, no route, no answer to connecting). When no host at all
  /// can be connected to, it is the network that is down.
  public let neverConnected: Bool
  /// How to reach an address of cloud metadata on purpose.
  public static let metadataAdvice = "If it is meant, let it through with network.allow in the configuration."
  /// How to reach an address that is not public on purpose.
  public static let refusalAdvice =
    "If it is meant, let it through with network.allow in the configuration, or all with NEWSD_ALLOW_PRIVATE=1."

  public init(code: Code, message: String, hops: [RedirectHop] = [], neverConnected: Bool = false) {
    self.code = code
    self.message = message
    self.hops = hops
    self.neverConnected = neverConnected
  }
  public var description: String { message }
}
