import CLibXML2
import NewsService

/// Walks over a well-formed RSS or Atom document and notes where it departs from its format.
struct CheckWalk {
  let input: UnsafeBufferPointer<UInt8>
  let isAtom: Bool
  let limit: Int
  private(set) var findings: [XMLMender.Finding] = []

  private struct Level {
    var name: String
    var offset: Int
    /// Names of its children, with prefixes of the vocabularies that count.
    var children: Set<String> = []
    var isText: Bool
  }

  private var levels: [Level] = []
  private var text: [UInt8] = []
  private var cache = NamespaceNames()
  private var ids: Set<String> = []
  private var feedHasAuthor = false

  init(input: UnsafeBufferPointer<UInt8>, isAtom: Bool, limit: Int) {
    self.input = input
    self.isAtom = isAtom
    self.limit = limit
  }

  private struct Context {
    var walk: UnsafeMutablePointer<CheckWalk>
    var parser: xmlParserCtxtPtr?
  }

  mutating func run() {
    XMLPushParser.initializeLibrary()
    let input = input
    withUnsafeMutablePointer(to: &self) { walk in
      let context = UnsafeMutablePointer<Context>.allocate(capacity: 1)
      context.initialize(to: Context(walk: walk, parser: nil))
      defer { context.deallocate() }
      var handler = Self.handler()
      guard let parser = xmlCreatePushParserCtxt(&handler, context, nil, 0, nil) else { return }
      defer { xmlFreeParserCtxt(parser) }
      context.pointee.parser = parser
      xmlCtxtUseOptions(parser, Int32(XML_PARSE_NONET.rawValue | XML_PARSE_IGNORE_ENC.rawValue))
      guard let base = input.baseAddress else { return }
      var offset = 0
      while offset < input.count {
        let size = min(XMLPushParser.chunkSize, input.count - offset)
        UnsafeRawPointer(base + offset).withMemoryRebound(to: CChar.self, capacity: size) {
          _ = xmlParseChunk(parser, $0, Int32(size), 0)
        }
        offset += size
      }
      xmlParseChunk(parser, nil, 0, 1)
    }
  }

  private static func handler() -> xmlSAXHandler {
    var handler = xmlSAXHandler()
    handler.initialized = UInt32(XML_SAX2_MAGIC)
    handler.startElementNs = { context, name, prefix, uri, _, _, count, _, attributes in
      guard let context = context?.assumingMemoryBound(to: Context.self), let name else { return }
      let end = context.pointee.parser.map { Int(xmlByteConsumed($0)) } ?? 0
      context.pointee.walk.pointee.start(
        name,
        uri: uri,
        attributes: XMLAttributes(attributes, count: Int(count)),
        tagEnd: end
      )
    }
    handler.endElementNs = { context, _, _, _ in
      context?.assumingMemoryBound(to: Context.self).pointee.walk.pointee.end()
    }
    handler.characters = { context, text, length in
      guard let context = context?.assumingMemoryBound(to: Context.self), let text else { return }
      context.pointee.walk.pointee.characters(UnsafeBufferPointer(start: text, count: Int(length)))
    }
    handler.ignorableWhitespace = handler.characters
    handler.cdataBlock = handler.characters
    handler.serror = { _, _ in }
    return handler
  }

  // MARK: Events

  private mutating func note(_ offset: Int, _ message: String) {
    guard findings.count < limit else { return }
    findings.append(XMLMender.Finding(offset: offset, message: message))
  }

  private mutating func start(
    _ local: UnsafePointer<UInt8>,
    uri: UnsafePointer<UInt8>?,
    attributes: XMLAttributes,
    tagEnd: Int
  ) {
    guard levels.count < 256 else { return }
    // No `<` stands inside a tag, so that the last one before its end began it.
    var offset = min(max(tagEnd - 1, 0), input.count - 1)
    while offset > 0, input[offset] != 0x3C { offset -= 1 }
    let name = cache.prefix(uri) + String(decoding: ByteText.buffer(local), as: UTF8.self)
    if let last = levels.indices.last { levels[last].children.insert(name) }
    let isText = Self.textElements.contains(name)
    levels.append(Level(name: name, offset: offset, isText: isText))
    if isText { text.removeAll(keepingCapacity: true) }
    checkAttributes(name, attributes, at: offset)
  }

