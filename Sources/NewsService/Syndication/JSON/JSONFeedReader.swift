import NewsCore
import NewsToolbox

/// Reads JSON Feed 1.0 and 1.1 (https://www.jsonfeed.org/version/1.1/), and RSS in JSON.
enum JSONFeedReader {
  static func read(
    _ utf8: UnsafeBufferPointer<UInt8>,
    builder: inout FeedBuilder
  ) throws(FeedParseError) -> ParsedFeed {
    var reader = JSONReader(utf8, mostValues: builder.limits.maximumValues)
    guard let root = reader.read(), root.members != nil else {
      throw FeedParseError(code: .notAFeed, message: "this is JSON or plain text, but not a feed")
    }
    var problems: [SyntaxProblem] = []
    if let problem = reader.firstProblem {
      let finding = Finding(offset: problem.offset, message: problem.message)
      problems = Finding.locate([finding], in: utf8)
      if reader.isTooLarge {
        builder.place.offset = problem.offset
        builder.note(
          .items,
          "there are more than \(builder.limits.maximumValues) values; the rest was left out"
        )
      }
    }
    if let rss = root["rss"] ?? (root["channel"].map { _ in root }), rss["channel"]?.members != nil {
      return RSSInJSON.read(rss, problems: problems, builder: &builder)
    }
    guard isFeed(root) else {
      throw FeedParseError(code: .notAFeed, message: "this is JSON, but not a JSON Feed")
    }
    var feed = feed(root, builder: &builder)
    feed.problems = problems + Finding.locate(builder.limitsHit.findings, in: utf8)
    feed.isWellFormed = feed.problems.isEmpty
    feed.limitNotes = builder.limitsHit.findings.map(\.message)
    return feed
  }

  /// Recognizes a JSON Feed by its version, or by its members if the version is missing or misspelt.
  private static func isFeed(_ root: JSONValue) -> Bool {
    if root["version"]?.text?.lowercased().contains("jsonfeed.org") == true { return true }
    guard let items = root["items"], case .array = items else { return false }
    return ["version", "title", "home_page_url", "feed_url"].contains { root[$0] != nil }
  }

  static func feed(_ root: JSONValue, builder: inout FeedBuilder) -> ParsedFeed {
    let version = root["version"]?.text ?? ""
    let isFirst = version.hasSuffix("/1") || version.hasSuffix("1.0") || version == "1"
    var feed = ParsedFeed(format: isFirst ? "json10" : "json11")
    // Without a document address, the feed URL or home page is the base.
    if builder.inherited.documentBase == nil {
      let home = root["feed_url"]?.text ?? root["home_page_url"]?.text
      builder.inherited.documentBase = home.flatMap { BaseURL($0) }
      builder.updateBase()
    }
    feed.title = root["title"]?.text.flatMap { line($0, &builder) }.map { GivenName.cut($0) }
    feed.description = root["description"]?.text.flatMap { line($0, &builder) }
    feed.homePageURL = url(root["home_page_url"], &builder)
    feed.feedURL = url(root["feed_url"], &builder)
    feed.icon = url(root["icon"], &builder)
    feed.favicon = url(root["favicon"], &builder)
    feed.language = language(root["language"])
    feed.isExpired = root["expired"]?.flag
    feed.authors = authors(root, &builder)
    if let home = feed.homePageURL {
      feed.links.append(Link(href: home, rel: "alternate", type: "text/html"))
    }
    if let own = feed.feedURL {
      feed.links.append(Link(href: own, rel: "self", type: "application/feed+json"))
    }
    if let next = url(root["next_url"], &builder) { feed.links.append(Link(href: next, rel: "next")) }
    var hubs = ListIndex()
    for hub in root["hubs"]?.elements ?? [] {
      guard let url = url(hub["url"], &builder) else { continue }
      // Skip rssCloud hubs: newsd only speaks WebSub.
      if hub["type"]?.text?.lowercased() == "rsscloud" { continue }
      FeedBuilder.append(url, to: &feed.hubs, &hubs)
    }
    for item in root["items"]?.elements ?? [] {
      guard case .object(_, let offset) = item else { continue }
      builder.place.offset = offset
      guard builder.delivery.itemCount < builder.limits.maximumItems else {
        builder.note(
          .items,
          "there are more than \(builder.limits.maximumItems) items; the rest was left out"
        )
        break
      }
      builder.delivery.itemCount += 1
      let parsed = self.item(item, &builder)
      guard builder.admits(parsed), !builder.place.isStopped else { break }
      // Use the date of the newest item as the feed's date, because the format has none.
      feed.published = [feed.published, parsed.published].compactMap { $0 }.max()
      feed.updated = [feed.updated, parsed.updated ?? parsed.published].compactMap { $0 }.max()
      if let onItem = builder.settings.onItem { onItem(parsed) } else { feed.items.append(parsed) }
    }
    return feed
  }

