public import NewsToolbox

/// Resolves references against a base (RFC 3986 section 5.2), cleans them and refuses dangerous schemes.
///
/// The result contains no ASCII white space, no control characters and none of `"`, `<`, `>`, `` ` ``, `{`,
/// `}`, `^`: line breaks are removed together with the white space around them; spaces, no-break spaces,
/// zero-width spaces, direction controls and C1 controls are percent-encoded. Other non-ASCII characters stay (an IRI, RFC 3987);
/// fragments are kept.
public enum URLResolver {
  /// Returns the absolute form of `reference`. Nil when it is refused: the scheme of the reference or its
  /// base is not allowed, a web address has no host, or the reference is empty without a base. Without a
  /// base, a relative reference is cleaned and stays relative; nil when its first segment contains a colon.
  public static func resolve(
    _ reference: String,
    against base: BaseURL?,
    policy: URLPolicy = .link
  ) -> String? {
    reference.withBytes { resolve($0, against: base, policy: policy) }
  }

  /// Resolves against a base given as text; ignores an invalid base.
  public static func resolve(_ reference: String, base: String?, policy: URLPolicy = .link) -> String? {
    resolve(reference, against: base.flatMap { BaseURL($0) }, policy: policy)
  }

  public static func resolve(
    _ reference: UnsafeBufferPointer<UInt8>,
    against base: BaseURL?,
    policy: URLPolicy
  ) -> String? {
    var scratch = ByteBuffer(capacity: reference.count + 64)
    var output = ByteBuffer(capacity: reference.count + (base?.bytes.count ?? 0) + 64)
    guard resolve(reference, against: base, policy: policy, scratch: &scratch, into: &output) else {
      return nil
    }
    return output.string()
  }

  /// Appends the resolved reference to `output`; returns false and appends nothing when it is refused.
  public static func resolve(
    _ reference: UnsafeBufferPointer<UInt8>,
    against base: BaseURL?,
    policy: URLPolicy,
    scratch: inout ByteBuffer,
    into output: inout ByteBuffer
  ) -> Bool {
    guard var start = reference.baseAddress else {
      return resolveEmpty(against: base, policy: policy, into: &output)
    }
    var length = reference.count
    trim(&start, &length)
    // Fast path: nearly all references are clean and can be copied unchanged.
    var seen: UInt8 = 0
    var previous: UInt8 = 0
    var hasDots = false
    for index in 0..<length {
      let byte = start[index]
      seen |= URLBytes.kind(byte)
      if byte == UInt8(ascii: "."), previous == UInt8(ascii: "/") { hasDots = true }
      previous = byte
    }
    if seen != 0 {
      scratch.removeAll()
      rewrite(start, length, into: &scratch)
      start = UnsafePointer(scratch.base)
      length = scratch.count
      hasDots = true
    }
    if length == 0 { return resolveEmpty(against: base, policy: policy, into: &output) }
    guard let schemeLength = URLParts.schemeLength(UnsafeBufferPointer(start: start, count: length)) else {
      if seen & URLBytes.backslash != 0 { replaceBackslashes(&scratch, from: 0) }
      return resolveRelative(start, length, against: base, policy: policy, hasDots: hasDots, into: &output)
    }
    let scheme = URLScheme(start, schemeLength)
    guard policy.allows(scheme) else { return false }
    if scheme == .web {
      if seen & URLBytes.backslash != 0 { replaceBackslashes(&scratch, from: schemeLength + 1) }
      return resolveWeb(
        start,
        length,
        schemeLength: schemeLength,
        against: base,
        policy: policy,
        hasDots: hasDots,
        into: &output
      )
    }
    if isNested(start, length, schemeLength) { return false }
    output.append(start, length)
    return true
  }

  /// True for `feed:` before an address that is not `http` or `https`: some readers follow the inner address.
  private static func isNested(_ start: UnsafePointer<UInt8>, _ length: Int, _ schemeLength: Int) -> Bool {
    guard schemeLength == 4, PackedName(start, 4) == PackedName("feed") else { return false }
    let inner = start + 5
    guard let innerLength = URLParts.schemeLength(UnsafeBufferPointer(start: inner, count: length - 5)) else {
      return false
    }
    return URLScheme(inner, innerLength) != .web
  }

  // MARK: The kinds of reference

  private static func resolveEmpty(
    against base: BaseURL?,
    policy: URLPolicy,
    into output: inout ByteBuffer
  ) -> Bool {
    guard let base, allows(base, policy) else { return false }
    append(base, upTo: base.bytes.count, into: &output)
    return true
  }

