public import NewsService

/// Lists of subscriptions: OPML in and out, newsboat's `urls` and sfeed's `sfeedrc` in.
///
/// Nothing of a list is ever run, and no `file:` or `exec:` feed comes out of one.
public struct SubscriptionLists: SubscriptionListCoding {
  /// Feeds that are taken from one list at most; the others are reported as skipped.
  public let maximumFeeds: Int

  public init(maximumFeeds: Int = 100_000) {
    self.maximumFeeds = maximumFeeds
  }

  public func decode(_ bytes: [UInt8]) throws(FeedParseError) -> [NewFeed] {
    try decodeList(bytes).feeds
  }

  public func decodeList(_ bytes: [UInt8]) throws(FeedParseError) -> SubscriptionList {
    let text = bytes.withUnsafeBufferPointer { bytes -> [UInt8] in
      let text = DocumentText(bytes, contentType: nil, override: nil)
      return text.converted ?? Array(bytes[text.start...])
    }
    guard let first = text.firstIndex(where: { !ASCII.isSpace($0) }) else {
      throw FeedParseError(code: .empty, message: "the list is empty")
    }
    var collector = ListCollector(maximumFeeds: maximumFeeds)
    if text[first] == 0x3C {
      try readMarkup(text, into: &collector)
    } else if text.contains(0) {
      throw FeedParseError(code: .notAFeed, message: "binary data, not a list of subscriptions")
    } else if SfeedConfiguration.isLikely(text) {
      SfeedConfiguration.read(text, into: &collector)
    } else if NewsboatList.isLikely(text) {
      NewsboatList.read(text, into: &collector)
    } else {
      throw FeedParseError(
        code: .notAFeed,
        message: "not a list of subscriptions: neither OPML nor a newsboat urls file nor an sfeedrc"
      )
    }
    return collector.list
  }

  private func readMarkup(_ text: [UInt8], into collector: inout ListCollector) throws(FeedParseError) {
    let root = text.withUnsafeBufferPointer { OPMLReader.read($0, into: &collector) }
    switch root {
    case "opml", "outline", "body": return
    case "html":
      throw FeedParseError(code: .htmlPage, message: "an HTML page, not a list of subscriptions")
    case "rss", "feed", "rdf":
      throw FeedParseError(
        code: .notAFeed,
        message: "a feed, not a list of subscriptions: add it by its address"
      )
    default:
      guard collector.list.feeds.isEmpty else { return }
      throw FeedParseError(code: .notAFeed, message: "XML of another kind, not a list of subscriptions")
    }
  }

  public func encodeOPML(_ feeds: [Feed], title: String) -> String {
    OPMLWriter.write(feeds, title: title)
  }
}

/// Gathers the entries of a list.
struct ListCollector {
  private(set) var list = SubscriptionList()
  private let maximumFeeds: Int

  init(maximumFeeds: Int) {
    self.maximumFeeds = maximumFeeds
  }

  mutating func setTitle(_ title: String) {
    if list.title == nil { list.title = title }
  }

  mutating func skip(line: Int, _ entry: String, _ reason: String) {
    guard list.skipped.count < 1000 else { return }
    list.skipped.append(SubscriptionList.Skipped(line: line, entry: Self.shortened(entry), reason: reason))
  }

  /// Adds the feed if its address is one that a list may name.
  mutating func add(_ feed: NewFeed, line: Int) {
    guard list.feeds.count < maximumFeeds else {
      skip(line: line, feed.url, "the list has more than \(maximumFeeds) feeds")
      return
    }
    var feed = feed
    switch ListAddress(feed.url) {
    case .web(let url): feed.url = url
    case .refused(let reason):
      skip(line: line, feed.url, reason)
      return
    }
    feed.siteURL = feed.siteURL.flatMap { URLResolver.resolve($0, base: feed.url, policy: .resource) }
    feed.title = feed.title.flatMap(Self.line)
    if feed.title == feed.url { feed.title = nil }
    if feed.folder?.isEmpty == true { feed.folder = nil }
    list.feeds.append(feed)
  }

  /// Without control characters and without white space at the ends; nil when nothing is left.
  static func line(_ text: String) -> String? {
    var bytes = Array(text.utf8)
    for index in bytes.indices where bytes[index] < 0x20 { bytes[index] = 0x20 }
    guard let first = bytes.firstIndex(where: { $0 != 0x20 }),
      let last = bytes.lastIndex(where: { $0 != 0x20 })
    else { return nil }
    return String(decoding: bytes[first...last], as: UTF8.self)
  }

  private static func shortened(_ entry: String) -> String {
    entry.unicodeScalars.count <= 200 ? entry : String(entry.unicodeScalars.prefix(199)) + "…"
  }
}

/// What a list gives as the address of a feed.
enum ListAddress {
  case web(String)
  case refused(String)

  init(_ text: String) {
    var address = Substring(text)
    while let first = address.unicodeScalars.first, first.value <= 0x20 { address = address.dropFirst() }
    if address.lowercased().hasPrefix("feed:") {
      let rest = address.dropFirst(5)
      address = rest.hasPrefix("//") ? "http:" + rest : rest
    }
    guard let first = address.utf8.first else {
      self = .refused("has no address")
      return
    }
    if first == 0x7C {
      self = .refused("runs a command")
      return
    }
    if first == 0x2F || first == 0x2E || first == 0x7E {
      self = .refused("is a file; add it by hand if it is meant")
      return
    }
    let scheme = URLComparison.scheme(of: String(address))
    switch scheme {
    case "http", "https":
      if let url = URLResolver.resolve(String(address), base: nil, policy: .resource) {
        self = .web(url)
      } else {
        self = .refused("is no usable address")
      }
    case "exec", "filter": self = .refused("runs a command")
    case "query": self = .refused("is a saved query")
    case "file": self = .refused("is a file; add it by hand if it is meant")
    case nil where Self.looksLikeHost(address):
      if let url = URLResolver.resolve("https://" + address, base: nil, policy: .resource) {
        self = .web(url)
      } else {
        self = .refused("is no usable address")
      }
    case nil: self = .refused("is no address")
    case let scheme?: self = .refused("has the scheme \(scheme.prefix(20)):, which newsd does not fetch")
    }
  }

  /// `example.org/feed`: a name with a dot, then perhaps a path.
  private static func looksLikeHost(_ address: Substring) -> Bool {
    let host = address.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    return host.contains(".") && !host.contains { $0.isWhitespace }
  }
}
