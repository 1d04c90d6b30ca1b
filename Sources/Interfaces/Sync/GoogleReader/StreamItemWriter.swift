import NewsHTTP
import NewsCore
import NewsToolbox

/// Writes items in the format of the Google Reader API.
struct StreamItemWriter: Sendable {
  private let streams: SyncStreams
  private let numbers: ItemNumbers
  private let site: WebSite

  init(_ streams: SyncStreams, _ call: GoogleReaderCall) {
    numbers = ItemNumbers(call.app)
    self.streams = streams
    site = call.request.site
  }

  func json(_ stream: StreamItem) -> [UInt8] {
    let item = stream.item
    let arrival = String(StreamEntry.arrival(item.stored, item.id)).leftPadded(to: 16, with: "0")
    let link = ItemMarkup.link(item, site)
    var json = JSONWriter(
      reservingCapacity: 1024 + (item.contentHTML?.utf8.count ?? item.contentText.utf8.count)
    )
    json.beginObject()
    json.field("id", ItemIdentifier.long(numbers.number(item.id)))
    json.field("crawlTimeMsec", String(arrival.slice(0..<arrival.utf8.count - 3)))
    json.field("timestampUsec", arrival)
    json.field("published", ItemMarkup.published(item))
    json.field("updated", ItemMarkup.updated(item))
    json.field("title", item.shownTitle)
    json.field("author", ItemMarkup.author(item))
    json.objects("canonical", [link]) { json, link in json.field("href", link) }
    json.objects("alternate", [link]) { json, link in
      json.field("href", link)
      json.field("type", "text/html")
    }
    json.object("summary") { json in
      // No key may sort before "content", because newsboat uses the alphabetically first one as the text.
      json.field("content", ItemMarkup.html(item))
    }
    json.array("categories", categories(stream)) { json, category in json.value(category) }
    writeOrigin(item, stream.feed, &json)
    writeEnclosures(item, &json)
    json.endObject()
    return json.bytes
  }

  /// Returns the categories of an item. Their ids must begin with exactly `user/-/`, which newsboat expects.
  private func categories(_ stream: StreamItem) -> [String] {
    var categories = [StreamName.readingList]
    if stream.item.isRead { categories.append(StreamName.read) }
    if stream.item.isStarred { categories.append(StreamName.starred) }
    if let folder = stream.feed?.folder {
      categories.append(StreamName.label(named: streams.shown(folder)))
    }
    return categories + stream.labels.map { StreamName.label(named: $0) }
  }

  private func writeOrigin(_ item: NewsItem, _ feed: Feed?, _ json: inout JSONWriter) {
    json.object("origin") { json in
      json.field("streamId", StreamName.feed(item.feedID))
      json.field("title", feed?.visibleTitle ?? item.feedTitle)
      json.field("htmlUrl", feed?.siteURL ?? item.feedURL)
    }
  }

  private func writeEnclosures(_ item: NewsItem, _ json: inout JSONWriter) {
    let pictures = ItemMarkup.unattachedPictures(item)
    guard !item.enclosures.isEmpty || !pictures.isEmpty else { return }
    json.key("enclosure")
    json.beginArray()
    for picture in pictures {
      json.beginObject()
      json.field("href", picture.url)
      json.field("type", ItemMarkup.pictureType)
      json.endObject()
    }
    for enclosure in item.enclosures {
      json.beginObject()
      json.field("href", enclosure.url)
      json.field("type", enclosure.mimeType ?? "application/octet-stream")
      json.field("length", enclosure.size)
      json.endObject()
    }
    json.endArray()
  }
}
