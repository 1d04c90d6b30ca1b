import NewsCore

/// Parts text from markup: libxml2 gets the tags, the text goes past it straight to the builder.
///
/// Feeds are mostly text, which libxml2 looks at several times and hands over in pieces, one for each reference. What
/// stands for text in its input is one byte (DEL) a piece, and the builder takes the text itself from where it lies in
/// the document. So that nothing ill-formed slips through, references and `]]>` are looked at here, characters that XML
/// forbids by `UTF8Check`, and everything inside tags by libxml2. It also bounds what libxml2 takes quadratic
/// time for: start tags are measured, comments left out, a DOCTYPE refused.
///
/// Each piece of the document must end between characters.
struct MarkupSplitter: ~Copyable {
  private enum State {
    case content, comment, section
  }

  private let parser: XMLPushParser
  private let limits: ParseLimits
  private var markup = ByteBuffer(capacity: 24 * 1024)
  private var level = 0
  private var hasRoot = false
  private var hasDoctype = false
  private var state = State.content
  /// Bytes of the document before the piece at hand.
  private var pieceOffset = 0
  private(set) var isStopped = false

  init(_ parser: XMLPushParser, limits: ParseLimits) {
    self.parser = parser
    self.limits = limits
  }

  /// How many bytes of `piece` were dealt with: the rest is to be given again, with more behind it. Nil: the document is
  /// ill-formed, or more than libxml2 should see.
  mutating func take(_ piece: UnsafeBufferPointer<UInt8>, isLast: Bool) -> Int? {
    guard let base = piece.baseAddress else { return isLast ? finish() : 0 }
    let end = base + piece.count
    var position = base
    var needsMore = false
    while position < end, !isStopped, !needsMore {
      let step: Step
      switch state {
      case .content: step = content(position, end, base, isLast)
      case .comment: step = comment(position, end, isLast)
      case .section: step = section(position, end, base, isLast)
      }
      switch step {
      case .next(let next): position = next
      case .more(let rest):
        position = rest
        needsMore = true
      case .illFormed: return nil
      }
    }
    pieceOffset += position - base
    if isLast, !isStopped { return finish() }
    return flush() ? position - base : nil
  }

  private enum Step {
    case next(UnsafePointer<UInt8>)
    /// From here on more has to be known.
    case more(UnsafePointer<UInt8>)
    case illFormed
  }

  private mutating func finish() -> Int? {
    guard state == .content, level == 0, hasRoot, flush() else { return nil }
    if isStopped { return 0 }
    parser.finish()
    return parser.outcome.fatal == nil ? 0 : nil
  }

  /// Hands the markup over. All of it is dealt with at once, because it ends with a tag.
  private mutating func flush() -> Bool {
    let goesOn = parser.push(markup.bytes)
    markup.removeAll()
    parser.giveBackDocument()
    guard parser.outcome.fatal == nil else { return false }
    if !goesOn {
      isStopped = true
      return parser.isStoppedByBuilder
    }
    return parser.pendingEvents == 0
  }

  // MARK: Content

  private mutating func content(
    _ start: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>,
    _ base: UnsafePointer<UInt8>,
    _ isLast: Bool
  ) -> Step {
    guard let open = ByteScan.find(0x3C, start, end) else {
      if isLast { return text(start, end, base) ? .next(end) : .illFormed }
      return deliver(start, safeEnd(start, end), base)
    }
    guard let after = markup(open, end, isLast) else { return .illFormed }
    guard after > open else {
      // What begins here is not there as a whole.
      return open > start ? deliver(start, open, base) : .more(open)
    }
    if open > start, !text(start, open, base) { return .illFormed }
    return enter(open, after, base)
  }

