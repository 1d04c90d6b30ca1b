import NewsCore

/// Decides whether one hop of a fetch may connect to an address. Guards against server-side request forgery.
struct AddressGuard: Sendable {
  /// If true, all addresses are allowed except cloud metadata, which only the allow-list permits.
  private let isLifted: Bool
  /// If true, only the allow-list permits addresses that are not public.
  private let isStrict: Bool
  /// If true, the guard is lifted only for the origin that the user typed.
  private let hasExemption: Bool
  private let host: String
  private let allowed: [AllowedDestination]

  /// `allowsPrivate` lifts the guard for every fetch, except for cloud metadata.
  init(reach: FetchRequest.Reach, target: RequestURL, allowed: [AllowedDestination], allowsPrivate: Bool) {
    host = target.host
    self.allowed = allowed
    var hasExemption = false
    if case .localOrigin(let url) = reach, !allowsPrivate {
      hasExemption = (try? RequestURL(url))?.origin == target.origin
    }
    self.hasExemption = hasExemption
    isStrict = reach == .listedOnly
    isLifted = !isStrict && (allowsPrivate || reach == .anywhere || hasExemption)
  }

  /// The reason why a host must not be contacted.
  struct Refusal: Hashable, Sendable {
    var reason: String
    /// If true, only the allow-list permits this address.
    var needsListing = false

    var error: FetchError {
      let advice = needsListing ? FetchError.listingAdvice : FetchError.refusalAdvice
      return FetchError(code: .forbiddenAddress, message: "\(reason); refused. \(advice)")
    }
  }

  /// Returns why a connection to `address` must not be used; nil if it may be used. Call this before each connection,
  /// and before each request on a reused connection.
  func refusal(of address: IPAddress) -> Refusal? {
    let kind = address.addressClass
    if kind == .public || isLifted && kind != .metadata { return nil }
    if allowed.contains(where: { $0.allows(address, host: host) }) { return nil }
    let isLiteral = host == address.description
    return Refusal(
      reason: isLiteral
        ? "\(host) is a \(kind.rawValue) address"
        : "the host \(host) resolves to \(address), a \(kind.rawValue) address",
      needsListing: kind == .metadata || isStrict
    )
  }

  /// True if `address` may be used only because the user typed its origin for this fetch.
  func isExempt(_ address: IPAddress) -> Bool {
    hasExemption && refusal(of: address) == nil && address.addressClass != .public
      && !allowed.contains { $0.allows(address, host: host) }
  }

  /// Returns why the host must not be requested through a proxy, whose name resolution newsd cannot check; nil if it
  /// may be requested.
  func refusalOfName() -> Refusal? {
    if let address = IPAddress(host) { return refusal(of: address) }
    if allowed.contains(where: { $0.allows(nil, host: host) }) { return nil }
    let isMetadata = Self.metadataNames.contains(host)
    guard isMetadata || !isLifted && isNonPublicByName else { return nil }
    return Refusal(
      reason: "'\(host)' is a name for hosts of a private network",
      needsListing: isMetadata || isStrict
    )
  }

  /// True if the host cannot be public, judged by its name or literal address; does not resolve names.
  var isNonPublicByName: Bool {
    if let address = IPAddress(host) { return address.addressClass != .public }
    let name = host.last == "." ? host.dropLast() : host[...]
    return !name.contains(".")
      || Self.internalDomains.contains { name == $0.dropFirst() || name.hasSuffix($0) }
  }

  private static let metadataNames: Set<String> = ["metadata.google.internal", "metadata.goog"]

  /// Domains for internal use: `localhost` (RFC 6761), those of RFC 6762 and RFC 8375, ICANN's `internal`,
  /// and unregistered domains that are common in networks and clouds.
  private static let internalDomains = [
    ".localhost", ".local", ".internal", ".home.arpa", ".lan", ".intranet", ".corp", ".home", ".localdomain",
  ]
}

extension AllowedDestination {
  /// Returns why a public URL must not be requested, as far as its host tells, because names are not resolved. Nil: it may
  /// be.
  public static func refusal(of url: String, allowed: [AllowedDestination]) -> String? {
    guard let target = try? RequestURL(url) else { return nil }
    return AddressGuard(reach: .publicOnly, target: target, allowed: allowed, allowsPrivate: false)
      .refusalOfName()?.reason
  }
}
