import NewsCore
import NewsToolbox

/// Builds a feed from the events of an XML parser.
///
/// Use one builder per document, at a stable address, because libxml2 keeps a pointer to it. All open fields share
/// one text buffer, so that a field costs only one `String`.
///
/// Methods that only read are mutating too: for a borrowing call, the compiler copies the whole value, about 4 KB.
struct FeedBuilder: ~Copyable {
  /// An open element, with the parser state to restore when it ends.
  struct Frame {
    var rule: UnsafePointer<ElementRule>
    var scope: FeedScope
    var capture: TextCapture
    var type: TextType
    /// True if child elements are markup of the field's text.
    var isLeaf = false
    var hasMarkup = false
    var changesBase = false
    var changesLanguage = false
    var vocabulary: Vocabulary
    /// Start of this element's text in the buffer.
    var textStart: Int
    /// Start of the text of the field, which is this element or encloses it.
    var fieldStart: Int
  }

  /// Settings of the builder, which a second pass keeps.
  struct Settings {
    var limits: ParseLimits
    var sanitizes: Bool
    /// True to convert HTML to plain text too.
    var makesText = true
    var documentBase: BaseURL?
    var maximumTotalBytes: Int
    /// Searches the whole document for the channel's link, for items that precede it.
    var findChannelLink: (() -> BaseURL?)?
    /// True to read only elements outside items.
    var isLookingAhead = false
    /// The publisher's check, which receives every element and its text.
    var walk: UnsafeMutablePointer<CheckWalk>?
    /// Receives each complete item. If it is nil, the items are collected in `feed`.
    var onItem: ((ParsedItem) -> Void)?
    /// The document's pages, if they can be released and read again.
    var pages: DocumentPages?

    init(limits: ParseLimits, sanitizes: Bool, documentBase: BaseURL?) {
      self.limits = limits
      self.sanitizes = sanitizes
      self.documentBase = documentBase
      maximumTotalBytes = limits.maximumTotalBytes
    }
  }

  var settings: Settings
  let limits: ParseLimits

  // Memory that is reused.
  var frames: UnsafeMutablePointer<Frame>
  var elements = ElementCache()
  /// Text of all open fields. Each frame stores where its text starts.
  var buffer = ByteBuffer(capacity: 16 * 1024)
  var decoded = ByteBuffer(capacity: 64)
  var scratch = ByteBuffer(capacity: 1024)
  var line = ByteBuffer(capacity: 1024)
  var sanitizer = HTMLSanitizer()
  var plainText = HTMLPlainText()

  // State of this pass over the document.
  var input = FeedState.Input()
  var place = FeedState.Place()
  var pending = FeedState.PendingText()
  var root = FeedState.Root()
  var inherited: FeedState.Inherited
  var markup = FeedState.Markup()
  var feed = ParsedFeed(format: "")
  var channel = FeedState.Channel()
  var entry = FeedState.Entry()
  var parts = FeedState.Parts()
  var delivery: FeedState.Delivery
  var limitsHit = FeedState.Limits()

  init(_ settings: Settings) {
    self.init(settings, FeedState.Delivery())
  }

  private init(_ settings: Settings, _ delivery: FeedState.Delivery) {
    self.settings = settings
    self.delivery = delivery
    limits = settings.limits
    inherited = FeedState.Inherited(documentBase: settings.documentBase, base: settings.documentBase)
    sanitizer.keepsFragments = true
    frames = UnsafeMutablePointer<Frame>.allocate(capacity: limits.maximumDepth + 8)
  }

  deinit {
    frames.deallocate()
  }

  /// Delivers the items that were held back, and starts a second pass, over the repaired document. Resets
  /// everything except the settings and the part of `delivery` that `restarted` keeps.
  mutating func restart() {
    deliverHeld()
    settings.walk?.pointee.restart()
    self = FeedBuilder(settings, delivery.restarted)
  }

  mutating func resetItem() {
    sanitizer.beginItem()
    entry = FeedState.Entry()
  }

  // MARK: Events