  private mutating func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard levels.last?.isText == true, text.count < 4096 else { return }
    text.append(contentsOf: bytes.prefix(4096))
  }

  private mutating func end() {
    guard let level = levels.popLast() else { return }
    if level.isText { checkText(level) }
    if isAtom { checkAtom(level) } else { checkRSS(level) }
  }

  private static let textElements: Set<String> = [
    "pubDate", "lastBuildDate", "guid", "link", "updated", "published", "id", "dc:date", "author",
  ]

  // MARK: Rules

  private mutating func checkAttributes(_ name: String, _ attributes: XMLAttributes, at offset: Int) {
    switch name {
    case "rss":
      if attributes.text("version") == nil { note(offset, "<rss> has no version.") }
    case "enclosure":
      for key: StaticString in ["url", "length", "type"] where attributes.text(key) == nil {
        note(offset, "<enclosure> has no \(key).")
      }
      if let length = attributes.text("length"), Int64(length) == nil {
        note(offset, "The length of <enclosure> is not a number of bytes.")
      }
    case "link" where isAtom:
      if attributes.raw("href") == nil { note(offset, "<link> has no href.") }
    default: break
    }
  }

  private mutating func checkText(_ level: Level) {
    let value = text.withUnsafeBufferPointer { String(decoding: ByteText.trimmed($0), as: UTF8.self) }
    guard !value.isEmpty else {
      if level.name != "link" || !isAtom { note(level.offset, "<\(level.name)> is empty.") }
      return
    }
    switch level.name {
    case "pubDate", "lastBuildDate":
      if DateParser.parse(value) == nil {
        note(level.offset, "<\(level.name)> holds no date: \(value.prefix(60)).")
      } else if !Self.looksLikeRFC822(value) {
        note(
          level.offset,
          "<\(level.name)> is not written as RFC 822 asks, as in Fri, 20 Nov 2026 08:15:00 +0000."
        )
      }
    case "updated", "published", "dc:date":
      if DateParser.parse(value) == nil {
        note(level.offset, "<\(level.name)> holds no date: \(value.prefix(60)).")
      } else if isAtom, !Self.looksLikeRFC3339(value) {
        note(level.offset, "<\(level.name)> is not written as RFC 3339 asks, as in 2026-11-20T08:15:00Z.")
      }
    case "link" where !isAtom:
      if !FeedBuilder.isWebAddress(value) {
        note(level.offset, "<link> is not a whole address: \(value.prefix(60)).")
      }
    case "guid", "id":
      let isItem = levels.last.map { $0.name == "item" || $0.name == "entry" } ?? false
      if isItem, !ids.insert(value).inserted {
        note(level.offset, "<\(level.name)> is that of another item: \(value.prefix(60)).")
      }
    default: break
    }
  }

  private static func looksLikeRFC822(_ text: String) -> Bool {
    let parts = text.split(separator: " ")
    guard parts.count >= 5 || (parts.count == 4 && !text.utf8.contains(0x2C)) else { return false }
    return text.utf8.allSatisfy { $0 < 0x80 } && !text.utf8.contains(0x54 as UInt8, after: 0x30...0x39)
  }

  private static func looksLikeRFC3339(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[10] | 0x20 == 0x74, bytes[13] == 0x3A,
      bytes[16] == 0x3A
    else { return false }
    return bytes[bytes.count - 1] | 0x20 == 0x7A || bytes[bytes.count - 3] == 0x3A
  }

  private mutating func checkRSS(_ level: Level) {
    switch level.name {
    case "channel":
      for name in ["title", "link", "description"] where !level.children.contains(name) {
        note(level.offset, "<channel> has no <\(name)>.")
      }
    case "item":
      if !level.children.contains("title"), !level.children.contains("description") {
        note(level.offset, "<item> has neither a <title> nor a <description>.")
      }
      if levels.last?.name == "channel" {
        if !level.children.contains("guid") { note(level.offset, "<item> has no <guid>.") }
        if !level.children.contains("pubDate"), !level.children.contains("dc:date") {
          note(level.offset, "<item> has no <pubDate>.")
        }
      }
    default: break
    }
  }

  private mutating func checkAtom(_ level: Level) {
    switch level.name {
    case "feed", "entry":
      for name in ["id", "title", "updated"] where !level.children.contains(name) {
        note(level.offset, "<\(level.name)> has no <\(name)>.")
      }
      if level.name == "entry", !level.children.contains("author"), !level.children.contains("source"),
        levels.last?.children.contains("author") == false
      {
        note(level.offset, "<entry> has no <author>, and neither has its feed so far.")
      }
      if level.name == "entry", !level.children.contains("content"), !level.children.contains("link") {
        note(level.offset, "<entry> has neither <content> nor <link>.")
      }
    default: break
    }
  }
}

/// Prefixes for the namespaces that the rules know: none for RSS and Atom themselves.
private struct NamespaceNames {
  private var known: [UnsafePointer<UInt8>: String] = [:]

  mutating func prefix(_ uri: UnsafePointer<UInt8>?) -> String {
    guard let uri else { return "" }
    if let prefix = known[uri] { return prefix }
    let prefix: String
    switch NamespaceTable.vocabulary(uri: ByteText.buffer(uri)) {
    case .core, .atom: prefix = ""
    case .dublinCore: prefix = "dc:"
    default: prefix = "x:"
    }
    known[uri] = prefix
    return prefix
  }
}

extension String.UTF8View {
  /// True when `byte` stands right after one of `range`.
  fileprivate func contains(_ byte: UInt8, after range: ClosedRange<UInt8>) -> Bool {
    var previous: UInt8 = 0
    for next in self {
      if next == byte, range.contains(previous) { return true }
      previous = next
    }
    return false
  }
}