  /// Where the markup at `open` ends, or its beginning for a comment or section; `open` itself when more has to be known,
  /// nil when it is ill-formed.
  private func markup(
    _ open: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>,
    _ isLast: Bool
  ) -> UnsafePointer<UInt8>? {
    let rest = end - open
    guard rest >= 9 || isLast else { return open }
    guard rest >= 3 else { return nil }
    switch open[1] {
    case 0x2F, 0x3F:
      let limit = rest <= limits.maximumTagBytes ? end : open + limits.maximumTagBytes
      var position = open + 2
      while let close = ByteScan.find(0x3E, position, limit) {
        if open[1] == 0x2F || close[-1] == 0x3F && close > open + 2 { return close + 1 }
        position = close + 1
      }
      return limit == end && !isLast ? open : nil
    case 0x21:
      if open[2] == 0x2D, rest >= 4, open[3] == 0x2D { return open + 4 }
      let isSection =
        rest >= 9 && open[2] == 0x5B && open[3] == 0x43 && open[4] == 0x44 && open[5] == 0x41
        && open[6] == 0x54 && open[7] == 0x41 && open[8] == 0x5B
      if isSection { return open + 9 }
      // Without declarations of its own it says nothing that matters here.
      guard !hasRoot, !hasDoctype else { return nil }
      if let after = XMLDoctype.end(open, end) { return after }
      return isLast || rest > 4096 ? nil : open
    default:
      return afterStartTag(open, end, isLast)
    }
  }

  /// Behind a start tag; `open` when its end is not there, nil when it is too long or has too many attributes.
  private func afterStartTag(
    _ open: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>,
    _ isLast: Bool
  ) -> UnsafePointer<UInt8>? {
    let limit = end - open <= limits.maximumTagBytes ? end : open + limits.maximumTagBytes
    var position = open + 1
    var attributes = 0
    while position < limit {
      switch position.pointee {
      case 0x3E:
        return attributes <= limits.maximumAttributes ? position + 1 : nil
      case 0x22, 0x27:
        guard let close = ByteScan.find(position.pointee, position + 1, limit) else {
          return limit == end && !isLast ? open : nil
        }
        attributes += 1
        position = close + 1
      default:
        position += 1
      }
    }
    return limit == end && !isLast ? open : nil
  }

  /// Passes on the markup between `open` and `after`.
  private mutating func enter(
    _ open: UnsafePointer<UInt8>,
    _ after: UnsafePointer<UInt8>,
    _ base: UnsafePointer<UInt8>
  ) -> Step {
    let offset = pieceOffset + (open - base)
    switch open[1] {
    case 0x21:
      if open[2] == 0x2D {
        state = .comment
      } else if open[2] == 0x44 {
        hasDoctype = true
      } else {
        guard level > 0 else { return .illFormed }
        state = .section
      }
      return .next(after)
    case 0x3F:
      // A declaration must be the document's first thing; blanks before it do not get as far as libxml2.
      let isDeclaration =
        after - open > 6 && open[2] | 0x20 == 0x78 && open[3] | 0x20 == 0x6D && open[4] | 0x20 == 0x6C
        && open[5] <= 0x20
      if isDeclaration, offset > 0 { return .illFormed }
      markup.append(open, after - open)
    case 0x2F:
      level -= 1
      guard level >= 0 else { return .illFormed }
      markup.append(open, after - open)
      parser.expect(.endTag, at: offset)
    default:
      hasRoot = true
      let isEmpty = after[-2] == 0x2F
      if !isEmpty {
        level += 1
        // Also within what is left out: libxml2 has a place for every open element.
        guard level <= limits.maximumDepth else { return .illFormed }
      }
      markup.append(open, after - open)
      parser.expect(isEmpty ? .emptyTag : .startTag, at: offset)
    }
    if markup.count >= XMLPushParser.chunkSize || parser.pendingEvents >= 4096 {
      guard flush() else { return .illFormed }
    }
    return .next(after)
  }

  // MARK: Text

