import NewsToolbox

/// The meaning of an element, independent of vocabulary and spelling.
enum FeedElement: UInt8 {
  /// Unknown element of a feed vocabulary.
  case unknown = 1
  /// Element of a foreign vocabulary: skipped with its content.
  case foreign
  /// Markup inside a text field.
  case markup

  // Structure.
  case rss, rdf, channel, feed, item, image, textInput, source, container, html, opml, sitemap
  // Text.
  case title, subtitle, description, summary, info, content, contentEncoded, xhtmlBody
  // RSS 1.0's content module, from before `encoded` existed.
  case contentItem, contentValue
  case rights, id, guid, name, email, uri, language, category, keywords, generator
  case link, comments, width, height, logo, icon, enclosure, cloud
  // Dates.
  case published, updated, created, expires, dcDate
  // People.
  case author, contributor, publisher, managingEditor, webMaster, creator
  // Hints for polling.
  case ttl, skipHours, skipDays, hour, day, updatePeriod, updateFrequency, updateBase
  // Other Dublin Core elements.
  case dcTitle, dcDescription, identifier
  // Podcasts.
  case itunesAuthor, itunesOwner, itunesImage, itunesExplicit, itunesBlock, itunesDuration, itunesSummary
  case itunesSubtitle, itunesKeywords, itunesCategory, itunesTitle, itunesLink
  case episode, season, episodeType, chapters, transcript, podcastPerson, podcastGuid
  case alternateEnclosure, podcastSource, podcastImages
  // Media RSS.
  case mediaContent, mediaThumbnail, mediaTitle, mediaDescription, mediaPlayer, mediaCredit, mediaKeywords
  case mediaCategory, mediaRights
  // Other elements.
  case commentCount, commentsFeed, inReplyTo
  case geoPoint, latitude, longitude, gmlPosition
  case license, markdown, origLink, origEnclosureLink, generatorAgent, subjectResource
}

extension FeedElement {
  /// True for text constructs of Atom (RFC 4287 section 3.1) and its content, which state their type.
  var hasTypedText: Bool {
    switch self {
    case .title, .subtitle, .summary, .content, .rights, .info: true
    default: false
    }
  }
}

/// Element names and their meanings, one table for each vocabulary.
struct ElementTable: Sendable {
  static let shared = ElementTable()

  private let tables: [NameTable?]

  func element(_ vocabulary: Vocabulary, _ name: UnsafePointer<UInt8>, _ length: Int) -> FeedElement {
    guard let table = tables[Int(vocabulary.rawValue)] else { return .foreign }
    let value = table.value(name, length)
    if value == 0 { return vocabulary == .core || vocabulary == .atom ? .unknown : .foreign }
    return FeedElement(rawValue: value) ?? .unknown
  }

  private init() {
    var tables = [NameTable?](repeating: nil, count: Int(Vocabulary.foreign.rawValue) + 1)
    for (vocabulary, names) in Self.names {
      tables[Int(vocabulary.rawValue)] = NameTable(names.map { (name: $0.0, value: $0.1.rawValue) })
    }
    self.tables = tables
  }

  private static let core: [(String, FeedElement)] = [
    ("rss", .rss), ("rdf", .rdf), ("channel", .channel), ("feed", .feed), ("item", .item), ("entry", .item),
    ("items", .container), ("image", .image), ("textinput", .textInput), ("source", .source), ("html", .html),
    ("opml", .opml), ("urlset", .sitemap), ("sitemapindex", .sitemap), ("title", .title),
    ("subtitle", .subtitle), ("tagline", .subtitle), ("description", .description),
    ("abstract", .dcDescription),
    ("info", .info), ("summary", .summary), ("content", .content), ("body", .xhtmlBody),
    ("fullitem", .contentEncoded), ("rights", .rights), ("copyright", .rights), ("id", .id), ("guid", .guid),
    ("name", .name), ("email", .email), ("uri", .uri), ("url", .uri), ("homepage", .uri),
    ("language", .language), ("category", .category), ("keywords", .keywords), ("tags", .keywords),
    ("generator", .generator), ("link", .link), ("comments", .comments), ("width", .width),
    ("height", .height),
    ("logo", .logo), ("icon", .icon), ("enclosure", .enclosure), ("cloud", .cloud), ("published", .published),
    ("issued", .published), ("pubdate", .published), ("updated", .updated), ("modified", .updated),
    ("lastbuilddate", .updated), ("created", .created), ("expirationdate", .expires), ("date", .dcDate),
    ("author", .author), ("contributor", .contributor), ("publisher", .publisher),
    ("managingeditor", .managingEditor), ("webmaster", .webMaster), ("ttl", .ttl), ("skiphours", .skipHours),
    ("skipdays", .skipDays), ("hour", .hour), ("day", .day), ("license", .license),
  ]