  /// Resolves `http:` and `https:`; accepts any number of slashes, as browsers do.
  private static func resolveWeb(
    _ start: UnsafePointer<UInt8>,
    _ length: Int,
    schemeLength: Int,
    against base: BaseURL?,
    policy: URLPolicy,
    hasDots: Bool,
    into output: inout ByteBuffer
  ) -> Bool {
    var rest = schemeLength + 1
    var slashes = 0
    while rest < length, start[rest] == UInt8(ascii: "/") {
      rest += 1
      slashes += 1
    }
    if slashes < 2, let base, base.hasAuthority, isScheme(of: base, start, schemeLength) {
      return resolveRelative(
        start + schemeLength + 1,
        length - schemeLength - 1,
        against: base,
        policy: policy,
        hasDots: hasDots,
        into: &output
      )
    }
    // Refuse an address without a host: it cannot be fetched.
    guard hasHost(start + rest, length - rest) else { return false }
    for index in 0..<schemeLength { output.append(ASCII.lowercase(start[index])) }
    output.append("://")
    let hostStart = output.count
    output.append(start + rest, length - rest)
    if hasDots {
      var path = hostStart
      while path < output.count, !URLBytes.endsAuthority(output.base[path]) { path += 1 }
      removeDots(&output, from: path)
    }
    return true
  }

  private static func resolveRelative(
    _ start: UnsafePointer<UInt8>,
    _ length: Int,
    against base: BaseURL?,
    policy: URLPolicy,
    hasDots: Bool,
    into output: inout ByteBuffer
  ) -> Bool {
    guard let base else {
      // A lenient reader would take a first segment with a colon for a scheme (RFC 3986 section 4.2): refuse it.
      for index in 0..<length {
        let byte = start[index]
        if byte == UInt8(ascii: ":") { return false }
        if URLBytes.endsAuthority(byte) { break }
      }
      output.append(start, length)
      return true
    }
    guard allows(base, policy) else { return false }
    guard length > 0 else { return resolveEmpty(against: base, policy: policy, into: &output) }
    let pathStart: Int
    switch start.pointee {
    case UInt8(ascii: "#"):
      append(base, upTo: base.bytes.count, into: &output)
      output.append(start, length)
      return true
    case UInt8(ascii: "?"):
      append(base, upTo: base.pathEnd, into: &output)
      output.append(start, length)
      return true
    case UInt8(ascii: "/"):
      if length > 1, start[1] == UInt8(ascii: "/") {
        guard hasHost(start + 2, length - 2) else { return false }
        append(base, upTo: base.schemeLength + 1, into: &output)
        var path = output.count + 2
        output.append(start, length)
        while path < output.count, !URLBytes.endsAuthority(output.base[path]) { path += 1 }
        pathStart = path
      } else {
        append(base, upTo: base.pathStart, into: &output)
        pathStart = output.count
        output.append(start, length)
      }
    default:
      pathStart = output.count + base.pathStart
      append(base, upTo: base.directoryEnd, into: &output)
      if base.directoryEnd == base.pathStart, base.hasAuthority { output.append(UInt8(ascii: "/")) }
      output.append(start, length)
      // `./g` and `../g` have no slash before their first dot.
      if start.pointee == UInt8(ascii: ".") || hasDots { removeDots(&output, from: pathStart) }
      return true
    }
    if hasDots { removeDots(&output, from: pathStart) }
    return true
  }

  /// True when the authority at `start` has a host, not only a user or a port (RFC 3986 section 3.2).
  private static func hasHost(_ start: UnsafePointer<UInt8>, _ length: Int) -> Bool {
    var index = 0
    var hostStart = 0
    while index < length, !URLBytes.endsAuthority(start[index]) {
      if start[index] == UInt8(ascii: "@") { hostStart = index + 1 }
      index += 1
    }
    return hostStart < index && start[hostStart] != UInt8(ascii: ":")
  }

