/// A URL that references are resolved against, taken apart once (RFC 3986 section 5.1).
public struct BaseURL: Sendable, Hashable {
  /// Cleaned; without a fragment.
  let bytes: [UInt8]
  /// Bytes of the scheme, without its colon.
  let schemeLength: Int
  /// Where scheme and authority end: the path begins here.
  let pathStart: Int
  /// Behind the last `/` of the path.
  let directoryEnd: Int
  /// Where the path ends: the `?`, if there is one.
  let pathEnd: Int
  let hasAuthority: Bool

  /// Longer bases are refused, because every relative link is longer by its base.
  static let maximumLength = 4096

  /// Nil when `url` is no absolute URL, is longer than 4 KiB, or has a scheme that nothing can be relative to.
  public init?(_ url: String) {
    guard url.utf8.count <= Self.maximumLength,
      let cleaned = URLResolver.resolve(url, against: nil, policy: .field),
      let parts = URLParts(cleaned), let schemeLength = parts.schemeLength
    else { return nil }
    guard parts.authority != nil || parts.bytes[parts.path].first == 0x2F else { return nil }
    self.schemeLength = schemeLength
    bytes = Array(parts.bytes[..<(parts.query?.upperBound ?? parts.path.upperBound)])
    pathStart = parts.path.lowerBound
    pathEnd = parts.path.upperBound
    hasAuthority = parts.authority != nil
    directoryEnd =
      (bytes[pathStart..<pathEnd].lastIndex(of: 0x2F) ?? (parts.path.lowerBound - 1)) + 1
  }

  /// The URL as text, cleaned and without its fragment.
  public var string: String { String(decoding: bytes, as: UTF8.self) }
}

/// The components of a URL reference (RFC 3986 appendix B), as ranges of its bytes.
struct URLParts {
  let bytes: [UInt8]
  /// Without the colon; nil for a relative reference.
  let schemeLength: Int?
  /// Without the two slashes.
  let authority: Range<Int>?
  let path: Range<Int>
  /// Without the question mark.
  let query: Range<Int>?
  /// Without the number sign.
  let fragment: Range<Int>?

  init?(_ url: String) {
    let bytes = Array(url.utf8)
    var position = 0
    var scheme: Int?
    bytes.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      scheme = URLResolver.schemeLength(start, buffer.count)
    }
    if let scheme { position = scheme + 1 }
    schemeLength = scheme
    if bytes.count >= position + 2, bytes[position] == 0x2F, bytes[position + 1] == 0x2F {
      let start = position + 2
      let end = bytes[start...].firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? bytes.count
      authority = start..<end
      position = end
    } else {
      authority = nil
    }
    let pathEnd = bytes[position...].firstIndex { $0 == 0x3F || $0 == 0x23 } ?? bytes.count
    path = position..<pathEnd
    let fragmentMark = bytes[pathEnd...].firstIndex(of: 0x23)
    query =
      pathEnd < bytes.count && bytes[pathEnd] == 0x3F ? (pathEnd + 1)..<(fragmentMark ?? bytes.count) : nil
    fragment = fragmentMark.map { ($0 + 1)..<bytes.count }
    self.bytes = bytes
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The host of the authority, without user and port; an IPv6 address keeps its brackets.
  var host: Range<Int>? {
    guard let authority else { return nil }
    let start = bytes[authority].lastIndex(of: 0x40).map { $0 + 1 } ?? authority.lowerBound
    let rest = start..<authority.upperBound
    if rest.isEmpty == false, bytes[start] == 0x5B, let close = bytes[rest].firstIndex(of: 0x5D) {
      return start..<(close + 1)
    }
    return start..<(bytes[rest].firstIndex(of: 0x3A) ?? authority.upperBound)
  }

  /// Digits after the host's colon; nil when there are none.
  var port: Range<Int>? {
    guard let authority, let host, host.upperBound < authority.upperBound, bytes[host.upperBound] == 0x3A
    else {
      return nil
    }
    let range = (host.upperBound + 1)..<authority.upperBound
    return range.isEmpty ? nil : range
  }
}
