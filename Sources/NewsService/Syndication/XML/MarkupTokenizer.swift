import NewsToolbox

/// Splits a document into markup and text. Passes the markup to libxml2 and the text directly to the builder.
///
/// Most of a feed is text, which libxml2 would scan several times and report in pieces; reading would take 2.7 times
/// as long. In the input of libxml2, one byte (DEL) replaces each text. Well-formedness is still checked in full: the
/// tokenizer checks references and `]]>`, `UTF8Check` forbidden characters, and libxml2 tags. To avoid quadratic time
/// in libxml2, the tokenizer also limits start tags, drops comments and refuses a DOCTYPE with declarations.
struct MarkupTokenizer: ~Copyable {
  private let parser: XMLPushParser
  private let limits: ParseLimits
  private let base: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>
  private var markup = ByteBuffer(capacity: 24 * 1024)
  private var level = 0
  private var hasRoot = false
  private var hasDoctype = false
  private var isStopped = false

  /// Creates a tokenizer; nil for an empty document. The document must stay in memory while the tokenizer runs.
  init?(_ document: UnsafeBufferPointer<UInt8>, _ parser: XMLPushParser, limits: ParseLimits) {
    guard let base = document.baseAddress else { return nil }
    self.parser = parser
    self.limits = limits
    self.base = base
    end = base + document.count
  }

  /// Reads the document. Returns false if it is ill-formed or exceeds a limit.
  mutating func run() -> Bool {
    var position = base
    while position < end, !isStopped {
      let open = ByteScan.find(UInt8(ascii: "<"), position, end) ?? end
      if open > position, !readText(position, open) { return false }
      guard open < end else { break }
      guard let after = readMarkup(open) else { return false }
      position = after
      // libxml2 reports the content of a section only at the next `<`, so a flush would find it missing.
      if begins(open, "<![CDATA["), markup.count < 2 * XMLPushParser.chunkSize { continue }
      if markup.count >= XMLPushParser.chunkSize || parser.pendingEvents >= 4096 {
        guard flush() else { return false }
      }
    }
    guard isStopped || level == 0 && hasRoot, flush() else { return false }
    if !isStopped { parser.finish() }
    return parser.outcome.fatal == nil
  }

  /// Pushes the collected markup. Returns false if libxml2 found an error, or did not report every event of
  /// the markup.
  private mutating func flush() -> Bool {
    let wantsMore = parser.push(markup.bytes)
    markup.removeAll()
    parser.releaseDocument()
    guard parser.outcome.fatal == nil else { return false }
    if !wantsMore {
      isStopped = true
      return parser.isStoppedByBuilder
    }
    return parser.pendingEvents == 0
  }

  // MARK: Markup

  /// Reads the markup at `open` and returns its end. Returns nil if the markup is ill-formed or exceeds a limit.
  private mutating func readMarkup(_ open: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
    guard end - open >= 3 else { return nil }
    switch open[1] {
    case UInt8(ascii: "/"): return readEndTag(open)
    case UInt8(ascii: "?"): return readInstruction(open)
    case UInt8(ascii: "!"):
      if begins(open, "<!--") { return readComment(open) }
      if begins(open, "<![CDATA[") { return readSection(open) }
      // A DOCTYPE without declarations does not change the document.
      guard !hasRoot, !hasDoctype, let after = XMLDoctype.end(open, end) else { return nil }
      hasDoctype = true
      return after
    default: return readStartTag(open)
    }
  }

  private mutating func begins(_ open: UnsafePointer<UInt8>, _ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    return end - open >= count
      && ByteText.equalsExactly(UnsafeBufferPointer(start: open, count: count), word)
  }

  /// Returns the end of the input, or the end of the longest allowed tag if that is less.
  private mutating func limit(of open: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    end - open <= limits.maximumTagBytes ? end : open + limits.maximumTagBytes
  }

  private mutating func readStartTag(_ open: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
    guard let after = endOfStartTag(open) else { return nil }
    hasRoot = true
    let isEmpty = after[-2] == UInt8(ascii: "/")
    if !isEmpty {
      level += 1
      // Count skipped elements too, because libxml2 allocates memory for every open element.
      guard level <= limits.maximumDepth else { return nil }
    }
    markup.append(open, after - open)
    parser.expect(isEmpty ? .emptyTag : .startTag, at: open - base)
    return after
  }

