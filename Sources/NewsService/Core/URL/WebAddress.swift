import NewsToolbox

/// An absolute URL: its parts, its origin, the keys of its limits, and its form without credentials.
///
/// Works on bytes, as libcurl does, and rejects input that the two might parse differently: control characters, user
/// information with an `@` or non-ASCII bytes, characters that no host name contains, invalid ports. Two URLs with
/// equal origins here therefore have equal origins in libcurl. The path is kept as written; `URLResolver` resolves
/// references.
public struct WebAddress: Hashable, Sendable {
  /// The scheme in lower case.
  public var scheme: String
  /// The host: ASCII letters in lower case, percent-decoded; an IPv6 literal keeps its brackets. Empty for `file:`.
  public var host: String
  /// The port that the URL names; nil: the default port of the scheme.
  public var port: Int?
  /// `user:password`, as written.
  public var userInfo: String?
  /// Path, query and fragment as written.
  public var rest: String

  /// Parses an absolute URL. Fails without a scheme, and without a host unless the scheme is `file`.
  public init?(_ url: String) {
    let parts = URLParts(url)
    guard let schemeLength = parts.schemeLength else { return nil }
    scheme = url.slice(0..<schemeLength).lowercased()
    guard let authority = parts.authority, let name = parts.host else {
      guard scheme == "file", url.slice(parts.path).hasPrefix(bytesOf: "/") else { return nil }
      host = ""
      rest = String(url.slice((schemeLength + 1)...))
      return
    }
    rest = String(url.slice(authority.upperBound...))
    guard url.slice(authority).utf8.allSatisfy({ $0 > UInt8(ascii: " ") && $0 != ASCII.delete }) else {
      return nil
    }
    if let user = parts.userInfo {
      userInfo = String(url.slice(user))
      guard url.slice(user).utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "@") }) else { return nil }
    }
    // Reject `[::1]x`: after the brackets only a port or the end may follow.
    guard name.upperBound == authority.upperBound || parts.port != nil,
      let host = Self.host(url.slice(name))
    else { return nil }
    self.host = host
    if let digits = parts.port.map(url.slice), !digits.isEmpty {
      guard digits.utf8.allSatisfy(ASCII.isDigit), let number = Int(digits), number <= 65_535 else {
        return nil
      }
      port = number
    }
    if host.isEmpty, scheme != "file" { return nil }
  }

  private static func host(_ name: Substring) -> String? {
    if name.utf8.first == UInt8(ascii: "[") {
      guard name.utf8.last == UInt8(ascii: "]"), name.utf8.dropFirst().dropLast().allSatisfy(isAddressByte)
      else { return nil }
      return name.lowercased()
    }
    guard let host = PercentCoding.decode(name),
      host.utf8.allSatisfy({ $0 > UInt8(ascii: " ") && $0 != ASCII.delete }),
      !host.containsAny("/:#?!@{}[]\\$'\"^`*<>=;,+&()%|")
    else { return nil }
    // ASCII letters only; libcurl has its own mapping for international names.
    return String(decoding: host.utf8.map(ASCII.lowercase), as: UTF8.self)
  }

  /// True for the bytes of an IPv6 literal: hexadecimal digits, `:`, `.`, and a zone after `%`.
  private static func isAddressByte(_ byte: UInt8) -> Bool {
    ASCII.isAlphanumeric(byte) || ":.%-_".utf8.contains(byte)
  }
}

extension WebAddress {
  /// The path, as written.
  public var path: Substring { rest.prefix(upToAny: "?#") }

  /// The query without the question mark; nil when there is none.
  public var query: Substring? {
    rest.prefix(upToAny: "#").cut(atFirst: "?")?.after
  }

  /// The port that a connection uses.
  public var effectivePort: Int { port ?? (scheme == "http" ? 80 : 443) }

  /// Scheme, host and port.
  public var server: Origin { Origin(scheme: scheme, host: host, port: effectivePort) }

  /// The origin as text, with its port.
  public var origin: String { "\(scheme)://\(host):\(effectivePort)" }

  /// The URL of the server: `https://example.org` or `http://example.org:8080`, without a slash at the end.
  public var root: String {
    let portText = port.flatMap { $0 == Self.defaultPorts[scheme] ? nil : ":\($0)" } ?? ""
    return "\(scheme)://\(host)\(portText)"
  }

  static let defaultPorts = ["http": 80, "https": 443, "ftp": 21]

  /// True for `http` and `https`.
  public var isWeb: Bool { scheme == "http" || scheme == "https" }

  /// True for a text that begins with `http://` or `https://`.
  public static func isWeb(_ url: String) -> Bool {
    url.withBytes { bytes in
      guard let end = URLParts.schemeLength(bytes), end == 4 || end == 5, bytes.count >= end + 3,
        bytes[end + 1] == UInt8(ascii: "/"), bytes[end + 2] == UInt8(ascii: "/")
      else { return false }
      return "https".utf8.prefix(end).elementsEqual(bytes[..<end].lazy.map(ASCII.lowercase))
    }
  }