  private static let names: [(Vocabulary, [(String, FeedElement)])] = [
    (.core, core),
    (.atom, core),
    (
      .rdf,
      [
        ("rdf", .rdf), ("seq", .container), ("bag", .container), ("li", .subjectResource),
        ("value", .contentValue),
      ]
    ),
    (
      .dublinCore,
      [
        ("title", .dcTitle), ("creator", .creator), ("author", .creator), ("contributor", .contributor),
        ("subject", .category), ("description", .dcDescription), ("publisher", .publisher), ("date", .dcDate),
        ("rights", .rights), ("language", .language), ("identifier", .identifier),
      ]
    ),
    (
      .dcTerms,
      [
        ("title", .dcTitle), ("creator", .creator), ("contributor", .contributor), ("subject", .category),
        ("description", .dcDescription), ("abstract", .dcDescription), ("publisher", .publisher),
        ("date", .dcDate), ("created", .created), ("issued", .published), ("available", .dcDate),
        ("modified", .updated), ("valid", .expires), ("rights", .rights), ("license", .license),
        ("language", .language), ("identifier", .identifier),
      ]
    ),
    (.content, [("encoded", .contentEncoded), ("items", .container), ("item", .contentItem)]),
    (
      .itunes,
      [
        ("author", .itunesAuthor), ("owner", .itunesOwner), ("name", .name), ("email", .email),
        ("image", .itunesImage), ("explicit", .itunesExplicit), ("block", .itunesBlock),
        ("duration", .itunesDuration), ("summary", .itunesSummary), ("subtitle", .itunesSubtitle),
        ("keywords", .itunesKeywords), ("category", .itunesCategory), ("title", .itunesTitle),
        ("episode", .episode), ("season", .season), ("episodetype", .episodeType), ("link", .itunesLink),
      ]
    ),
    (
      .googlePlay,
      [
        ("author", .itunesAuthor), ("image", .itunesImage), ("explicit", .itunesExplicit),
        ("block", .itunesBlock), ("description", .itunesSummary), ("category", .itunesCategory),
        ("owner", .itunesOwner), ("email", .itunesOwner),
      ]
    ),
    (
      .podcast,
      [
        ("chapters", .chapters), ("transcript", .transcript), ("season", .season), ("episode", .episode),
        ("person", .podcastPerson), ("guid", .podcastGuid), ("license", .license),
        ("alternateenclosure", .alternateEnclosure), ("source", .podcastSource), ("images", .podcastImages),
        ("image", .itunesImage),
      ]
    ),
    (
      .media,
      [
        ("group", .container), ("content", .mediaContent), ("thumbnail", .mediaThumbnail),
        ("title", .mediaTitle), ("description", .mediaDescription), ("player", .mediaPlayer),
        ("credit", .mediaCredit), ("keywords", .mediaKeywords), ("category", .mediaCategory),
        ("copyright", .mediaRights), ("license", .license), ("peerlink", .enclosure),
      ]
    ),
    (.slash, [("comments", .commentCount)]),
    (.wfw, [("commentrss", .commentsFeed)]),
    (.threading, [("in-reply-to", .inReplyTo), ("total", .commentCount)]),
    (
      .syndication,
      [
        ("updateperiod", .updatePeriod), ("updatefrequency", .updateFrequency), ("updatebase", .updateBase),
      ]
    ),
    (.georss, [("point", .geoPoint), ("where", .container)]),
    (.geo, [("lat", .latitude), ("long", .longitude), ("lon", .longitude), ("point", .container)]),
    (.gml, [("point", .container), ("pos", .gmlPosition), ("coordinates", .gmlPosition)]),
    (.creativeCommons, [("license", .license)]),
    (.source, [("markdown", .markdown)]),
    (
      .feedBurner,
      [("origlink", .origLink), ("origenclosurelink", .origEnclosureLink), ("browserfriendly", .info)]
    ),
    (.admin, [("generatoragent", .generatorAgent)]),
    (.xhtml, [("body", .xhtmlBody), ("div", .xhtmlBody), ("html", .html)]),
  ]
}