  /// Finds the end of a start tag. Returns nil if the tag has no end, is too long or has too many attributes.
  private mutating func endOfStartTag(_ open: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
    let limit = limit(of: open)
    var position = open + 1
    var attributes = 0
    while position < limit {
      switch position.pointee {
      case UInt8(ascii: ">"):
        return attributes <= limits.maximumAttributes ? position + 1 : nil
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        guard let close = ByteScan.find(position.pointee, position + 1, limit) else { return nil }
        attributes += 1
        position = close + 1
      default:
        position += 1
      }
    }
    return nil
  }

  private mutating func readEndTag(_ open: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
    level -= 1
    guard level >= 0, let close = ByteScan.find(UInt8(ascii: ">"), open + 2, limit(of: open)) else {
      return nil
    }
    markup.append(open, close + 1 - open)
    parser.expect(.endTag, at: open - base)
    return close + 1
  }

  private mutating func readInstruction(_ open: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
    let limit = limit(of: open)
    var close = ByteScan.find(UInt8(ascii: ">"), open + 3, limit)
    while let found = close, found[-1] != UInt8(ascii: "?") {
      close = ByteScan.find(UInt8(ascii: ">"), found + 1, limit)
    }
    guard let after = close.map({ $0 + 1 }) else { return nil }
    // The XML declaration must come first; libxml2 does not see the white space before it.
    let isDeclaration =
      after - open > 6 && open[2] | 0x20 == UInt8(ascii: "x") && open[3] | 0x20 == UInt8(ascii: "m")
      && open[4] | 0x20 == UInt8(ascii: "l") && open[5] <= UInt8(ascii: " ")
    if isDeclaration, open > base { return nil }
    markup.append(open, after - open)
    return after
  }

  private mutating func readComment(_ open: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
    var position = open + 4
    while let hyphen = ByteScan.find(UInt8(ascii: "-"), position, end), end - hyphen > 2 {
      if hyphen[1] == UInt8(ascii: "-") { return hyphen[2] == UInt8(ascii: ">") ? hyphen + 3 : nil }
      position = hyphen + 2
    }
    return nil
  }

  private mutating func readSection(_ open: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
    let start = open + 9
    guard level > 0, let close = endOfSection(start, end) else { return nil }
    if close > start { expectText(.text, start, close) }
    return close + 3
  }

  // MARK: Text

  /// Checks text and appends its placeholder. Returns false if the text is ill-formed.
  private mutating func readText(_ start: UnsafePointer<UInt8>, _ textEnd: UnsafePointer<UInt8>) -> Bool {
    guard level > 0 else {
      return UnsafeBufferPointer(start: start, count: textEnd - start).allSatisfy { $0 <= UInt8(ascii: " ") }
    }
    var kind = MarkupEvents.Kind.text
    var position = start
    while let ampersand = ByteScan.find(UInt8(ascii: "&"), position, textEnd) {
      let (_, length) = XMLReference.read(ampersand, textEnd)
      guard length > 0 else { return false }
      kind = .textWithReferences
      position = ampersand + length
    }
    guard endOfSection(start, textEnd) == nil else { return false }
    expectText(kind, start, textEnd)
    return true
  }

  private mutating func expectText(
    _ kind: MarkupEvents.Kind,
    _ start: UnsafePointer<UInt8>,
    _ textEnd: UnsafePointer<UInt8>
  ) {
    markup.append(MarkupEvents.placeholder)
    parser.expect(kind, at: start - base, text: UnsafeBufferPointer(start: start, count: textEnd - start))
  }

  /// Returns the address of the first `]]>`; nil if there is none.
  private mutating func endOfSection(
    _ start: UnsafePointer<UInt8>,
    _ limit: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8>? {
    var position = start
    while let bracket = ByteScan.find(UInt8(ascii: "]"), position, limit) {
      if limit - bracket > 2, bracket[1] == UInt8(ascii: "]"), bracket[2] == UInt8(ascii: ">") {
        return bracket
      }
      position = bracket + 1
    }
    return nil
  }
}
