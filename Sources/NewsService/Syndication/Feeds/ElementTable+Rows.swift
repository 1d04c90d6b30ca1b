/// Every element that newsd reads, by meaning. To read a new element, add a row.
///
/// A row lists the names of the element, the effect of its tags (none by default), the type of its text, and the
/// field and rank for each owner. If several elements have the same field, usually the highest rank wins;
/// with equal ranks, the first in the document. `FeedBuilder+ItemFields.swift` and
/// `FeedBuilder+FeedFields.swift` store the fields.
/// `NamespaceTable` maps namespaces to the prefixes used here.
extension ElementTable {
  static let rows: [Row] = structure + texts + identity + people + dates + hints + pictures + links + modules

  private static let structure: [Row] = [
    Row("rss", kind: .rss),
    Row("rdf rdf:rdf", kind: .rdf),
    Row("channel", kind: .channel),
    Row("feed", kind: .feed),
    Row("item entry", kind: .item),
    Row("html xhtml:html", kind: .html),
    Row("opml urlset sitemapindex", kind: .otherRoot),
    Row("image", kind: .image),
    Row("textinput", kind: .textInput),
    Row("source", kind: .source),
    Row(
      "items skiphours skipdays cloud content:items media:group georss:where geo:point gml:point"
        + " rdf:seq rdf:bag rdf:li",
      kind: .container
    ),
  ]

  private static let texts: [Row] = [
    // The title.
    Row("title", kind: .typedText, item: .to(.title, 5), feed: .to(.title, 5), others: .to(.title)),
    Row("dc:title dcterms:title", .unstated, item: .to(.title, 4), feed: .to(.title, 4), others: .to(.title)),
    Row("itunes:title", .unstated, item: .to(.title, 3), feed: .to(.title, 3), others: .to(.title)),

    // The summary of an item, the description of a feed.
    Row(
      "description",
      .html,
      item: .to(.summary, 5),
      feed: .to(.summary, 5, preferred: .inRSS),
      others: .to(.summary)
    ),
    Row(
      "subtitle tagline",
      kind: .typedText,
      feed: .to(.summary, 5, preferred: .inAtom),
      source: .to(.summary)
    ),
    Row("summary", kind: .typedText, item: .to(.summary, 5), feed: .to(.summary, 4)),
    Row(
      "abstract dc:description dcterms:description dcterms:abstract",
      .unstated,
      item: .to(.summary, 4),
      feed: .to(.summary, 4)
    ),
    Row(
      "itunes:summary googleplay:description",
      .unstated,
      item: .to(.summary, 3),
      feed: .to(.summary, 3)
    ),
    Row("itunes:subtitle", .unstated, item: .to(.summary, 1), feed: .to(.summary, 2)),
    Row("info feedburner:browserfriendly", kind: .typedText, feed: .to(.summary, 1)),

    // The content.
    Row("content", kind: .content, item: .to(.content, 3)),
    Row("fullitem content:encoded", .html, item: .to(.content, 3)),
    Row("body xhtml:body xhtml:div", kind: .xhtmlBody, item: .to(.content, 2)),
    Row("content:item", kind: .contentItem),
    Row("rdf:value", .html, kind: .contentValue, item: .to(.content, 2)),

    Row(
      "rights copyright dc:rights dcterms:rights",
      kind: .typedText,
      item: .to(.rights, preferred: .inOwnFormat),
      feed: .to(.rights, preferred: .inOwnFormat),
      source: .to(.rights)
    ),
    Row(
      "language dc:language dcterms:language",
      .plain,
      item: .to(.language),
      feed: .to(.language, preferred: .inOwnFormat)
    ),
    Row("category dc:subject dcterms:subject", kind: .category, all: .to(.tag)),
    Row("keywords tags media:keywords", .plain, all: .to(.keywords)),
    Row("itunes:keywords", .plain, all: .to(.itunesKeywords)),
    Row("itunes:category googleplay:category", kind: .textCategory),
    Row("media:category", kind: .mediaCategory, all: .to(.tag)),
    Row("generator", kind: .generator, feed: .to(.generator), source: .to(.generator)),
    Row("admin:generatoragent", kind: .generatorAgent),
  ]

  private static let identity: [Row] = [
    Row("id", .plain, all: .to(.id, 3)),
    // RSS has a guid and no id, Atom an id and no guid.
    Row("guid", .plain, kind: .guid, item: .to(.guid, 2), feed: .to(.id, 3), source: .to(.id)),
    Row("dc:identifier dcterms:identifier", .plain, all: .to(.id)),
    Row("podcast:guid", .plain, feed: .to(.id)),
  ]

  private static let people: [Row] = [
    Row("author dc:creator dc:author dcterms:creator", kind: .person, all: .to(.author)),
    Row("managingeditor", kind: .person, feed: .to(.author)),
    Row("contributor dc:contributor dcterms:contributor", kind: .person, all: .to(.contributor)),
    Row(
      "publisher webmaster dc:publisher dcterms:publisher",
      kind: .person,
      item: .to(.publisher),
      feed: .to(.publisher, 2)
    ),
    Row(
      "itunes:owner googleplay:owner googleplay:email",
      kind: .person,
      item: .to(.publisher),
      feed: .to(.publisher)
    ),
    Row("itunes:author googleplay:author", .plain, item: .to(.fallbackAuthor), feed: .to(.fallbackAuthor)),
    Row("name itunes:name", .plain, person: .to(.name)),
    Row("email itunes:email", .plain, person: .to(.email)),
    Row("uri url homepage", .plain, image: .to(.url), person: .to(.url)),
  ]

