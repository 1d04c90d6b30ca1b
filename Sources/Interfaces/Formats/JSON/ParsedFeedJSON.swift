public import NewsCore
public import NewsToolbox

/// Encodes a parsed document as one JSON Feed 1.1 object (https://www.jsonfeed.org/version/1.1/). Values for which
/// that format has no key go into an extension object `_newsd`, one for the feed and one for each item.
///
/// Items come before the feed's `_newsd`, so that a document can be printed during parsing.
public enum ParsedFeedJSON {
  /// The document in UTF-8, on one line without a trailing line feed.
  public static func bytes(_ feed: ParsedFeed) -> [UInt8] {
    var writer = JSONWriter(reservingCapacity: 4096 + feed.items.count * 1024)
    begin(&writer)
    for item in feed.items {
      write(item, into: &writer)
    }
    end(feed, into: &writer)
    return writer.takeBytes()
  }

  /// Opens the object and its list of items.
  public static func begin(_ json: inout JSONWriter) {
    json.beginObject()
    json.field("version", "https://jsonfeed.org/version/1.1")
    json.key("items")
    json.beginArray()
  }

  /// Closes the list of items and writes the values of the feed itself.
  public static func end(_ feed: ParsedFeed, into json: inout JSONWriter) {
    json.endArray()
    json.field("title", feed.title ?? "")
    json.field("home_page_url", feed.homePageURL)
    json.field("feed_url", feed.feedURL)
    json.field("next_url", feed.links.first { $0.rel == "next" }?.href)
    json.field("description", feed.description)
    json.field("icon", feed.icon)
    json.field("favicon", feed.favicon)
    json.field("language", feed.language)
    json.field("expired", feed.isExpired)
    write(authors: feed.authors, into: &json)
    json.objects("hubs", feed.hubs) { json, hub in
      json.field("type", "WebSub")
      json.field("url", hub)
    }
    writeExtension(of: feed, into: &json)
    json.endObject()
  }

  private static func writeExtension(of feed: ParsedFeed, into json: inout JSONWriter) {
    json.object("_newsd") { json in
      json.field("format", feed.format)
      json.field("well_formed", feed.isWellFormed)
      write(problems: feed.problems, into: &json)
      json.field("encoding", feed.encoding)
      json.field("id", feed.id)
      json.field("updated", feed.updated?.rfc3339)
      json.field("published", feed.published?.rfc3339)
      json.field("created", feed.created?.rfc3339)
      json.field("rights", feed.rights)
      json.field("ttl", feed.hints.ttl)
      write(feed.hints, into: &json)
      write("links", feed.links, into: &json)
      write(feed.generator, into: &json)
      write("tags", feed.tags, into: &json)
      write("authors", feed.authors, into: &json)
      write("contributors", feed.contributors, into: &json)
      write("publisher", feed.publisher, into: &json)
      write(feed.image, into: &json)
      if feed.itunesExplicit != nil || feed.itunesBlock != nil {
        json.object("itunes") { json in
          json.field("explicit", feed.itunesExplicit)
          json.field("block", feed.itunesBlock)
        }
      }
    }
  }

  private static func write(_ hints: PollHints, into json: inout JSONWriter) {
    json.field("update_interval", hints.updateInterval)
    json.field("update_base", hints.updateBase?.rfc3339)
    if hints.skipHours != 0 {
      json.key("skip_hours")
      json.beginArray()
      for hour in 0..<24 where hints.skipHours >> UInt32(hour) & 1 == 1 { json.value(hour) }
      json.endArray()
    }
    if hints.skipDays != 0 {
      let names = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
      json.key("skip_days")
      json.beginArray()
      for (day, name) in names.enumerated() where hints.skipDays >> UInt8(day) & 1 == 1 { json.value(name) }
      json.endArray()
    }
  }

  /// Writes one element of `items`.
  public static func write(_ item: ParsedItem, into json: inout JSONWriter) {
    json.beginObject()
    json.field("id", identifier(of: item))
    json.field("url", item.url)
    json.field("external_url", item.externalURL)
    json.field("title", item.title)
    json.field("content_html", item.contentHTML)
    json.field("content_text", item.contentText ?? (item.contentHTML == nil ? "" : nil))
    json.field("summary", item.summary)
    json.field("image", item.image)
    json.field("banner_image", item.extensions?.bannerImage)
    json.field("date_published", item.published?.rfc3339)
    json.field("date_modified", item.updated?.rfc3339)
    write(authors: item.authors, into: &json)
    write(tagNames: item.tags, into: &json)
    json.field("language", item.language)
    write(attachments: item.enclosures, into: &json)
    writeExtension(of: item, into: &json)
    json.endObject()
  }

  private static func writeExtension(of item: ParsedItem, into json: inout JSONWriter) {
    json.object("_newsd") { json in
      write("links", item.links, into: &json)
      json.field("rights", item.rights)
      write("tags", item.tags, into: &json)
      write("authors", item.authors, into: &json)
      write("contributors", item.contributors, into: &json)
      write("publisher", item.publisher, into: &json)
      json.field("created", item.created?.rfc3339)
      json.field("expires", item.expires?.rfc3339)
      json.field("comments", item.commentsURL)
      json.field("license", item.license)
      json.field("content_src", item.contentSource)
      json.field("guid_is_permalink", item.guidIsPermalink)
      json.field("summary_html", item.summaryHTML)
      if item.itunesExplicit != nil || item.itunesBlock != nil || item.itunesDuration != nil {
        json.object("itunes") { json in
          json.field("explicit", item.itunesExplicit)
          json.field("block", item.itunesBlock)
          json.field("duration", item.itunesDuration)
        }
      }
      if let source = item.source { write(source, into: &json) }
      if let extensions = item.extensions { write(extensions, into: &json) }
    }
  }

  /// JSON Feed requires an id for every item. If the document gives none, returns the item's address, and without
  /// an address a hash of its content.
  private static func identifier(of item: ParsedItem) -> String {
    if let id = item.id, !id.isEmpty { return id }
    if let url = item.url ?? item.externalURL ?? item.enclosures.first?.url { return url }
    var hash = FNV1a<UInt64>()
    let text = item.contentHTML ?? item.contentText ?? item.summary ?? ""
    for part in [item.title ?? "", item.published?.rfc3339 ?? "", text] {
      hash.add(part.utf8)
      hash.add(0xFF)
    }
    return "urn:newsd:" + String(hash.value, radix: 16)
  }
}
