import NewsCore
import NewsToolbox

extension SanitizingSink {
  mutating func writeAttributes(of tag: borrowing HTMLTag, on element: HTMLElement) {
    var replacesSource = false
    if element == .img { replacesSource = writeDeferredSource(of: tag) }
    for index in 0..<tag.count {
      let attribute = tag[index]
      let value = UnsafeBufferPointer(start: attribute.start, count: attribute.length)
      switch attribute.name.kind(on: element) {
      case .dropped: continue
      case .text: writeText(attribute.name, value)
      case .flag: writeFlag(attribute.name)
      case .link: _ = writeURL(attribute.name, value, .link)
      case .resource:
        if replacesSource, attribute.name == .src { continue }
        _ = writeURL(attribute.name, value, .resource)
      case .sourceSet: if value.count <= Self.maximumListBytes { writeSourceSet(attribute.name, value) }
      case .style: if value.count <= Self.maximumListBytes { writeStyle(value) }
      }
    }
  }

  /// Maximum length of `style` and `srcset`. Longer values are dropped, because parsing takes several times their
  /// memory.
  static let maximumListBytes = 1 << 16

  /// Writes the source of a lazily loaded image from its `data-` attribute. On the page, a script moves it to `src`;
  /// readers run no scripts.
  private mutating func writeDeferredSource(of tag: borrowing HTMLTag) -> Bool {
    if let source = tag.value(.src), !Self.isPlaceholder(source) { return false }
    for name in [HTMLAttribute.dataSrc, .dataLazySrc, .dataOriginal] {
      if let source = tag.value(name), writeURL(.src, source, .resource) { return true }
    }
    // Readers ignore `data-srcset`, so write its largest candidate as `src`.
    for name in [HTMLAttribute.dataSrcset, .dataLazySrcset] {
      guard let set = tag.value(name), set.count <= Self.maximumListBytes,
        let source = Self.largestCandidate(of: set)
      else { continue }
      if writeURL(.src, source, .resource) { return true }
    }
    return false
  }

  /// True if the source is empty, a `data:` URL, or a file whose name shows that it is a placeholder.
  static func isPlaceholder(_ source: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = source.baseAddress, source.count > 0 else { return true }
    if source.count >= 5, PackedName(start, 5) == PackedName("data:") { return true }
    let file = source.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    let name = UnsafeBufferPointer(rebasing: source[file...])
    return ["blank.", "placeholder", "spacer.", "transparent.", "pixel.gif", "lazy", "loading.", "1x1"]
      .contains {
        (word: StaticString) in ByteText.hasPrefix(name, word)
      }
  }

  /// Returns the address with the greatest width or density in a `srcset`. If several are equal, returns the first.
  /// Assumes that addresses contain no spaces.
  private static func largestCandidate(of set: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
    var best: (address: UnsafeBufferPointer<UInt8>, size: Double)?
    var position = set.startIndex
    while position < set.endIndex {
      guard let start = set[position...].firstIndex(where: { !ASCII.isSpace($0) && $0 != UInt8(ascii: ",") })
      else { break }
      var end = set[start...].firstIndex(where: ASCII.isSpace) ?? set.endIndex
      position = end
      var size = 1.0
      if set[end - 1] == UInt8(ascii: ",") {
        end -= 1
      } else {
        position = set[end...].firstIndex(of: UInt8(ascii: ",")) ?? set.endIndex
        let digits = set[end..<position].drop(while: ASCII.isSpace)
          .prefix { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }
        size = Double(String(streamSafe: digits)) ?? 1
      }
      if size > best?.size ?? 0 { best = (UnsafeBufferPointer(rebasing: set[start..<end]), size) }
    }
    return best?.address
  }

  private mutating func writeFlag(_ name: HTMLAttribute) {
    html.append(UInt8(ascii: " "))
    let written = vocabulary.name(name)
    html.append(written.name, written.length)
  }

