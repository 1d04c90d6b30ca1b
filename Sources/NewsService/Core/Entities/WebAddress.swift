/// The parts of an absolute URL that decide who is asked: scheme, host and port (RFC 3986 section 3).
///
/// Only as much as deciding needs: nothing is normalised beyond letter case, nothing is resolved.
public struct WebAddress: Hashable, Sendable {
  /// Lower case.
  public var scheme: String
  /// Lower case; an IPv6 literal keeps its brackets. Empty for `file:`.
  public var host: String
  /// Nil: the scheme's own.
  public var port: Int?
  /// `user:password`, as written.
  public var userInfo: String?
  /// Path, query and fragment as written.
  public var rest: String

  /// Nil when there is no scheme, or no host where the scheme needs one.
  public init?(_ url: String) {
    guard let colon = url.utf8.firstIndex(of: 0x3A) else { return nil }
    let scheme = url[..<colon].lowercased()
    guard let first = scheme.utf8.first, (0x61...0x7A).contains(first),
      scheme.utf8.allSatisfy(Self.isSchemeByte)
    else { return nil }
    self.scheme = scheme
    var rest = url[url.index(after: colon)...]
    guard rest.hasPrefix("//") else {
      guard scheme == "file", rest.hasPrefix("/") else { return nil }
      host = ""
      self.rest = String(rest)
      return
    }
    rest = rest.dropFirst(2)
    let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
    var authority = rest[..<end]
    self.rest = String(rest[end...])
    if let at = authority.lastIndex(of: "@") {
      userInfo = String(authority[..<at])
      authority = authority[authority.index(after: at)...]
    }
    if let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") {
      let digits = authority[authority.index(after: colon)...]
      if !digits.isEmpty {
        guard let value = Int(digits), (0...65_535).contains(value) else { return nil }
        port = value
      }
      authority = authority[..<colon]
    }
    host = authority.lowercased()
    if host.isEmpty, scheme != "file" { return nil }
  }

  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2B || byte == 0x2D
      || byte == 0x2E
  }

  /// The port a connection would use.
  public var effectivePort: Int { port ?? (scheme == "http" ? 80 : 443) }

  /// Scheme, host and port: two URLs of one origin agree in it (RFC 6454).
  public var origin: String { "\(scheme)://\(host):\(effectivePort)" }

  /// What limits and holds per host are counted by: the host's name, and for an IP literal or `localhost` (where many
  /// unrelated servers share one name) its port as well.
  public var hostKey: String {
    let isLiteral =
      host.hasPrefix("[") || host == "localhost"
      || host.utf8.allSatisfy { $0 == 0x2E || (48...57).contains($0) }
    return isLiteral ? "\(host):\(effectivePort)" : host
  }

  /// The URL without credentials, for messages and logs.
  public var redacted: String {
    scheme == "file" && host.isEmpty
      ? "file:\(rest)" : "\(scheme)://\(host)\(port.map { ":\($0)" } ?? "")\(rest)"
  }

  /// `hostKey` of a URL, or the URL itself when it has no host.
  public static func hostKey(of url: String) -> String {
    guard let address = WebAddress(url), !address.host.isEmpty else { return url }
    return address.hostKey
  }

  /// `url` as messages and logs may show it: without user name and password.
  public static func redacted(_ url: String) -> String {
    guard let address = WebAddress(url), address.userInfo != nil else { return url }
    return address.redacted
  }
}