  private static func allows(_ base: BaseURL, _ policy: URLPolicy) -> Bool {
    base.bytes.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return false }
      return policy.allows(URLScheme(start, base.schemeLength))
    }
  }

  private static func append(_ base: BaseURL, upTo end: Int, into output: inout ByteBuffer) {
    base.bytes.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return }
      output.append(start, end)
    }
  }

  private static func isScheme(of base: BaseURL, _ start: UnsafePointer<UInt8>, _ length: Int) -> Bool {
    guard base.schemeLength == length else { return false }
    for index in 0..<length where ASCII.lowercase(start[index]) != ASCII.lowercase(base.bytes[index]) {
      return false
    }
    return true
  }

  // MARK: Bytes

  /// Removes white space and control characters from both ends, including no-break and zero-width spaces.
  private static func trim(_ start: inout UnsafePointer<UInt8>, _ length: inout Int) {
    while length > 0 {
      if start[0] <= UInt8(ascii: " ") || start[0] == 0x7F {
        start += 1
        length -= 1
      } else if length >= 2, start[0] == 0xC2, start[1] <= 0xA0 {
        start += 2
        length -= 2
      } else if length >= 3, URLBytes.isInvisible(start[0], start[1], start[2]) {
        start += 3
        length -= 3
      } else {
        break
      }
    }
    while length > 0 {
      let last = start[length - 1]
      if last <= UInt8(ascii: " ") || last == 0x7F {
        length -= 1
      } else if length >= 2, start[length - 2] == 0xC2, last <= 0xA0 {
        length -= 2
      } else if length >= 3, URLBytes.isInvisible(start[length - 3], start[length - 2], last) {
        length -= 3
      } else {
        break
      }
    }
  }

  private static func rewrite(_ start: UnsafePointer<UInt8>, _ length: Int, into output: inout ByteBuffer) {
    var index = 0
    while index < length {
      let byte = start[index]
      let kind = URLBytes.kind(byte)
      if kind & (URLBytes.control | URLBytes.space) != 0 {
        var end = index
        var spaces = 0
        var breaksLine = false
        while end < length, URLBytes.kind(start[end]) & (URLBytes.control | URLBytes.space) != 0 {
          if start[end] == UInt8(ascii: " ") { spaces += 1 }
          if start[end] == UInt8(ascii: "\n") || start[end] == UInt8(ascii: "\r") { breaksLine = true }
          end += 1
        }
        if !breaksLine {
          for _ in 0..<spaces { output.append("%20") }
        }
        index = end
        continue
      }
      let rest = length - index
      var count = kind & URLBytes.encoded != 0 ? 1 : 0
      if kind & URLBytes.mayBeginInvisible != 0 {
        if byte == 0xC2, rest >= 2, start[index + 1] <= 0xA0 { count = 2 }
        if rest >= 3, URLBytes.isInvisible(byte, start[index + 1], start[index + 2]) { count = 3 }
      }
      for offset in index..<(index + count) {
        PercentCoding.append(start[offset], to: &output)
      }
      if count == 0 { output.append(byte) }
      index += max(count, 1)
    }
  }

  /// Replaces backslashes before the query with slashes, as browsers do for web addresses.
  private static func replaceBackslashes(_ buffer: inout ByteBuffer, from start: Int) {
    var index = start
    while index < buffer.count {
      let byte = buffer.base[index]
      if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { return }
      if byte == UInt8(ascii: "\\") { buffer.base[index] = UInt8(ascii: "/") }
      index += 1
    }
  }

  /// Removes dot segments in place (RFC 3986 section 5.2.4) from the path that begins at `start`.
  private static func removeDots(_ buffer: inout ByteBuffer, from start: Int) {
    let bytes = buffer.base
    let count = buffer.count
    var end = start
    while end < count, bytes[end] != UInt8(ascii: "?"), bytes[end] != UInt8(ascii: "#") { end += 1 }
    guard end > start, bytes[start] == UInt8(ascii: "/") else { return }
    var read = start
    var write = start
    while read < end {
      // `bytes[read]` is a slash.
      var next = read + 1
      while next < end, bytes[next] != UInt8(ascii: "/") { next += 1 }
      let length = next - read - 1
      if length == 1, bytes[read + 1] == UInt8(ascii: ".") {
        if next == end {
          bytes[write] = UInt8(ascii: "/")
          write += 1
        }
      } else if length == 2, bytes[read + 1] == UInt8(ascii: "."), bytes[read + 2] == UInt8(ascii: ".") {
        while write > start {
          write -= 1
          if bytes[write] == UInt8(ascii: "/") { break }
        }
        if next == end {
          bytes[write] = UInt8(ascii: "/")
          write += 1
        }
      } else {
        while read < next {
          bytes[write] = bytes[read]
          write += 1
          read += 1
        }
      }
      read = next
    }
    guard write < end else { return }
    while end < count {
      bytes[write] = bytes[end]
      write += 1
      end += 1
    }
    buffer.truncate(to: write)
  }
}

/// Classifies the bytes of a URL.
enum URLBytes {
  static let control: UInt8 = 1
  static let space: UInt8 = 2
  static let encoded: UInt8 = 4
  static let backslash: UInt8 = 8
  /// The byte may begin a C1 control, a no-break space, a zero-width space or a direction control.
  static let mayBeginInvisible: UInt8 = 16

  /// Returns how `byte` is rewritten; 0 for a byte that is copied.
  @inline(__always)
  static func kind(_ byte: UInt8) -> UInt8 {
    if byte < 0x80 { return kinds.utf8Start[Int(byte)] }
    return byte == 0xC2 || byte == 0xE2 || byte == 0xEF ? mayBeginInvisible : 0
  }

  /// One entry per ASCII byte. A literal, because each access to a static array costs a call.
  @inline(__always)
  private static var kinds: StaticString {
    """
    \u{1}\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}\
    \u{1}\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}\u{2}\0\u{4}\0\0\0\0\0\0\0\0\0\
    \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\u{4}\0\u{4}\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\
    \0\0\0\u{8}\0\u{4}\0\u{4}\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\u{4}\0\u{4}\0\u{1}
    """
  }

  @inline(__always)
  static func endsAuthority(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
  }

  /// True for U+200B to U+200F, U+2028 to U+202E, U+2066 to U+2069 and U+FEFF. Controls of the text's direction would make
  /// an address look like another one.
  static func isInvisible(_ a: UInt8, _ b: UInt8, _ c: UInt8) -> Bool {
    if a == 0xE2, b == 0x80 { return (c >= 0x8B && c <= 0x8F) || (c >= 0xA8 && c <= 0xAE) }
    if a == 0xE2, b == 0x81 { return c >= 0xA6 && c <= 0xA9 }
    return a == 0xEF && b == 0xBB && c == 0xBF
  }
}