  private static func item(_ value: JSONValue, _ builder: inout FeedBuilder) -> ParsedItem {
    var item = ParsedItem()
    item.id = value["id"]?.text
    item.url = url(value["url"], &builder)
    item.externalURL = url(value["external_url"], &builder)
    // Use an id that is a URL as the address: the specification recommends such ids.
    if item.url == nil, let id = item.id, WebAddress.isWeb(id) {
      item.url = url(value["id"], &builder)
    }
    item.title = value["title"]?.text.flatMap { line($0, &builder) }
    let banner = url(value["banner_image"], &builder)
    item.image = url(value["image"], &builder) ?? banner
    if let banner {
      var extensions = ItemExtensions()
      extensions.bannerImage = banner
      item.extensions = extensions
    }
    item.language = language(value["language"])
    item.published = value["date_published"]?.text.flatMap(DateParser.parse)
    item.updated = value["date_modified"]?.text.flatMap(DateParser.parse)
    item.authors = authors(value, &builder)
    var tags = ListIndex()
    for tag in value["tags"]?.elements ?? [] {
      if let term = tag.text.flatMap({ line($0, &builder) }) {
        FeedBuilder.append(FeedBuilder.cut(Category(term: term)), to: &item.tags, &tags)
      }
    }
    builder.entry.draft.hasFragments = false
    readContent(value, into: &item, &builder)
    if builder.entry.draft.hasFragments {
      FeedBuilder.settleFragments(of: &item, against: builder.inherited.base)
    }
    for attachment in (value["attachments"]?.elements ?? []).prefix(FeedBuilder.maximumListLength) {
      guard let url = url(attachment["url"], &builder) else { continue }
      item.enclosures.append(
        Enclosure(
          url: url,
          mimeType: attachment["mime_type"]?.text,
          title: attachment["title"]?.text.flatMap { line($0, &builder) },
          size: attachment["size_in_bytes"]?.wholeNumber.flatMap { $0 >= 0 ? $0 : nil },
          duration: attachment["duration_in_seconds"]?.wholeNumber.flatMap { $0 >= 0 ? $0 : nil }
        )
      )
    }
    if let url = item.url { item.links.append(Link(href: url, rel: "alternate", type: "text/html")) }
    if let url = item.externalURL { item.links.append(Link(href: url, rel: "related")) }
    for enclosure in item.enclosures {
      item.links.append(
        Link(href: enclosure.url, rel: "enclosure", type: enclosure.mimeType, title: enclosure.title)
      )
    }
    return item
  }

  private static func readContent(
    _ value: JSONValue,
    into item: inout ParsedItem,
    _ builder: inout FeedBuilder
  ) {
    let limit = builder.limits.maximumFieldBytes
    for name in ["content_html", "content_text"] where value[name]?.text?.utf8.count ?? 0 > limit {
      builder.note(.fieldBytes, "a field is longer than \(limit) bytes and was left out")
    }
    let makesText = builder.settings.makesText
    if var html = value["content_html"]?.text, html.utf8.count <= limit {
      let content = html.withUTF8 { builder.rendition($0, type: .html, makesText: makesText) }
      item.contentHTML = content.html
      item.contentText = content.text
    }
    if let text = value["content_text"]?.text, text.utf8.count <= limit {
      item.contentText = plainForm(text, made: item.contentText)
    }
    if let summary = value["summary"]?.text {
      if item.contentHTML == nil, item.contentText == nil {
        item.contentText = summary
      } else {
        item.summary = line(summary, &builder)
      }
    }
    if item.contentHTML == nil, item.contentText == nil { item.contentText = "" }
  }

  /// Returns the publisher's plain text, or the text made from the HTML if that is more than twice as long.
  private static func plainForm(_ text: String, made: String?) -> String {
    guard let made, text.utf8.count < made.utf8.count / 2 else { return text }
    return made
  }

  private static func authors(_ value: JSONValue, _ builder: inout FeedBuilder) -> [Author] {
    var authors: [Author] = []
    var index = PersonIndex()
    for entry in value["authors"]?.elements ?? value["author"]?.elements ?? [] {
      if let name = entry.text {
        for author in line(name, &builder).map(PersonText.people) ?? [] {
          FeedBuilder.add(author, to: &authors, &index)
        }
        continue
      }
      var author = Author(name: entry["name"]?.text.flatMap { line($0, &builder) }.map { GivenName.cut($0) })
      if let url = entry["url"]?.text {
        if url.lowercased().hasPrefix("mailto:") {
          author.email = GivenName.cut(String(url.dropFirst(7)))
        } else {
          author.url = self.url(.string(url), &builder)
        }
      }
      author.email = author.email ?? entry["email"]?.text.map { GivenName.cut($0) }
      author.avatar = url(entry["avatar"], &builder)
      if author != Author() { FeedBuilder.add(author, to: &authors, &index) }
    }
    return authors
  }

  private static func language(_ value: JSONValue?) -> String? {
    guard var text = value?.text else { return nil }
    return text.withUTF8 { FeedBuilder.languageTag($0) }
  }

  private static func line(_ text: String, _ builder: inout FeedBuilder) -> String? {
    var text = text
    return text.withUTF8 { builder.line(ByteText.trimmed($0), type: .unstated) }
  }

  private static func url(_ value: JSONValue?, _ builder: inout FeedBuilder) -> String? {
    guard var text = value?.text else { return nil }
    return text.withUTF8 { builder.resolve(ByteText.trimmed($0)) }
  }
}