  @inline(__always)
  private mutating func openValue(_ name: HTMLAttribute) {
    html.append(UInt8(ascii: " "))
    let written = vocabulary.name(name)
    html.append(written.name, written.length)
    html.append("=\"")
  }

  private mutating func writeText(_ name: HTMLAttribute, _ value: UnsafeBufferPointer<UInt8>) {
    openValue(name)
    let first = html.count
    if let start = value.baseAddress {
      if Self.isPlain(start, value.count) {
        html.append(start, value.count)
      } else {
        decoded.removeAll()
        entities.decode(value, into: &decoded, inAttribute: true)
        Self.escape(decoded.bytes, into: &html)
      }
    }
    if name == .alt { hasAlternative = html.count > first }
    html.append(UInt8(ascii: "\""))
  }

  /// Writes a URL attribute. Returns false and writes nothing if the URL is refused.
  private mutating func writeURL(
    _ name: HTMLAttribute,
    _ value: UnsafeBufferPointer<UInt8>,
    _ policy: URLPolicy
  ) -> Bool {
    resolved.removeAll()
    if name == .usemap {
      // Do not resolve the value: it names a map in the same document (HTML standard, "Image maps").
      guard value.first == UInt8(ascii: "#") else { return false }
      writeText(name, value)
      return true
    }
    // Refuse an empty resource address: it would resolve to the page itself (HTML standard, section 4.8.3).
    if policy == .resource, value.allSatisfy({ $0 <= UInt8(ascii: " ") }) { return false }
    let isFragment =
      keepsFragments && name == .href && value.first { $0 > UInt8(ascii: " ") } == UInt8(ascii: "#")
    if isFragment { hasFragments = true }
    guard resolve(value, policy, against: isFragment ? nil : base) else { return false }
    growth &-= max(resolved.count &- value.count, 0)
    guard growth >= 0 else { return false }
    if name == .src { hasSource = true }
    openValue(name)
    Self.escape(resolved.bytes, into: &html)
    html.append(UInt8(ascii: "\""))
    return true
  }

  /// Decodes a value and appends its absolute form to `resolved`.
  mutating func resolve(
    _ value: UnsafeBufferPointer<UInt8>,
    _ policy: URLPolicy,
    against base: BaseURL?
  ) -> Bool {
    guard let start = value.baseAddress, ByteScan.find(UInt8(ascii: "&"), start, start + value.count) != nil
    else {
      return URLResolver.resolve(value, against: base, policy: policy, scratch: &scratch, into: &resolved)
    }
    decoded.removeAll()
    entities.decode(value, into: &decoded, inAttribute: true)
    return URLResolver.resolve(
      decoded.bytes,
      against: base,
      policy: policy,
      scratch: &scratch,
      into: &resolved
    )
  }

  private mutating func writeStyle(_ value: UnsafeBufferPointer<UInt8>) {
    decoded.removeAll()
    entities.decode(value, into: &decoded, inAttribute: true)
    scratch.removeAll()
    CSSFilter.filter(decoded.bytes, into: &scratch)
    guard !scratch.isEmpty else { return }
    openValue(.style)
    Self.escape(scratch.bytes, into: &html)
    html.append(UInt8(ascii: "\""))
  }