  /// Checks text and puts a byte in its place; false when it is ill-formed.
  private mutating func text(
    _ start: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>,
    _ base: UnsafePointer<UInt8>
  ) -> Bool {
    guard level > 0 else {
      var position = start
      while position < end {
        guard position.pointee <= 0x20 else { return false }
        position += 1
      }
      return true
    }
    guard let kind = Self.kind(start, end) else { return false }
    markup.append(MarkupEvents.placeholder)
    parser.expect(
      kind,
      at: pieceOffset + (start - base),
      text: UnsafeBufferPointer(start: start, count: end - start)
    )
    return true
  }

  /// With or without references; nil when one of them is not allowed, or `]]>` stands in it.
  private static func kind(
    _ start: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>
  ) -> MarkupEvents.Kind? {
    var kind = MarkupEvents.Kind.text
    var position = start
    while let ampersand = ByteScan.find(0x26, position, end) {
      let (_, length) = XMLReference.read(ampersand, end)
      guard length > 0 else { return nil }
      kind = .textWithReferences
      position = ampersand + length
    }
    position = start
    while let bracket = ByteScan.find(0x5D, position, end) {
      if end - bracket > 2, bracket[1] == 0x5D, bracket[2] == 0x3E { return nil }
      position = bracket + 1
    }
    return kind
  }

  /// Gives text to the builder at once: the piece that holds it is about to go.
  private mutating func deliver(
    _ start: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>,
    _ base: UnsafePointer<UInt8>
  ) -> Step {
    guard end > start else { return .more(start) }
    guard flush() else { return .illFormed }
    guard !isStopped else { return .next(end) }
    guard text(start, end, base) else { return .illFormed }
    if level > 0 {
      markup.removeAll()
      parser.deliverText()
      isStopped = parser.isStoppedByBuilder
    }
    return .more(end)
  }

  /// Where text that goes on in the next piece may be cut: within no reference, `]]>` or line end.
  private func safeEnd(
    _ start: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8> {
    guard end - start > 160 else { return start }
    var cut = end - 80
    var position = cut
    while position > cut - 80 {
      position -= 1
      if position.pointee == 0x3B { break }
      if position.pointee == 0x26 {
        cut = position
        break
      }
    }
    while cut > start, cut.pointee & 0xC0 == 0x80 || cut[-1] == 0x5D || cut[-1] == 0x0D { cut -= 1 }
    return cut
  }

  // MARK: Comments and sections

  private mutating func comment(
    _ start: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>,
    _ isLast: Bool
  ) -> Step {
    var position = start
    while let hyphen = ByteScan.find(0x2D, position, end) {
      guard end - hyphen > 2 else { return isLast ? .illFormed : .more(hyphen) }
      if hyphen[1] == 0x2D {
        guard hyphen[2] == 0x3E else { return .illFormed }
        state = .content
        return .next(hyphen + 3)
      }
      position = hyphen + 2
    }
    return isLast ? .illFormed : .more(end)
  }

  private mutating func section(
    _ start: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>,
    _ base: UnsafePointer<UInt8>,
    _ isLast: Bool
  ) -> Step {
    var position = start
    while let bracket = ByteScan.find(0x5D, position, end) {
      if end - bracket > 2, bracket[1] == 0x5D, bracket[2] == 0x3E {
        if bracket > start {
          markup.append(MarkupEvents.placeholder)
          let text = UnsafeBufferPointer(start: start, count: bracket - start)
          parser.expect(.text, at: pieceOffset + (start - base), text: text)
        }
        state = .content
        return .next(bracket + 3)
      }
      position = bracket + 1
    }
    if isLast { return .illFormed }
    var cut = max(start, end - 4)
    while cut > start, cut.pointee & 0xC0 == 0x80 || cut[-1] == 0x5D || cut[-1] == 0x0D { cut -= 1 }
    guard cut > start else { return .more(start) }
    guard flush() else { return .illFormed }
    guard !isStopped else { return .next(end) }
    let text = UnsafeBufferPointer(start: start, count: cut - start)
    parser.expect(.text, at: pieceOffset + (start - base), text: text)
    parser.deliverText()
    isStopped = parser.isStoppedByBuilder
    return .more(cut)
  }
}
