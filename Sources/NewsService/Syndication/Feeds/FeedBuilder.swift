import NewsCore

/// Makes a feed of the events of an XML parser.
///
/// One value for one document, in memory that stays in place while libxml2 holds its address. Text of all open fields
/// lies in one buffer, each field from its own start on, so that a field costs one `String` and nothing else.
struct FeedBuilder: ~Copyable {
  /// What the children of the current element belong to.
  enum Scope: UInt8 {
    case outside, feed, item, source, image, textInput, person, media
  }

  /// What happens to text.
  enum Capture: UInt8 {
    case ignore
    /// Kept as it is.
    case raw
    /// Kept with `<`, `>` and `&` escaped, because markup stands beside it.
    case escaped
  }

  /// How a field's text is meant.
  enum TextType: UInt8 {
    /// Says nothing about markup; it may hold some all the same.
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
    /// Children are markup, not fields.
    var isLeaf = false
    var hasMarkup = false
    var changesBase = false
    var changesLanguage = false
    var vocabulary: Vocabulary
    /// Where this element's text begins in the buffer.
    var textStart: Int
    /// Where the text of the field begins that this element, if it is markup, is part of.
    var fieldStart: Int
  }

  let limits: ParseLimits
  let sanitizes: Bool
  /// False: plain text is not made of HTML, because nobody asks for both.
  var makesText = true

  // Where the parser is.
  var frames: UnsafeMutablePointer<Frame>
  var depth = 0
  var scope = Scope.outside
  var capture = Capture.ignore
  /// Open elements of a subtree that is left out.
  var skipDepth = 0
  /// Set when nothing more is to be read; the driver stops the parser.
  var isStopped = false
  var rootName: String?
  var isRecognised = false
  /// The RSS version that a namespace declared on the root stands for.
  var rootFormat: String?
  var isHTML = false
  var cache = ElementCache()

  // Text.
  var buffer = ByteBuffer(capacity: 16 * 1024)
  var decoded = ByteBuffer(capacity: 64)
  /// A field's text that is still where it lies in the document, because it is all the field has so far; for the element
  /// at `pendingDepth`, 0: there is none.
  var pending = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  var pendingDepth = 0
  /// Where the document lies if its pages may be given back.
  var pages: DocumentPages?
  /// The document stays in memory until it is read.
  var isDocumentStable = false
  /// The document has carriage returns, which text that came past libxml2 still holds.
  var normalizesLineEnds = false
  /// Bytes of the items handed over, and how many there may be.
  var totalBytes = 0
  var maximumTotalBytes: Int
  var scratch = ByteBuffer(capacity: 1024)
  var line = ByteBuffer(capacity: 1024)
  var sanitizer = HTMLSanitizer()
  var plainText = HTMLPlainText()

  /// Open elements inside a text field that have an xml:base of their own: links in them are resolved at once.
  var markupBases = 0
  /// Names of the open elements inside a text field; nil for one that is left out.
  var markupNames: [UnsafePointer<UInt8>?] = []
  /// The language that the element around a field's markup says.
  var markupLanguage: String?

  // Bases and languages that xml:base and xml:lang set.
  var bases: [BaseURL?] = []
  /// The outermost `xml:base`, where it is relative and nothing was known that it counts from.
  private var relativeBase: String?
  var languages: [String] = []
  var documentBase: BaseURL?
  private let givenBase: BaseURL?
  /// The channel's link, for RSS.
  var channelBase: BaseURL?
  /// Looks for that link in the whole document, for items that stand before it.
  var findChannelLink: (() -> BaseURL?)?
  private var hasLookedAhead = false
  /// Only what stands outside items is read.
  var isLookingAhead = false
  /// The base in force here.
  var base: BaseURL?
  // What is being put together.
  var feed: ParsedFeed
  var feedRank = Ranks()
  var item = ParsedItem()
  var itemRank = Ranks()
  var draft = ItemDraft()
  /// Items around the one at hand.
  var suspended: [SuspendedItem] = []
  /// The item at hand was handed over before its end.
  var isSpent = false
  /// The document is well-formed as far as it was read.
  var isWellFormed = false
  var source = ItemSource()
  var image = FeedImage()
  var person = Author()
  var draftTag = Category(term: "")
  var draftGenerator = Generator()
  var draftIsPermalink: Bool?
  /// What `rdf:about` says: RSS 1.0 section 5.5 wants it to be the item's address.
  var draftAddress: String?
  /// The document's root is a channel: CDF, or RSS without its own root.
  var isRootChannel = false
  var draftCredit = MediaCredit(name: "")
  /// What an alternate enclosure says of the addresses in it.
  var draftAlternate = Enclosure(url: "")
  var draftPodcastPerson = PodcastPerson(name: "")
  var feedFallbackAuthor: Author?
  var publisherIsOwner = false
  var updatePeriod: Int64?
  var updateFrequency: Int64?
  /// Where the parser is in the document.
  var offset = 0
  /// Limits that were reached.
  var findings: [Finding] = []
  var limitsHit: Set<Limit> = []
  /// Items already handed over by a run before this one.
  var itemsToSkip = 0
  var handedOver = 0
  /// Items that ended inside another, and how much they hold.
  var innerItems: [ParsedItem] = []
  var innerBytes = 0
  var itemCount = 0
  /// Sees every element and its text, for the publisher's check.
  var walk: UnsafeMutablePointer<CheckWalk>?
  /// Items without authors that wait for the feed's, and how much was kept back so far.
  var held: [ParsedItem] = []
  var heldBytes = 0
  /// Takes each item when it is complete; nil: they are collected in `feed`.
  var onItem: ((ParsedItem) -> Void)?

