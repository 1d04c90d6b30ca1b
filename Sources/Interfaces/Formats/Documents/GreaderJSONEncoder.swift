import NewsCore
import NewsText
import NewsToolbox

/// Encodes items in the form of Google Reader's API, with states and labels, as FreshRSS exports and imports them: the guid
/// and the feed's URL are with each item, and titles are HTML.
struct GreaderJSONEncoder: RecordEncoding {
  private var writer = JSONWriter()

  mutating func begin(_ buffer: inout ByteBuffer) {
    writer.beginObject()
    writer.field("id", "user/-/state/com.google/reading-list")
    writer.field("title", "newsd")
    writer.key("items")
    writer.beginArray()
    buffer.append(writer.takeBytes())
  }

  mutating func append(_ item: NewsItem, to buffer: inout ByteBuffer) {
    write(item)
    buffer.append(writer.takeBytes())
    buffer.newLine()
  }

  mutating func end(_ buffer: inout ByteBuffer) {
    writer.endArray()
    writer.endObject()
    buffer.append(writer.takeBytes())
    buffer.newLine()
  }

  private mutating func write(_ item: NewsItem) {
    writer.beginObject()
    let number = String(item.id.rawValue, radix: 16).leftPadded(to: 16, with: "0")
    writer.field("id", "tag:google.com,2005:reader/item/" + number)
    writer.field("guid", item.guid)
    writer.field("published", (item.published ?? item.stored).seconds)
    writer.field("title", Self.html(ofText: item.title))
    if let url = item.url {
      for name in ["canonical", "alternate"] {
        writer.key(dynamic: name)
        writer.beginArray()
        writer.beginObject()
        writer.field("href", url)
        writer.endObject()
        writer.endArray()
      }
    }
    writer.object("content") { json in
      json.field("content", item.contentHTML ?? Self.html(ofText: item.contentText))
    }
    let author = item.authors.map(\.displayName).filter { !$0.isEmpty }.joined(separator: ", ")
    if !author.isEmpty { writer.field("author", author) }
    writer.texts("categories", Self.categories(item))
    writer.object("origin") { json in
      json.field("streamId", "feed/" + item.feedURL)
      json.field("title", Self.html(ofText: item.feedTitle))
      json.field("feedUrl", item.feedURL)
    }
    if !item.enclosures.isEmpty {
      writer.objects("enclosure", item.enclosures) { json, enclosure in
        json.field("href", enclosure.url)
        json.field("type", enclosure.mimeType)
        json.field("length", enclosure.size)
      }
    }
    writer.endObject()
  }

  /// FreshRSS knows `unread` only from exports: without it, the setting of the user decides.
  private static func categories(_ item: NewsItem) -> [String] {
    let state = "user/-/state/com.google/"
    var categories = [state + "reading-list", state + (item.isRead ? "read" : "unread")]
    if item.isStarred { categories.append(state + "starred") }
    return categories + item.labels.map { "user/-/label/" + $0 } + item.tags
  }

  private static func html(ofText text: String) -> String {
    var buffer = ByteBuffer(capacity: text.utf8.count + 32)
    buffer.append(xml: text)
    return buffer.string().replacing(ascii: "\n", with: "<br>\n")
  }
}