  /// Writes `srcset` (HTML standard, "Srcset attributes"): resolves each candidate's URL and keeps a valid descriptor.
  private mutating func writeSourceSet(_ name: HTMLAttribute, _ value: UnsafeBufferPointer<UInt8>) {
    var candidates = ByteBuffer(capacity: value.count + 16)
    entities.decode(value, into: &candidates, inAttribute: true)
    var position = UnsafePointer(candidates.base)
    let end = position + candidates.count
    var isFirst = true
    while position < end {
      while position < end, ASCII.isSpace(position.pointee) || position.pointee == UInt8(ascii: ",") {
        position += 1
      }
      let start = position
      while position < end, !ASCII.isSpace(position.pointee) { position += 1 }
      var urlEnd = position
      while urlEnd > start, urlEnd[-1] == UInt8(ascii: ",") { urlEnd -= 1 }
      guard urlEnd > start else { continue }
      var descriptor = position
      if urlEnd == position {
        // A comma in parentheses does not end the candidate.
        var isBracketed = false
        while position < end, isBracketed || position.pointee != UInt8(ascii: ",") {
          if position.pointee == UInt8(ascii: "(") { isBracketed = true }
          if position.pointee == UInt8(ascii: ")") { isBracketed = false }
          position += 1
        }
      }
      var descriptorEnd = position
      while descriptor < descriptorEnd, ASCII.isSpace(descriptor.pointee) { descriptor += 1 }
      while descriptor < descriptorEnd, ASCII.isSpace(descriptorEnd[-1]) { descriptorEnd -= 1 }
      resolved.removeAll()
      let url = UnsafeBufferPointer(start: start, count: urlEnd - start)
      guard
        URLResolver.resolve(url, against: base, policy: .resource, scratch: &scratch, into: &resolved)
      else { continue }
      // A URL must not begin or end with a comma, which separates candidates. Resolving may have moved a comma to the
      // end.
      while resolved.last == UInt8(ascii: ",") { resolved.truncate(to: resolved.count - 1) }
      guard let first = resolved.bytes.first, first != UInt8(ascii: ","),
        !Self.hidesActiveScheme(resolved.bytes)
      else {
        continue
      }
      growth &-= max(resolved.count &- url.count, 0)
      guard growth >= 0 else { break }
      if isFirst { openValue(name) } else { html.append(", ") }
      isFirst = false
      Self.escape(resolved.bytes, into: &html)
      let text = UnsafeBufferPointer(start: descriptor, count: descriptorEnd - descriptor)
      if Self.isDescriptor(text) {
        html.append(UInt8(ascii: " "))
        html.append(text)
      }
    }
    guard !isFirst else { return }
    html.append(UInt8(ascii: "\""))
    hasSource = true
  }

  /// True for a URL that contains an active scheme after a comma (`,javascript:`), because a simple reader splits
  /// `srcset` there.
  private static func hidesActiveScheme(_ url: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = url.baseAddress else { return false }
    let end = start + url.count
    var position = start
    while let comma = ByteScan.find(UInt8(ascii: ","), position, end) {
      position = comma + 1
      if URLScheme(of: UnsafeBufferPointer(start: position, count: end - position)) == .active { return true }
    }
    return false
  }