  enum Limit: Hashable {
    case items, fieldBytes, totalBytes, depth, listLength, base, nestedItem, growth
  }

  init(limits: ParseLimits, sanitizes: Bool, documentBase: BaseURL?) {
    self.limits = limits
    self.sanitizes = sanitizes
    self.documentBase = documentBase
    givenBase = documentBase
    maximumTotalBytes = limits.maximumTotalBytes
    base = documentBase
    feed = ParsedFeed(format: "")
    sanitizer.keepsFragments = true
    frames = UnsafeMutablePointer<Frame>.allocate(capacity: limits.maximumDepth + 8)
  }

  deinit {
    frames.deallocate()
  }

  /// Forgets everything that was read, for a second run over the mended document.
  mutating func restart() {
    depth = 0
    scope = .outside
    capture = .ignore
    skipDepth = 0
    isStopped = false
    rootName = nil
    isRecognised = false
    rootFormat = nil
    isHTML = false
    isRootChannel = false
    suspended = []
    isSpent = false
    innerItems = []
    innerBytes = 0
    isWellFormed = false
    cache.removeAll()
    buffer.removeAll()
    pendingDepth = 0
    isDocumentStable = false
    totalBytes = 0
    markupNames = []
    markupBases = 0
    bases = []
    languages = []
    channelBase = nil
    hasLookedAhead = false
    documentBase = givenBase
    base = documentBase
    feed = ParsedFeed(format: "")
    feedRank = Ranks()
    resetItem()
    source = ItemSource()
    image = FeedImage()
    person = Author()
    feedFallbackAuthor = nil
    publisherIsOwner = false
    updatePeriod = nil
    updateFrequency = nil
    walk?.pointee.restart()
    limitsHit = []
    findings = []
    offset = 0
    deliverHeld()
    itemsToSkip = max(itemsToSkip, handedOver)
    handedOver = 0
    itemCount = 0
  }

  mutating func resetItem() {
    item = ParsedItem()
    resetDraft()
  }

  mutating func resetDraft() {
    sanitizer.beginItem()
    itemRank = Ranks()
    draft.fallbackAuthor = nil
    draft.latitude = nil
    draft.longitude = nil
    draft.openMedia = nil
    draft.hasFragments = false
    draft.origEnclosureLink = nil
    draft.summary = Rendition()
    draft.summaryLanguage = nil
    if draft.hasExtensions {
      draft.extensions = ItemExtensions()
      draft.hasExtensions = false
    }
  }

  // MARK: Events

  mutating func startElement(
    _ name: UnsafePointer<UInt8>,
    prefix: UnsafePointer<UInt8>?,
    uri: UnsafePointer<UInt8>?,
    attributes: XMLAttributes
  ) {
    walk?.pointee.start(name, prefix: prefix, uri: uri, attributes: attributes, at: offset)
    if skipDepth > 0 {
      skipDepth &+= 1
      return
    }
    guard depth < limits.maximumDepth else {
      note(
        .depth,
        "Elements are nested deeper than \(limits.maximumDepth); the document was read up to there."
      )
      stop()
      return
    }
    if depth > 0, frames[depth &- 1].isLeaf {
      if pendingDepth != 0 { takePending() }
      startMarkup(name, attributes: attributes)
      return
    }
    if pendingDepth != 0 { takePending() }
    let (element, vocabulary) = cache.lookUp(name, prefix: prefix, uri: uri)
    if depth == 0, rootName == nil { rootName = String(decoding: ByteText.buffer(name), as: UTF8.self) }
    if element == .unknown, scope == .person, capture == .raw {
      // A name with markup in it: `<author>by <a href="…">Name</a></author>`.
      frames[depth &- 1].isLeaf = true
      startMarkup(name, attributes: attributes)
      return
    }
    // What somebody's own element holds says nothing of the item (RFC 4287 section 6.3). In a document that is ill-formed
    // it may be an element that was left open, with fields of the item behind it.
    if element == .unknown, isWellFormed, scope == .item || scope == .source {
      skipDepth = 1
      return
    }
    if depth > 0, element == .foreign || isLookingAhead && element == .item {
      skipDepth = 1
      return
    }
    frames[depth] = Frame(
      element: element,
      scope: scope,
      capture: capture,
      type: .unstated,
      vocabulary: vocabulary,
      textStart: buffer.count,
      fieldStart: buffer.count
    )
    depth &+= 1
    capture = .ignore
    if attributes.count > 0 { readScopedAttributes(attributes) }
    start(element, vocabulary, attributes, uri: uri)
  }

