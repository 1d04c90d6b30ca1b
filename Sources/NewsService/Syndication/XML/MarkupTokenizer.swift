import NewsCore
import NewsToolbox

/// Splits a document into markup and text: libxml2 gets the markup, the builder gets the text directly.
///
/// Most of a feed is text, which libxml2 would scan several times and report in pieces. In the input of libxml2, one
/// byte (DEL) replaces each text. Well-formedness is still checked in full: references and `]]>` here, forbidden
/// characters by `UTF8Check`, tags by libxml2. The tokenizer also bounds what takes libxml2 quadratic time: it limits
/// start tags, drops comments and refuses a DOCTYPE with declarations.
///
/// Each piece of the document must end between characters.
struct MarkupTokenizer: ~Copyable {
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
  /// Offset of the current piece in the document.
  private var pieceOffset = 0
  private(set) var isStopped = false

  init(_ parser: XMLPushParser, limits: ParseLimits) {
    self.parser = parser
    self.limits = limits
  }

  /// Processes `piece` and returns how many bytes were consumed: pass the rest again, followed by more. Nil if the
  /// document is ill-formed or exceeds a bound of libxml2.
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
    /// The rest, from this address on, needs more input.
    case more(UnsafePointer<UInt8>)
    case illFormed
  }

  private mutating func finish() -> Int? {
    guard state == .content, level == 0, hasRoot, flush() else { return nil }
    if isStopped { return 0 }
    parser.finish()
    return parser.outcome.fatal == nil ? 0 : nil
  }

  /// Pushes the collected markup, which ends with a complete tag.
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
    guard let open = ByteScan.find(UInt8(ascii: "<"), start, end) else {
      if isLast { return text(start, end, base) ? .next(end) : .illFormed }
      return deliver(start, safeEnd(start, end), base)
    }
    guard let after = markup(open, end, isLast) else { return .illFormed }
    guard after > open else {
      // The markup at `open` is incomplete.
      return open > start ? deliver(start, open, base) : .more(open)
    }
    if open > start, !text(start, open, base) { return .illFormed }
    return enter(open, after, base)
  }

  /// Returns the end of the markup at `open`, or the start of its content for a comment or section; `open` if more
  /// input is needed; nil if it is ill-formed.
  private func markup(
    _ open: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>,
    _ isLast: Bool
  ) -> UnsafePointer<UInt8>? {
    let rest = end - open
    guard rest >= 9 || isLast else { return open }
    guard rest >= 3 else { return nil }
    switch open[1] {
    case UInt8(ascii: "/"), UInt8(ascii: "?"):
      let limit = rest <= limits.maximumTagBytes ? end : open + limits.maximumTagBytes
      var position = open + 2
      while let close = ByteScan.find(UInt8(ascii: ">"), position, limit) {
        if open[1] == UInt8(ascii: "/") || close[-1] == UInt8(ascii: "?") && close > open + 2 {
          return close + 1
        }
        position = close + 1
      }
      return limit == end && !isLast ? open : nil
    case UInt8(ascii: "!"):
      if open[2] == UInt8(ascii: "-"), rest >= 4, open[3] == UInt8(ascii: "-") { return open + 4 }
      let isSection =
        rest >= 9 && open[2] == UInt8(ascii: "[") && open[3] == UInt8(ascii: "C")
        && open[4] == UInt8(ascii: "D") && open[5] == UInt8(ascii: "A")
        && open[6] == UInt8(ascii: "T") && open[7] == UInt8(ascii: "A") && open[8] == UInt8(ascii: "[")
      if isSection { return open + 9 }
      // A DOCTYPE without declarations does not change the document.
      guard !hasRoot, !hasDoctype else { return nil }
      if let after = XMLDoctype.end(open, end) { return after }
      return isLast || rest > 4096 ? nil : open
    default:
      return afterStartTag(open, end, isLast)
    }
  }

  /// Returns the end of a start tag; `open` if the input ends inside it; nil if it is too long or has too many
  /// attributes.
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
      case UInt8(ascii: ">"):
        return attributes <= limits.maximumAttributes ? position + 1 : nil
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
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

  /// Appends the markup between `open` and `after`.
  private mutating func enter(
    _ open: UnsafePointer<UInt8>,
    _ after: UnsafePointer<UInt8>,
    _ base: UnsafePointer<UInt8>
  ) -> Step {
    let offset = pieceOffset + (open - base)
    switch open[1] {
    case UInt8(ascii: "!"):
      if open[2] == UInt8(ascii: "-") {
        state = .comment
      } else if open[2] == UInt8(ascii: "D") {
        hasDoctype = true
      } else {
        guard level > 0 else { return .illFormed }
        state = .section
      }
      return .next(after)
    case UInt8(ascii: "?"):
      // The XML declaration must come first; libxml2 does not see the white space before it.
      let isDeclaration =
        after - open > 6 && open[2] | 0x20 == UInt8(ascii: "x") && open[3] | 0x20 == UInt8(ascii: "m")
        && open[4] | 0x20 == UInt8(ascii: "l")
        && open[5] <= UInt8(ascii: " ")
      if isDeclaration, offset > 0 { return .illFormed }
      markup.append(open, after - open)
    case UInt8(ascii: "/"):
      level -= 1
      guard level >= 0 else { return .illFormed }
      markup.append(open, after - open)
      parser.expect(.endTag, at: offset)
    default:
      hasRoot = true
      let isEmpty = after[-2] == UInt8(ascii: "/")
      if !isEmpty {
        level += 1
        // Skipped elements count too: libxml2 allocates a place for every open element.
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

  /// Checks text and appends its placeholder; false if the text is ill-formed.
  private mutating func text(
    _ start: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>,
    _ base: UnsafePointer<UInt8>
  ) -> Bool {
    guard level > 0 else {
      var position = start
      while position < end {
        guard position.pointee <= UInt8(ascii: " ") else { return false }
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

  /// Returns whether the text has references; nil if a reference is not allowed or the text contains `]]>`.
  private static func kind(
    _ start: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>
  ) -> MarkupEvents.Kind? {
    var kind = MarkupEvents.Kind.text
    var position = start
    while let ampersand = ByteScan.find(UInt8(ascii: "&"), position, end) {
      let (_, length) = XMLReference.read(ampersand, end)
      guard length > 0 else { return nil }
      kind = .textWithReferences
      position = ampersand + length
    }
    position = start
    while let bracket = ByteScan.find(UInt8(ascii: "]"), position, end) {
      if end - bracket > 2, bracket[1] == UInt8(ascii: "]"), bracket[2] == UInt8(ascii: ">") { return nil }
      position = bracket + 1
    }
    return kind
  }

  /// Passes text to the builder now, because the piece that holds it is about to be freed.
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

  /// Returns where text that continues in the next piece may be cut: outside of references, `]]>` and line ends.
  private func safeEnd(
    _ start: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8> {
    guard end - start > 160 else { return start }
    var cut = end - 80
    var position = cut
    while position > cut - 80 {
      position -= 1
      if position.pointee == UInt8(ascii: ";") { break }
      if position.pointee == UInt8(ascii: "&") {
        cut = position
        break
      }
    }
    while cut > start,
      cut.pointee & 0xC0 == 0x80 || cut[-1] == UInt8(ascii: "]") || cut[-1] == UInt8(ascii: "\r")
    { cut -= 1 }
    return cut
  }

  // MARK: Comments and sections

  private mutating func comment(
    _ start: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>,
    _ isLast: Bool
  ) -> Step {
    var position = start
    while let hyphen = ByteScan.find(UInt8(ascii: "-"), position, end) {
      guard end - hyphen > 2 else { return isLast ? .illFormed : .more(hyphen) }
      if hyphen[1] == UInt8(ascii: "-") {
        guard hyphen[2] == UInt8(ascii: ">") else { return .illFormed }
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
    while let bracket = ByteScan.find(UInt8(ascii: "]"), position, end) {
      if end - bracket > 2, bracket[1] == UInt8(ascii: "]"), bracket[2] == UInt8(ascii: ">") {
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
    while cut > start,
      cut.pointee & 0xC0 == 0x80 || cut[-1] == UInt8(ascii: "]") || cut[-1] == UInt8(ascii: "\r")
    { cut -= 1 }
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