  private static let dates: [Row] = [
    Row(
      "published issued pubdate dcterms:issued",
      .plain,
      item: .to(.published, 2, preferred: .inOwnFormat),
      feed: .to(.published, 2, preferred: .inOwnFormat)
    ),
    Row(
      "updated modified lastbuilddate dcterms:modified",
      .plain,
      item: .to(.updated, 2, preferred: .inOwnFormat),
      feed: .to(.updated, 2, preferred: .inOwnFormat),
      source: .to(.updated)
    ),
    // The item's only date: use it as the date of publication and of the last change.
    Row(
      "date dc:date dcterms:date dcterms:available",
      .plain,
      item: .to(.publishedAndUpdated),
      feed: .to(.publishedAndUpdated),
      source: .to(.updated)
    ),
    Row("created dcterms:created", .plain, item: .to(.created), feed: .to(.created)),
    Row("expirationdate dcterms:valid", .plain, item: .to(.expires)),
  ]

  private static let hints: [Row] = [
    Row("ttl", .plain, feed: .to(.ttl)),
    Row("hour", .plain, feed: .to(.skipHour)),
    Row("day", .plain, feed: .to(.skipDay)),
    Row("sy:updateperiod", .plain, feed: .to(.updatePeriod)),
    Row("sy:updatefrequency", .plain, feed: .to(.updateFrequency)),
    Row("sy:updatebase", .plain, feed: .to(.updateBase)),
  ]

  private static let pictures: [Row] = [
    Row("logo", .plain, kind: .logo, item: .to(.image, 2), feed: .to(.image, 5), source: .to(.logo)),
    Row("icon", .plain, kind: .logo, feed: .to(.icon), source: .to(.icon)),
    Row(
      "itunes:image googleplay:image podcast:image",
      kind: .picture,
      item: .to(.image, 4),
      feed: .to(.image, 4)
    ),
    Row("itunes:link", kind: .pictureLink),
    Row("width", .plain, image: .to(.width)),
    Row("height", .plain, image: .to(.height)),
  ]

  private static let links: [Row] = [
    Row("link", kind: .link, all: .to(.link, 5), image: .to(.link)),
    Row("enclosure media:peerlink", kind: .enclosure),
    Row("comments", .plain, item: .to(.comments)),
    Row(
      "license podcast:license media:license cc:license dcterms:license",
      kind: .license,
      item: .to(.license),
      feed: .to(.license)
    ),
    Row("feedburner:origlink", .plain, item: .to(.origLink, 9)),
    Row("feedburner:origenclosurelink", .plain, item: .to(.origEnclosureLink)),
  ]

  private static let modules: [Row] = [
    // Podcasts: iTunes and the Podcasting 2.0 namespace.
    Row("itunes:explicit googleplay:explicit", .plain, item: .to(.explicit), feed: .to(.explicit)),
    Row("itunes:block googleplay:block", .plain, item: .to(.block), feed: .to(.block)),
    Row("itunes:duration", .plain, item: .to(.duration)),
    Row("itunes:episode podcast:episode", .plain, item: .to(.episode)),
    Row("itunes:season podcast:season", .plain, item: .to(.season)),
    Row("itunes:episodetype", .plain, item: .to(.episodeType)),
    Row("podcast:chapters", kind: .chapters),
    Row("podcast:transcript", kind: .transcript),
    Row("podcast:person", kind: .podcastPerson, item: .to(.podcastPerson)),
    Row("podcast:alternateenclosure", kind: .alternateEnclosure),
    Row("podcast:source", kind: .podcastSource),
    Row("podcast:images", kind: .podcastImages),

    // Media RSS.
    Row("media:content", kind: .mediaContent),
    Row("media:thumbnail", kind: .mediaThumbnail),
    Row("media:player", kind: .mediaPlayer),
    Row("media:title", kind: .mediaText, item: .to(.mediaTitle)),
    Row("media:description", kind: .mediaText, item: .to(.mediaDescription)),
    Row("media:credit", kind: .mediaCredit, item: .to(.credit)),
    Row(
      "media:copyright",
      kind: .mediaText,
      item: .to(.rights),
      feed: .to(.rights),
      source: .to(.rights)
    ),

    // Discussion: Slash, wfw and RFC 4685.
    Row("slash:comments thr:total", .plain, item: .to(.commentCount)),
    Row("wfw:commentrss", .plain, item: .to(.commentsFeed)),
    Row("thr:in-reply-to", kind: .inReplyTo),

    // Places: GeoRSS, W3C Basic Geo and GML.
    Row("georss:point gml:pos gml:coordinates", .plain, item: .to(.point)),
    Row("geo:lat", .plain, item: .to(.latitude)),
    Row("geo:long geo:lon", .plain, item: .to(.longitude)),

    Row("source:markdown", .plain, item: .to(.markdown)),
  ]
}
