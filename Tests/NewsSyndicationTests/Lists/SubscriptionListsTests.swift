import NewsSearch
import Foundation
import NewsCore
import NewsSyndication
import Testing

/// Describes a list: one line for each feed, skipped entry, ignored setting and rule.
private func notation(_ bytes: [UInt8]) throws -> [String] {
  let list = try SubscriptionLists().decodeList(bytes)
  let feeds = list.feeds.map { feed in
    var line = feed.url
    if let title = feed.title { line += " ~\(title)" }
    if let site = feed.siteURL { line += " @\(site)" }
    if let folder = feed.folder { line += " in \(folder)" }
    if let encoding = feed.settings.encoding { line += " as \(encoding)" }
    return line
  }
  return feeds + list.skipped.map { "! \($0.line) \($0.entry): \($0.reason)" }
    + list.leftOut.map { "- \($0.url): \($0.what.joined(separator: ", "))" }
    + list.rules.map { "= \($0.query) → \($0.actions.map(\.description).joined(separator: ", "))" }
}

private func notation(_ text: String) throws -> [String] { try notation(Array(text.utf8)) }

@Suite struct `Subscription lists` {
  @Test func `More than 25 fixtures of lists are loaded`() {
    #expect(LineFixture.all(in: "lists").count > 25)
  }

  @Test(arguments: LineFixture.all(in: "lists"))
  func `A list gives the expected entries`(_ list: LineFixture) throws {
    #expect(try notation(list.bytes) == list.expected)
  }

  @Test(arguments: [
    "intitle:\"a\u{600}\" OR -title:zzz OR \u{600}\"b\"", "\"a\u{301}\" OR is:unread", "a) OR (b",
    "'x\u{301}' OR -y", "intitle:\"\\\" OR -z \"", "\u{600}-x", "-\u{301} OR",
  ])
  func `An imported rule applies only to items of its feed`(_ filter: String) throws {
    let text = filter.unicodeScalars.map { "&#\($0.value);" }.joined()
    let list =
      "<opml><body><outline xmlUrl='https://a.example/feed' frss:filtersActionRead='\(text)'/></body></opml>"
    for rule in try SubscriptionLists().decodeList(Array(list.utf8)).rules {
      let query = try QueryParser.parse(rule.query, now: Timestamp(seconds: 0)).query
      guard case .and(let parts) = query else {
        Issue.record("\(rule.query) is no conjunction")
        continue
      }
      #expect(parts.first == .feed("https://a.example/feed"), "\(rule.query)")
    }
  }

  @Test(arguments: [
    "<opml><body><outline xmlUrl='https://a.example/'/><outline xmlUrl='https://b.exam",
    "<opml><body><outline xmlUrl='https://a.example/'/><outline text='b' xmlUrl=https://b.exam",
    "<opml><body><outline text='f'><outline xmlUrl='https://a.example/'/>",
    "<?xml version='1.0'?><opml><body><outline xmlUrl='https://a.example/'/><outl",
  ])
  func `A truncated list has its complete feeds and is marked as truncated`(_ text: String) throws {
    let list = try SubscriptionLists().decodeList(Array(text.utf8))
    #expect(list.feeds.map(\.url) == ["https://a.example/"])
    #expect(list.isTruncated)
  }

  @Test(arguments: [
    "<opml><body><outline xmlUrl='https://a.example/'/></body></opml>",
    "<opml><outline xmlUrl='https://a.example/'/></opml>", "<outline xmlUrl='https://a.example/'/>",
    "<outlineDocument><head/><body><outline xmlUrl='https://a.example/'/></body></outlineDocument>",
    "<opml><body><outline xmlUrl='https://a.example/'/></body>", "https://a.example/\n",
  ])
  func `A complete list is not marked as truncated`(_ text: String) throws {
    let list = try SubscriptionLists().decodeList(Array(text.utf8))
    #expect(list.feeds.map(\.url) == ["https://a.example/"])
    #expect(!list.isTruncated)
  }

  @Test func `The path of a folder is limited in length, however long and nested the names are`() throws {
    let name = String(repeating: "x", count: 400)
    let list =
      "<opml><body>" + String(repeating: "<outline text='\(name)'>", count: 20)
      + "<outline xmlUrl='https://a.example/'/>" + String(repeating: "</outline>", count: 20)
      + "<outline text='y'><outline xmlUrl='https://b.example/'/></outline>"
      + "<outline xmlUrl='https://c.example/' category='/\(String(repeating: "z", count: 5000))'/></body></opml>"
    let feeds = try SubscriptionLists().decodeList(Array(list.utf8)).feeds
    #expect(feeds.map(\.folder) == ["\(name)/\(name)", "y", nil])
  }

