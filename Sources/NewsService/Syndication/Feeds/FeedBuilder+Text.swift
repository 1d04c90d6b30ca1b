import NewsCore
import NewsToolbox

/// Converts the bytes of a field to plain text, a URL, or HTML.
extension FeedBuilder {
  /// Returns the text of a field at its end tag. The result is valid until the buffer changes.
  mutating func text(of frame: Frame) -> UnsafeBufferPointer<UInt8> {
    let text = ByteText.trimmed(
      pending.depth == 0 ? UnsafeBufferPointer(rebasing: buffer.bytes[frame.textStart...]) : pending.bytes
    )
    guard text.count >= 12, text[0] == UInt8(ascii: "<"), text[1] == UInt8(ascii: "!") else { return text }
    return withinSection(text, frame)
  }

  /// Returns the content of a CDATA section whose markup is escaped. Plain text in Atom is returned unchanged,
  /// because there `<![CDATA[` may be literal.
  @inline(never)
  private mutating func withinSection(
    _ text: UnsafeBufferPointer<UInt8>,
    _ frame: Frame
  ) -> UnsafeBufferPointer<UInt8> {
    let isPlain = frame.type == .plain && frame.rule.pointee.hasTypedText && !FeedFormat.isRSS(feed.format)
    guard !isPlain, ByteText.hasPrefix(text, "<![cdata["), ByteText.hasSuffix(text, "]]>") else {
      return text
    }
    return ByteText.trimmed(UnsafeBufferPointer(rebasing: text[9..<(text.count - 3)]))
  }

  // MARK: One line

  /// True if the text may be overwritten or released, because it is in the builder's buffer or in a file.
  var isTextSpent: Bool { pending.depth == 0 || settings.pages != nil }

  /// Converts a field to plain text on one line; nil if it is empty.
  mutating func line(of frame: Frame) -> String? {
    let text = text(of: frame)
    guard !text.isEmpty else { return nil }
    if frame.type == .base64, let decoded = Base64.decode(text) { return line(decoded.bytes, type: .html) }
    return line(text, type: frame.hasMarkup ? .html : frame.type)
  }

  /// Converts a field to the name of a person or a feed, or an e-mail address, cut to the longest that is kept.
  mutating func name(of frame: Frame) -> String? { line(of: frame).map { GivenName.cut($0) } }

  /// Converts `text` to plain text on one line. `type` determines whether the text may contain markup.
  mutating func line(_ text: UnsafeBufferPointer<UInt8>, type: TextType) -> String? {
    guard !text.isEmpty else { return nil }
    var isClean = true
    var hasAmpersand = false
    var hasTag = false
    var previous: UInt8 = 0
    for byte in text {
      switch byte {
      case UInt8(ascii: "&"): hasAmpersand = true
      case UInt8(ascii: "<"): hasTag = true
      case UInt8(ascii: " "): if previous == UInt8(ascii: " ") { isClean = false }
      case ..<UInt8(ascii: " "), 0x7F, 0xC2, 0xE2, 0xEF: isClean = false
      default: break
      }
      previous = byte
    }
    guard hasAmpersand || hasTag else {
      return isClean ? String(streamSafe: text) : collapsed(text)
    }
    switch type {
    case .plain:
      return collapsed(text)
    case .html:
      return collapsed(plainText.bytes(ofHTML: text))
    case .unstated, .xhtml, .base64:
      if hasTag, Sniffer.isMarkup(text) {
        return collapsed(plainText.bytes(ofHTML: text))
      }
      guard hasAmpersand else { return collapsed(text) }
      scratch.removeAll()
      // A reference without semicolon is usually a bare ampersand.
      Sniffer.decodeReferences(text, into: &scratch)
      return collapsed(scratch.bytes)
    }
  }

  /// Converts an attribute's value, which may be escaped twice, to plain text on one line.
  mutating func line(ofAttribute value: String) -> String {
    var value = value
    return value.withUTF8 { line($0, type: .unstated) } ?? ""
  }

