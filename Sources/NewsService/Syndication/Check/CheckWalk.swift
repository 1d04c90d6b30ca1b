import NewsCore

/// Goes along when an RSS or Atom document is read and notes where it departs from its format.
struct CheckWalk {
  enum Dialect {
    case rss, rdf, atom, atom03, other
  }

  /// An open element.
  struct Level {
    /// With the prefix of its vocabulary.
    var name: String
    var offset: Int
    /// By local name in lower case.
    var attributes: [String: String]
    /// Where its text begins.
    var textStart: Int
    /// Names of its children.
    var children: Set<String> = []
    /// Types and languages of the links to its page (Atom).
    var alternates: Set<String> = []
    /// It has a link to its own address.
    var hasSelf = false
    /// Its content is elsewhere, or no text: RFC 4287 section 4.1.2 wants a summary.
    var needsSummary = false
  }

  let limit: Int
  /// Dates beyond it lie in the future.
  let latest: Timestamp
  private(set) var findings: [Finding] = []
  private(set) var dialect = Dialect.other
  var levels: [Level] = []
  var ids: Set<String> = []
  /// Open elements beyond those in `levels`.
  private var deeper = 0
  private var text: [UInt8] = []
  private var prefixes: [String: String] = [:]

  /// Bytes of an element's text that are looked at, and of all open ones together.
  private static let longestText = 1 << 18
  private static let longestTexts = 1 << 20

  init(limit: Int, latest: Timestamp) {
    self.limit = limit
    self.latest = latest
  }

  /// The document is read once more, from its beginning.
  mutating func restart() {
    self = CheckWalk(limit: limit, latest: latest)
  }

  var isAtom: Bool { dialect == .atom || dialect == .atom03 }
  var acceptsFindings: Bool { findings.count < limit }

  mutating func note(_ offset: Int, _ message: String) {
    guard acceptsFindings else { return }
    findings.append(Finding(offset: offset, message: message))
  }

  // MARK: Events

  mutating func start(
    _ local: UnsafePointer<UInt8>,
    prefix: UnsafePointer<UInt8>?,
    uri: UnsafePointer<UInt8>?,
    attributes: XMLAttributes,
    at offset: Int
  ) {
    guard levels.count < 256 else {
      deeper += 1
      return
    }
    let localName = String(decoding: ByteText.buffer(local), as: UTF8.self)
    if levels.isEmpty { dialect = Self.dialect(localName, uri.map { String(cString: $0) } ?? "") }
    let name = self.prefix(prefix, uri, at: offset) + localName
    if levels.isEmpty, dialect == .atom {
      checkNamespace(uri.map { String(cString: $0) }, localName, at: offset)
    }
    var level = Level(name: name, offset: offset, attributes: [:], textStart: text.count)
    for index in 0..<attributes.count {
      guard let attribute = attributes[index] else { continue }
      var key = String(cString: attribute.name).lowercased()
      if let prefix = attribute.prefix, String(cString: prefix) == "xml" { key = "xml:" + key }
      level.attributes[key] = XMLAttributes.unescaped(ByteText.trimmed(attribute.value))
    }
    if let last = levels.indices.last {
      let isNew = levels[last].children.insert(name).inserted
      if !isNew, CheckVocabulary.isSingle(name, in: levels[last].name, isAtom: isAtom) {
        note(offset, "<\(levels[last].name)> has more than one <\(name)>.")
      }
      checkPlace(level, in: levels[last])
    }
    checkAttributes(level)
    levels.append(level)
  }

  mutating func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = levels.last?.textStart, text.count < Self.longestTexts else { return }
    let room = Self.longestText - (text.count - start)
    if room > 0 { text.append(contentsOf: bytes.prefix(room)) }
  }

  mutating func end() {
    guard deeper == 0 else {
      deeper -= 1
      return
    }
    guard let level = levels.popLast() else { return }
    if acceptsFindings {
      let value = text[level.textStart...].withUnsafeBufferPointer {
        String(decoding: ByteText.trimmed($0), as: UTF8.self)
      }
      switch dialect {
      case .rss, .rdf: checkRSS(level, value)
      case .atom, .atom03: checkAtom(level, value)
      case .other: break
      }
      checkModules(level, value)
    }
    text.removeSubrange(level.textStart...)
  }

  // MARK: Names

  private static func dialect(_ root: String, _ uri: String) -> Dialect {
    switch root {
    case "rss", "channel": return .rss
    case "RDF", "Channel": return .rdf
    case "feed", "entry": return uri.contains("purl.org/atom") ? .atom03 : .atom
    default: return .other
    }
  }

  /// For the vocabularies that the rules know: none for RSS and Atom themselves, `x:` for all others.
  private mutating func prefix(
    _ prefix: UnsafePointer<UInt8>?,
    _ uri: UnsafePointer<UInt8>?,
    at offset: Int
  ) -> String {
    guard let space = uri ?? prefix else { return "" }
    let key = String(cString: space)
    if let known = prefixes[key] { return known }
    let vocabulary =
      uri == nil
      ? NamespaceTable.vocabulary(prefix: key) : NamespaceTable.vocabulary(uri: ByteText.buffer(space))
    let name: String
    switch vocabulary {
    case .core: name = ""
    case .atom: name = isAtom ? "" : "atom:"
    case .rdf: name = "rdf:"
    case .dublinCore: name = "dc:"
    case .dcTerms: name = "dcterms:"
    case .content: name = "content:"
    case .itunes: name = "itunes:"
    case .podcast: name = "podcast:"
    case .media: name = "media:"
    case .slash: name = "slash:"
    case .wfw: name = "wfw:"
    case .syndication: name = "sy:"
    case .georss: name = "georss:"
    case .geo: name = "geo:"
    case .threading: name = "thr:"
    case .xhtml: name = "xhtml:"
    default: name = "x:"
    }
    if prefixes.count < 100 { prefixes[key] = name }
    if uri != nil, dialect != .atom03, let usual = CheckVocabulary.namespaces[name], !usual.contains(key) {
      note(offset, "The namespace \(key.prefix(100)) is to be written \(usual[0]).")
    }
    return name
  }

  /// An element of the format itself where the format has none of that name.
  private mutating func checkPlace(_ level: Level, in parent: Level) {
    guard !level.name.contains(":"), dialect != .atom03 else {
      if isAtom, isTextConstruct(parent) { noteMarkup(level, in: parent) }
      return
    }
    if isAtom, isTextConstruct(parent) {
      noteMarkup(level, in: parent)
      return
    }
    let table = isAtom ? CheckVocabulary.atom : dialect == .rdf ? CheckVocabulary.rdf : CheckVocabulary.rss
    guard let children = table[parent.name], !children.contains(level.name) else { return }
    let known = children.first { $0.lowercased() == level.name.lowercased() }
    let hint = known.map { "; it is written <\($0)>" } ?? ""
    note(level.offset, "<\(parent.name)> may hold no <\(level.name)>\(hint).")
  }

  private mutating func noteMarkup(_ level: Level, in parent: Level) {
    let type = parent.attributes["type"] ?? "text"
    guard type == "text" || type == "html" else { return }
    note(level.offset, "<\(parent.name)> of type \(type) may hold no element (<\(level.name)>).")
  }

  func isTextConstruct(_ level: Level) -> Bool {
    ["title", "subtitle", "summary", "rights", "content"].contains(level.name)
  }
}
