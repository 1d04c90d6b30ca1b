import NewsService

/// Goes along when an RSS or Atom document is read and notes where it departs from its format.
struct CheckWalk {
  let limit: Int
  private(set) var findings: [Finding] = []

  private struct Level {
    var name: String
    var offset: Int
    /// Names of its children, with prefixes of the vocabularies that count.
    var children: Set<String> = []
    var isText: Bool
  }

  private var isAtom = false
  private var levels: [Level] = []
  /// Open elements beyond those in `levels`.
  private var deeper = 0
  private var text: [UInt8] = []
  private var names: [String: String] = [:]
  private var ids: Set<String> = []

  init(limit: Int) {
    self.limit = limit
  }

  /// The document is read once more, from its beginning.
  mutating func restart() {
    self = CheckWalk(limit: limit)
  }

  // MARK: Events

  private mutating func note(_ offset: Int, _ message: String) {
    guard findings.count < limit else { return }
    findings.append(Finding(offset: offset, message: message))
  }

  mutating func start(
    _ local: UnsafePointer<UInt8>,
    uri: UnsafePointer<UInt8>?,
    attributes: XMLAttributes,
    at offset: Int
  ) {
    guard levels.count < 256 else {
      deeper += 1
      return
    }
    let localName = String(decoding: ByteText.buffer(local), as: UTF8.self)
    if levels.isEmpty { isAtom = localName == "feed" || localName == "entry" }
    let name = prefix(uri) + localName
    if let last = levels.indices.last {
      let isNew = levels[last].children.insert(name).inserted
      if !isNew, isSingle(name, in: levels[last].name) {
        note(offset, "<\(levels[last].name)> has more than one <\(name)>.")
      }
    }
    let isText = Self.textElements.contains(name)
    levels.append(Level(name: name, offset: offset, isText: isText))
    if isText { text.removeAll(keepingCapacity: true) }
    checkAttributes(name, attributes, at: offset)
  }

  mutating func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard levels.last?.isText == true, text.count < 4096 else { return }
    text.append(contentsOf: bytes.prefix(4096))
  }

  mutating func end() {
    guard deeper == 0 else {
      deeper -= 1
      return
    }
    guard let level = levels.popLast() else { return }
    if level.isText { checkText(level) }
    if isAtom { checkAtom(level) } else { checkRSS(level) }
  }

  /// For the namespaces that the rules know: none for RSS and Atom themselves.
  private mutating func prefix(_ uri: UnsafePointer<UInt8>?) -> String {
    guard let uri else { return "" }
    let key = String(decoding: ByteText.buffer(uri), as: UTF8.self)
    if let prefix = names[key] { return prefix }
    let prefix: String
    switch NamespaceTable.vocabulary(uri: ByteText.buffer(uri)) {
    case .core: prefix = ""
    case .atom: prefix = isAtom || levels.isEmpty ? "" : "atom:"
    case .dublinCore: prefix = "dc:"
    default: prefix = "x:"
    }
    if names.count < 100 { names[key] = prefix }
    return prefix
  }

  private static let textElements: Set<String> = [
    "pubDate", "lastBuildDate", "guid", "link", "updated", "published", "id", "dc:date", "author",
  ]

  /// Elements that their parent may have once only.
  private func isSingle(_ name: String, in parent: String) -> Bool {
    switch parent {
    case "item": ["title", "link", "guid", "pubDate", "description", "author", "comments"].contains(name)
    case "channel": ["title", "link", "description", "language", "pubDate", "lastBuildDate"].contains(name)
    case "feed", "entry":
      ["id", "title", "updated", "published", "subtitle", "content", "summary"].contains(name)
    default: false
    }
  }

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
      // Atom's authors are made of elements, and its links of attributes.
      if level.children.isEmpty, level.name != "link" || !isAtom {
        note(level.offset, "<\(level.name)> is empty.")
      }
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
      if !WebLink.isWeb(value) {
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