  /// Collapses white space and ASCII control characters to one space, removes DEL and byte order marks, and
  /// decodes C1 controls as Windows-1252.
  private mutating func collapsed(_ text: UnsafeBufferPointer<UInt8>) -> String? {
    line.removeAll()
    var index = 0
    var isPending = false
    func isSeparator(_ index: Int) -> Int {
      let byte = text[index]
      if byte <= UInt8(ascii: " ") { return 1 }
      let rest = text.count - index
      if byte == 0xE2, rest > 2, text[index + 1] == 0x80, text[index + 2] & 0xFE == 0xA8 { return 3 }
      return 0
    }
    while index < text.count {
      let separator = isSeparator(index)
      if separator > 0 {
        isPending = true
        index += separator
        continue
      }
      let byte = text[index]
      if byte == 0x7F {
        index += 1
        continue
      }
      if byte == 0xEF, index + 2 < text.count, text[index + 1] == 0xBB, text[index + 2] == 0xBF {
        index += 3  // a byte order mark inside text
        continue
      }
      if isPending, !line.isEmpty { line.append(UInt8(ascii: " ")) }
      isPending = false
      if byte == 0xC2, index + 1 < text.count, text[index + 1] < 0xA0 {
        Self.appendWindows1252(text[index + 1], to: &line)
        index += 2
      } else {
        line.append(byte)
        index += 1
      }
    }
    return line.isEmpty ? nil : line.takeString()
  }

  static func appendWindows1252(_ byte: UInt8, to output: inout ByteBuffer) {
    let scalar = UInt32(Windows1252.upperControls[Int(byte & 0x1F)])
    guard scalar >= 0xA0 else { return }
    let (bytes, count) = HTMLEntities.utf8(scalar)
    output.append(HTMLEntities.Reference(length: 0, bytes: bytes, byteCount: count))
  }

  /// Returns a field's text without white space at both ends; nil if it is empty.
  mutating func verbatim(_ frame: Frame) -> String? {
    let text = text(of: frame)
    guard !text.isEmpty else { return nil }
    return isTextSpent ? LongText.take(text) : String(streamSafe: text)
  }

  // MARK: URLs

  /// Resolves a reference to a URL; nil if it is empty, `policy` does not allow it, or bases have added too much.
  mutating func resolve(_ reference: UnsafeBufferPointer<UInt8>, policy: URLPolicy = .link) -> String? {
    guard !reference.isEmpty, reference.count <= 1 << 16 else { return nil }
    line.removeAll()
    let isAllowed = URLResolver.resolve(
      reference,
      against: inherited.base,
      policy: policy,
      scratch: &scratch,
      into: &line
    )
    guard isAllowed, !line.isEmpty, admitsGrowth(line.count - reference.count) else { return nil }
    return line.string()
  }

  /// Resolves the raw value of an attribute to a URL.
  mutating func resolve(attribute raw: UnsafeBufferPointer<UInt8>, policy: URLPolicy = .link) -> String? {
    let trimmed = ByteText.trimmed(raw)
    guard ByteText.firstIndex(of: UInt8(ascii: "&"), in: trimmed) != nil else {
      return resolve(trimmed, policy: policy)
    }
    var unescaped = ByteBuffer(capacity: trimmed.count)
    XMLAttributes.unescape(trimmed, into: &unescaped)
    return resolve(unescaped.bytes, policy: policy)
  }

  /// Resolves the text of an element to a URL.
  mutating func url(of frame: Frame, policy: URLPolicy = .link) -> String? {
    let text = text(of: frame)
    guard !text.isEmpty else { return nil }
    if text[0] == UInt8(ascii: "<") || text[0] == UInt8(ascii: "\"") || text[0] == UInt8(ascii: "'"),
      let inner = LinkText.address(in: text)
    {
      var inner = inner
      return inner.withUTF8 { resolve($0, policy: policy) }
    }
    // A query with `&amp;amp;` was escaped twice.
    guard frame.hasMarkup || Self.hasEscapedAmpersand(text) else { return resolve(text, policy: policy) }
    var decoded = plainText.line(ofHTML: text)
    return decoded.withUTF8 { resolve($0, policy: policy) }
  }

  /// Resolves the text of an element that may contain a sentence instead of a URL.
  mutating func address(of frame: Frame) -> String? {
    let text = text(of: frame)
    let isSentence = text.contains { $0 <= UInt8(ascii: " ") } && !ByteText.hasPrefix(text, "http")
    return isSentence ? nil : url(of: frame)
  }

