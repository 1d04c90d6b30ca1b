import NewsToolbox

/// Components and normalized forms of URLs.
public enum URLComparison {
  /// Returns the scheme in lower case; nil for a relative reference.
  public static func scheme(of url: String) -> String? {
    guard let parts = URLParts(url), let length = parts.schemeLength else { return nil }
    return parts.text(0..<length).lowercased()
  }

  /// Returns the host in lower case, without user and port; nil when there is none.
  public static func host(of url: String) -> String? {
    guard let parts = URLParts(url), let host = parts.host, !host.isEmpty else { return nil }
    return parts.text(host).lowercased()
  }

  /// Returns scheme, host and port as `https://example.org` or `http://example.org:8080` (RFC 6454 section 6.2); nil
  /// when the URL has no host.
  public static func origin(of url: String) -> String? {
    guard let parts = URLParts(url), let length = parts.schemeLength, let host = parts.host, !host.isEmpty
    else {
      return nil
    }
    let scheme = parts.text(0..<length).lowercased()
    var origin = scheme + "://" + parts.text(host).lowercased()
    if let port = parts.port.map(parts.text), !isDefault(port, for: scheme) { origin += ":" + port }
    return origin
  }

  /// Normalizes a URL by RFC 3986 sections 6.2.2 and 6.2.3: scheme and host in lower case, no default port, `/` for an
  /// empty path, no dot segments, percent-encoding in upper case and only where needed, no fragment. User information
  /// is kept. A URL without a host only loses its fragment.
  public static func canonical(_ url: String) -> String {
    let bare = String(decoding: url.utf8.prefix { $0 != UInt8(ascii: "#") }, as: UTF8.self)
    guard let cleaned = URLResolver.resolve(bare, against: nil, policy: .field), let parts = URLParts(cleaned)
    else {
      return url
    }
    guard let length = parts.schemeLength, let authority = parts.authority, let host = parts.host else {
      return parts.text(0..<(parts.query?.upperBound ?? parts.path.upperBound))
    }
    let scheme = parts.text(0..<length).lowercased()
    var canonical = scheme + "://"
    canonical += parts.text(authority.lowerBound..<host.lowerBound)
    canonical += parts.text(host).lowercased()
    if let port = parts.port.map(parts.text), !isDefault(port, for: scheme) { canonical += ":" + port }
    canonical += parts.path.isEmpty ? "/" : unescaped(parts.bytes[parts.path])
    if let query = parts.query { canonical += "?" + unescaped(parts.bytes[query]) }
    // Decoding may reveal dot segments (`%2E%2E`).
    guard canonical.utf8.contains(UInt8(ascii: ".")), canonical.contains("/.") else { return canonical }
    return URLResolver.resolve(canonical, against: nil, policy: .field) ?? canonical
  }

  /// True when both URLs have the same `canonical` form.
  public static func areSame(_ a: String, _ b: String) -> Bool {
    a == b || canonical(a) == canonical(b)
  }

  private static func isDefault(_ port: String, for scheme: String) -> Bool {
    scheme == "http" && port == "80" || scheme == "https" && port == "443" || scheme == "ftp" && port == "21"
  }

  /// Letters beyond ASCII are encoded, and stray percent signs: decoding what follows could make an escape of one.
  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
    PercentCoding.normalize(bytes) { $0 >= 0x80 || $0 == UInt8(ascii: "%") }
  }
}
