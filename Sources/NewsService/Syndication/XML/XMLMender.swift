import NewsCore

/// Rewrites ill-formed XML as well-formed XML, and tells what was wrong and where.
///
/// It reads as a patient person would: an ampersand between words is an ampersand, a `<` before a space is a `<`, an
/// end tag that fits nothing is left out, an item that begins inside another ends it. Everything that was well-formed
/// stays as it is. DOCTYPEs end here: what a document declares itself is filled in, within bounds.
/// Time is linear: every byte is looked at a bounded number of times.
struct XMLMender: ~Copyable {
  struct OpenElement {
    /// Of the qualified name, in the input.
    var start: Int
    var length: Int
    /// Of the name in lower case.
    var hash: UInt8 = 0
    /// Written under a name that stands for all that are too many.
    var isRenamed = false
  }

  let input: UnsafeBufferPointer<UInt8>
  let limits: ParseLimits
  /// Takes mended XML.
  let parser: XMLPushParser
  var output = ByteBuffer(capacity: 20 * 1024)
  private(set) var open: [OpenElement] = []
  /// How many open elements have a name of each hash, so that an end tag that fits none costs no search.
  private var openCounts = [UInt16](repeating: 0, count: 256)
  var position = 0
  /// Where the markup begins that is being mended.
  var markupStart = 0
  var isFinished = false
  /// The root's end tag is held back: another root may follow, and goes inside it.
  var isRootClosed = false
  var hasRoot = false
  var hasDoctype = false
  /// The names of one tag's attributes, to find repeats.
  var attributeNames: [OpenElement] = []
  var entities = XMLEntities()
  var names = SeenNames()
  var hasNotedNames = false
  /// Sections that have no end from some place on: looked for once only.
  /// Where the next end of a comment, item and start of a comment are; looked for again only when that place was passed.
  var commentsAhead = (end: -1, item: -1, start: -1)
  var hasNoInstructionEnd = false
  var hasNoSectionEnd = false
  var hasNoSubsetEnd = false
  private(set) var findings: [Finding] = []

  init(
    _ input: UnsafeBufferPointer<UInt8>,
    limits: ParseLimits,
    parser: XMLPushParser
  ) {
    self.input = input
    self.limits = limits
    self.parser = parser
  }

  mutating func run() {
    skipJunk()
    while position < input.count, !isFinished {
      mendText()
      guard position < input.count, !isFinished else { break }
      mendMarkup()
      if output.count >= XMLPushParser.chunkSize { flush() }
    }
    markupStart = input.count
    if !isFinished, !open.isEmpty, !isRootClosed {
      if acceptsFindings { note(input.count, "The document ends inside \(name(open[open.count - 1])).") }
    }
    closeLast(open.count)
    flush()
  }

  mutating func push(_ element: OpenElement) {
    openCounts[Int(element.hash)] &+= 1
    open.append(element)
  }

  /// Ends the innermost elements.
  mutating func closeLast(_ count: Int) {
    for _ in 0..<count {
      guard let element = open.popLast() else { return }
      openCounts[Int(element.hash)] &-= 1
      emitEnd(element)
    }
  }

  /// The innermost open element of that name; one that differs in case only counts when there is no other.
  func openIndex(of name: UnsafeBufferPointer<UInt8>) -> Int? {
    let hash = Self.hash(name)
    guard openCounts[Int(hash)] > 0 else { return nil }
    var alike: Int?
    var index = open.count - 1
    while index >= 0 {
      if open[index].hash == hash, open[index].length == name.count {
        let candidate = bytes(open[index])
        if candidate.elementsEqual(name) { return index }
        let isAlike = zip(candidate, name).allSatisfy { ASCII.lowercase($0) == ASCII.lowercase($1) }
        if isAlike, alike == nil { alike = index }
      }
      index -= 1
    }
    return alike
  }

  static func hash(_ name: UnsafeBufferPointer<UInt8>) -> UInt8 {
    var hash: UInt32 = 0x811C_9DC5
    for byte in name { hash = (hash ^ UInt32(ASCII.lowercase(byte))) &* 0x0100_0193 }
    return UInt8(truncatingIfNeeded: hash ^ hash >> 15)
  }