  @Test func `Lists are decoded from their encoding`() throws {
    let latin =
      Array("<?xml version='1.0' encoding='ISO-8859-1'?><opml><outline text='Gr".utf8) + [0xFC, 0xDF]
    let rest = Array("e' xmlUrl='https://a.example/'/></opml>".utf8)
    #expect(try notation(latin + rest) == ["https://a.example/ ~Grüße"])
    let wide = Array(
      "<?xml version='1.0' encoding='UTF-16'?><opml><outline text='日本' xmlUrl='https://a.example/'/></opml>"
        .utf16
    )
    let big: [UInt8] = [0xFE, 0xFF] + wide.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    #expect(try notation(big) == ["https://a.example/ ~日本"])
    let little = wide.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    #expect(try notation(little) == ["https://a.example/ ~日本"])
    let marked: [UInt8] =
      [0xEF, 0xBB, 0xBF] + Array("<opml><outline xmlUrl='https://a.example/'/></opml>".utf8)
    #expect(try notation(marked) == ["https://a.example/"])
  }

  @Test func `Settings of other readers are imported`() throws {
    let list = """
      <opml xmlns:frss="https://freshrss.org/opml" xmlns:miniflux="https://miniflux.app/opml">
      <outline text="a" xmlUrl="https://a.example/1" frss:CURLOPT_USERAGENT="X/1" frss:cssFullContent="p" description="d"/>
      <outline text="b" xmlUrl="https://a.example/2" miniflux:userAgent="Y/1" miniflux:scraperRules="p" newsd:timeout="-1"/>
      </opml>
      """
    let feeds = try SubscriptionLists().decodeList(Array(list.utf8)).feeds
    #expect(feeds.map(\.settings.userAgent) == ["X/1", "Y/1"])
    #expect(feeds.map(\.settings.timeout) == [nil, nil])
    #expect(feeds.map(\.settings.articleContent) == ["p", "p"])
    #expect(feeds.map(\.settings.article) == [.always, .always])
  }

  static func feed(_ number: Int64, _ title: String, folder: String?, settings: FeedSettings = FeedSettings())
    -> Feed
  {
    Feed(
      id: Feed.ID(rawValue: number),
      url: "https://example.org/\(number)?a=1&b=<2>",
      title: title,
      siteURL: number == 2 ? nil : "https://example.org/\(number)/",
      folder: folder,
      position: Int(number),
      settings: settings
    )
  }

