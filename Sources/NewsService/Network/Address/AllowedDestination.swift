import NewsToolbox
import NewsCore

/// An exception from the address guard: a block of addresses or a host name.
public struct AllowedDestination: Hashable, Sendable {
  private enum Kind: Hashable, Sendable {
    case network(IPNetwork)
    case host(String)
    /// All hosts below this name.
    case domain(String)
  }

  private let kind: Kind

  /// Parses `10.1.0.0/16`, `fd12::/16`, `192.168.1.7`, `wiki.corp.example` or `*.corp.example`. Returns nil for any
  /// other text.
  public init?(_ text: String) {
    if let network = IPNetwork(text) {
      kind = .network(network)
      return
    }
    var name = text.lowercased()[...]
    let isDomain = name.hasPrefix("*.")
    if isDomain { name = name.dropFirst(2) }
    if name.last == "." { name = name.dropLast() }
    let isName =
      !name.isEmpty
      && name.unicodeScalars.allSatisfy {
        $0.value > 0x7F || $0.properties.isAlphabetic || "0123456789.-_".unicodeScalars.contains($0)
      }
    // A numeric last label indicates a mistyped address (RFC 1123 section 2.1).
    guard isName, name.split(ascii: ".").last.map({ Int($0) == nil }) ?? false else { return nil }
    kind = isDomain ? .domain(String(name)) : .host(String(name))
  }

  /// Returns true if a connection to this address, for a URL with this host, is allowed.
  func allows(_ address: IPAddress?, host: String) -> Bool {
    switch kind {
    case .network(let network): address.map(network.contains) ?? false
    case .host(let name): host == name
    case .domain(let name): host.hasSuffix("." + name)
    }
  }
}
