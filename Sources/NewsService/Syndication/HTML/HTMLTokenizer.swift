import Glibc
import NewsToolbox

/// Receives tokens in document order.
protocol HTMLSink: ~Copyable {
  /// A run of text without character references; never empty.
  mutating func text(_ start: UnsafePointer<UInt8>, _ length: Int)
  /// A decoded reference, or a `<` or `&` that begins neither markup nor a reference.
  mutating func character(_ reference: HTMLEntities.Reference)
  mutating func startTag(_ tag: borrowing HTMLTag)
  /// Receives an end tag. Unknown elements are reported only if `readsUnknownElements` is true.
  mutating func endTag(_ element: HTMLElement)
  /// Receives an end tag and its position, from its `<` to the byte after its `>`.
  mutating func endTag(_ element: HTMLElement, from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>)
  /// True inside an `svg` that the sink skips: there, `style` and `textarea` are ordinary elements.
  var isInSVG: Bool { get }
  /// True to report tags of elements that newsd does not know as `unknown`.
  static var readsUnknownElements: Bool { get }
  /// Returns true to stop tokenizing after `length` bytes. Called only now and then, and only for long texts.
  mutating func isFull(after length: Int) -> Bool
}

extension HTMLSink where Self: ~Copyable {
  mutating func isFull(after length: Int) -> Bool { false }
  var isInSVG: Bool { false }

  static var readsUnknownElements: Bool { false }

  @inline(__always)
  mutating func endTag(_ element: HTMLElement, from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>)
  {
    endTag(element)
  }
}

/// A start tag: its element and the attributes that newsd uses. If an attribute is repeated, the first value is kept.
struct HTMLTag: ~Copyable {
  struct Attribute {
    var name: HTMLAttribute
    /// Start of the undecoded value.
    var start: UnsafePointer<UInt8>
    var length: Int
  }

  var element = HTMLElement.unknown
  /// Positions of the tag's `<` and of the byte after its `>`. They are valid while the tag is being reported.
  fileprivate(set) var start: UnsafePointer<UInt8>?
  fileprivate(set) var end: UnsafePointer<UInt8>?
  /// True if the tag is written `<name/>`.
  var isSelfClosing = false
  /// True if the tag has an event handler (`onclick`).
  fileprivate(set) var hasEventHandler = false
  private(set) var count = 0
  private var present = HTMLAttributeSet()
  private let attributes = UnsafeMutablePointer<Attribute>.allocate(capacity: HTMLAttribute.count)

  deinit {
    attributes.deallocate()
  }

  subscript(index: Int) -> Attribute { attributes[index] }

  func has(_ name: HTMLAttribute) -> Bool { present.contains(name) }

  /// Returns the value of an attribute without decoding its references.
  func value(_ name: HTMLAttribute) -> UnsafeBufferPointer<UInt8>? {
    guard has(name) else { return nil }
    for index in 0..<count where attributes[index].name == name {
      return UnsafeBufferPointer(start: attributes[index].start, count: attributes[index].length)
    }
    return nil
  }

  /// Returns the value of an attribute with its references decoded.
  func text(_ name: HTMLAttribute) -> String? {
    guard let raw = value(name) else { return nil }
    var decoded = ByteBuffer(capacity: raw.count + 8)
    HTMLEntities.shared.decode(raw, into: &decoded, inAttribute: true)
    return decoded.string()
  }

  @inline(__always)
  fileprivate mutating func reset(_ element: HTMLElement) {
    self.element = element
    isSelfClosing = false
    hasEventHandler = false
    count = 0
    present = HTMLAttributeSet()
  }

  @inline(__always)
  fileprivate mutating func add(_ name: HTMLAttribute, _ start: UnsafePointer<UInt8>, _ length: Int) {
    guard present.insert(name) else { return }
    attributes[count] = Attribute(name: name, start: start, length: length)
    count &+= 1
  }
}

/// Splits HTML into tags and text, in one pass and linear time.
///
/// Follows the tokenization of the HTML standard (section 13.2.5), but more leniently for feeds: the content of a CDATA
/// section is read as HTML, `<name/>` is empty for every name, and hidden raw text is dropped here.
struct HTMLTokenizer: ~Copyable {
  private var tag = HTMLTag()
  private let vocabulary = HTMLVocabulary.shared
  private let entities = HTMLEntities.shared

  mutating func run<Sink: HTMLSink & ~Copyable>(_ html: UnsafeBufferPointer<UInt8>, into sink: inout Sink) {
    run(html, into: &sink, givesBack: false)
  }

