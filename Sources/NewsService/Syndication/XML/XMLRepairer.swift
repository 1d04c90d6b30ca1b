import NewsToolbox

/// Rewrites ill-formed XML as well-formed XML and records each error with its position.
///
/// Examples: an ampersand between words is escaped, a `<` before a space is text, an end tag without a start
/// tag is dropped, an item ends where the next item begins. Comments, processing instructions and DOCTYPEs
/// are dropped, and declared entities are expanded up to a limit. Otherwise, the meaning of well-formed parts
/// does not change. Time is linear.
struct XMLRepairer: ~Copyable {
  struct OpenElement {
    /// Offset of the qualified name in the input.
    var start: Int
    var length: Int
    /// Hash of the name in lower case.
    var hash: UInt8 = 0
    /// True if the element is written as `other`, because its name is too long or the document has too many
    /// names.
    var isRenamed = false
  }

  let input: UnsafeBufferPointer<UInt8>
  let limits: ParseLimits
  /// Receives the repaired XML.
  let parser: XMLPushParser
  var output = ByteBuffer(capacity: 20 * 1024)
  private(set) var open: [OpenElement] = []
  /// Number of open elements for each hash, so that an end tag without a start tag needs no search.
  private var openCounts = [UInt16](repeating: 0, count: 256)
  var position = 0
  /// Offset of the markup being repaired.
  var markupStart = 0
  var isFinished = false
  /// True after the root's end tag, which is written at the end of the document, so that a second root becomes its
  /// child.
  var isRootClosed = false
  var hasRoot = false
  /// Range of the prefix and colon of a root such as `<a:feed>` or `<a:rss>`; nil for any other root.
  var rootPrefix: Range<Int>?
  var hasDoctype = false
  /// Attribute names of the current tag, for detecting repeated attributes.
  var attributeNames: [OpenElement] = []
  var entities = XMLEntities()
  var names = SeenNames()
  var hasNotedNames = false
  /// Cached search results, which make repeated searches linear. `commentsAhead` has the offsets of the next comment
  /// end, item tag and comment start.
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
      repairText()
      guard position < input.count, !isFinished else { break }
      repairMarkup()
      if output.count >= XMLPushParser.chunkSize { flush() }
    }
    markupStart = input.count
    if !isFinished, !open.isEmpty, !isRootClosed {
      if acceptsFindings { note(input.count, "the document ends inside \(name(open[open.count - 1]))") }
    }
    closeLast(open.count)
    flush()
  }

  mutating func push(_ element: OpenElement) {
    openCounts[Int(element.hash)] &+= 1
    open.append(element)
  }

  /// Ends the innermost `count` elements.
  mutating func closeLast(_ count: Int) {
    for _ in 0..<count {
      guard let element = open.popLast() else { return }
      openCounts[Int(element.hash)] &-= 1
      emitEnd(element)
    }
  }

  /// Returns the index of the innermost open element with this name. Ignores case if no name matches exactly.
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
    parser.releaseDocument()
  }

  mutating func note(_ offset: Int, _ message: String) {
    guard acceptsFindings else { return }
    findings.append(Finding(offset: offset, message: message))
  }

  /// False once the maximum number of findings is reached.
  var acceptsFindings: Bool { findings.count < limits.maximumProblems }

  mutating func truncateFindings(to count: Int) {
    findings.removeLast(findings.count - count)
  }

  func name(_ element: OpenElement) -> String {
    "<" + String(streamSafe: bytes(element)) + ">"
  }

  func bytes(_ element: OpenElement) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: input[element.start..<(element.start + element.length)])
  }

  /// Returns the name without the root's prefix, for look-ups in tables of field names: in `<a:feed>`, `a:entry`
  /// becomes `entry`.
  func fieldName(_ name: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    guard let rootPrefix, name.count > rootPrefix.count, name.starts(with: input[rootPrefix]) else {
      return name
    }
    return UnsafeBufferPointer(rebasing: name[rootPrefix.count...])
  }

  /// Stores the prefix of the root element if it is a `feed` or `rss`.
  mutating func setRootPrefix(_ element: OpenElement) {
    let name = bytes(element)
    guard let colon = ByteText.firstIndex(of: UInt8(ascii: ":"), in: name) else { return }
    let local = UnsafeBufferPointer(rebasing: name[(colon + 1)...])
    if ByteText.equals(local, "feed") || ByteText.equals(local, "rss") {
      rootPrefix = element.start..<(element.start + colon + 1)
    }
  }

  /// Returns the input from `offset` to its end.
  func rest(_ offset: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: input[min(offset, input.count)...])
  }

  func starts(with word: StaticString, at offset: Int) -> Bool {
    ByteText.hasPrefix(rest(offset), word)
  }

  /// Skips text before the document, for example server warnings.
  private mutating func skipJunk() {
    var index = 0
    var start: Int?
    while let found = ByteText.firstIndex(of: UInt8(ascii: "<"), in: input, from: index) {
      if starts(with: "<?xml", at: found), found + 5 < input.count, input[found + 5] <= UInt8(ascii: " ") {
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
      note(0, "the XML declaration is not at the start of the document")
      position = start
    } else if let first = before.first(where: { $0 > UInt8(ascii: " ") }), first != UInt8(ascii: "<") {
      note(0, "text precedes the root element")
      position = start
    }
  }

  /// True for the root start tag of a feed, with any prefix.
  private func isRootTag(at offset: Int) -> Bool {
    var start = offset + 1
    var end = start
    while end < input.count, end - start < 40, ByteText.isNameByte(input[end]) {
      if input[end] == UInt8(ascii: ":") { start = end + 1 }
      end += 1
    }
    let name = UnsafeBufferPointer(rebasing: input[min(start, end)..<end])
    return ByteText.equals(name, "rss") || ByteText.equals(name, "feed") || ByteText.equals(name, "rdf")
      || ByteText.equals(name, "channel")
  }

  @inline(__always)
  static func isNameStart(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || byte == UInt8(ascii: "_") || byte >= 0x80
  }

  private mutating func emitEnd(_ element: OpenElement) {
    parser.expect(.endTag, at: min(markupStart, input.count))
    output.append("</")
    emitName(element)
    output.append(UInt8(ascii: ">"))
  }

  mutating func emitName(_ element: OpenElement) {
    if element.isRenamed { output.append("other") } else { output.append(bytes(element)) }
  }
}

/// Names used by the document, up to limits of their number and bytes.
struct SeenNames {
  private var hashes: [UInt64] = []
  private var count = 0
  private var bytes = 0
  private(set) var isFull = false

  /// Adds a name. Returns false if the name is new and a limit is reached.
  mutating func admit(_ name: UnsafeBufferPointer<UInt8>, _ limits: ParseLimits) -> Bool {
    let hash = FNV1a<UInt64>(name).value | 1
    if hashes.isEmpty {
      var size = 64
      while size < limits.maximumNames * 2 { size *= 2 }
      hashes = [UInt64](repeating: 0, count: size)
    }
    let mask = hashes.count - 1
    var index = Int(truncatingIfNeeded: hash &>> 20) & mask
    while hashes[index] != 0 {
      if hashes[index] == hash { return true }
      index = (index + 1) & mask
    }
    guard count < limits.maximumNames, bytes + name.count <= limits.maximumNameBytes else {
      isFull = true
      return false
    }
    hashes[index] = hash
    count += 1
    bytes += name.count
    return true
  }
}
