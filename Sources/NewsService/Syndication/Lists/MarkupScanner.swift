import NewsToolbox

/// Scans the tags of ill-formed XML in linear time. Accepts bare ampersands, missing quotes, unclosed elements and
/// undeclared prefixes. Expands only character references.
struct MarkupScanner: ~Copyable {
  struct Tag {
    /// Local name in lower case.
    var name: String
    /// Decoded values by lower-case name with prefix. If a name is repeated, the first value is kept.
    var attributes: [String: String]
    /// True if the tag is written `<name/>`.
    var isEmpty: Bool
    /// Line number, from 1.
    var line: Int
  }

  /// True if the text ends within a tag, whose complete attributes were reported.
  private(set) var endsInTag = false

  enum Event {
    case start(Tag)
    case end(String)
    case text(String)
  }

  /// Maximum number of attributes per tag; further attributes are dropped.
  static let maximumAttributes = 256
  /// Maximum length of a value in bytes; longer values are truncated.
  private let maximumValue: Int

  private let start: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>
  private var position: UnsafePointer<UInt8>
  private var line = 1
  private var counted: UnsafePointer<UInt8>
  private var hasCommentEnd = true
  private var hasSectionEnd = true
  /// Cached position of the next CDATA section end; makes repeated searches linear.
  private var sectionEnd: UnsafePointer<UInt8>?
  /// Cached position of the next outline tag.
  private var nextOutline: UnsafePointer<UInt8>?
  private var hasOutline: Bool

  /// `isList`: an outline tag ends an unclosed section or value.
  init?(_ bytes: UnsafeBufferPointer<UInt8>, isList: Bool = true, maximumValue: Int = 1 << 16) {
    guard let start = bytes.baseAddress else { return nil }
    self.maximumValue = maximumValue
    hasOutline = isList
    self.start = start
    end = start + bytes.count
    position = start
    counted = start
  }

  mutating func next() -> Event? {
    while position < end {
      if position.pointee != UInt8(ascii: "<") {
        let textStart = position
        position = ByteScan.find(UInt8(ascii: "<"), position, end) ?? end
        return .text(decoded(textStart, position))
      }
      let mark = position + 1
      guard mark < end else { return nil }
      switch mark.pointee {
      case UInt8(ascii: "/"):
        position = mark + 1
        let name = readName()
        position = ByteScan.find(UInt8(ascii: ">"), position, end).map { $0 + 1 } ?? end
        return .end(Self.local(name))
      case UInt8(ascii: "!"):
        if let section = declaration(mark) { return .text(section) }
      case UInt8(ascii: "?"):
        position = ByteScan.find(UInt8(ascii: ">"), mark, end).map { $0 + 1 } ?? end
      default:
        if ASCII.isLetter(mark.pointee) || mark.pointee == UInt8(ascii: "_") {
          position = mark
          return .start(tag())
        }
        position = mark
      }
    }
    return nil
  }

  private mutating func currentLine() -> Int {
    while let feed = ByteScan.find(UInt8(ascii: "\n"), counted, position) {
      line += 1
      counted = feed + 1
    }
    // Count each byte only once, so that long lines take linear time.
    counted = position
    return line
  }

  private static func local(_ name: String) -> String {
    guard let colon = name.utf8.lastIndex(of: UInt8(ascii: ":")) else { return name }
    return String(name[name.utf8.index(after: colon)...])
  }

  private func decoded(_ from: UnsafePointer<UInt8>, _ to: UnsafePointer<UInt8>) -> String {
    let bytes = UnsafeBufferPointer(start: from, count: min(to - from, maximumValue))
    var output = ByteBuffer(capacity: bytes.count + 8)
    HTMLEntities.shared.decode(bytes, into: &output, inAttribute: true)
    return output.string()
  }

