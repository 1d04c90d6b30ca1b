import NewsCore
import Testing

@testable import NewsSyndication

@Suite struct `The bytes of an item` {
  /// An item that has a value in every field, and two of each list.
  private static var full: ParsedItem {
    let author = Author(name: "name", url: "url", email: "email", avatar: "avatar")
    let tag = Category(term: "term", scheme: "scheme", label: "label")
    let link = Link(
      href: "href",
      rel: "rel",
      type: "type",
      title: "title",
      hreflang: "hreflang",
      length: "length"
    )
    let time = Timestamp(seconds: 1)
    var item = ParsedItem()
    (item.id, item.url, item.externalURL, item.title) = ("id", "url", "external", "title")
    (item.contentHTML, item.contentText) = ("content html", "content text")
    (item.summary, item.summaryHTML, item.image) = ("summary", "summary html", "image")
    (item.published, item.updated, item.created, item.expires) = (time, time, time, time)
    (item.authors, item.contributors, item.publisher) = ([author, author], [author, author], author)
    (item.tags, item.links, item.language) = ([tag, tag], [link, link], "language")
    let enclosure = Enclosure(url: "url", mimeType: "mime", title: "title", size: 1, duration: 1)
    item.enclosures = [enclosure, enclosure]
    (item.rights, item.commentsURL, item.license) = ("rights", "comments", "license")
    (item.contentSource, item.guidIsPermalink) = ("content source", true)
    (item.itunesExplicit, item.itunesBlock, item.itunesDuration) = (true, true, 1)

    var source = ItemSource()
    (source.title, source.subtitle, source.id, source.url) = ("title", "subtitle", "id", "url")
    (source.links, source.updated, source.rights) = ([link, link], time, "rights")
    (source.icon, source.logo) = ("icon", "logo")
    source.generator = Generator(name: "name", url: "url", version: "version")
    (source.authors, source.contributors, source.tags) = ([author, author], [author, author], [tag, tag])
    item.source = source

    var extensions = ItemExtensions()
    (extensions.episode, extensions.season, extensions.episodeType) = ("episode", "season", "full")
    (extensions.chapters, extensions.transcripts) = (link, [link, link])
    let person = PodcastPerson(name: "name", role: "role", group: "group", image: "image", url: "url")
    extensions.persons = [person, person]
    var media = MediaObject(url: "url")
    (media.type, media.medium, media.title, media.alt) = ("type", "medium", "title", "alt")
    (media.width, media.height, media.duration, media.size) = (1, 1, 1, 1)
    extensions.media = [media, media]
    let thumbnail = MediaThumbnail(url: "url", width: 1, height: 1)
    (extensions.thumbnails, extensions.players) = ([thumbnail, thumbnail], ["one", "two"])
    let credit = MediaCredit(name: "name", role: "role", scheme: "scheme")
    extensions.credits = [credit, credit]
    (extensions.mediaTitle, extensions.mediaDescription) = ("media title", "media description")
    (extensions.bannerImage, extensions.commentCount, extensions.commentsFeedURL) = ("banner", 1, "feed")
    let reply = ReplyTarget(ref: "ref", href: "href", type: "type", source: "source")
    extensions.inReplyTo = [reply, reply]
    (extensions.point, extensions.markdown) = (GeoPoint(latitude: 1, longitude: 1), "markdown")
    item.extensions = extensions
    return item
  }

  /// Returns the bytes of all texts in `value`, and adds the paths of fields without a value to `missing`.
  private func bytes(of value: Any, at path: String, _ missing: inout [String]) -> Int {
    if let text = value as? String { return text.utf8.count }
    let mirror = Mirror(reflecting: value)
    if mirror.children.isEmpty, mirror.displayStyle == .optional || mirror.displayStyle == .collection {
      missing.append(path)
    }
    var total = 0
    for child in mirror.children {
      total += bytes(of: child.value, at: path + "." + (child.label ?? ""), &missing)
    }
    return total
  }

  @Test func `The bytes of an item are those of all its texts`() {
    var missing: [String] = []
    let bytes = bytes(of: Self.full, at: "item", &missing)
    #expect(missing.isEmpty, "the item of this test has no value in these fields")
    #expect(Self.full.textBytes == bytes)
  }
}

