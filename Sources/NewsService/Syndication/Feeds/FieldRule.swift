/// What the text of an element is, and how good a value it gives: a later value replaces one of lower rank.
struct FieldRule {
  /// How the text is meant; nil for an element whose start decides that, or that has no text of its own.
  var text: FeedBuilder.TextType?
  /// Rank in an item and in a feed; 0: says nothing there.
  var itemRank: UInt8 = 0
  var feedRank: UInt8 = 0

  private init(_ text: FeedBuilder.TextType?, item: UInt8 = 0, feed: UInt8 = 0) {
    self.text = text
    itemRank = item
    feedRank = feed
  }

  @inline(__always)
  static func of(_ element: FeedElement) -> FieldRule { table[Int(element.rawValue)] }

  /// In the order of raw values.
  private static let table: [FieldRule] = {
    var table = [FieldRule](repeating: FieldRule(nil), count: 256)
    for (element, rule) in ranked { table[Int(element.rawValue)] = rule }
    for element in plain { table[Int(element.rawValue)] = FieldRule(.plain) }
    return table
  }()

  /// Elements of several vocabularies for one field. Where two have the same rank, the first in the document counts.
  private static let ranked: [(FeedElement, FieldRule)] = [
    // The title.
    (.title, FieldRule(nil, item: 5, feed: 5)),
    (.dcTitle, FieldRule(.unstated, item: 4, feed: 4)),
    (.itunesTitle, FieldRule(.unstated, item: 3, feed: 3)),
    // The summary of an item, the description of a feed; its own element counts one more in a feed.
    (.description, FieldRule(.html, item: 5, feed: 5)),
    (.summary, FieldRule(nil, item: 5, feed: 4)),
    (.subtitle, FieldRule(nil, feed: 5)),
    (.dcDescription, FieldRule(.unstated, item: 4, feed: 4)),
    (.itunesSummary, FieldRule(.unstated, item: 3, feed: 3)),
    (.itunesSubtitle, FieldRule(.unstated, item: 1, feed: 2)),
    (.info, FieldRule(nil, feed: 1)),
    // The content.
    (.content, FieldRule(nil, item: 3)),
    (.contentEncoded, FieldRule(.html, item: 3)),
    (.contentValue, FieldRule(.html, item: 2)),
    (.xhtmlBody, FieldRule(nil, item: 2)),
    // The identity; RSS has a guid and no id, Atom an id and no guid.
    (.id, FieldRule(.plain, item: 3)),
    (.guid, FieldRule(.plain, item: 2)),
    (.identifier, FieldRule(.plain, item: 1)),
  ]

  /// Elements of one plain value.
  private static let plain: [FeedElement] = [
    .markdown, .latitude, .longitude, .geoPoint, .gmlPosition, .name, .email, .uri, .language, .keywords,
    .comments,
    .width, .height, .logo, .icon, .published, .updated, .created, .expires, .dcDate, .ttl, .hour, .day,
    .updatePeriod, .updateFrequency, .updateBase, .itunesAuthor, .itunesExplicit, .itunesBlock,
    .itunesDuration,
    .itunesKeywords, .episode, .season, .episodeType, .podcastGuid, .mediaKeywords, .commentCount,
    .commentsFeed,
    .origLink, .origEnclosureLink,
  ]
}