  private static func hasEscapedAmpersand(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    while let found = ByteText.firstIndex(of: UInt8(ascii: "&"), in: text, from: index) {
      if ByteText.hasPrefix(UnsafeBufferPointer(rebasing: text[(found + 1)...]), "amp;") { return true }
      index = found + 1
    }
    return false
  }

  // MARK: HTML

  /// Converts a field to HTML and plain text; sanitizes the HTML if the settings require it. The field's text is
  /// invalid afterwards, because the pages of a long text are released while it is read.
  mutating func rendition(of frame: Frame, makesText: Bool) -> Rendition {
    let text = text(of: frame)
    guard !text.isEmpty else { return Rendition() }
    if frame.type == .base64, !frame.hasMarkup {
      guard let decoded = Base64.decode(text) else {
        return rendition(text, type: .unstated, makesText: makesText)
      }
      guard UTF8Check(decoded.bytes).isValid else { return Rendition() }
      let type = Sniffer.isMarkup(decoded.bytes) ? TextType.html : .plain
      return rendition(decoded.bytes, type: type, makesText: makesText, releasesInput: true)
    }
    // RSS cannot mark plain text: `vector<int>` is not HTML.
    let isForeign =
      frame.type == .html && !frame.hasMarkup && FeedFormat.isRSS(feed.format)
      && Sniffer.hasOnlyForeignTags(text)
    return rendition(
      text,
      type: frame.hasMarkup ? .html : isForeign ? .unstated : frame.type,
      makesText: makesText,
      releasesInput: isTextSpent
    )
  }

  /// Converts `text` to HTML and plain text. `releasesInput` allows the bytes to be overwritten or released.
  mutating func rendition(
    _ text: UnsafeBufferPointer<UInt8>,
    type: TextType,
    makesText: Bool,
    releasesInput: Bool = false
  ) -> Rendition {
    let isHTML: Bool
    switch type {
    case .html: isHTML = true
    case .plain: isHTML = Sniffer.isWhollyMarkup(text)
    case .unstated, .xhtml, .base64: isHTML = Sniffer.isMarkup(text)
    }
    guard isHTML else {
      if type == .plain || ByteText.firstIndex(of: UInt8(ascii: "&"), in: text) == nil {
        return Rendition(text: repaired(text, releasesInput: releasesInput))
      }
      scratch.removeAll()
      Sniffer.decodeReferences(text, into: &scratch)
      return Rendition(text: scratch.takeString())
    }
    guard settings.sanitizes else { return Rendition(html: repaired(text, releasesInput: releasesInput)) }
    let result: (html: String, text: String?)
    if Self.hasC1Control(text) {
      rewriteC1(text)
      result = sanitizer.sanitize(
        scratch.bytes,
        against: inherited.base,
        makesText: makesText,
        releasesInput: true
      )
    } else {
      result = sanitizer.sanitize(
        text,
        against: inherited.base,
        makesText: makesText,
        releasesInput: releasesInput
      )
    }
    if sanitizer.hasFragments { entry.draft.hasFragments = true }
    if sanitizer.isTruncated {
      note(.growth, "the sanitized HTML of an item is too long; its end was left out")
    }
    return result.html.isEmpty ? Rendition(text: "") : Rendition(html: result.html, text: result.text)
  }

  private mutating func repaired(_ text: UnsafeBufferPointer<UInt8>, releasesInput: Bool) -> String {
    guard Self.hasC1Control(text) else {
      return releasesInput ? LongText.take(text) : String(streamSafe: text)
    }
    rewriteC1(text)
    return scratch.takeString()
  }

  private static func hasC1Control(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    while let found = ByteText.firstIndex(of: 0xC2, in: text, from: index) {
      if found + 1 < text.count, text[found + 1] < 0xA0 { return true }
      index = found + 2
    }
    return false
  }

  private mutating func rewriteC1(_ text: UnsafeBufferPointer<UInt8>) {
    scratch.removeAll()
    var index = 0
    while index < text.count {
      if text[index] == 0xC2, index + 1 < text.count, text[index + 1] < 0xA0 {
        Self.appendWindows1252(text[index + 1], to: &scratch)
        index += 2
      } else {
        scratch.append(text[index])
        index += 1
      }
    }
  }
}