@Suite struct `A long base of short addresses` {
  private static let base = "http://e.example/" + String(repeating: "a", count: 4000) + "/"

  private func parse(_ entries: String) throws -> (feed: ParsedFeed, document: Int) {
    let document =
      "<feed xmlns='http://www.w3.org/2005/Atom' xmlns:podcast='https://podcastindex.org/namespace/1.0'"
      + " xmlns:media='http://search.yahoo.com/mrss/' xmlns:thr='http://purl.org/syndication/thread/1.0'"
      + " xml:base='\(Self.base)'><title>T</title><id>f</id>\(entries)</feed>"
    var limits = ParseLimits()
    limits.maximumTotalBytes = 100_000
    let feed = try FeedParser(limits: limits).parse(FeedDocument(bytes: Array(document.utf8)))
    return (feed, document.utf8.count)
  }

  @Test(arguments: [
    "<podcast:person href='#' img='i#'>p#</podcast:person>",
    "<podcast:transcript url='#' type='text/vtt'/>",
    "<podcast:alternateEnclosure type='audio/ogg'><podcast:source uri='#'/></podcast:alternateEnclosure>",
    "<contributor><name>c#</name><uri>#</uri></contributor>",
    "<author><name>a#</name><uri>#</uri></author>",
    "<media:player url='#'/>",
    "<media:thumbnail url='#'/>",
    "<thr:in-reply-to href='#' source='s#'/>",
    "<source><title>s</title><link rel='r#' href='#'/></source>",
  ])
  func `Items with many addresses hold no more than the limit together`(_ element: String) throws {
    let entries = (0..<100).map { entry in
      let elements = (0..<50).map { element.replacing("#", with: "\($0)") }.joined()
      return "<entry><id>\(entry)</id><title>t</title>\(elements)</entry>"
    }
    let (feed, size) = try parse(entries.joined())
    #expect(feed.items.count < 100)
    #expect(feed.items.reduce(0) { $0 + $1.textBytes } <= size * 8)
    #expect(feed.limitNotes.contains { $0.contains("bytes together") })
  }

  @Test(arguments: [
    "<podcast:person href='1' img='i1'>p</podcast:person>", "<source><link href=''/></source>",
  ])
  func `Reading stops within items that are not complete yet`(_ element: String) throws {
    let elements = String(repeating: element, count: 20)
    let start = (0..<200).map { "<entry><id>\($0)</id>\(elements)" }.joined()
    let (feed, _) = try parse(start + String(repeating: "</entry>", count: 200))
    #expect(!feed.items.contains { $0.id == "199" })
    #expect(feed.limitNotes.contains { $0.contains("bytes together") })
  }

  @Test func `A short document does not grow beyond what is expected of it`() throws {
    let links = (0..<500).map { "<link rel='enclosure' href='\($0)'/>" }.joined()
    let entries = (0..<4).map { "<entry><id>\($0)</id><title>t</title>\(links)</entry>" }.joined()
    let document =
      "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='\(Self.base)'><title>T</title><id>f</id>\(entries)</feed>"
    let feed = try FeedParser().parse(FeedDocument(bytes: Array(document.utf8)))
    #expect(feed.items.count < 4)
    #expect(feed.limitNotes.contains { $0.contains("bytes together") })
  }

  @Test func `Items of a JSON Feed hold no more than the limit together`() throws {
    let authors = (0..<50).map { "{\"name\":\"n\($0)\",\"url\":\"\($0)\",\"avatar\":\"a\($0)\"}" }
      .joined(separator: ",")
    let items = (0..<100).map { "{\"id\":\"\($0)\",\"content_text\":\"x\",\"authors\":[\(authors)]}" }
      .joined(separator: ",")
    let document =
      "{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"T\",\"home_page_url\":\"\(Self.base)\","
      + "\"items\":[\(items)]}"
    var limits = ParseLimits()
    limits.maximumTotalBytes = 100_000
    let feed = try FeedParser(limits: limits).parse(FeedDocument(bytes: Array(document.utf8)))
    #expect(feed.items.count < 100)
    #expect(feed.items.reduce(0) { $0 + $1.textBytes } <= document.utf8.count * 8)
  }
}
