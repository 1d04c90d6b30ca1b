/// The components of a URL reference (RFC 3986 appendix B), as ranges of its bytes.
struct URLParts {
  let bytes: [UInt8]
  /// Length without the colon; nil for a relative reference.
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
    if bytes.count >= position + 2, bytes[position] == UInt8(ascii: "/"),
      bytes[position + 1] == UInt8(ascii: "/")
    {
      let start = position + 2
      let end =
        bytes[start...].firstIndex {
          $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#")
        } ?? bytes.count
      authority = start..<end
      position = end
    } else {
      authority = nil
    }
    let pathEnd =
      bytes[position...].firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? bytes.count
    path = position..<pathEnd
    let fragmentMark = bytes[pathEnd...].firstIndex(of: UInt8(ascii: "#"))
    query =
      pathEnd < bytes.count && bytes[pathEnd] == UInt8(ascii: "?")
      ? (pathEnd + 1)..<(fragmentMark ?? bytes.count) : nil
    fragment = fragmentMark.map { ($0 + 1)..<bytes.count }
    self.bytes = bytes
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The host, without user and port; an IPv6 address keeps its brackets.
  var host: Range<Int>? {
    guard let authority else { return nil }
    let start = bytes[authority].lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? authority.lowerBound
    let rest = start..<authority.upperBound
    if rest.isEmpty == false, bytes[start] == UInt8(ascii: "["),
      let close = bytes[rest].firstIndex(of: UInt8(ascii: "]"))
    {
      return start..<(close + 1)
    }
    return start..<(bytes[rest].firstIndex(of: UInt8(ascii: ":")) ?? authority.upperBound)
  }

  /// The port after the host's colon; nil when it is missing or empty.
  var port: Range<Int>? {
    guard let authority, let host, host.upperBound < authority.upperBound,
      bytes[host.upperBound] == UInt8(ascii: ":")
    else {
      return nil
    }
    let range = (host.upperBound + 1)..<authority.upperBound
    return range.isEmpty ? nil : range
  }
}
