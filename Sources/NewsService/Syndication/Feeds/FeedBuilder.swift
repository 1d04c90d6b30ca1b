import NewsCore
import NewsToolbox

/// Builds a feed from the events of an XML parser.
///
/// One value for one document, at a stable address, because libxml2 holds it. One buffer holds the text of all open
/// fields, so that a field costs one `String`.
struct FeedBuilder: ~Copyable {
  /// Owner of the fields that the children of an element are.
  enum Scope: UInt8 {
    case outside, feed, item, source, image, textInput, person, media

    /// Also around the feed's own element, where some programs put its fields.
    var isFeed: Bool { self == .feed || self == .outside }
  }

  /// How text is collected.
  enum Capture: UInt8 {
    case ignore
    /// Unchanged.
    case raw
    /// With `<`, `>` and `&` escaped, because the field contains elements.
    case escaped
  }

  /// Declared type of a text.
  enum TextType: UInt8 {
    /// Not declared; may contain markup.
    case unstated
    case plain
    case html
    case xhtml
    /// Base64 of HTML or text.
    case base64
  }

  struct Frame {
    var element: FeedElement
    var scope: Scope
    var capture: Capture
    var type: TextType
    /// The children are markup.
    var isLeaf = false
    var hasMarkup = false
    var changesBase = false
    var changesLanguage = false
    var vocabulary: Vocabulary
    /// Start of this element's text in the buffer.
    var textStart: Int
    /// Start of the text of the enclosing field.
    var fieldStart: Int
  }

  let limits: ParseLimits
  let sanitizes: Bool
  /// False: HTML is not converted to plain text.
  var makesText = true

  private let givenBase: BaseURL?
  var maximumTotalBytes: Int
  /// Finds the channel's link in the whole document, for items before it.
  var findChannelLink: (() -> BaseURL?)?
  /// Only elements outside items are read.
  var isLookingAhead = false
  /// Sees every element and its text, for the publisher's check.
  var walk: UnsafeMutablePointer<CheckWalk>?
  /// Takes each item when it is complete; nil: they are collected in `feed`.
  var onItem: ((ParsedItem) -> Void)?

  // The document.
  /// Its pages, if they can be read again after they were released.
  var pages: DocumentPages?
  /// The document stays in memory until it is read.
  var isDocumentStable = false
  /// The document has carriage returns, which text that bypassed libxml2 still holds.
  var normalizesLineEnds = false
  /// The document is well-formed as far as it was read.
  var isWellFormed = false
  /// The document while it is read in spite of errors.
  var illFormedDocument: UnsafeBufferPointer<UInt8>? {
    didSet { tagBalance = nil }
  }
  private var tagBalance: TagBalance?

  // Memory that is used again and again.
  var frames: UnsafeMutablePointer<Frame>
  var cache = ElementCache()
  /// Text of all open fields, each from its own start.
  var buffer = ByteBuffer(capacity: 16 * 1024)
  var decoded = ByteBuffer(capacity: 64)
  var scratch = ByteBuffer(capacity: 1024)
  var line = ByteBuffer(capacity: 1024)
  var sanitizer = HTMLSanitizer()
  var plainText = HTMLPlainText()
  /// A field's text while it is one piece of the document and need not be copied; of the element at `pendingDepth`, 0 for
  /// none.
  var pending = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  var pendingDepth = 0

  // Results and state of one run; see `restart`.
  var place = Place()
  var root = Root()
  var inherited = Inherited()
  var markup = Markup()
  var feed = ParsedFeed(format: "")
  var channel = Channel()
  var entry = Entry()
  var parts = Parts()
  var delivery = Delivery()
  var limitsHit = Limits()

  init(limits: ParseLimits, sanitizes: Bool, documentBase: BaseURL?) {
    self.limits = limits
    self.sanitizes = sanitizes
    givenBase = documentBase
    maximumTotalBytes = limits.maximumTotalBytes
    inherited = Inherited(documentBase: documentBase, base: documentBase)
    sanitizer.keepsFragments = true
    frames = UnsafeMutablePointer<Frame>.allocate(capacity: limits.maximumDepth + 8)
  }

  deinit {
    frames.deallocate()
  }

  /// Prepares for a second run, over the repaired document.
  mutating func restart() {
    deliverHeld()
    place = Place()
    root = Root()
    inherited = Inherited(documentBase: givenBase, base: givenBase)
    markup = Markup()
    feed = ParsedFeed(format: "")
    channel = Channel()
    parts = Parts()
    resetItem()
    delivery = delivery.restarted
    limitsHit = Limits()
    isWellFormed = false
    isDocumentStable = false
    cache.removeAll()
    buffer.removeAll()
    pendingDepth = 0
    walk?.pointee.restart()
  }