  /// Tokenizes bytes that are not needed afterwards: frees the pages of a long document while reading.
  @inline(never)
  mutating func run<Sink: HTMLSink & ~Copyable>(
    spent html: UnsafeBufferPointer<UInt8>,
    into sink: inout Sink
  ) {
    run(html, into: &sink, givesBack: true)
  }

  /// `givesBack` determines whether pages are freed. The function is inlined with a constant for it, because a test
  /// at every token is measurably slower.
  @inline(__always)
  private mutating func run<Sink: HTMLSink & ~Copyable>(
    _ html: UnsafeBufferPointer<UInt8>,
    into sink: inout Sink,
    givesBack: Bool
  ) {
    guard let start = html.baseAddress else { return }
    let end = start + html.count
    var position = start
    // Offset of the next pages to free; they are freed when `position` nears `releaseAt`.
    var released = 0
    var releaseAt = givesBack ? start + LongText.pieceSize : end
    // End of the CDATA section around `position`; nil outside of sections.
    var sectionEnd: UnsafePointer<UInt8>?
    var mayEndSection = true
    while true {
      let limit = sectionEnd ?? end
      guard position < limit else {
        guard sectionEnd != nil else { return }
        position = limit + 3
        sectionEnd = nil
        continue
      }
      if givesBack, releaseAt - position <= Self.longestReference, releaseAt < end {
        LongText.release(start, from: released, to: position - start)
        released = position - start
        releaseAt = position + LongText.pieceSize
        if sink.isFull(after: released) { return }
      }
      guard let angle = ByteScan.find(UInt8(ascii: "<"), position, givesBack ? min(limit, releaseAt) : limit)
      else {
        let cut = givesBack && releaseAt < limit ? Self.beforeReference(position, releaseAt) : limit
        text(position, cut, &sink)
        position = cut
        continue
      }
      if angle > position { text(position, angle, &sink) }
      let next = angle + 1
      guard next < limit else {
        sink.character(Self.lessThan)
        position = next
        continue
      }
      switch next.pointee {
      case UInt8(ascii: "/"):
        position = endTag(next, limit, &sink)
      case UInt8(ascii: "!"):
        if sectionEnd == nil, Self.opensSection(next, limit) {
          position = next + 8
          if mayEndSection {
            sectionEnd = Self.sectionEnd(position, end)
            // Search only once, because a document full of section starts would take quadratic time.
            if sectionEnd == nil { mayEndSection = false }
          }
        } else {
          position = Self.opensSection(next, limit) ? next + 8 : Self.afterComment(next + 1, limit)
        }
      case UInt8(ascii: "?"):
        position = Self.after(UInt8(ascii: ">"), next, limit)
      default:
        if ASCII.isLetter(next.pointee) {
          position = startTag(next, limit, &sink)
        } else {
          sink.character(Self.lessThan)
          position = next
        }
      }
    }
  }

