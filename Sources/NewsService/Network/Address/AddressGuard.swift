import NewsCore

/// Decides whether one hop of a fetch may reach an address: the guard against server-side request forgery.
struct AddressGuard: Sendable {
  /// True: every address but those of cloud metadata may be reached, which only the allow-list lets through.
  private let isLifted: Bool
  private let host: String
  private let allowed: [AllowedDestination]

  /// - Parameters:
  ///   - reach: What the fetch as a whole may reach.
  ///   - target: Where this hop goes.
  ///   - allowed: Exceptions by configuration.
  ///   - allowsPrivate: True lifts the guard everywhere.
  init(reach: FetchRequest.Reach, target: RequestURL, allowed: [AllowedDestination], allowsPrivate: Bool) {
    host = target.host
    self.allowed = allowed
    switch reach {
    case .anywhere:
      isLifted = true
    case .publicOnly:
      isLifted = allowsPrivate
    case .localOrigin(let url):
      isLifted = allowsPrivate || (try? RequestURL(url))?.origin == target.origin
    }
  }

  /// Why a host may not be asked.
  struct Refusal: Hashable, Sendable {
    var reason: String
    /// An address that only the allow-list lets through.
    var isMetadata = false

    var error: FetchError {
      let advice = isMetadata ? FetchError.metadataAdvice : FetchError.refusalAdvice
      return FetchError(code: .forbiddenAddress, message: "\(reason); refused. \(advice)")
    }
  }

  /// Nil when a connection to `address` may be used. To be asked before each connection and before each request on a
  /// connection that was there already.
  func refusal(of address: IPAddress) -> Refusal? {
    let kind = address.addressClass
    if kind == .public || isLifted && kind != .metadata { return nil }
    if allowed.contains(where: { $0.allows(address, host: host) }) { return nil }
    let isLiteral = host == address.description
    return Refusal(
      reason: isLiteral
        ? "\(host) is a \(kind.rawValue) address" : "\(host) leads to \(address), a \(kind.rawValue) address",
      isMetadata: kind == .metadata
    )
  }

  /// Nil when the host may be asked through a proxy, which resolves names out of our sight.
  func refusalOfName() -> Refusal? {
    if let address = IPAddress(host) { return refusal(of: address) }
    if allowed.contains(where: { $0.allows(nil, host: host) }) { return nil }
    let isMetadata = Self.metadataNames.contains(host)
    guard isMetadata || !isLifted && namesInside else { return nil }
    return Refusal(reason: "\(host) is a name for machines inside a network", isMetadata: isMetadata)
  }

  /// True when the host's name or address cannot be public. Names are not resolved.
  var namesInside: Bool {
    if let address = IPAddress(host) { return address.addressClass != .public }
    let name = host.last == "." ? host.dropLast() : host[...]
    return !name.contains(".") || Self.insideDomains.contains { name == $0.dropFirst() || name.hasSuffix($0) }
  }

  private static let metadataNames: Set<String> = ["metadata.google.internal", "metadata.goog"]

  /// RFC 6761, 6762, 8375, 9476 and what networks and clouds use without asking.
  private static let insideDomains = [
    ".localhost", ".local", ".internal", ".home.arpa", ".lan", ".intranet", ".corp", ".home", ".localdomain",
  ]
}