  mutating func resetItem() {
    sanitizer.beginItem()
    entry = Entry()
  }

  // MARK: Events

  mutating func startElement(
    _ name: UnsafePointer<UInt8>,
    prefix: UnsafePointer<UInt8>?,
    uri: UnsafePointer<UInt8>?,
    attributes: XMLAttributes
  ) {
    walk?.pointee.start(name, prefix: prefix, uri: uri, attributes: attributes, at: place.offset)
    if place.skipDepth > 0 {
      place.skipDepth &+= 1
      return
    }
    guard place.depth < limits.maximumDepth else {
      note(
        .depth,
        "Elements are nested deeper than \(limits.maximumDepth); the document was read up to there."
      )
      stop()
      return
    }
    if place.depth > 0, frames[place.depth &- 1].isLeaf {
      if pendingDepth != 0 { takePending() }
      startMarkup(name, prefix: prefix, uri: uri, attributes: attributes)
      return
    }
    if pendingDepth != 0 { takePending() }
    let (element, vocabulary) = cache.lookUp(name, prefix: prefix, uri: uri)
    if place.depth == 0, prefix == nil { root.space = uri }
    if place.depth == 0, root.name == nil {
      root.name = String(decoding: ByteText.buffer(name), as: UTF8.self)
    }
    if element == .unknown, place.scope == .person, place.capture == .raw {
      // A name with markup: `<author>by <a href="…">Name</a></author>`.
      frames[place.depth &- 1].isLeaf = true
      startMarkup(name, prefix: prefix, uri: uri, attributes: attributes)
      return
    }
    // The children of an unknown element say nothing of the item (RFC 4287 section 6.3).
    if element == .unknown, place.scope == .item || place.scope == .source, isClosed(name) {
      place.skipDepth = 1
      return
    }
    if place.depth > 0, element == .foreign || isLookingAhead && element == .item {
      place.skipDepth = 1
      return
    }
    frames[place.depth] = Frame(
      element: element,
      scope: place.scope,
      capture: place.capture,
      type: .unstated,
      vocabulary: vocabulary,
      textStart: buffer.count,
      fieldStart: buffer.count
    )
    place.depth &+= 1
    place.capture = .ignore
    if attributes.count > 0 { readScopedAttributes(attributes) }
    if element == .unknown {
      // An unknown element around items, or with fields of its own.
      if place.scope == .feed, isClosed(name) { place.scope = .textInput }
      return
    }
    start(element, vocabulary, attributes, uri: uri)
  }

  /// False for an element that may have been left open, so that fields of its parent follow as its children.
  mutating func isClosed(_ name: UnsafePointer<UInt8>) -> Bool {
    guard !isWellFormed, let illFormedDocument else { return isWellFormed }
    if tagBalance == nil {
      tagBalance = TagBalance(illFormedDocument, maximumNames: limits.maximumNames)
    }
    return tagBalance?.isClosed(ByteText.buffer(name)) ?? false
  }

  /// Reads the namespaces declared by the root: alternating prefix and URI.
  mutating func declareRootNamespaces(_ namespaces: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, count: Int)
  {
    guard let namespaces else { return }
    for index in 0..<count where root.format == nil {
      root.format = namespaces[index * 2 + 1].flatMap { FeedFormat.rdf(uri: ByteText.buffer($0)) }
    }
  }

  mutating func endElement() {
    walk?.pointee.end()
    if place.skipDepth > 0 {
      place.skipDepth &-= 1
      return
    }
    guard place.depth > 0 else { return }
    if frames[place.depth &- 1].element == .markup {
      endMarkup()
      return
    }
    place.depth &-= 1
    let frame = frames[place.depth]
    // The base of the element applies to its own text.
    end(frame)
    pendingDepth = 0
    buffer.truncate(to: frame.textStart)
    if buffer.capacity > Self.largeBuffer { giveBackBuffers() }
    place.scope = frame.scope
    place.capture = frame.capture
    if frame.changesBase {
      inherited.bases.removeLast()
      updateBase()
    }
    if frame.changesLanguage { inherited.languages.removeLast() }
  }

  private static let largeBuffer = 1 << 19

  @inline(never)
  private mutating func giveBackBuffers() {
    buffer.trim(toAtMost: Self.largeBuffer / 2)
    decoded.trim(toAtMost: Self.largeBuffer / 2)
    scratch.removeAll()
    scratch.trim(toAtMost: Self.largeBuffer / 2)
    line.removeAll()
    line.trim(toAtMost: Self.largeBuffer / 2)
  }

