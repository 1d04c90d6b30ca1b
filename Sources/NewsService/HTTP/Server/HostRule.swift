import NewsCore
import NewsToolbox
import Synchronization

/// The Host fields that newsd accepts. Any other is refused, so that a web page whose name resolves to this
/// machine's address cannot read newsd through the user's browser (DNS rebinding).
struct HostRule: Sendable {
  /// If true, any Host is accepted. Used for hubs, which are authenticated by signatures and send the host of the
  /// callback URL.
  var allowsAny = false
  /// The accepted hosts, in lower case and without a port.
  private var names: Set<String> = ["localhost", "127.0.0.1", "::1"]
  private let known: KnownHosts

  init(
    allowsAny: Bool = false,
    site: WebSite? = nil,
    listening: IPAddress? = nil,
    known: KnownHosts = KnownHosts()
  ) {
    self.allowsAny = allowsAny
    self.known = known
    if let site { names.insert(Self.name(of: site.host)) }
    if let listening { names.insert(listening.description) }
  }

  /// The accepted hosts; the local address of each connection is accepted, too.
  var accepted: [String] { names.sorted() + known.all }

  /// Returns true if requests to this host are answered. Otherwise, the answer is 421. `local` returns the
  /// address that the connection was made to; called only if the host is an address.
  func accepts(_ host: String, local: () -> IPAddress?) -> Bool {
    if allowsAny { return true }
    let name = Self.name(of: host)
    if names.contains(name) || known.contains(name) { return true }
    guard let address = IPAddress(name) else { return false }
    return address == local()
  }

  /// Returns the host without port and brackets, in lower case.
  static func name(of host: String) -> String {
    var bytes = host.utf8.map(ASCII.lowercase)[...]
    if bytes.first == UInt8(ascii: "["), let end = bytes.firstIndex(of: UInt8(ascii: "]")) {
      bytes = bytes[1..<end]
    } else if let colon = bytes.lastIndex(of: UInt8(ascii: ":")) {
      bytes = bytes[..<colon]
    }
    if bytes.last == UInt8(ascii: ".") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Host names that newsd answers to besides those of its configuration. The set-up page adds the name by which it was
/// reached.
public final class KnownHosts: Sendable {
  private let names = Mutex<Set<String>>([])

  public init() {}

  /// Adds the host of a Host field; a port does not matter.
  public func insert(_ host: String) {
    _ = names.withLock { $0.insert(HostRule.name(of: host)) }
  }

  func contains(_ name: String) -> Bool { names.withLock { $0.contains(name) } }
  var all: [String] { names.withLock { $0.sorted() } }
}
