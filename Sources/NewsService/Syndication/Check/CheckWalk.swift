import NewsCore
import NewsToolbox

/// Receives the parser's events for an RSS or Atom document and reports breaches of the format.
struct CheckWalk {
  /// An open element.
  struct OpenElement {
    /// The name with the prefix that the rules use for its vocabulary.
    var name: String
    var offset: Int
    /// The attributes' values by lower-case local name; names of the prefix `xml` keep it (`xml:base`).
    var attributes: [String: String]
    /// Index in `text` of the element's first byte of text.
    var textStart: Int
    /// The names of the element's children.
    var children: Set<String> = []
    /// Types and languages of the element's `alternate` links (Atom).
    var alternates: Set<String> = []
    /// True if the element has a link with `rel="self"`.
    var hasSelf = false
    /// The names of attributes whose value has leading or trailing white space.
    var spacedAttributes: Set<String> = []
    /// Values of children that must not repeat a value (`hour`, `day`).
    var values: Set<String> = []
    /// True after a finding about the order of the element's children, which is reported once per element.
    var hasChildFinding = false
    /// The kinds of findings that were reported about the element's XHTML; each kind is reported once.
    var reportedContent: Set<ContentRules.Kind> = []
    /// True if the content is external or not text, which requires a summary (RFC 4287 section 4.1.2).
    var needsSummary = false
  }

  let limit: Int
  /// The latest plausible date; later dates are reported as in the future.
  let latest: Timestamp
  private(set) var findings: [Finding] = []
  private(set) var dialect = CheckDialect.other
  /// True for RSS 0.90, which has neither `rdf:about` nor `items`.
  private(set) var isVersion090 = false
  var levels: [OpenElement] = []
  var ids: Set<String> = []
  /// Number of open elements nested too deeply for `levels`.
  private var deeper = 0
  private var text: [UInt8] = []
  private var prefixes: [String: String] = [:]

  /// Maximum bytes of text that are kept for one element and for all open elements together.
  private static let longestText = 1 << 18
  private static let longestTexts = 1 << 20

  init(limit: Int, latest: Timestamp) {
    self.limit = limit
    self.latest = latest
  }

