import NewsToolbox

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