  @Test func `An exported list round-trips`() throws {
    var settings = FeedSettings()
    settings.minimumInterval = 60
    settings.maximumInterval = 86_400
    settings.userAgent = "a \"b\" <c> & d"
    settings.headers = ["X-A: 1", "X-B: 'ü'"]
    settings.credential = "env:TOKEN"
    settings.proxy = "socks5h://localhost:9050"
    settings.clientCertificate = "/etc/a.pem"
    settings.certificateAuthority = "/etc/b.pem"
    settings.verifiesTLS = false
    settings.timeout = 30
    settings.maximumBytes = 1 << 20
    settings.encoding = "koi8-r"
    settings.allowsLocalOrigin = true
    settings.identity = "link"
    settings.keepDays = 30
    settings.keepItems = 100
    settings.isPaused = true
    settings.isHidden = true
    settings.article = .auto
    settings.articleContent = "#a > p, .b"
    settings.articleRemove = "[x='y']"
    settings.articleNext = "a[rel=next]"
    let feeds = [
      Self.feed(1, "One & <only> \"1\"", folder: "News/Local", settings: settings),
      Self.feed(2, "日本 😀", folder: "News"), Self.feed(3, "tab\tand feed\n", folder: nil),
      Self.feed(4, "back in News", folder: "News/Local"), Self.feed(5, "x", folder: "A & B/'C'"),
      Self.feed(6, "x", folder: "News/Local/Deep"),
      Self.feed(7, "How &amp; is written, &copy=2", folder: nil),
    ]
    let opml = SubscriptionLists().encodeOPML(feeds, searches: [], title: "My & list")
    let list = try SubscriptionLists().decodeList(Array(opml.utf8))
    #expect(list.title == "My & list")
    #expect(list.skipped.isEmpty)
    #expect(list.feeds.map(\.url) == feeds.map { URLResolver.resolve($0.url, base: nil) })
    #expect(
      list.feeds.map(\.title) == ["One & <only> \"1\"", "日本 😀", "tab and feed", "back in News", "x", "x"]
        + ["How &amp; is written, &copy=2"]
    )
    #expect(list.feeds.map(\.folder) == feeds.map(\.folder))
    #expect(list.feeds.map(\.siteURL) == feeds.map(\.siteURL))
    #expect(list.feeds.map(\.settings) == feeds.map(\.settings))
  }

  /// Found by fuzzing: the exported list contained another address.
  @Test(arguments: ["https://a\u{FFFF}.example/", "https://a.example/\u{FFFE}"])
  func `An address with characters that XML does not allow is skipped`(_ address: String) throws {
    let list = try SubscriptionLists().decodeList(Array("https://b.example/\n\(address)\n".utf8))
    #expect(list.feeds.map(\.url) == ["https://b.example/"])
    #expect(list.skipped.count == 1)
  }

  /// Found by fuzzing: an apparent entity in the address turned it into a title.
  @Test func `A title that is equal to the feed's URL is dropped`() throws {
    let address = "https://a.example/?a=1&amp;copy=2"
    let opml = "<opml><body><outline text='\(address)' xmlUrl='\(address)'/></body></opml>"
    let feed = try #require(try SubscriptionLists().decodeList(Array(opml.utf8)).feeds.first)
    #expect(feed.url == "https://a.example/?a=1&copy=2")
    #expect(feed.title == nil)
  }

  @Test func `Folders are nested and text is escaped`() {
    let feeds = [Self.feed(2, "a\u{1}<b>", folder: "F/G"), Self.feed(2, "c", folder: nil)]
    #expect(
      SubscriptionLists().encodeOPML(feeds, searches: [], title: "t") == """
        <?xml version="1.0" encoding="UTF-8"?>
        <opml version="2.0" xmlns:newsd="https://newsd.invalid/ns/opml/1">
          <head>
            <title>t</title>
          </head>
          <body>
            <outline text="F">
              <outline text="G">
                <outline type="rss" text="a&lt;b&gt;" title="a&lt;b&gt;" xmlUrl="https://example.org/2?a=1&amp;b=&lt;2&gt;"/>
              </outline>
            </outline>
            <outline type="rss" text="c" title="c" xmlUrl="https://example.org/2?a=1&amp;b=&lt;2&gt;"/>
          </body>
        </opml>

        """
    )
  }

  @Test(arguments: [
    ("", FeedParseError.Code.empty), (" \n", .empty), ("<html><body>x", .htmlPage),
    ("<!DOCTYPE html><html>", .htmlPage),
    ("<rss><channel/></rss>", .notAFeed), ("<feed xmlns='x'/>", .notAFeed), ("<x/>", .notAFeed),
    ("hello", .notAFeed),
    ("{\"version\":1}", .notAFeed), ("\u{0}\u{1}\u{2}", .notAFeed),
  ])
  func `A document that is not a list is refused`(_ text: String, _ code: FeedParseError.Code) {
    #expect { try SubscriptionLists().decodeList(Array(text.utf8)).feeds } throws: {
      ($0 as? FeedParseError)?.code == code
    }
  }

  @Test func `The number of feeds is limited`() throws {
    let opml = "<opml>" + String(repeating: "<outline xmlUrl='https://a.example/'/>", count: 5) + "</opml>"
    let list = try SubscriptionLists(maximumFeeds: 3).decodeList(Array(opml.utf8))
    #expect(list.feeds.count == 3)
    #expect(list.skipped.count == 2)
  }

  @Test func `A feed in 20,000 nested folders is found, and ill-formed lists do not crash the parser`() throws
  {
    let count = 20_000
    let deep =
      String(repeating: "<outline text='a'>", count: count) + "<outline xmlUrl='https://a.example/'/>"
    #expect(try SubscriptionLists().decodeList(Array(deep.utf8)).feeds.count == 1)
    for piece in [
      "<!--", "<![CDATA[", "<outline a='", "<outline a=\"x' ", "<!x [", "&amp", "</outline", "<?",
    ] {
      let text = "<opml>" + String(repeating: piece, count: count)
      _ = try? SubscriptionLists().decodeList(Array(text.utf8)).feeds
    }
  }
}
