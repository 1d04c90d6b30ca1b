import NewsToolbox

/// The parts of an absolute URL that determine which server is contacted: scheme, user information, host and port (RFC
/// 3986 section 3).
///
/// Works on bytes, as libcurl does, and rejects input that the two might parse differently: control characters, user
/// information with an `@` or non-ASCII bytes, characters that no host name contains, invalid ports. Two URLs with
/// equal origins here therefore have equal origins in libcurl. The path is kept as written.
public struct WebAddress: Hashable, Sendable {
  /// Lower case.
  public var scheme: String
  /// ASCII letters in lower case, percent-decoded; an IPv6 literal keeps its brackets. Empty for `file:`.
  public var host: String
  /// Nil: the default port of the scheme.
  public var port: Int?
  /// `user:password`, as written.
  public var userInfo: String?
  /// Path, query and fragment as written.
  public var rest: String

  /// Returns nil without a scheme, and without a host unless the scheme is `file`.
  public init?(_ url: String) {
    guard let (name, afterScheme) = url.cut(atFirst: ":") else { return nil }
    scheme = name.lowercased()
    guard let first = scheme.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first),
      scheme.utf8.allSatisfy(Self.isSchemeByte)
    else { return nil }
    guard afterScheme.hasPrefix(bytesOf: "//") else {
      guard scheme == "file", afterScheme.hasPrefix(bytesOf: "/") else { return nil }
      host = ""
      rest = String(afterScheme)
      return
    }
    let text = afterScheme[afterScheme.utf8.index(afterScheme.startIndex, offsetBy: 2)...]
    // libcurl treats a backslash before the query as a slash (URL Standard section 4.4).
    var authority = text.prefix(upToAny: "/?#\\")
    rest = String(text[authority.endIndex...])
    guard authority.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
    if let (user, server) = authority.cut(atLast: "@") {
      guard user.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "@") }) else { return nil }
      userInfo = String(user)
      authority = server
    }
    guard let server = Self.hostAndPort(authority) else { return nil }
    (host, port) = server
    if host.isEmpty, scheme != "file" { return nil }
  }

  private static func hostAndPort(_ authority: Substring) -> (host: String, port: Int?)? {
    var (name, digits) = (authority, Substring())
    if authority.utf8.first == UInt8(ascii: "[") {
      guard let (address, after) = authority.cut(atFirst: "]"),
        address.utf8.dropFirst().allSatisfy(isAddressByte)
      else { return nil }
      guard after.isEmpty || after.utf8.first == UInt8(ascii: ":") else { return nil }
      name = authority[..<after.startIndex]
      digits = after.dropFirst()
    } else if let (before, after) = authority.cut(atFirst: ":") {
      (name, digits) = (before, after)
    }
    guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
    let port = Int(digits)
    guard digits.isEmpty || port.map({ $0 <= 65_535 }) == true else { return nil }
    guard name.utf8.first != UInt8(ascii: "[") else { return (name.lowercased(), port) }
    guard let host = PercentCoding.decode(name),
      host.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), !host.containsAny("/:#?!@{}[]\\$'\"^`*<>=;,+&()%|")
    else { return nil }
    return (lowercased(host), port)
  }

  /// Lowercases ASCII letters only; libcurl has its own mapping for international names.
  private static func lowercased(_ host: String) -> String {
    let bytes = host.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"),
      UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// True for the bytes of an IPv6 literal: hexadecimal digits, `:`, `.`, and a zone after `%`.
  private static func isAddressByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "%"),
      UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// The port that a connection uses.
  public var effectivePort: Int { port ?? (scheme == "http" ? 80 : 443) }

  /// Scheme, host and port; equal for two URLs of the same origin (RFC 6454).
  public var origin: String { "\(scheme)://\(host):\(effectivePort)" }

  /// Key for limits and cooldowns per host: the host's name. IP literals and `localhost` include the port, because many
  /// unrelated servers share them.
  public var hostKey: String {
    let isLiteral =
      host.utf8.first == UInt8(ascii: "[") || host == "localhost"
      || host.utf8.allSatisfy {
        $0 == UInt8(ascii: ".") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
      }
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

  /// `url` without user name and password, for messages and logs. In text that is not a URL, everything from the
  /// slashes to the last `@` is removed.
  public static func redacted(_ url: String) -> String {
    guard url.contains(ascii: "@") else { return url }
    if let address = WebAddress(url) { return address.userInfo == nil ? url : address.redacted }
    guard let (scheme, rest) = url.cut(atFirst: ":"), scheme.utf8.allSatisfy({ $0 < 0x80 && $0 > 0x20 }),
      rest.utf8.first == UInt8(ascii: "/") || rest.utf8.first == UInt8(ascii: "\\"),
      let (_, after) = rest.cut(atLast: "@")
    else { return url }
    return "\(scheme)://\(after)"
  }
}
