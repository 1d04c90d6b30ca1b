import NewsCore
import NewsToolbox

/// Removes active content from a feed's Markdown, because Markdown renderers do not sanitize reliably.
///
/// The schemes of active destinations, such as `javascript:`, become `#`, also if they are spelled with
/// references and backslashes (CommonMark sections 2.4 and 2.5) or with control characters, which browsers
/// ignore. HTML becomes text, except plain tags without attributes. Code stays unchanged if every renderer
/// treats it as code: fences at the start of a line, and spans on one line.
struct SafeMarkdown: ~Copyable {
  private let base: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>
  private var output: ByteBuffer
  /// End of the input that was already written.
  private var copied: UnsafePointer<UInt8>

  static func disarmed(_ markdown: String) -> String {
    var markdown = markdown
    return markdown.withUTF8 { text in
      guard let base = text.baseAddress else { return "" }
      var reader = SafeMarkdown(base, text.count)
      reader.run()
      return reader.output.takeString()
    }
  }

  private init(_ base: UnsafePointer<UInt8>, _ count: Int) {
    self.base = base
    end = base + count
    copied = base
    output = ByteBuffer(capacity: count + 64)
  }

  private mutating func run() {
    var position = base
    while position < end {
      let isLineStart = position == base || position[-1] == UInt8(ascii: "\n")
      if isLineStart, let after = behindFence(position) {
        position = after
        continue
      }
      switch position.pointee {
      case UInt8(ascii: "\\"): position += position + 1 < end && Self.isPunctuation(position[1]) ? 2 : 1
      case UInt8(ascii: "`"): position = behindCode(position)
      case UInt8(ascii: "<"):
        if position + 1 < end, Self.beginsTag(position[1]), !isHarmlessTag(position), !isAutolink(position) {
          replace(position, position + 1, "&lt;")
        }
        position = disarm(after: position)
      case UInt8(ascii: "("), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "="), UInt8(ascii: ":"):
        position = disarm(after: position)
      default: position += 1
      }
    }
    output.append(copied, end - copied)
  }

  private mutating func replace(
    _ start: UnsafePointer<UInt8>,
    _ after: UnsafePointer<UInt8>,
    _ text: StaticString
  ) {
    if start > copied { output.append(copied, start - copied) }
    output.append(text)
    copied = max(after, copied)
  }

  // MARK: Destinations

  /// Replaces the scheme of the destination after `sign` if it is active. Returns the address at which to
  /// continue.
  private mutating func disarm(after sign: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    var start = sign + 1
    while start < end, start - sign < 64, start.pointee <= UInt8(ascii: " ") { start += 1 }
    guard let colon = activeScheme(start) else { return sign + 1 }
    replace(start, colon, "#")
    // Continue at the colon, because another scheme may follow it.
    return colon - 1
  }

  /// Returns the address after the colon of an active scheme; nil if the destination has none.
  private func activeScheme(_ start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
    var position = start
    // The longest active scheme has eleven letters; `feed:` may precede it.
    var name: [UInt8] = []
    var isBehindFeed = false
    while position < end, position - start < 512 {
      let (byte, next) = character(position)
      position = next
      switch byte {
      case UInt8(ascii: ":"):
        let isActive = name.withUnsafeBufferPointer { bytes in
          bytes.baseAddress.map { !bytes.isEmpty && URLScheme($0, bytes.count) == .active } ?? false
        }
        if isActive { return position }
        // Skip `feed:` only once, because repeated prefixes would take quadratic time.
        guard !isBehindFeed, name.elementsEqual("feed".utf8) else { return nil }
        isBehindFeed = true
        name = []
      case ...UInt8(ascii: " "), 0x7F: continue
      case let byte where Self.isSchemeByte(byte) && name.count < 12: name.append(ASCII.lowercase(byte))
      default: return nil
      }
    }
    return nil
  }

  /// Decodes one byte of a destination as a renderer does. Returns the byte and the next address; 0xFF stands for a
  /// byte that no scheme contains.
  private func character(_ position: UnsafePointer<UInt8>) -> (UInt8, UnsafePointer<UInt8>) {
    let byte = position.pointee
    if byte == UInt8(ascii: "\\"), position + 1 < end, Self.isPunctuation(position[1]) {
      return (position[1], position + 2)
    }
    guard byte == UInt8(ascii: "&"),
      let reference = HTMLEntities.shared.reference(position + 1, end, inAttribute: false)
    else {
      return (byte, position + 1)
    }
    let isASCII = reference.byteCount == 1
    return (isASCII ? UInt8(truncatingIfNeeded: reference.bytes) : 0xFF, position + 1 + reference.length)
  }

  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
      || byte == UInt8(ascii: ".")
  }

  private static func isPunctuation(_ byte: UInt8) -> Bool {
    byte > UInt8(ascii: " ") && byte < 0x7F && !ASCII.isLetter(byte) && !ASCII.isDigit(byte)
  }

  // MARK: Tags

  private static func beginsTag(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "!")
      || byte == UInt8(ascii: "?")
  }

  /// True for tags without attributes (`<b>`, `</b>`, `<br/>`) of elements that sanitized HTML may contain.
  private func isHarmlessTag(_ angle: UnsafePointer<UInt8>) -> Bool {
    let start = angle[1] == UInt8(ascii: "/") ? angle + 2 : angle + 1
    var position = start
    while position < end, position - start < 24,
      ASCII.isLetter(position.pointee) || ASCII.isDigit(position.pointee)
    {
      position += 1
    }
    let length = position - start
    guard length > 0 else { return false }
    while position < end, position.pointee == UInt8(ascii: " ") || position.pointee == UInt8(ascii: "/") {
      position += 1
    }
    guard position < end, position.pointee == UInt8(ascii: ">") else { return false }
    let vocabulary = HTMLVocabulary.shared
    let element = HTMLElement(rawValue: vocabulary.elements.value(start, length)) ?? .unknown
    return element != .unknown && vocabulary.traits(element).contains(.allowed)
  }

  /// True for an autolink: `<https://example.org/>`, `<name@example.org>`.
  private func isAutolink(_ angle: UnsafePointer<UInt8>) -> Bool {
    let limit = end - angle > 2048 ? angle + 2048 : end
    guard let close = ByteScan.find(UInt8(ascii: ">"), angle, limit) else { return false }
    let text = UnsafeBufferPointer(start: angle + 1, count: close - angle - 1)
    if text.allSatisfy({ Self.isSchemeByte($0) || $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "_") }) {
      return text.contains(UInt8(ascii: "@"))
    }
    return URLPolicy.link.allows(URLScheme(of: text))
      && text.allSatisfy { $0 > UInt8(ascii: " ") && $0 != UInt8(ascii: "<") }
  }

  // MARK: Code

  /// Returns the address after the code span at `start`. If the span has no end, returns the address after its
  /// backticks.
  private func behindCode(_ start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    var open = start
    while open < end, open.pointee == UInt8(ascii: "`") { open += 1 }
    var position = open
    // Stop at a bar, which may end the table cell and thereby the code.
    while position < end, position.pointee != UInt8(ascii: "\n"), position.pointee != UInt8(ascii: "\r"),
      position.pointee != UInt8(ascii: "|"),
      position - open < 1024
    {
      guard position.pointee == UInt8(ascii: "`") else {
        position += 1
        continue
      }
      let run = position
      while position < end, position.pointee == UInt8(ascii: "`") { position += 1 }
      if position - run == open - start { return position }
    }
    return open
  }

  /// Returns the address after the fenced code block at `start`; nil if there is no such block.
  private func behindFence(_ start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
    let mark = start.pointee
    guard mark == UInt8(ascii: "`") || mark == UInt8(ascii: "~"), end - start >= 3, start[1] == mark,
      start[2] == mark
    else {
      return nil
    }
    var position = start
    while position < end, position.pointee == mark { position += 1 }
    let length = position - start
    while position < end, position.pointee != UInt8(ascii: "\n") {
      if position.pointee == UInt8(ascii: "`"), mark == UInt8(ascii: "`") { return nil }
      position += 1
    }
    while position < end {
      position += 1
      var close = position
      while close < end, close - position < 3, close.pointee == UInt8(ascii: " ") { close += 1 }
      let run = close
      while close < end, close.pointee == mark { close += 1 }
      let isLongEnough = close - run >= length
      while close < end,
        close.pointee == UInt8(ascii: " ") || close.pointee == UInt8(ascii: "\t")
          || close.pointee == UInt8(ascii: "\r")
      {
        close += 1
      }
      if isLongEnough, close == end || close.pointee == UInt8(ascii: "\n") { return close }
      guard let line = ByteScan.find(UInt8(ascii: "\n"), position, end) else { return end }
      position = line
    }
    return end
  }
}
