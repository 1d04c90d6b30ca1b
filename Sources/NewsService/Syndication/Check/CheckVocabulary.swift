/// Which elements the formats have, and which of them may stand once only.
///
/// RSS 2.0 (https://www.rssboard.org/rss-specification) with what 0.91 to 0.93 had besides, RSS 1.0 section 5, RFC 4287
/// section 4.
enum CheckVocabulary {
  static let rss: [String: Set<String>] = [
    "rss": ["channel"],
    "channel": [
      "title", "link", "description", "language", "copyright", "managingEditor", "webMaster", "pubDate",
      "lastBuildDate", "category", "generator", "docs", "cloud", "ttl", "image", "rating", "textInput",
      "skipHours",
      "skipDays", "item",
    ],
    "item": [
      "title", "link", "description", "author", "category", "comments", "enclosure", "guid", "pubDate",
      "source",
      "expirationDate",
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
    "title",
    "updated",
  ]

  static let atom: [String: Set<String>] = [
    "feed": atomFeed.union(["entry"]),
    "source": atomFeed,
    "entry": [
      "author", "category", "content", "contributor", "id", "link", "published", "rights", "source",
      "summary",
      "title", "updated",
    ],
    "author": ["name", "uri", "email"],
    "contributor": ["name", "uri", "email"],
  ]

  private static let repeatable: Set<String> = [
    "item", "entry", "category", "enclosure", "link", "author", "contributor", "hour", "day",
  ]

  /// True for an element that its parent may have once only.
  static func isSingle(_ name: String, in parent: String, isAtom: Bool) -> Bool {
    guard let children = (isAtom ? atom : rss)[parent], children.contains(name) else { return false }
    return !repeatable.contains(name) || !isAtom && (name == "link" || name == "author")
  }
}