  /// Returns `end`, or the start of the last reference if it may continue after `end`.
  private static func beforeReference(
    _ start: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8> {
    var position = end
    while position > start, end - position < longestReference {
      position -= 1
      if position.pointee == UInt8(ascii: ";") { break }
      if position.pointee == UInt8(ascii: "&") { return position }
    }
    return end
  }

  /// Maximum length of a reference, which may include some leading zeros.
  private static let longestReference = 64

  private static let lessThan = HTMLEntities.Reference(
    length: 0,
    bytes: UInt64(UInt8(ascii: "<")),
    byteCount: 1
  )
  private static let ampersand = HTMLEntities.Reference(
    length: 0,
    bytes: UInt64(UInt8(ascii: "&")),
    byteCount: 1
  )

  @inline(__always)
  private mutating func text<Sink: HTMLSink & ~Copyable>(
    _ start: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>,
    _ sink: inout Sink
  ) {
    var position = start
    while let found = ByteScan.find(UInt8(ascii: "&"), position, end) {
      if found > position { sink.text(position, found - position) }
      if let reference = entities.reference(found + 1, end, inAttribute: false) {
        sink.character(reference)
        position = found + 1 + reference.length
      } else {
        sink.character(Self.ampersand)
        position = found + 1
      }
    }
    if position < end { sink.text(position, end - position) }
  }

  /// Passes raw text to the sink. References and tags in it are literal.
  private mutating func literal<Sink: HTMLSink & ~Copyable>(
    _ start: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>,
    _ sink: inout Sink
  ) {
    var position = start
    var run = start
    while position < end {
      if position.pointee == UInt8(ascii: "<") || position.pointee == UInt8(ascii: "&") {
        if position > run { sink.text(run, position - run) }
        sink.character(position.pointee == UInt8(ascii: "<") ? Self.lessThan : Self.ampersand)
        run = position + 1
      }
      position += 1
    }
    if end > run { sink.text(run, end - run) }
  }

  /// Reads an end tag whose `/` is at `slash`; returns the position after it.
  private mutating func endTag<Sink: HTMLSink & ~Copyable>(
    _ slash: UnsafePointer<UInt8>,
    _ limit: UnsafePointer<UInt8>,
    _ sink: inout Sink
  ) -> UnsafePointer<UInt8> {
    let start = slash + 1
    guard start < limit else {
      sink.character(Self.lessThan)
      return slash
    }
    guard ASCII.isLetter(start.pointee) else { return Self.after(UInt8(ascii: ">"), start, limit) }
    var position = start
    let element = name(&position, limit)
    if position < limit, position.pointee == UInt8(ascii: ">") {
      position += 1
    } else {
      tag.reset(element)
      guard let after = attributes(position, limit) else { return limit }
      position = after
    }
    if element != .unknown || Sink.readsUnknownElements {
      sink.endTag(element, from: slash - 1, to: position)
    }
    return position
  }

  /// Reads a tag name and moves `position` after it.
  @inline(__always)
  private mutating func name(_ position: inout UnsafePointer<UInt8>, _ limit: UnsafePointer<UInt8>)
    -> HTMLElement
  {
    var packed = PackedName()
    var length = 0
    while position < limit {
      let byte = position.pointee
      if byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") || ASCII.isSpace(byte) { break }
      packed.put(ASCII.lowercase(byte), at: length)
      length &+= 1
      position += 1
    }
    guard length <= 24 else { return .unknown }
    return HTMLElement(rawValue: vocabulary.elements.value(packed)) ?? .unknown
  }

  /// Reads a start tag whose name begins at `start`; returns the position after it.
  @inline(__always)
  private mutating func startTag<Sink: HTMLSink & ~Copyable>(
    _ start: UnsafePointer<UInt8>,
    _ limit: UnsafePointer<UInt8>,
    _ sink: inout Sink
  ) -> UnsafePointer<UInt8> {
    var position = start
    let element = name(&position, limit)
    tag.reset(element)
    if position < limit, position.pointee == UInt8(ascii: ">") {
      position += 1
    } else {
      // A truncated tag is dropped.
      guard let after = attributes(position, limit) else { return limit }
      position = after
    }
    guard element != .unknown || Sink.readsUnknownElements else { return position }
    tag.start = start - 1
    tag.end = position
    sink.startTag(tag)
    let traits = vocabulary.traits(element)
    guard !traits.isDisjoint(with: [.hiddenRawText, .shownRawText]), !tag.isSelfClosing else {
      return position
    }
    // A script stays raw text, although it is an ordinary element of SVG, too: its code is not read as markup.
    if sink.isInSVG, element != .script { return position }
    let close =
      switch element {
      case .plaintext: limit
      case .script: scriptEnd(position, limit)
      default: rawTextEnd(position, limit, element)
      }
    if traits.contains(.shownRawText) { literal(position, close, &sink) }
    return close
  }

  /// Reads attributes into `tag` up to `>`; returns the position after it, or nil when `>` is missing.
  @inline(__always)
  private mutating func attributes(
    _ start: UnsafePointer<UInt8>,
    _ limit: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8>? {
    var position = start
    while position < limit {
      let byte = position.pointee
      if byte == UInt8(ascii: ">") { return position + 1 }
      if ASCII.isSpace(byte) {
        position += 1
        continue
      }
      if byte == UInt8(ascii: "/") {
        position += 1
        if position < limit, position.pointee == UInt8(ascii: ">") {
          tag.isSelfClosing = true
          return position + 1
        }
        continue
      }
      let nameStart = position
      var packed = PackedName()
      var length = 0
      // The first byte always belongs to the name, even an equals sign.
      repeat {
        packed.put(ASCII.lowercase(position.pointee), at: length)
        length &+= 1
        position += 1
      } while position < limit && !Self.endsAttributeName(position.pointee)
      while position < limit, ASCII.isSpace(position.pointee) { position += 1 }
      var value = nameStart
      var valueLength = 0
      if position < limit, position.pointee == UInt8(ascii: "=") {
        position += 1
        while position < limit, ASCII.isSpace(position.pointee) { position += 1 }
        guard position < limit else { return nil }
        let quote = position.pointee
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
          value = position + 1
          guard let close = ByteScan.find(quote, value, limit) else { return nil }
          valueLength = close - value
          position = close + 1
        } else {
          value = position
          while position < limit, position.pointee != UInt8(ascii: ">"), !ASCII.isSpace(position.pointee) {
            position += 1
          }
          valueLength = position - value
        }
      }
      guard length <= 24 else { continue }
      let known = vocabulary.attributes.value(packed)
      if known != 0, let name = HTMLAttribute(rawValue: known &- 1) { tag.add(name, value, valueLength) }
      if known == 0, length > 2, packed.a & 0xFFFF == PackedName.eventPrefix { tag.hasEventHandler = true }
    }
    return nil
  }

  @inline(__always)
  private static func endsAttributeName(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "=") || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") || ASCII.isSpace(byte)
  }

