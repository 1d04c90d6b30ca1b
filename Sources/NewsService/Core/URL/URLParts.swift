import NewsToolbox

/// The components of a URL reference (RFC 3986 appendix B), as ranges of its bytes.
///
/// A backslash ends the authority as a slash does (URL Standard section 4.4): newsd, like browsers, contacts the host
/// before the backslash.
public struct URLParts: Hashable, Sendable {
  /// Length of the scheme without the colon; nil for a relative reference.
  public let schemeLength: Int?
  /// The authority without the two slashes; nil when there are none.
  public let authority: Range<Int>?
  /// The user information without the `@`.
  public let userInfo: Range<Int>?
  /// The host; an IPv6 address keeps its brackets.
  public let host: Range<Int>?
  /// The text after the host's colon; nil without a colon.
  public let port: Range<Int>?
  public let path: Range<Int>
  /// The query without the question mark.
  public let query: Range<Int>?
  /// The fragment without the number sign.
  public let fragment: Range<Int>?

  public init(_ url: String) {
    self = url.withBytes { URLParts($0) }
  }

  public init(_ bytes: UnsafeBufferPointer<UInt8>) {
    schemeLength = Self.schemeLength(bytes)
    var position = schemeLength.map { $0 + 1 } ?? 0
    if bytes.count >= position + 2, bytes[position] == UInt8(ascii: "/"),
      bytes[position + 1] == UInt8(ascii: "/")
    {
      let start = position + 2
      position = bytes[start...].firstIndex(where: Self.endsAuthority) ?? bytes.count
      authority = start..<position
      let at = bytes[start..<position].lastIndex(of: UInt8(ascii: "@"))
      userInfo = at.map { start..<$0 }
      let server = (at.map { $0 + 1 } ?? start)..<position
      let hostEnd = Self.hostEnd(bytes, server)
      host = server.lowerBound..<hostEnd
      let hasPort = hostEnd < position && bytes[hostEnd] == UInt8(ascii: ":")
      port = hasPort ? (hostEnd + 1)..<position : nil
    } else {
      authority = nil
      userInfo = nil
      host = nil
      port = nil
    }
    let pathEnd =
      bytes[position...].firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? bytes.count
    path = position..<pathEnd
    let mark = bytes[pathEnd...].firstIndex(of: UInt8(ascii: "#"))
    let hasQuery = pathEnd < bytes.count && bytes[pathEnd] == UInt8(ascii: "?")
    query = hasQuery ? (pathEnd + 1)..<(mark ?? bytes.count) : nil
    fragment = mark.map { ($0 + 1)..<bytes.count }
  }

  private static func endsAuthority(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
      || byte == UInt8(ascii: "\\")
  }

  private static func hostEnd(_ bytes: UnsafeBufferPointer<UInt8>, _ server: Range<Int>) -> Int {
    if bytes[server].first == UInt8(ascii: "["), let close = bytes[server].firstIndex(of: UInt8(ascii: "]")) {
      return close + 1
    }
    return bytes[server].firstIndex(of: UInt8(ascii: ":")) ?? server.upperBound
  }

  /// Returns the length of the scheme before the colon (RFC 3986 section 3.1); nil for a relative reference.
  public static func schemeLength(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard bytes.count > 1, ASCII.isLetter(bytes[0]) else { return nil }
    for index in 1..<bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: ":") { return index }
      guard
        ASCII.isAlphanumeric(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
          || byte == UInt8(ascii: ".")
      else { return nil }
    }
    return nil
  }

  /// Returns the scheme of a URL in lower case; nil for a relative reference.
  public static func scheme(of url: String) -> String? {
    url.withBytes { schemeLength($0) }.map { url.slice(0..<$0).lowercased() }
  }
}