  /// True for a descriptor of `srcset`: `2x`, `1.5x`, `640w`, `480h`.
  private static func isDescriptor(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let unit = text.last,
      unit == UInt8(ascii: "x") || unit == UInt8(ascii: "w") || unit == UInt8(ascii: "h"), text.count > 1,
      text.count < 16
    else {
      return false
    }
    return text.dropLast().allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }
  }

  // MARK: Images

  /// Writes the image unless it is a 1×1 tracking pixel or has neither an address nor alternative text.
  mutating func writeImage(_ tag: borrowing HTMLTag) {
    guard !isTiny(tag) else { return }
    let start = html.count
    hasSource = false
    hasAlternative = false
    writeStart(.img, tag)
    if !hasSource && !hasAlternative { html.truncate(to: start) }
  }

  mutating func isTiny(_ tag: borrowing HTMLTag) -> Bool {
    var size: (width: Bool?, height: Bool?) = (nil, nil)
    if let value = tag.value(.width) { size.width = isTinyLength(ofAttribute: value) }
    if let value = tag.value(.height) { size.height = isTinyLength(ofAttribute: value) }
    if let style = tag.value(.style), style.count <= Self.maximumListBytes {
      decoded.removeAll()
      entities.decode(style, into: &decoded, inAttribute: true)
      var written = size
      Self.readSize(decoded.bytes, &size)
      // Read the size from the filtered style too: if the filter drops a later `width`, an earlier one applies.
      scratch.removeAll()
      CSSFilter.filter(decoded.bytes, into: &scratch)
      Self.readSize(scratch.bytes, &written)
      if written.width == true, written.height == true { return true }
    }
    return size.width == true && size.height == true
  }

  /// Updates `size` with the width and height that a style sets.
  private static func readSize(
    _ style: UnsafeBufferPointer<UInt8>,
    _ size: inout (width: Bool?, height: Bool?)
  ) {
    for part in style.split(separator: UInt8(ascii: ";")) {
      guard let colon = part.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let name = String(streamSafe: part[..<colon].filter { $0 > UInt8(ascii: " ") })
        .lowercased()
      let value = UnsafeBufferPointer(rebasing: part[(colon + 1)...])
      switch name {
      case "width", "max-width": size.width = isTinyLength(value)
      case "height", "max-height": size.height = isTinyLength(value)
      default: break
      }
    }
  }

  private mutating func isTinyLength(ofAttribute value: UnsafeBufferPointer<UInt8>) -> Bool {
    decoded.removeAll()
    entities.decode(value, into: &decoded, inAttribute: true)
    return Self.isTinyLength(decoded.bytes)
  }

  /// True for a length of at most one pixel: `0`, `1`, `1px`, `0.5px`; not `1em` or `100%`.
  private static func isTinyLength(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
    // Ignore white space and control characters: the latter are not written.
    let plain = value.filter { $0 > UInt8(ascii: " ") && $0 != 0x7F }
    let digits = plain.prefix { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }
    guard !digits.isEmpty, digits.count <= 4 else { return false }
    let unit = String(streamSafe: plain.dropFirst(digits.count)).lowercased()
    guard
      unit.isEmpty || unit.hasPrefix("px") || unit.hasPrefix("!")
        || unit == "%" && digits.first == UInt8(ascii: "0")
    else {
      return false
    }
    return (Double(String(streamSafe: digits)) ?? 2) <= 1
  }

  // MARK: Escaping

  /// True when the value needs no escaping in double quotes.
  @inline(__always)
  private static func isPlain(_ start: UnsafePointer<UInt8>, _ length: Int) -> Bool {
    for index in 0..<length where HTMLEscape.kind(start[index]) != 0 { return false }
    return true
  }

  /// Appends a value escaped for double quotes, without control characters other than TAB, LF and CR.
  @inline(__always)
  static func escape(_ bytes: UnsafeBufferPointer<UInt8>, into output: inout ByteBuffer) {
    guard let start = bytes.baseAddress else { return }
    var run = 0
    for index in 0..<bytes.count {
      let kind = HTMLEscape.kind(start[index])
      guard kind != 0 else { continue }
      output.append(start + run, index - run)
      run = index + 1
      switch kind {
      case 1: output.append("&quot;")
      case 2: output.append("&amp;")
      case 3: output.append("&lt;")
      case 4: output.append("&gt;")
      default: break
      }
    }
    output.append(start + run, bytes.count - run)
  }
}

/// Classifies bytes that a quoted value cannot contain literally.
enum HTMLEscape {
  /// Returns how `byte` is written: 0 literally; 1 to 4 escaped (`"`, `&`, `<`, `>`); 5 not at all.
  @inline(__always)
  static func kind(_ byte: UInt8) -> UInt8 {
    byte < 0x80 ? kinds.utf8Start[Int(byte)] : 0
  }

  /// One entry per ASCII byte. The table is a literal, because each access to a static array costs a call.
  @inline(__always)
  private static var kinds: StaticString {
    """
    \u{5}\u{5}\u{5}\u{5}\u{5}\u{5}\u{5}\u{5}\u{5}\0\0\u{5}\u{5}\0\u{5}\u{5}\u{5}\u{5}\u{5}\u{5}\u{5}\
    \u{5}\u{5}\u{5}\u{5}\u{5}\u{5}\u{5}\u{5}\u{5}\u{5}\u{5}\0\0\u{1}\0\0\0\u{2}\0\0\0\0\0\0\0\0\0\0\
    \0\0\0\0\0\0\0\0\0\0\0\u{3}\0\u{4}\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\
    \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\u{5}
    """
  }
}
