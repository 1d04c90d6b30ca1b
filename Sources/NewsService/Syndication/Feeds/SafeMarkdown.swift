/// The Markdown that a feed offers beside its HTML, made harmless: nothing renders Markdown as safely as it should.
///
/// Destinations such as `javascript:` become `#`, however they are spelt (CommonMark sections 2.4 and 2.5: references and
/// backslashes count in them, and browsers pass over controls). HTML becomes text, save for plain tags without attributes. Code stays
/// as it is where every reading of the text takes it for code: fences at the start of a line, and spans on one line.
struct SafeMarkdown: ~Copyable {
  private let base: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>
  private var output: ByteBuffer
  /// What was read up to here is written.
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
      let isLineStart = position == base || position[-1] == 0x0A
      if isLineStart, let after = behindFence(position) {
        position = after
        continue
      }
      switch position.pointee {
      case 0x5C: position += position + 1 < end && Self.isPunctuation(position[1]) ? 2 : 1
      case 0x60: position = behindCode(position)
      case 0x3C:
        if position + 1 < end, Self.beginsTag(position[1]), !isHarmlessTag(position), !isAutolink(position) {
          replace(position, position + 1, "&lt;")
        }
        position = disarm(after: position)
      case 0x28, 0x22, 0x27, 0x3D, 0x3A: position = disarm(after: position)
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

  /// A destination may begin behind `sign`. Returns where to go on.
  private mutating func disarm(after sign: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    var start = sign + 1
    while start < end, start - sign < 64, start.pointee <= 0x20 { start += 1 }
    guard let colon = activeScheme(start) else { return sign + 1 }
    replace(start, colon, "#")
    // What follows the scheme may be another one.
    return colon - 1
  }

  /// Where a scheme that runs something ends, behind its colon.
  private func activeScheme(_ start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
    var position = start
    // The longest active scheme has eleven letters, and `feed:` may stand before it.
    var name: [UInt8] = []
    var isBehindFeed = false
    while position < end, position - start < 512 {
      let (byte, next) = character(position)
      position = next
      switch byte {
      case 0x3A:
        let isActive = name.withUnsafeBufferPointer { bytes in
          bytes.baseAddress.map { !bytes.isEmpty && URLScheme($0, bytes.count) == .active } ?? false
        }
        if isActive { return position }
        // Once: who repeats it without end would have every sign of it looked at a hundred times.
        guard !isBehindFeed, name.elementsEqual("feed".utf8) else { return nil }
        isBehindFeed = true
        name = []
      case ...0x20, 0x7F: continue
      case let byte where Self.isSchemeByte(byte) && name.count < 12: name.append(ASCII.lowercase(byte))
      default: return nil
      }
    }
    return nil
  }

  /// A byte of a destination as a renderer sees it, and where the next begins; 0xFF stands for what no scheme has.
  private func character(_ position: UnsafePointer<UInt8>) -> (UInt8, UnsafePointer<UInt8>) {
    let byte = position.pointee
    if byte == 0x5C, position + 1 < end, Self.isPunctuation(position[1]) {
      return (position[1], position + 2)
    }
    guard byte == 0x26, let reference = HTMLEntities.shared.reference(position + 1, end, inAttribute: false)
    else {
      return (byte, position + 1)
    }
    let isASCII = reference.byteCount == 1
    return (isASCII ? UInt8(truncatingIfNeeded: reference.bytes) : 0xFF, position + 1 + reference.length)
  }

  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == 0x2D || byte == 0x2B || byte == 0x2E
  }

  private static func isPunctuation(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7F && !ASCII.isLetter(byte) && !ASCII.isDigit(byte)
  }

  // MARK: Tags

  private static func beginsTag(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || byte == 0x2F || byte == 0x21 || byte == 0x3F
  }

  /// `<b>`, `</b>`, `<br/>` of the elements that sanitised HTML has.
  private func isHarmlessTag(_ angle: UnsafePointer<UInt8>) -> Bool {
    let start = angle[1] == 0x2F ? angle + 2 : angle + 1
    var position = start
    while position < end, position - start < 24,
      ASCII.isLetter(position.pointee) || ASCII.isDigit(position.pointee)
    {
      position += 1
    }
    let length = position - start
    guard length > 0 else { return false }
    while position < end, position.pointee == 0x20 || position.pointee == 0x2F { position += 1 }
    guard position < end, position.pointee == 0x3E else { return false }
    let vocabulary = HTMLVocabulary.shared
    let element = HTMLElement(rawValue: vocabulary.elements.value(start, length)) ?? .unknown
    return element != .unknown && vocabulary.traits(element).contains(.allowed)
  }

  /// `<https://example.org/>`, `<name@example.org>`.
  private func isAutolink(_ angle: UnsafePointer<UInt8>) -> Bool {
    let limit = end - angle > 2048 ? angle + 2048 : end
    guard let close = ByteScan.find(0x3E, angle, limit) else { return false }
    let text = UnsafeBufferPointer(start: angle + 1, count: close - angle - 1)
    if text.allSatisfy({ Self.isSchemeByte($0) || $0 == 0x40 || $0 == 0x5F }) { return text.contains(0x40) }
    guard let start = text.baseAddress, let length = URLResolver.schemeLength(start, text.count) else {
      return false
    }
    return URLPolicy.link.allows(URLScheme(start, length)) && text.allSatisfy { $0 > 0x20 && $0 != 0x3C }
  }

  // MARK: Code

  /// Behind the code that the backticks at `start` begin; behind the backticks where they begin none.
  private func behindCode(_ start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    var open = start
    while open < end, open.pointee == 0x60 { open += 1 }
    var position = open
    // A bar could end the cell of a table, and with it the code.
    while position < end, position.pointee != 0x0A, position.pointee != 0x0D, position.pointee != 0x7C,
      position - open < 1024
    {
      guard position.pointee == 0x60 else {
        position += 1
        continue
      }
      let run = position
      while position < end, position.pointee == 0x60 { position += 1 }
      if position - run == open - start { return position }
    }
    return open
  }

  /// Behind the fenced code that the line at `start` begins; nil: it begins none.
  private func behindFence(_ start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
    let mark = start.pointee
    guard mark == 0x60 || mark == 0x7E, end - start >= 3, start[1] == mark, start[2] == mark else {
      return nil
    }
    var position = start
    while position < end, position.pointee == mark { position += 1 }
    let length = position - start
    while position < end, position.pointee != 0x0A {
      if position.pointee == 0x60, mark == 0x60 { return nil }
      position += 1
    }
    while position < end {
      position += 1
      var close = position
      while close < end, close - position < 3, close.pointee == 0x20 { close += 1 }
      let run = close
      while close < end, close.pointee == mark { close += 1 }
      let isLongEnough = close - run >= length
      while close < end, close.pointee == 0x20 || close.pointee == 0x09 || close.pointee == 0x0D {
        close += 1
      }
      if isLongEnough, close == end || close.pointee == 0x0A { return close }
      guard let line = ByteScan.find(0x0A, position, end) else { return end }
      position = line
    }
    return end
  }
}
