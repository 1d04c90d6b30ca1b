import NewsCore
import NewsToolbox

/// Builds a feed from the events of an XML parser.
///
/// One value for one document, at a stable address, because libxml2 holds it. One buffer holds the text of all open
/// fields, so that a field costs one `String`.
///
/// Methods are mutating even if they only read: for a borrowing call, the compiler copies the whole value of some 4 KB.
struct FeedBuilder: ~Copyable {
  /// An open element, and the state outside it.
  struct Frame {
    var rule: UnsafePointer<ElementRule>
    var scope: FeedScope
    var capture: TextCapture
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

  /// The settings of the reading; a second pass over the document keeps them.
  struct Settings {
    var limits: ParseLimits
    var sanitizes: Bool
    /// False: HTML is not converted to plain text.
    var makesText = true
    var documentBase: BaseURL?
    var maximumTotalBytes: Int
    /// Finds the channel's link in the whole document, for items before it.
    var findChannelLink: (() -> BaseURL?)?
    /// Only elements outside items are read.
    var isLookingAhead = false
    /// Sees every element and its text, for the publisher's check.
    var walk: UnsafeMutablePointer<CheckWalk>?
    /// Takes each item when it is complete; nil: they are collected in `feed`.
    var onItem: ((ParsedItem) -> Void)?
    /// The document's pages, if they can be read again after they were released.
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

  // Memory that is used again and again.
  var frames: UnsafeMutablePointer<Frame>
  var elements = ElementCache()
  /// Text of all open fields, each from its own start.
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

  /// Starts a second pass, over the repaired document: everything except the settings and the record of
  /// delivered items is reset.
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
        "Elements are nested deeper than \(limits.maximumDepth); the document was read up to there."
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
      root.name = String(decoding: ByteText.buffer(name), as: UTF8.self)
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
      // An unknown element around items, or with fields of its own.
      if place.scope == .feed, isClosed(name) { place.scope = .textInput }
      return
    }
    start(rule, vocabulary, attributes, uri: uri)
  }

  /// False for an element that may have been left open, so that fields of its parent follow as its children.
  mutating func isClosed(_ name: UnsafePointer<UInt8>) -> Bool {
    guard !input.isWellFormed, let document = input.illFormedDocument else { return input.isWellFormed }
    let balance = input.tagBalance ?? TagBalance(document, maximumNames: limits.maximumNames)
    input.tagBalance = balance
    return balance.isClosed(ByteText.buffer(name))
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

  /// Ends an element whose scope is that of its own children.
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

  /// Stores the text of an element where the table says.
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

  /// Stops reading and ignores pending events.
  mutating func stop() {
    place.isStopped = true
    place.skipDepth = .max / 2
  }

  mutating func note(_ limit: FeedState.Limit, _ message: String) {
    guard limitsHit.reached.insert(limit).inserted else { return }
    limitsHit.findings.append(Finding(offset: place.offset, message: message))
  }
}