  // MARK: Scoped attributes

  mutating func readScopedAttributes(_ attributes: XMLAttributes) {
    for index in 0..<attributes.count {
      guard let attribute = attributes[index], Self.isXML(attribute.prefix) else { continue }
      let name = ByteText.buffer(attribute.name)
      if ByteText.equals(name, "base") {
        let reference = XMLAttributes.unescaped(ByteText.trimmed(attribute.value))
        // A base resolves against the enclosing bases and the address of the document, not against the channel link.
        let outer = (inherited.bases.last ?? nil) ?? inherited.documentBase ?? inherited.channelBase
        if inherited.bases.isEmpty { inherited.relativeBase = outer == nil ? reference : nil }
        let resolved = URLResolver.resolve(reference, against: outer, policy: .link)
        inherited.bases.append(resolved.flatMap { makeBase($0) } ?? outer)
        if frames[place.depth - 1].element == .markup { markup.bases += 1 }
        frames[place.depth - 1].changesBase = true
        updateBase()
      } else if ByteText.equals(name, "lang") {
        inherited.languages.append(Self.languageTag(attribute.value) ?? "")
        frames[place.depth - 1].changesLanguage = true
      }
    }
  }

  mutating func updateBase() {
    let own = inherited.channelBase ?? inherited.documentBase
    // A relative base for which no base was known before.
    if let unresolved = inherited.relativeBase, inherited.bases.count == 1, inherited.bases[0] == nil,
      own != nil
    {
      inherited.bases[0] = URLResolver.resolve(unresolved, against: own, policy: .link).flatMap {
        makeBase($0)
      }
    }
    inherited.base = (inherited.bases.last ?? nil) ?? own
  }

  /// Nil, with a finding, if `url` is too long for a base.
  mutating func makeBase(_ url: String) -> BaseURL? {
    if url.utf8.count > BaseURL.maximumLength {
      note(
        .base,
        "A base is longer than \(BaseURL.maximumLength) bytes; relative links do not count from it."
      )
    }
    return BaseURL(url)
  }

  /// Looks for the channel link, against which RSS resolves links of items, if it follows the items.
  @inline(__always)
  mutating func lookAheadForBase() {
    if inherited.channelBase == nil, !inherited.hasLookedAhead, FeedFormat.isRSS(feed.format) { lookAhead() }
  }

  @inline(never)
  private mutating func lookAhead() {
    inherited.hasLookedAhead = true
    guard let base = findChannelLink?() else { return }
    inherited.channelBase = base
    updateBase()
  }

  /// The inherited `xml:lang`.
  var scopedLanguage: String? {
    guard let language = inherited.languages.last, !language.isEmpty else { return nil }
    return language
  }

  /// Normalises `en_US` to `en-US` (BCP 47).
  static func languageTag(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    let trimmed = ByteText.trimmed(bytes)
    guard !trimmed.isEmpty, trimmed.count <= 64 else { return nil }
    return String(decoding: trimmed.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }, as: UTF8.self)
  }

  /// Ends elements that a bound or the end of the document left open. Call it while the parser lives: it owns the
  /// names.
  mutating func endOpenElements() {
    place.skipDepth = 0
    while place.depth > 0, !root.isHTML { endElement() }
  }

  /// Completes the feed at the end of the document.
  mutating func finish() -> ParsedFeed {
    endOpenElements()
    deliverHeld()
    if feed.format.hasPrefix("atom"), !feed.authors.isEmpty {
      for index in feed.items.indices where feed.items[index].authors.isEmpty {
        feed.items[index].authors = feed.authors
      }
    }
    Self.removeRepeats(&feed.tags)
    Self.useFallback(channel.fallbackAuthor, in: &feed.authors)
    if let period = channel.updatePeriod ?? (channel.updateFrequency == nil ? nil : 86_400) {
      // RSS 1.0 syndication module: daily and once where nothing is said.
      feed.hints.updateInterval = period / max(channel.updateFrequency ?? 1, 1)
    }
    if feed.format == "rdf" { feed.format = "rss10" }
    feed.limitNotes = limitsHit.findings.map(\.message)
    let finished = feed
    feed = ParsedFeed(format: "")
    return finished
  }

  // MARK: Limits

  /// Stops reading and ignores pending events.
  mutating func stop() {
    place.isStopped = true
    place.skipDepth = .max / 2
  }

  mutating func note(_ limit: Limit, _ message: String) {
    guard limitsHit.reached.insert(limit).inserted else { return }
    limitsHit.findings.append(Finding(offset: place.offset, message: message))
  }
}
