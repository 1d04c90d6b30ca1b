/// The meaning of an element: the effect of its tags, the type of its text, and its field. Each row of `ElementTable`
/// defines a rule.
struct ElementRule {
  /// The effect of the tags themselves. `FeedBuilder.start` has a case for each, `FeedBuilder.end` for those
  /// that act at the end tag.
  enum Kind: UInt8 {
    /// The tags have no effect; only the text counts.
    case field
    /// The tags have no effect, and the children belong to the enclosing element.
    case container
    /// An unknown element of a feed vocabulary.
    case unknown
    /// An unknown element of another vocabulary: skipped with its content, unless it is the root.
    case foreign
    /// Markup inside a text field.
    case markup

    // The document.
    case rss, rdf, channel, feed, item, html
    /// The root of a document that is not a feed.
    case otherRoot

    // Owners of fields.
    case image, textInput, source, person

    // Elements whose text type depends on attributes or on the enclosing element. A `typedText` may declare
    // its type, as the text constructs of Atom do (RFC 4287 section 3.1).
    case typedText
    /// Atom's `content`: it may have a media type, or refer to external content with `src`.
    case content
    /// Text of Media RSS, which declares its type.
    case mediaText
    case xhtmlBody
    /// Elements of RSS 1.0's content module that precede `content:encoded`.
    case contentItem, contentValue

    // Elements with attributes.
    case link, enclosure, category, textCategory, mediaCategory, generator, generatorAgent, guid
    /// Elements whose address is in an attribute or in the text.
    case picture, pictureLink, logo, license
    case mediaContent, mediaThumbnail, mediaPlayer, mediaCredit
    case chapters, transcript, podcastPerson, inReplyTo, alternateEnclosure, podcastSource, podcastImages
  }

  /// The field that stores a text. `FeedBuilder.storeInItem` and its siblings have a case for each, except
  /// for persons, tags and generators: `endPerson`, `endCategory` and `endGenerator` store those.
  enum Field: UInt8 {
    case none
    // Fields of items, feeds and others.
    case title, summary, content, id, guid, link, rights, language, author, contributor, publisher
    case fallbackAuthor, tag, keywords, itunesKeywords, generator, license, explicit, block
    case image, logo, icon
    case published, updated, publishedAndUpdated, created, expires
    // Fields of items only.
    case comments, commentCount, commentsFeed, markdown, origLink, origEnclosureLink
    case duration, episode, season, episodeType, podcastPerson
    case mediaTitle, mediaDescription, credit
    case point, latitude, longitude
    // Hints for polling.
    case ttl, skipHour, skipDay, updatePeriod, updateFrequency, updateBase
    // Fields of persons and images.
    case name, email, url, width, height
  }

  /// A field, and the rank of the element's value for it. In most fields, a value replaces another only if
  /// its rank is higher; `storeInItemUnranked` and its siblings handle the others.
  struct Target {
    var field = Field.none
    var rank: UInt8 = 0
    var preference = Preference.never

    static func to(_ field: Field, _ rank: UInt8 = 1, preferred: Preference = .never) -> Target {
      Target(field: field, rank: rank, preference: preferred)
    }
  }

  /// The formats in which the rank is raised by one, because the element is part of the format and not of a module.
  enum Preference: UInt8 {
    case never, inOwnFormat, inRSS, inAtom
  }

  var kind: Kind
  /// The type of the text. It is nil if the element has no text, or if `kind` determines the type.
  var text: TextType?
  // The targets by owner. The default target ignores the text.
  var item = Target()
  var feed = Target()
  var source = Target()
  var image = Target()
  var person = Target()

  /// True for elements that may declare the type of their text: the text constructs of Atom, and elements of
  /// RSS with the same names.
  var hasTypedText: Bool { kind == .typedText || kind == .content }

  /// Returns the target for the text of an element that belongs to `owner`.
  func target(in owner: FeedScope) -> Target {
    switch owner {
    case .item: item
    case .feed, .outside: feed
    case .source: source
    case .image: image
    case .person: person
    case .textInput: Target()
    }
  }
}

/// The types of the text of elements.
enum TextType: UInt8 {
  /// The type is not declared; the text may contain markup.
  case unstated
  case plain
  case html
  case xhtml
  /// HTML or plain text encoded as Base64.
  case base64
}

/// The rank of each field's current value.
struct Ranks {
  private var ranks = InlineArray<64, UInt8>(repeating: 0)

  subscript(field: ElementRule.Field) -> UInt8 {
    get { ranks[Int(field.rawValue)] }
    set { ranks[Int(field.rawValue)] = newValue }
  }
}

/// The owner of the fields that an element's children fill.
enum FeedScope: UInt8 {
  /// Outside the feed's element, where some programs put the feed's fields.
  case outside
  case feed, item, source, image, textInput, person
}

/// How text is collected.
enum TextCapture: UInt8 {
  case ignore
  /// The text is stored unchanged.
  case raw
  /// The text is stored with `<`, `>` and `&` escaped, because the field contains elements.
  case escaped
}
