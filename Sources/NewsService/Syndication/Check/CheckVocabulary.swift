/// The elements of each format, and which of them occur at most once.
///
/// Sources: RSS 2.0 (https://www.rssboard.org/rss-specification) with the additional elements of 0.91 to 0.93, section
/// 5 of RSS 1.0, section 4 of RFC 4287.
enum CheckVocabulary {
  static let rss: [String: Set<String>] = [
    "rss": ["channel"],
    "channel": [
      "title", "link", "description", "language", "copyright", "managingEditor", "webMaster", "pubDate",
      "lastBuildDate", "category", "generator", "docs", "cloud", "ttl", "image", "rating", "textInput",
      "skipHours", "skipDays", "item",
    ],
    "item": [
      "title", "link", "description", "author", "category", "comments", "enclosure", "guid", "pubDate",
      "source", "expirationDate",
    ],
    "image": ["url", "title", "link", "width", "height", "description"],
    "textInput": ["title", "description", "name", "link"],
    "skipHours": ["hour"],
    "skipDays": ["day"],
  ]

  static let rdf: [String: Set<String>] = [
    "rdf:RDF": ["channel", "image", "item", "textinput"],
    "channel": ["title", "link", "description", "image", "items", "textinput"],
    "item": ["title", "link", "description"],
    "image": ["title", "url", "link"],
    "textinput": ["title", "description", "name", "link"],
  ]

  private static let atomFeed: Set<String> = [
    "author", "category", "contributor", "generator", "icon", "id", "link", "logo", "rights", "subtitle",
    "title", "updated",
  ]

  static let atom: [String: Set<String>] = [
    "feed": atomFeed.union(["entry"]),
    "source": atomFeed,
    "entry": [
      "author", "category", "content", "contributor", "id", "link", "published", "rights", "source",
      "summary", "title", "updated",
    ],
    "author": ["name", "uri", "email"],
    "contributor": ["name", "uri", "email"],
  ]

  /// The namespace URIs of each prefix that the rules use; the first of several is the current one.
  static let namespaces: [String: [String]] = [
    "atom:": ["http://www.w3.org/2005/Atom"],
    "dc:": ["http://purl.org/dc/elements/1.1/", "http://purl.org/dc/elements/1.0/"],
    "dcterms:": ["http://purl.org/dc/terms/"],
    "content:": ["http://purl.org/rss/1.0/modules/content/"],
    "itunes:": ["http://www.itunes.com/dtds/podcast-1.0.dtd", "http://www.itunes.com/DTDs/Podcast-1.0.dtd"],
    "podcast:": [
      "https://podcastindex.org/namespace/1.0",
      "https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md",
    ],
    "media:": ["http://search.yahoo.com/mrss/"],
    "slash:": ["http://purl.org/rss/1.0/modules/slash/"],
    "wfw:": ["http://wellformedweb.org/CommentAPI/"],
    "sy:": ["http://purl.org/rss/1.0/modules/syndication/"],
    "georss:": ["http://www.georss.org/georss", "http://www.georss.org/georss/10"],
    "geo:": ["http://www.w3.org/2003/01/geo/wgs84_pos#"],
    "thr:": ["http://purl.org/syndication/thread/1.0"],
    "xhtml:": ["http://www.w3.org/1999/xhtml"],
  ]

  /// Module elements that a channel or item may contain only once. If they are repeated, readers use an arbitrary
  /// one.
  private static let singleModuleElements: Set<String> = [
    "content:encoded", "dc:date", "dc:language", "dc:rights", "dcterms:created", "dcterms:issued",
    "dcterms:modified", "itunes:block", "itunes:complete", "itunes:duration", "itunes:episode",
    "itunes:episodeType", "itunes:explicit", "itunes:image", "itunes:new-feed-url", "itunes:season",
    "itunes:subtitle", "itunes:summary", "itunes:title", "itunes:type", "media:copyright",
    "media:description", "media:title", "slash:comments", "slash:hit_parade", "sy:updateBase",
    "sy:updateFrequency", "sy:updatePeriod",
  ]

  private static let repeatable: Set<String> = [
    "item", "entry", "category", "enclosure", "link", "author", "contributor", "hour", "day",
  ]

  /// True for an element that may occur only once in its parent.
  static func isSingle(_ name: String, in parent: String, _ dialect: CheckDialect) -> Bool {
    if name.utf8.contains(UInt8(ascii: ":")) { return singleModuleElements.contains(name) }
    guard let children = children(dialect)[parent], children.contains(name) else { return false }
    switch dialect {
    case .rdf: return name != "item"
    case .atom, .atom03: return !repeatable.contains(name)
    case .rss, .other: return !repeatable.contains(name) || name == "link" || name == "author"
    }
  }

  /// Returns the allowed child elements of each element.
  static func children(_ dialect: CheckDialect) -> [String: Set<String>] {
    switch dialect {
    case .atom, .atom03: atom
    case .rdf: rdf
    case .rss, .other: rss
    }
  }
}

extension CheckVocabulary {
  /// The roles of the European Broadcasting Union, which `media:credit` uses unless its scheme is another one (Media RSS
  /// 1.5.1; EBU role codes).
  static let creditRoles: Set<String> = [
    "actor", "adaptor", "anchor person", "animal trainer", "animator", "announcer", "armourer",
    "art director", "artist/performer", "assistant camera", "assistant chief lighting technician",
    "assistant director", "assistant producer", "assistant visual editor", "author", "broadcast assistant",
    "broadcast journalist", "camera operator", "carpenter", "casting", "causeur",
    "chief lighting technician", "choir", "choreographer", "clapper loader", "commentary or commentator",
    "commissioning broadcaster", "composer", "computer programmer", "conductor", "consultant",
    "continuity checker", "correspondent", "costume designer", "dancer", "dialogue coach", "director",
    "director of photography", "distribution company", "draughtsman", "dresser", "dubber", "editor",
    "editor/producer (news)", "ensemble", "executive producer", "expert", "fight director", "floor manager",
    "focus puller", "foley artist", "foley editor", "foley mixer", "graphic assistant", "graphic designer",
    "greensman", "grip", "hairdresser", "illustrator", "interviewed guest", "interviewer", "key character",
    "key grip", "key talents", "leadman", "librettist", "lighting director", "lighting technician",
    "location manager", "lyricist", "make up artist", "manufacturer", "matte artist", "music arranger",
    "music group", "musician", "news reader", "orchestra", "participant", "performer", "photographer",
    "post-production editor", "producer", "production assistant", "production company",
    "production department", "production manager", "production secretary",
    "programme production researcher", "property manager", "publishing company", "puppeteer",
    "pyrotechnician", "reporter", "rigger", "runner", "scenario", "scenic operative", "script supervisor",
    "second assistant camera", "second assistant director", "second unit director", "set designer",
    "set dresser", "sign language", "singer", "sound designer", "sound mixer", "sound recordist",
    "special effects", "stunts", "subtitles", "technical director", "term", "translation",
    "transportation manager", "treatment/programme proposal", "vision mixer", "visual editor",
    "visual effects", "vocalist", "wardrobe", "witness",
  ]
}

/// The feed formats that the check distinguishes, by their elements.
enum CheckDialect {
  case rss, rdf, atom, atom03, other
}