  /// True for an IP address and for `localhost`: many unrelated servers share them, and they rarely have a certificate.
  public static func isShared(_ host: some StringProtocol) -> Bool {
    host.utf8.first == UInt8(ascii: "[") || host == "localhost"
      || host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || ASCII.isDigit($0) }
  }

  /// Key for limits and cooldowns per host: the host's name; for IP literals and `localhost` with the port.
  public var hostKey: String { Self.isShared(host) ? "\(host):\(effectivePort)" : host }

  /// True when credentials for `former` may be sent to `url`; false when one of them is not an absolute URL.
  static func canReceiveCredentials(_ url: String, from former: String) -> Bool {
    guard let to = WebAddress(url), let from = WebAddress(former) else { return false }
    return to.server.canReceiveCredentials(from: from.server)
  }

  /// Removes `feed:`, which some sites put before the address of a feed, and replaces `feed://` by `http://`.
  public static func withoutFeedScheme(_ text: String) -> String {
    guard URLParts.scheme(of: text) == "feed", let (_, rest) = text.cut(atFirst: ":") else { return text }
    return rest.hasPrefix(bytesOf: "//") ? "http:\(rest)" : String(rest)
  }

  /// The URL.
  public var text: String {
    if scheme == "file", host.isEmpty { return "file:\(rest)" }
    let user = userInfo.map { "\($0)@" } ?? ""
    return "\(scheme)://\(user)\(host)\(port.map { ":\($0)" } ?? "")\(rest)"
  }

  /// The URL without credentials, for messages and logs.
  public var redacted: String {
    var address = self
    address.userInfo = nil
    return address.text
  }

  /// `hostKey` of a URL, or the URL itself when it has no host.
  public static func hostKey(of url: String) -> String {
    guard let address = WebAddress(url), !address.host.isEmpty else { return url }
    return address.hostKey
  }

  /// `url` without user name and password, for messages and logs. In text that is not a URL but contains a
  /// colon and then an `@`, the text before the last `@` is removed; a scheme stays if slashes, or a user
  /// name and a password, follow it. `mailto:` and `exec:` texts, and texts with a space or non-ASCII before
  /// the first colon, stay unchanged.
  public static func redacted(_ url: String) -> String {
    guard url.contains(ascii: "@") else { return url }
    if let address = WebAddress(url) { return address.userInfo == nil ? url : address.redacted }
    guard let (before, after) = url.cut(atLast: "@"), let (scheme, rest) = before.cut(atFirst: ":") else {
      return url
    }
    if scheme.hasPrefix(bytesOf: "//") { return "//\(after)" }
    guard scheme.utf8.allSatisfy({ $0 < 0x80 && $0 > UInt8(ascii: " ") }),
      !["mailto", "exec"].contains(scheme.lowercased())
    else { return url }
    if rest.utf8.first == UInt8(ascii: "/") || rest.utf8.first == UInt8(ascii: "\\") {
      return "\(scheme)://\(after)"
    }
    return rest.contains(ascii: ":") ? "\(scheme):\(after)" : String(after)
  }
}

extension WebAddress {
  /// Normalizes a URL by RFC 3986 sections 6.2.2 and 6.2.3: scheme and host in lower case, no default port, `/` for an
  /// empty path, no dot segments, percent-encoding in upper case and only where needed, no fragment. User
  /// information is kept. A URL without a host is only cleaned and loses its fragment; a URL that
  /// `URLResolver` refuses is returned unchanged.
  public static func canonical(_ url: String) -> String {
    let bare = String(url.prefix(upToAny: "#"))
    guard let cleaned = URLResolver.resolve(bare, against: nil, policy: .field) else { return url }
    let parts = URLParts(cleaned)
    guard let schemeLength = parts.schemeLength, let authority = parts.authority, let host = parts.host else {
      return cleaned
    }
    let scheme = cleaned.slice(0..<schemeLength).lowercased()
    var canonical = "\(scheme)://\(cleaned.slice(authority.lowerBound..<host.lowerBound))"
    canonical += cleaned.slice(host).lowercased()
    if let port = parts.port.map(cleaned.slice), !port.isEmpty, Int(port) != defaultPorts[scheme] {
      canonical += ":\(port)"
    }
    canonical += parts.path.isEmpty ? "/" : escapingOnce(cleaned.slice(parts.path))
    if let query = parts.query { canonical += "?" + escapingOnce(cleaned.slice(query)) }
    // Decoding may reveal dot segments (`%2E%2E`).
    guard canonical.contains(bytesOf: "/.") else { return canonical }
    return URLResolver.resolve(canonical, against: nil, policy: .field) ?? canonical
  }

  /// Encodes non-ASCII letters, and percent signs that begin no escape. Otherwise decoding the text after such a
  /// percent sign could create an escape.
  private static func escapingOnce(_ text: Substring) -> String {
    PercentCoding.normalize(text.utf8) { $0 >= 0x80 || $0 == UInt8(ascii: "%") }
  }
}