  /// Resets the check, because the parser reads the document again from its start.
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
    let localName = String(streamSafe: ByteText.buffer(local))
    let namespace = levels.isEmpty ? uri.map { String(cString: $0).streamSafe } : nil
    if levels.isEmpty { dialect = Self.dialect(localName, namespace ?? "") }
    let name = elementName(localName, prefix, uri, at: offset)
    if levels.isEmpty, dialect == .atom { checkNamespace(namespace, localName, at: offset) }
    var level = OpenElement(name: name, offset: offset, attributes: [:], textStart: text.count)
    for index in 0..<attributes.count {
      guard let attribute = attributes[index] else { continue }
      var key = String(cString: attribute.name).streamSafe.lowercased()
      if let prefix = attribute.prefix, String(cString: prefix) == "xml" { key = "xml:" + key }
      let value = ByteText.trimmed(attribute.value)
      level.attributes[key] = XMLAttributes.unescaped(value)
      if value.count < attribute.value.count { level.spacedAttributes.insert(key) }
      if key == "ispermalink", name == "guid", String(cString: attribute.name) != "isPermaLink" {
        note(offset, "the attribute isPermaLink of <guid> is written \(String(cString: attribute.name))")
      }
    }
    if let last = levels.indices.last {
      let isNew = levels[last].children.insert(name).inserted
      if !isNew, CheckVocabulary.isSingle(name, in: levels[last].name, dialect) {
        note(offset, "<\(levels[last].name)> has more than one <\(name)>")
      }
      checkPlace(level, in: levels[last])
      checkOrder(level)
      checkXHTML(&level, localName)
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
      let (value, isSpaced) = text[level.textStart...].withUnsafeBufferPointer {
        let value = ByteText.trimmed($0)
        return (String(streamSafe: value), value.count < $0.count)
      }
      if isSpaced, dialect == .atom { checkSpace(level) }
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

  private static func dialect(_ root: String, _ uri: String) -> CheckDialect {
    switch root {
    case "rss", "channel", "RSS", "Rss": return .rss
    case "RDF", "rdf", "Rdf", "Channel": return .rdf
    case "feed", "entry": return uri.contains("purl.org/atom") ? .atom03 : .atom
    default: return .other
    }
  }

  /// Returns the name by which the rules know an element. RSS elements in a foreign namespace are reported once, and
  /// then checked as RSS.
  private mutating func elementName(
    _ local: String,
    _ prefix: UnsafePointer<UInt8>?,
    _ uri: UnsafePointer<UInt8>?,
    at offset: Int
  ) -> String {
    let name = self.prefix(prefix, uri, at: offset) + local
    guard dialect == .rss || dialect == .rdf, levels.count < 2 else { return name }
    if levels.isEmpty {
      let right = dialect == .rdf ? "rdf:RDF" : local == "channel" ? "channel" : "rss"
      if local.lowercased() == "rss" || local.lowercased() == "rdf", name != right, name.hasSuffix(local),
        local != "RDF", local != "rss"
      {
        note(offset, "the root element is <\(local)>; it is written <\(right)>")
      }
      if dialect == .rss, let uri, name.hasPrefix("x:") {
        reportNamespace(uri, of: local, "RSS has none", at: offset)
      }
      return local == "Channel" || dialect == .rdf && !["RDF", "rdf", "Rdf"].contains(local) ? name : right
    }
    guard dialect == .rdf, ["channel", "item", "image", "textinput"].contains(local) else { return name }
    guard let uri else { return name }
    let namespace = ByteText.buffer(uri)
    if ByteText.hasPrefix(namespace, "http://my.netscape.com/rdf/simple/0.9")
      || ByteText.hasPrefix(namespace, "http://channel.netscape.com/rdf/simple/0.9")
    {
      isVersion090 = true
    }
    if name.hasPrefix("x:") {
      reportNamespace(uri, of: local, "RSS 1.0 has http://purl.org/rss/1.0/", at: offset)
      return local
    }
    return name
  }

  private mutating func reportNamespace(
    _ uri: UnsafePointer<UInt8>,
    of element: String,
    _ right: String,
    at offset: Int
  ) {
    let key = String(cString: uri).streamSafe
    prefixes[key] = ""
    note(offset, "the namespace of <\(element)> is \(key.prefix(100)); \(right)")
  }

  /// Returns the prefix that the rules use for a namespace: none for RSS, and for Atom in an Atom document;
  /// `x:` for vocabularies without rules.
  private mutating func prefix(
    _ prefix: UnsafePointer<UInt8>?,
    _ uri: UnsafePointer<UInt8>?,
    at offset: Int
  ) -> String {
    guard let space = uri ?? prefix else { return "" }
    let key = String(cString: space).streamSafe
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
    // An RSS 1.0 module has the same elements in another namespace.
    case .threading: name = key.contains("rss/1.0") ? "x:" : "thr:"
    case .xhtml: name = "xhtml:"
    default: name = "x:"
    }
    if prefixes.count < 100 { prefixes[key] = name }
    if uri != nil, dialect != .atom03, let usual = CheckVocabulary.namespaces[name], !usual.contains(key) {
      note(offset, "the namespace \(key.prefix(100)) should be \(usual[0])")
    }
    return name
  }

  /// Reports an element without a prefix if its parent does not allow it.
  private mutating func checkPlace(_ level: OpenElement, in parent: OpenElement) {
    guard !level.name.contains(":"), dialect != .atom03 else {
      if isAtom, isTextConstruct(parent) { noteMarkup(level, in: parent) }
      return
    }
    if isAtom, isTextConstruct(parent) {
      noteMarkup(level, in: parent)
      return
    }
    if isAtom, parent.name == "generator" {
      note(level.offset, "<generator> must not contain elements (<\(level.name)>)")
    }
    guard let children = CheckVocabulary.children(dialect)[parent.name], !children.contains(level.name) else {
      return
    }
    let known = children.first { $0.lowercased() == level.name.lowercased() }
    let hint = known.map { "; it is written <\($0)>" } ?? ""
    note(level.offset, "<\(parent.name)> must not contain <\(level.name)>\(hint)")
  }

  private mutating func noteMarkup(_ level: OpenElement, in parent: OpenElement) {
    let type = parent.attributes["type"] ?? "text"
    guard type == "text" || type == "html" || type.hasPrefix("text/") && !type.hasSuffix("xml") else {
      return
    }
    note(level.offset, "<\(parent.name)> of type \(type) must not contain elements (<\(level.name)>)")
  }

  /// Reports channel elements after the first item, because streaming readers ignore them.
  private mutating func checkOrder(_ level: OpenElement) {
    guard dialect == .rss, let last = levels.indices.last, levels[last].name == "channel",
      levels[last].children.contains("item"), level.name != "item", !levels[last].hasChildFinding,
      CheckVocabulary.rss["channel"]?.contains(level.name) == true
    else { return }
    levels[last].hasChildFinding = true
    note(level.offset, "<\(level.name)> comes after an <item>; put the items last")
  }

  func isTextConstruct(_ level: OpenElement) -> Bool {
    ["title", "subtitle", "summary", "rights", "content"].contains(level.name)
  }
}
