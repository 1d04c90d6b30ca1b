import Glibc

/// What a tokenizer reports, in document order.
protocol HTMLSink: ~Copyable {
  /// A run of text without character references; never empty.
  mutating func text(_ start: UnsafePointer<UInt8>, _ length: Int)
  /// The character that a reference stood for, or a `<` or `&` that begins neither markup nor a reference.
  mutating func character(_ reference: HTMLEntities.Reference)
  mutating func startTag(_ tag: borrowing HTMLTag)
  /// Never reported for a name that newsd does not know.
  mutating func endTag(_ element: HTMLElement)
  /// True when nothing more is wanted after so many bytes. Asked now and then, and in long texts only.
  mutating func isFull(after length: Int) -> Bool
}

extension HTMLSink where Self: ~Copyable {
  mutating func isFull(after length: Int) -> Bool { false }
}

/// A start tag: its element and those of its attributes that newsd reads, each name once (the first counts).
struct HTMLTag: ~Copyable {
  struct Attribute {
    var name: HTMLAttribute
    /// Undecoded value.
    var start: UnsafePointer<UInt8>
    var length: Int
  }

  var element = HTMLElement.unknown
  /// Written `<name/>`.
  var isSelfClosing = false
  private(set) var count = 0
  private var present: UInt64 = 0
  private let attributes = UnsafeMutablePointer<Attribute>.allocate(capacity: HTMLAttribute.count)

  deinit {
    attributes.deallocate()
  }

  subscript(index: Int) -> Attribute { attributes[index] }

  func has(_ name: HTMLAttribute) -> Bool { present & (1 &<< UInt64(name.rawValue)) != 0 }

  /// The undecoded value.
  func value(_ name: HTMLAttribute) -> UnsafeBufferPointer<UInt8>? {
    guard has(name) else { return nil }
    for index in 0..<count where attributes[index].name == name {
      return UnsafeBufferPointer(start: attributes[index].start, count: attributes[index].length)
    }
    return nil
  }

  /// The value with references decoded.
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
    count = 0
    present = 0
  }

  @inline(__always)
  fileprivate mutating func add(_ name: HTMLAttribute, _ start: UnsafePointer<UInt8>, _ length: Int) {
    let bit: UInt64 = 1 &<< UInt64(name.rawValue)
    guard present & bit == 0 else { return }
    present |= bit
    attributes[count] = Attribute(name: name, start: start, length: length)
    count &+= 1
  }
}

/// Splits HTML into tags and text, in one pass and in time linear in its length.
///
/// It follows the tokenization of the HTML standard (section 13.2.5) except where feeds need more lenience: the
/// content of a CDATA section is read as HTML, `<name/>` is empty whatever the name, and raw text that is not to be
/// shown is left out here already.
struct HTMLTokenizer: ~Copyable {
  private var tag = HTMLTag()
  private let vocabulary = HTMLVocabulary.shared
  private let entities = HTMLEntities.shared

  mutating func run<Sink: HTMLSink & ~Copyable>(_ html: UnsafeBufferPointer<UInt8>, into sink: inout Sink) {
    run(html, into: &sink, givesBack: false)
  }

  /// The same for bytes that nobody reads again: a long document's pages are given back as soon as they are read.
  @inline(never)
  mutating func run<Sink: HTMLSink & ~Copyable>(
    spent html: UnsafeBufferPointer<UInt8>,
    into sink: inout Sink
  ) {
    run(html, into: &sink, givesBack: true)
  }