  /// Namespaces that the root element declares: prefix and URI by turns.
  mutating func declareRootNamespaces(_ namespaces: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, count: Int)
  {
    guard let namespaces else { return }
    for index in 0..<count where rootFormat == nil {
      rootFormat = namespaces[index * 2 + 1].flatMap { FeedFormat.rdf(uri: ByteText.buffer($0)) }
    }
  }

  mutating func endElement() {
    walk?.pointee.end()
    if skipDepth > 0 {
      skipDepth &-= 1
      return
    }
    guard depth > 0 else { return }
    if frames[depth &- 1].element == .markup {
      endMarkup()
      return
    }
    depth &-= 1
    let frame = frames[depth]
    // The base of the element itself holds for its text.
    end(frame)
    pendingDepth = 0
    buffer.truncate(to: frame.textStart)
    if buffer.capacity > Self.largeBuffer { giveBackBuffers() }
    scope = frame.scope
    capture = frame.capture
    if frame.changesBase {
      bases.removeLast()
      updateBase()
    }
    if frame.changesLanguage { languages.removeLast() }
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
        // A base counts from the bases around it and the document's address; a channel's link is none of them.
        let outer = (bases.last ?? nil) ?? documentBase ?? channelBase
        if bases.isEmpty { relativeBase = outer == nil ? reference : nil }
        let resolved = URLResolver.resolve(reference, against: outer, policy: .link)
        bases.append(resolved.flatMap { makeBase($0) } ?? outer)
        if frames[depth - 1].element == .markup { markupBases += 1 }
        frames[depth - 1].changesBase = true
        updateBase()
      } else if ByteText.equals(name, "lang") {
        languages.append(Self.languageTag(attribute.value) ?? "")
        frames[depth - 1].changesLanguage = true
      }
    }
  }

  mutating func updateBase() {
    let own = channelBase ?? documentBase
    // A relative base that nothing was known to count from.
    if let unresolved = relativeBase, bases.count == 1, bases[0] == nil, own != nil {
      bases[0] = URLResolver.resolve(unresolved, against: own, policy: .link).flatMap { makeBase($0) }
    }
    base = (bases.last ?? nil) ?? own
  }

  /// Nil, and noted where it is too long, when relative links cannot be counted from `url`.
  mutating func makeBase(_ url: String) -> BaseURL? {
    if url.utf8.count > BaseURL.maximumLength {
      note(
        .base,
        "A base is longer than \(BaseURL.maximumLength) bytes; relative links do not count from it."
      )
    }
    return BaseURL(url)
  }

  /// An item begins. RSS counts its links from the channel's, which may stand behind the items.
  @inline(__always)
  mutating func lookAheadForBase() {
    if channelBase == nil, !hasLookedAhead, FeedFormat.isRSS(feed.format) { lookAhead() }
  }

  @inline(never)
  private mutating func lookAhead() {
    hasLookedAhead = true
    guard let base = findChannelLink?() else { return }
    channelBase = base
    updateBase()
  }

  /// The language in force, as xml:lang says.
  var scopedLanguage: String? {
    guard let language = languages.last, !language.isEmpty else { return nil }
    return language
  }

  /// `en_US` is meant as `en-US` (BCP 47).
  static func languageTag(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    let trimmed = ByteText.trimmed(bytes)
    guard !trimmed.isEmpty, trimmed.count <= 64 else { return nil }
    return String(decoding: trimmed.map { $0 == 0x5F ? 0x2D : $0 }, as: UTF8.self)
  }

  /// What a limit or the document's end left open is complete as far as it goes. To be called while the parser lives:
  /// open elements point to names that are its own.
  mutating func endOpenElements() {
    skipDepth = 0
    while depth > 0, !isHTML { endElement() }
  }

  /// What the document said of itself, after its end.
  mutating func finish() -> ParsedFeed {
    endOpenElements()
    deliverHeld()
    if feed.format.hasPrefix("atom"), !feed.authors.isEmpty {
      for index in feed.items.indices where feed.items[index].authors.isEmpty {
        feed.items[index].authors = feed.authors
      }
    }
    Self.removeRepeats(&feed.tags)
    if feed.authors.isEmpty, let author = feedFallbackAuthor { feed.authors = [author] }
    if let period = updatePeriod ?? (updateFrequency == nil ? nil : 86_400) {
      // RSS 1.0 syndication module: daily and once where nothing is said.
      feed.hints.updateInterval = period / max(updateFrequency ?? 1, 1)
    }
    if feed.format == "rdf" { feed.format = "rss10" }
    let finished = feed
    feed = ParsedFeed(format: "")
    return finished
  }

  // MARK: Limits

  /// Nothing more is to be read: events that are under way are ignored.
  mutating func stop() {
    isStopped = true
    skipDepth = .max / 2
  }

  mutating func note(_ limit: Limit, _ message: String) {
    guard limitsHit.insert(limit).inserted else { return }
    findings.append(Finding(offset: offset, message: message))
  }
}
