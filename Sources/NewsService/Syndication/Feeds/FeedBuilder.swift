import NewsService

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
  }

  let limits: ParseLimits
  let sanitizes: Bool

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
  var totalBytes = 0
  var scratch = ByteBuffer(capacity: 1024)
  var line = ByteBuffer(capacity: 1024)
  var sanitizer = HTMLSanitizer()
  var plainText = HTMLPlainText()

  /// Names of the open elements inside a text field; nil for one that is left out.
  var markupNames: [UnsafePointer<UInt8>?] = []

  // Bases and languages that xml:base and xml:lang set.
  var bases: [BaseURL?] = []
  var languages: [String] = []
  var documentBase: BaseURL?
  /// The channel's link, for RSS.
  var channelBase: BaseURL?
  /// The base in force here.
  var base: BaseURL?
  // What is being put together.
  var feed: ParsedFeed
  var feedRank = Ranks()
  var item = ParsedItem()
  var itemRank = Ranks()
  var draft = ItemDraft()
  var source = ItemSource()
  var image = FeedImage()
  var person = Author()
  var draftTag = Category(term: "")
  var draftGenerator = Generator()
  var draftIsPermalink: Bool?
  var draftCredit = MediaCredit(name: "")
  var draftPodcastPerson = PodcastPerson(name: "")
  var feedFallbackAuthor: Author?
  var publisherIsOwner = false
  var updatePeriod: Int64?
  var updateFrequency: Int64?
  var problems: [SyntaxProblem] = []
  var limitsHit: Set<Limit> = []
  /// Items already handed over by a run before this one.
  var itemsToSkip = 0
  var itemCount = 0
  /// Takes each item when it is complete; nil: they are collected in `feed`.
  var onItem: ((ParsedItem) -> Void)?

  enum Limit: Hashable {
    case items, fieldBytes, totalBytes, depth
  }

  init(limits: ParseLimits, sanitizes: Bool, documentBase: BaseURL?) {
    self.limits = limits
    self.sanitizes = sanitizes
    self.documentBase = documentBase
    base = documentBase
    feed = ParsedFeed(format: "")
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
    cache.removeAll()
    buffer.removeAll()
    totalBytes = 0
    markupNames = []
    bases = []
    languages = []
    channelBase = nil
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
    limitsHit = []
    itemsToSkip = onItem == nil ? 0 : itemCount
    itemCount = 0
  }

  mutating func resetItem() {
    item = ParsedItem()
    resetDraft()
  }

  mutating func resetDraft() {
    itemRank = Ranks()
    draft.fallbackAuthor = nil
    draft.latitude = nil
    draft.longitude = nil
    draft.openMedia = nil
    draft.origEnclosureLink = nil
    draft.summary = Rendition()
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
      startMarkup(name, attributes: attributes)
      return
    }
    let (element, vocabulary) = cache.lookUp(name, prefix: prefix, uri: uri)
    if depth == 0, rootName == nil { rootName = String(decoding: ByteText.buffer(name), as: UTF8.self) }
    if element == .foreign, depth > 0 {
      skipDepth = 1
      return
    }
    frames[depth] = Frame(
      element: element,
      scope: scope,
      capture: capture,
      type: .unstated,
      vocabulary: vocabulary,
      textStart: buffer.count
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
    buffer.truncate(to: frame.textStart)
    scope = frame.scope
    capture = frame.capture
    if frame.changesBase {
      bases.removeLast()
      updateBase()
    }
    if frame.changesLanguage { languages.removeLast() }
  }

  @inline(__always)
  mutating func characters(_ text: UnsafePointer<UInt8>, _ length: Int) {
    guard capture != .ignore, skipDepth == 0, depth > 0 else { return }
    let field = buffer.count &- frames[depth &- 1].textStart
    guard field &+ length <= limits.maximumFieldBytes else {
      note(.fieldBytes, "A field is longer than \(limits.maximumFieldBytes) bytes; its end was left out.")
      return
    }
    if capture == .raw {
      buffer.append(text, length)
    } else {
      Self.escape(text, length, into: &buffer)
    }
  }

  // MARK: Scoped attributes

  private mutating func readScopedAttributes(_ attributes: XMLAttributes) {
    for index in 0..<attributes.count {
      guard let attribute = attributes[index], Self.isXML(attribute.prefix) else { continue }
      let name = ByteText.buffer(attribute.name)
      if ByteText.equals(name, "base") {
        let reference = XMLAttributes.unescaped(ByteText.trimmed(attribute.value))
        // A base counts from the bases around it and the document's address; a channel's link is none of them.
        let outer = bases.last ?? documentBase
        let resolved = URLResolver.resolve(reference, against: outer, policy: .link).flatMap { BaseURL($0) }
        bases.append(resolved ?? outer)
        frames[depth - 1].changesBase = true
        updateBase()
      } else if ByteText.equals(name, "lang") {
        languages.append(Self.languageTag(attribute.value) ?? "")
        frames[depth - 1].changesLanguage = true
      }
    }
  }

  mutating func updateBase() {
    base = bases.last ?? channelBase ?? documentBase
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
    problems.append(SyntaxProblem(line: 0, column: 0, message: message))
  }
}

/// How good the value is that a field has so far: a later element replaces it only with a better one.
struct Ranks {
  var title: UInt8 = 0
  var id: UInt8 = 0
  var link: UInt8 = 0
  var summary: UInt8 = 0
  var content: UInt8 = 0
  var image: UInt8 = 0
  var published: UInt8 = 0
  var updated: UInt8 = 0
  var language: UInt8 = 0
}

/// What an item has said that is decided only at its end.
struct ItemDraft {
  /// Used when nobody else is named.
  var fallbackAuthor: Author?
  var latitude: Double?
  var longitude: Double?
  /// Index into `media` of the open `media:content`.
  var openMedia: Int?
  var origEnclosureLink: String?
  var extensions = ItemExtensions()
  var hasExtensions = false
  /// The summary as found; it becomes the content when there is none.
  var summary = Rendition()
}

/// HTML and plain text of one field.
struct Rendition {
  /// Nil: the field is plain text.
  var html: String?
  /// Nil: not asked for.
  var text: String?
  var isEmpty: Bool { html == nil && text == nil }
}