  /// In line, because asking at every token whether to give anything back can be measured.
  @inline(__always)
  private mutating func run<Sink: HTMLSink & ~Copyable>(
    _ html: UnsafeBufferPointer<UInt8>,
    into sink: inout Sink,
    givesBack: Bool
  ) {
    guard let start = html.baseAddress else { return }
    let end = start + html.count
    var position = start
    // What is given back next begins here, and is worth a call when reading has come near `releaseAt`.
    var released = 0
    var releaseAt = givesBack ? start + LongText.pieceSize : end
    // Where the CDATA section that `position` stands in ends; nil outside.
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
      guard let angle = ByteScan.find(0x3C, position, givesBack ? min(limit, releaseAt) : limit) else {
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
      case 0x2F:
        position = endTag(next, limit, &sink)
      case 0x21:
        if sectionEnd == nil, Self.opensSection(next, limit) {
          position = next + 8
          if mayEndSection {
            sectionEnd = Self.sectionEnd(position, end)
            // Not searched for again: a document full of section starts would take quadratic time.
            if sectionEnd == nil { mayEndSection = false }
          }
        } else {
          position = Self.opensSection(next, limit) ? next + 8 : Self.afterComment(next + 1, limit)
        }
      case 0x3F:
        position = Self.after(0x3E, next, limit)
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

  /// `end`, or a little before it where a reference may be under way.
  private static func beforeReference(
    _ start: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8> {
    var position = end
    while position > start, end - position < longestReference {
      position -= 1
      if position.pointee == 0x3B { break }
      if position.pointee == 0x26 { return position }
    }
    return end
  }

  /// Bytes of a reference, with room for a few zeros.
  private static let longestReference = 64

  private static let lessThan = HTMLEntities.Reference(length: 0, bytes: 0x3C, byteCount: 1)
  private static let ampersand = HTMLEntities.Reference(length: 0, bytes: 0x26, byteCount: 1)

  @inline(__always)
  private func text<Sink: HTMLSink & ~Copyable>(
    _ start: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>,
    _ sink: inout Sink
  ) {
    var position = start
    while let found = ByteScan.find(0x26, position, end) {
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

  /// Text without references or tags.
  private func literal<Sink: HTMLSink & ~Copyable>(
    _ start: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>,
    _ sink: inout Sink
  ) {
    var position = start
    var run = start
    while position < end {
      if position.pointee == 0x3C || position.pointee == 0x26 {
        if position > run { sink.text(run, position - run) }
        sink.character(position.pointee == 0x3C ? Self.lessThan : Self.ampersand)
        run = position + 1
      }
      position += 1
    }
    if end > run { sink.text(run, end - run) }
  }

  /// `/` stands at `slash`. Returns where to go on.
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
    guard ASCII.isLetter(start.pointee) else { return Self.after(0x3E, start, limit) }
    var position = start
    let element = name(&position, limit)
    if position < limit, position.pointee == 0x3E {
      position += 1
    } else {
      tag.reset(element)
      guard let after = attributes(position, limit) else { return limit }
      position = after
    }
    if element != .unknown { sink.endTag(element) }
    return position
  }

  /// Reads a tag name and leaves `position` behind it.
  @inline(__always)
  private func name(_ position: inout UnsafePointer<UInt8>, _ limit: UnsafePointer<UInt8>) -> HTMLElement {
    var packed = PackedName()
    var length = 0
    while position < limit {
      let byte = position.pointee
      if byte == 0x3E || byte == 0x2F || ASCII.isSpace(byte) { break }
      packed.put(ASCII.lowercase(byte), at: length)
      length &+= 1
      position += 1
    }
    guard length <= 24 else { return .unknown }
    return HTMLElement(rawValue: vocabulary.elements.value(packed)) ?? .unknown
  }

  /// The first letter of the name stands at `start`. Returns where to go on.
  @inline(__always)
  private mutating func startTag<Sink: HTMLSink & ~Copyable>(
    _ start: UnsafePointer<UInt8>,
    _ limit: UnsafePointer<UInt8>,
    _ sink: inout Sink
  ) -> UnsafePointer<UInt8> {
    var position = start
    let element = name(&position, limit)
    tag.reset(element)
    if position < limit, position.pointee == 0x3E {
      position += 1
    } else {
      // A tag that the document's end cuts off is no tag.
      guard let after = attributes(position, limit) else { return limit }
      position = after
    }
    guard element != .unknown else { return position }
    sink.startTag(tag)
    let traits = vocabulary.traits(element)
    guard !traits.isDisjoint(with: [.hiddenRawText, .shownRawText]), !tag.isSelfClosing else {
      return position
    }
    let close = element == .plaintext ? limit : rawTextEnd(position, limit, element)
    if traits.contains(.shownRawText) { literal(position, close, &sink) }
    return close
  }

  /// Reads attributes into `tag`, up to the `>`, and returns the place behind it; nil when there is none.
  @inline(__always)
  private mutating func attributes(
    _ start: UnsafePointer<UInt8>,
    _ limit: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8>? {
    var position = start
    while position < limit {
      let byte = position.pointee
      if byte == 0x3E { return position + 1 }
      if ASCII.isSpace(byte) {
        position += 1
        continue
      }
      if byte == 0x2F {
        position += 1
        if position < limit, position.pointee == 0x3E {
          tag.isSelfClosing = true
          return position + 1
        }
        continue
      }
      let nameStart = position
      var packed = PackedName()
      var length = 0
      // An equals sign may begin a name.
      repeat {
        packed.put(ASCII.lowercase(position.pointee), at: length)
        length &+= 1
        position += 1
      } while position < limit && !Self.endsAttributeName(position.pointee)
      while position < limit, ASCII.isSpace(position.pointee) { position += 1 }
      var value = nameStart
      var valueLength = 0
      if position < limit, position.pointee == 0x3D {
        position += 1
        while position < limit, ASCII.isSpace(position.pointee) { position += 1 }
        guard position < limit else { return nil }
        let quote = position.pointee
        if quote == 0x22 || quote == 0x27 {
          value = position + 1
          guard let close = ByteScan.find(quote, value, limit) else { return nil }
          valueLength = close - value
          position = close + 1
        } else {
          value = position
          while position < limit, position.pointee != 0x3E, !ASCII.isSpace(position.pointee) { position += 1 }
          valueLength = position - value
        }
      }
      guard length <= 24 else { continue }
      let known = vocabulary.attributes.value(packed)
      if known != 0, let name = HTMLAttribute(rawValue: known &- 1) { tag.add(name, value, valueLength) }
    }
    return nil
  }

  @inline(__always)
  private static func endsAttributeName(_ byte: UInt8) -> Bool {
    byte == 0x3D || byte == 0x3E || byte == 0x2F || ASCII.isSpace(byte)
  }

  /// Where the end tag of a raw text element begins; `limit` when there is none.
  private func rawTextEnd(
    _ start: UnsafePointer<UInt8>,
    _ limit: UnsafePointer<UInt8>,
    _ element: HTMLElement
  ) -> UnsafePointer<UInt8> {
    var position = start
    while let angle = ByteScan.find(0x3C, position, limit) {
      position = angle + 1
      guard position + 1 < limit, position.pointee == 0x2F else { continue }
      var after = position + 1
      if ASCII.isLetter(after.pointee), name(&after, limit) == element { return angle }
      position = after
    }
    return limit
  }

  /// `!` stands at `mark`: true for `<![CDATA[`.
  private static func opensSection(_ mark: UnsafePointer<UInt8>, _ limit: UnsafePointer<UInt8>) -> Bool {
    limit - mark >= 8 && memcmp(mark, "![CDATA[", 8) == 0
  }

  private static func sectionEnd(
    _ start: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8>? {
    var position = start
    while let found = ByteScan.find(0x5D, position, end) {
      if end - found >= 3, found[1] == 0x5D, found[2] == 0x3E { return found }
      position = found + 1
    }
    return nil
  }

  /// Behind the next `byte`; `limit` when there is none.
  private static func after(
    _ byte: UInt8,
    _ start: UnsafePointer<UInt8>,
    _ limit: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8> {
    guard let found = ByteScan.find(byte, start, limit) else { return limit }
    return found + 1
  }

  /// Behind the comment or declaration whose `<!` ends before `start`.
  private static func afterComment(
    _ start: UnsafePointer<UInt8>,
    _ limit: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8> {
    guard limit - start >= 2, start[0] == 0x2D, start[1] == 0x2D else { return after(0x3E, start, limit) }
    let content = start + 2
    if limit - content >= 1, content[0] == 0x3E { return content + 1 }
    if limit - content >= 2, content[0] == 0x2D, content[1] == 0x3E { return content + 2 }
    var position = content
    while let close = ByteScan.find(0x3E, position, limit) {
      let before = close - content
      if before >= 2, close[-1] == 0x2D, close[-2] == 0x2D { return close + 1 }
      if before >= 3, close[-1] == 0x21, close[-2] == 0x2D, close[-3] == 0x2D { return close + 1 }
      position = close + 1
    }
    return limit
  }
}