  mutating func flush() {
    guard output.count > 0 else { return }
    if !parser.push(output.bytes) { isFinished = true }
    output.removeAll()
    parser.giveBackDocument()
  }

  mutating func note(_ offset: Int, _ message: String) {
    guard acceptsFindings else { return }
    findings.append(Finding(offset: offset, message: message))
  }

  /// False when enough was found; then no more messages need to be put together.
  var acceptsFindings: Bool { findings.count < limits.maximumProblems }

  mutating func truncateFindings(to count: Int) {
    findings.removeLast(findings.count - count)
  }

  func name(_ element: OpenElement) -> String {
    "<" + String(decoding: bytes(element), as: UTF8.self) + ">"
  }

  func bytes(_ element: OpenElement) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: input[element.start..<(element.start + element.length)])
  }

  /// The input from `offset` on.
  func rest(_ offset: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: input[min(offset, input.count)...])
  }

  func starts(with word: StaticString, at offset: Int) -> Bool {
    ByteText.hasPrefix(rest(offset), word)
  }

  /// Server warnings and blank lines before the document.
  private mutating func skipJunk() {
    var index = 0
    var start: Int?
    while let found = ByteText.firstIndex(of: 0x3C, in: input, from: index) {
      if starts(with: "<?xml", at: found), found + 5 < input.count, input[found + 5] <= 0x20 {
        start = found
        break
      }
      if isRootTag(at: found) {
        start = index == 0 || start == nil ? found : start
        break
      }
      index = found + 1
    }
    guard let start, start > 0 else { return }
    let before = UnsafeBufferPointer(rebasing: input[..<start])
    if starts(with: "<?xml", at: start) {
      note(0, "Something stands before the XML declaration.")
      position = start
    } else if let first = before.first(where: { $0 > 0x20 }), first != 0x3C {
      note(0, "Text stands before the root element.")
      position = start
    }
  }

  /// A start tag that begins a feed, with any prefix.
  private func isRootTag(at offset: Int) -> Bool {
    var start = offset + 1
    var end = start
    while end < input.count, end - start < 40, XMLMender.isNameByte(input[end]) {
      if input[end] == 0x3A { start = end + 1 }
      end += 1
    }
    let name = UnsafeBufferPointer(rebasing: input[min(start, end)..<end])
    return ByteText.equals(name, "rss") || ByteText.equals(name, "feed") || ByteText.equals(name, "rdf")
      || ByteText.equals(name, "channel")
  }

  @inline(__always)
  static func isNameByte(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == 0x2D || byte == 0x5F || byte == 0x2E
      || byte == 0x3A
      || byte >= 0x80
  }

  @inline(__always)
  static func isNameStart(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || byte == 0x5F || byte >= 0x80
  }

  private mutating func emitEnd(_ element: OpenElement) {
    parser.expect(.endTag, at: min(markupStart, input.count))
    output.append("</")
    emitName(element)
    output.append(0x3E)
  }

  mutating func emitName(_ element: OpenElement) {
    if element.isRenamed { output.append("other") } else { output.append(bytes(element)) }
  }
}

/// Which names a document has used, up to a bound.
struct SeenNames {
  private var hashes: [UInt64] = []
  private var count = 0
  private(set) var isFull = false

  /// False when the name is new and there are enough already.
  mutating func admit(_ name: UnsafeBufferPointer<UInt8>, limit: Int) -> Bool {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    hash |= 1
    if hashes.isEmpty {
      var size = 64
      while size < limit * 2 { size *= 2 }
      hashes = [UInt64](repeating: 0, count: size)
    }
    let mask = hashes.count - 1
    var index = Int(truncatingIfNeeded: hash &>> 20) & mask
    while hashes[index] != 0 {
      if hashes[index] == hash { return true }
      index = (index + 1) & mask
    }
    guard count < limit else {
      isFull = true
      return false
    }
    hashes[index] = hash
    count += 1
    return true
  }
}