  /// Reads a name and returns it in lower case.
  private mutating func readName() -> String {
    let from = position
    while position < end {
      let byte = position.pointee
      if byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "=")
        || byte == UInt8(ascii: "<") || byte <= UInt8(ascii: " ")
      {
        break
      }
      position += 1
    }
    let bytes = UnsafeBufferPointer(start: from, count: min(position - from, 128))
    return String(streamSafe: bytes.map(ASCII.lowercase))
  }

  /// Skips a comment or document type, or returns the text of a CDATA section.
  private mutating func declaration(_ mark: UnsafePointer<UInt8>) -> String? {
    if hasCommentEnd, begins(mark, "!--") {
      if let close = find("-->", mark + 3) {
        position = close + 3
        return nil
      }
      hasCommentEnd = false
    }
    if begins(mark, "![CDATA[") { return section(mark + 8) }
    // A document type may contain declarations with their own `>` in brackets.
    var depth = 0
    position = mark
    while position < end {
      switch position.pointee {
      case UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ">") where depth <= 0:
        position += 1
        return nil
      case UInt8(ascii: "<") where depth <= 0 && position > mark:
        return nil
      default: break
      }
      position += 1
    }
    return nil
  }

  /// Returns the text of a CDATA section. A section that contains an outline tag is unclosed: it ends at the next tag.
  private mutating func section(_ textStart: UnsafePointer<UInt8>) -> String {
    if hasSectionEnd, sectionEnd.map({ $0 < textStart }) ?? true {
      sectionEnd = find("]]>", textStart)
      hasSectionEnd = sectionEnd != nil
    }
    if hasOutline, nextOutline.map({ $0 < textStart }) ?? true {
      nextOutline = outline(textStart, end)
      hasOutline = nextOutline != nil
    }
    let close: UnsafePointer<UInt8>
    if hasSectionEnd, let sectionEnd, !hasOutline || nextOutline.map({ $0 > sectionEnd }) ?? true {
      close = sectionEnd
      position = close + 3
    } else {
      close = ByteScan.find(UInt8(ascii: "<"), textStart, end) ?? end
      position = close
    }
    let bytes = UnsafeBufferPointer(start: textStart, count: min(close - textStart, maximumValue))
    return String(streamSafe: bytes)
  }

  private func begins(_ from: UnsafePointer<UInt8>, _ text: StaticString) -> Bool {
    guard end - from >= text.utf8CodeUnitCount else { return false }
    for index in 0..<text.utf8CodeUnitCount where from[index] != text.utf8Start[index] { return false }
    return true
  }

  private func find(_ text: StaticString, _ from: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
    var from = from
    while let found = ByteScan.find(text.utf8Start.pointee, from, end) {
      if begins(found, text) { return found }
      from = found + 1
    }
    return nil
  }

  private mutating func tag() -> Tag {
    let line = currentLine()
    var tag = Tag(name: Self.local(readName()), attributes: [:], isEmpty: false, line: line)
    while position < end {
      let byte = position.pointee
      if byte == UInt8(ascii: "<") { return tag }
      position += 1
      if byte == UInt8(ascii: ">") { return tag }
      if byte == UInt8(ascii: "/") {
        if position < end, position.pointee == UInt8(ascii: ">") {
          tag.isEmpty = true
          position += 1
          return tag
        }
        continue
      }
      if byte <= UInt8(ascii: " ") || byte == UInt8(ascii: "=") { continue }
      position -= 1
      let name = readName()
      while position < end, position.pointee <= UInt8(ascii: " ") { position += 1 }
      var value = ""
      if position < end, position.pointee == UInt8(ascii: "=") {
        position += 1
        while position < end, position.pointee <= UInt8(ascii: " ") { position += 1 }
        guard let whole = readValue() else { break }
        value = whole
      }
      if tag.attributes.count < Self.maximumAttributes, tag.attributes[name] == nil {
        tag.attributes[name] = value
      }
    }
    endsInTag = true
    return tag
  }

  /// Reads an attribute value; nil if the text ends within the value.
  private mutating func readValue() -> String? {
    guard position < end else { return nil }
    let quote = position.pointee
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      let from = position
      while position < end, position.pointee > UInt8(ascii: " "), position.pointee != UInt8(ascii: ">"),
        position.pointee != UInt8(ascii: "<")
      {
        position += 1
      }
      guard position < end else { return nil }
      if position.pointee == UInt8(ascii: ">"), position > from, position[-1] == UInt8(ascii: "/") {
        position -= 1
      }
      return decoded(from, position)
    }
    let from = position + 1
    let close = ByteScan.find(quote, from, end)
    // An outline tag inside the value means that the closing quote is missing.
    if let swallowed = outline(from, close ?? end) {
      position = ByteScan.find(UInt8(ascii: ">"), from, swallowed) ?? swallowed
      let isEmpty = position > from && position < swallowed && position[-1] == UInt8(ascii: "/")
      if isEmpty { position -= 1 }
      return decoded(from, position)
    }
    guard let close else {
      position = end
      return nil
    }
    position = close + 1
    return decoded(from, close)
  }

  /// Returns the start of the next outline tag; nil when there is none.
  private func outline(_ from: UnsafePointer<UInt8>, _ to: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
    var from = from
    while let angle = ByteScan.find(UInt8(ascii: "<"), from, to) {
      from = angle + 1
      let name = from < to && from.pointee == UInt8(ascii: "/") ? from + 1 : from
      guard to - name > 7, name.pointee | 0x20 == UInt8(ascii: "o"), let packed = PackedName(name, 7) else {
        continue
      }
      if packed == PackedName("outline") { return angle }
    }
    return nil
  }
}
