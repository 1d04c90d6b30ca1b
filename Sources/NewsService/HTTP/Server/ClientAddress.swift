import NewsCore
import NewsToolbox

/// Finds the client's address behind reverse proxies.
struct ClientAddress: Sendable {
  /// Proxies whose X-Forwarded-For field is trusted. Unix sockets are always trusted.
  var trusted: [IPNetwork]

  /// Returns the address of the client. That is the rightmost address that is not a trusted proxy's, or the
  /// leftmost if all are trusted. A field that is not an address ends the search: the address to its right is
  /// returned. `peer` is nil for a unix socket; without a usable X-Forwarded-For field, the result is then
  /// empty.
  func client(peer: IPAddress?, _ fields: HTTPFields) -> String {
    var client = peer.map(Self.unmapped)
    guard client.map(isTrusted) ?? true else { return client?.description ?? "" }
    let hops = fields.all("X-Forwarded-For").flatMap { $0.split(ascii: ",") }
    for hop in hops.reversed() {
      guard let address = Self.address(hop) else { break }
      client = address
      if !isTrusted(address) { break }
    }
    return client?.description ?? ""
  }

  func isTrusted(_ address: IPAddress) -> Bool { trusted.contains { $0.contains(address) } }

  /// Converts an IPv4-mapped IPv6 address, as dual-stack sockets report it, to IPv4. Returns other addresses unchanged.
  static func unmapped(_ address: IPAddress) -> IPAddress {
    let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
    return !address.isIPv4 && address.bytes.starts(with: mapped) ? address.embedded(at: 12) : address
  }

  /// Parses an address with an optional port.
  private static func address(_ text: Substring) -> IPAddress? {
    let text = text.trimmingBlanks
    if let address = IPAddress(text) { return unmapped(address) }
    return IPAddress(HostRule.name(of: String(text))).map(unmapped)
  }
}

/// Reads the header field in which a reverse proxy names the account.
struct ProxyUserRule: Sendable {
  /// The name of the field.
  var field: String
  /// Proxies that may send it, besides clients of unix sockets.
  var proxies: [IPNetwork]

  /// `peer` is nil for a unix socket.
  func user(in fields: HTTPFields, peer: IPAddress?) -> ProxyUser {
    let values = fields.all(field)
    guard let value = values.first else { return .absent }
    let address = peer.map(ClientAddress.unmapped)
    guard address.map({ address in proxies.contains { $0.contains(address) } }) ?? true else {
      return .untrusted
    }
    let name = String(value.trimmingBlanks)
    return values.count == 1 && AccountName.isValid(name) ? .name(name) : .invalid
  }
}

/// Checks addresses in text form: trusted proxies of the configuration, and addresses of clients.
public enum TrustedProxies {
  /// True for an address or a CIDR block.
  public static func isNetwork(_ text: String) -> Bool { IPNetwork(text) != nil }

  /// True for a loopback address.
  public static func isLoopback(_ text: String) -> Bool { IPAddress(text)?.addressClass == .loopback }
}
