import NewsCore

/// Decides whether one hop of a fetch may reach an address: the guard against server-side request forgery.
struct AddressGuard: Sendable {
  /// True: no guard at all for this hop.
  let isOff: Bool
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
      isOff = true
    case .publicOnly:
      isOff = allowsPrivate
    case .localOrigin(let url):
      isOff = allowsPrivate || (try? RequestURL(url))?.origin == target.origin
    }
  }

  /// Nil when a connection to `address` is fine, else the reason in words. To be asked before each connection and
  /// before each request on a connection that was there already.
  func objection(to address: IPAddress) -> String? {
    if isOff { return nil }
    let kind = address.addressClass
    if kind == .public || allowed.contains(where: { $0.allows(address, host: host) }) { return nil }
    return host == address.description
      ? "\(host) is a \(kind.rawValue) address" : "\(host) leads to \(address), a \(kind.rawValue) address"
  }

  /// Nil when the host may be asked through a proxy, which resolves names out of our sight, else the reason.
  func objectionToName() -> String? {
    if isOff { return nil }
    if let address = IPAddress(host) { return objection(to: address) }
    if allowed.contains(where: { $0.allows(nil, host: host) }) { return nil }
    let name = host.last == "." ? host.dropLast() : host[...]
    let isInside =
      !name.contains(".")
      || Self.insideDomains.contains { name == $0.dropFirst() || name.hasSuffix($0) }
    return isInside ? "\(host) is a name for machines inside a network" : nil
  }

  /// RFC 6761, 6762, 8375, 9476 and what networks and clouds use without asking.
  private static let insideDomains = [
    ".localhost", ".local", ".internal", ".home.arpa", ".lan", ".intranet", ".corp", ".home", ".localdomain",
  ]
}