  mutating func startElement(
    _ name: UnsafePointer<UInt8>,
    prefix: UnsafePointer<UInt8>?,
    uri: UnsafePointer<UInt8>?,
    attributes: XMLAttributes
  ) {
    settings.walk?.pointee.start(name, prefix: prefix, uri: uri, attributes: attributes, at: place.offset)
    if place.skipDepth > 0 {
      place.skipDepth &+= 1
      return
    }
    guard place.depth < limits.maximumDepth else {
      note(
        .depth,
        "elements are nested deeper than \(limits.maximumDepth); the document was read up to there"
      )
      stop()
      return
    }
    if place.depth > 0, frames[place.depth &- 1].isLeaf {
      if pending.depth != 0 { takePending() }
      startMarkup(name, prefix: prefix, uri: uri, attributes: attributes)
      return
    }
    if pending.depth != 0 { takePending() }
    let (vocabulary, rule) = elements.element(name, prefix: prefix, uri: uri)
    if place.depth == 0, prefix == nil { root.space = uri }
    if place.depth == 0, root.name == nil {
      root.name = String(streamSafe: ByteText.buffer(name))
    }
    if rule.pointee.kind == .unknown, place.scope == .person, place.capture == .raw {
      // A name with markup: `<author>by <a href="…">Name</a></author>`.
      frames[place.depth &- 1].isLeaf = true
      startMarkup(name, prefix: prefix, uri: uri, attributes: attributes)
      return
    }
    // The children of an unknown element do not describe the item (RFC 4287 section 6.3).
    if rule.pointee.kind == .unknown, place.scope == .item || place.scope == .source, isClosed(name) {
      place.skipDepth = 1
      return
    }
    if place.depth > 0, rule.pointee.kind == .foreign || settings.isLookingAhead && rule.pointee.kind == .item
    {
      place.skipDepth = 1
      return
    }
    frames[place.depth] = Frame(
      rule: rule,
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
    if rule.pointee.kind == .unknown {
      // Ignore the fields inside an unknown element, unless the element may have been left open.
      if place.scope == .feed, isClosed(name) { place.scope = .textInput }
      return
    }
    start(rule, vocabulary, attributes, uri: uri)
  }

  /// Returns whether the document closes all elements of this name. Otherwise, fields that follow the element may
  /// belong to its parent.
  mutating func isClosed(_ name: UnsafePointer<UInt8>) -> Bool {
    guard !input.isWellFormed, let document = input.illFormedDocument else { return input.isWellFormed }
    let balance = input.tagBalance ?? TagBalance(document, maximumNames: limits.maximumNames)
    input.tagBalance = balance
    return balance.isClosed(ByteText.buffer(name))
  }

  /// Reads the root's namespace declarations, which libxml2 passes as alternating prefixes and URIs.
  mutating func declareRootNamespaces(_ namespaces: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, count: Int)
  {
    guard let namespaces else { return }
    for index in 0..<count where root.format == nil {
      root.format = namespaces[index * 2 + 1].flatMap { FeedFormat.rdf(uri: ByteText.buffer($0)) }
    }
  }

  mutating func endElement() {
    settings.walk?.pointee.end()
    if place.skipDepth > 0 {
      place.skipDepth &-= 1
      return
    }
    guard place.depth > 0 else { return }
    if frames[place.depth &- 1].rule.pointee.kind == .markup {
      endMarkup()
      return
    }
    place.depth &-= 1
    let frame = frames[place.depth]
    // The base of the element applies to its own text.
    end(frame)
    pending.depth = 0
    buffer.truncate(to: frame.textStart)
    place.scope = frame.scope
    place.capture = frame.capture
    if frame.changesBase {
      inherited.bases.removeLast()
      updateBase()
    }
    if frame.changesLanguage { inherited.languages.removeLast() }
  }

  // MARK: End tags

  /// Ends an element. `place.scope` is still the scope of the element's children.
  private mutating func end(_ frame: Frame) {
    switch frame.rule.pointee.kind {
    case .item: return endItem(frame)
    case .source: return endSource(frame)
    default: place.scope = frame.scope
    }
    switch frame.rule.pointee.kind {
    case .image: endImage(frame)
    case .person: endPerson(frame)
    case .category, .mediaCategory: endCategory(frame)
    case .generator: endGenerator(frame)
    case .mediaContent: entry.draft.openMedia = nil
    case .contentValue where place.depth == 0 || frames[place.depth - 1].rule.pointee.kind != .contentItem:
      break
    default: store(frame)
    }
  }

  /// Stores the text of an element in the field that `ElementTable` assigns.
  private mutating func store(_ frame: Frame) {
    let target = frame.rule.pointee.target(in: frame.scope)
    guard target.field != .none else { return }
    switch frame.scope {
    case .item: storeInItem(frame, target.field, rank: rank(of: target, frame.vocabulary))
    case .feed, .outside: storeInFeed(frame, target.field, rank: rank(of: target, frame.vocabulary))
    case .source: storeInSource(frame, target.field)
    case .image: storeInImage(frame, target.field)
    case .person: storeInPerson(frame, target.field)
    case .textInput: break
    }
  }

  private mutating func rank(of target: ElementRule.Target, _ vocabulary: Vocabulary) -> UInt8 {
    let isPreferred =
      switch target.preference {
      case .never: false
      case .inOwnFormat: vocabulary.isOwn(of: feed.format)
      case .inRSS: vocabulary.isOwn(of: feed.format) && FeedFormat.isRSS(feed.format)
      case .inAtom: vocabulary.isOwn(of: feed.format) && !FeedFormat.isRSS(feed.format)
      }
    return isPreferred ? target.rank + 1 : target.rank
  }

  /// Ends the elements that are still open because the document ended or a limit was reached. Call it before the
  /// parser is freed, because the parser owns the names.
  mutating func endOpenElements() {
    while place.depth > 0, !root.isHTML {
      // The end of an item may reach a limit, which stops reading again.
      place.skipDepth = 0
      endElement()
    }
  }

  /// Completes the feed at the end of the document.
  mutating func finish() -> ParsedFeed {
    endOpenElements()
    deliverHeld()
    if feed.format.hasPrefix("atom"), !feed.authors.isEmpty {
      for index in feed.items.indices where feed.items[index].authors.isEmpty {
        feed.items[index].authors = lateAuthors()
      }
    }
    Self.removeRepeats(&feed.tags)
    Self.useFallback(channel.fallbackAuthor, in: &feed.authors)
    if let period = channel.updatePeriod ?? (channel.updateFrequency == nil ? nil : 86_400) {
      // RSS 1.0 syndication module: the defaults are `daily` and 1.
      feed.hints.updateInterval = period / max(channel.updateFrequency ?? 1, 1)
    }
    if feed.format == "rdf" { feed.format = "rss10" }
    feed.limitNotes = limitsHit.findings.map(\.message)
    let finished = feed
    feed = ParsedFeed(format: "")
    return finished
  }

  // MARK: Limits

  /// Stops reading: the parser's remaining events are ignored.
  mutating func stop() {
    place.isStopped = true
    place.skipDepth = .max / 2
  }

  mutating func note(_ limit: FeedState.Limit, _ message: String) {
    guard limitsHit.reached.insert(limit).inserted else { return }
    limitsHit.findings.append(Finding(offset: place.offset, message: message))
  }
}