  /// Returns the start of a raw text element's end tag; `limit` if the end tag is missing.
  private mutating func rawTextEnd(
    _ start: UnsafePointer<UInt8>,
    _ limit: UnsafePointer<UInt8>,
    _ element: HTMLElement
  ) -> UnsafePointer<UInt8> {
    var position = start
    while let angle = ByteScan.find(UInt8(ascii: "<"), position, limit) {
      position = angle + 1
      guard position + 1 < limit, position.pointee == UInt8(ascii: "/") else { continue }
      var after = position + 1
      if ASCII.isLetter(after.pointee), name(&after, limit) == element { return angle }
      position = after
    }
    return limit
  }

  /// Returns the start of a script's end tag; `limit` if it is missing. After `<!--`, the script ends only after
  /// nested script elements have ended (HTML standard, sections 13.2.5.15 to 13.2.5.31).
  private mutating func scriptEnd(
    _ start: UnsafePointer<UInt8>,
    _ limit: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8> {
    var position = start
    var isEscaped = false
    var isDoubleEscaped = false
    var dashes = 0
    while position < limit {
      let byte = position.pointee
      if byte == UInt8(ascii: "-") {
        dashes &+= 1
        position += 1
        continue
      }
      if byte == UInt8(ascii: ">"), dashes >= 2 {
        isEscaped = false
        isDoubleEscaped = false
      }
      dashes = 0
      guard byte == UInt8(ascii: "<") else {
        position += 1
        continue
      }
      let angle = position
      position += 1
      guard position < limit else { break }
      if !isEscaped, limit - position >= 3, memcmp(position, "!--", 3) == 0 {
        isEscaped = true
        dashes = 2
        position += 3
        continue
      }
      let isEnd = position.pointee == UInt8(ascii: "/")
      guard isEnd || isEscaped else { continue }
      var after = isEnd ? position + 1 : position
      guard after < limit, ASCII.isLetter(after.pointee), name(&after, limit) == .script else { continue }
      if isDoubleEscaped {
        if isEnd { isDoubleEscaped = false }
      } else if isEnd {
        return angle
      } else {
        isDoubleEscaped = true
      }
      position = after
    }
    return limit
  }

  /// True for `<![CDATA[`, whose `!` is at `mark`.
  private static func opensSection(_ mark: UnsafePointer<UInt8>, _ limit: UnsafePointer<UInt8>) -> Bool {
    limit - mark >= 8 && memcmp(mark, "![CDATA[", 8) == 0
  }

  private static func sectionEnd(
    _ start: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8>? {
    var position = start
    while let found = ByteScan.find(UInt8(ascii: "]"), position, end) {
      if end - found >= 3, found[1] == UInt8(ascii: "]"), found[2] == UInt8(ascii: ">") { return found }
      position = found + 1
    }
    return nil
  }

  /// Returns the position after the next `byte`; `limit` when there is none.
  private static func after(
    _ byte: UInt8,
    _ start: UnsafePointer<UInt8>,
    _ limit: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8> {
    guard let found = ByteScan.find(byte, start, limit) else { return limit }
    return found + 1
  }

  /// Returns the position after a comment or declaration whose content begins at `start`, after `<!`.
  private static func afterComment(
    _ start: UnsafePointer<UInt8>,
    _ limit: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8> {
    guard limit - start >= 2, start[0] == UInt8(ascii: "-"), start[1] == UInt8(ascii: "-") else {
      return after(UInt8(ascii: ">"), start, limit)
    }
    let content = start + 2
    if limit - content >= 1, content[0] == UInt8(ascii: ">") { return content + 1 }
    if limit - content >= 2, content[0] == UInt8(ascii: "-"), content[1] == UInt8(ascii: ">") {
      return content + 2
    }
    var position = content
    while let close = ByteScan.find(UInt8(ascii: ">"), position, limit) {
      let before = close - content
      if before >= 2, close[-1] == UInt8(ascii: "-"), close[-2] == UInt8(ascii: "-") { return close + 1 }
      if before >= 3, close[-1] == UInt8(ascii: "!"), close[-2] == UInt8(ascii: "-"),
        close[-3] == UInt8(ascii: "-")
      {
        return close + 1
      }
      position = close + 1
    }
    return limit
  }
}
