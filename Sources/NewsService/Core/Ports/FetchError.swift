/// Why a fetch has no response.
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
    /// The host's cooldown (Retry-After) lasts until `until`; nothing was sent.
    case inCooldown(host: String, until: Timestamp)
    case fileNotFound
    case badResponse
    case transport
  }
  public let code: Code
  /// Says what was tried, what happened and what to do.
  public let message: String
  /// The redirects followed before the error.
  public let hops: [RedirectHop]
  /// True when no connection was made (no address found, no route, no answer). If this holds for every host, the
  /// network is down.
  public let neverConnected: Bool
  /// See `FetchResponse.usedExemption`.
  public var usedExemption = false
  /// Tells the user how to allow addresses that only the list permits, such as those of cloud metadata.
  public static let listingAdvice = "To allow it, add it to network.allow in the configuration."
  /// Tells the user how to allow private addresses.
  public static let refusalAdvice =
    "To allow it, add it to network.allow in the configuration. To allow all, set NEWSD_ALLOW_PRIVATE=1."

  /// Tells the user how to raise the limit of a body's size.
  public static let sizeAdvice =
    "Raise the feed's maximum-size, or fetch.maximum_size in the configuration, to read it."

  public init(code: Code, message: String, hops: [RedirectHop] = [], neverConnected: Bool = false) {
    self.code = code
    self.message = message
    self.hops = hops
    self.neverConnected = neverConnected
  }
  public var description: String { message }
}
