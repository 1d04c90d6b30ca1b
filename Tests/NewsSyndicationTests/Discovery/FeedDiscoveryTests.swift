import NewsCore
import NewsSyndication
import Testing

@Suite struct `Feed discovery` {
  static func found(_ page: String, base: String = "https://example.org/blog/") -> [String] {
    found(Array(page.utf8), base: base)
  }

  static func found(
    _ page: [UInt8],
    base: String = "https://example.org/blog/",
    contentType: String? = nil
  ) -> [String] {
    FeedDiscovery().feeds(inPage: FeedDocument(bytes: page, contentType: contentType, baseURL: base)).map {
      [$0.url, $0.title, $0.mimeType].compactMap { $0 }.joined(separator: " | ")
    }
  }

  @Test func `More than 20 fixtures for feed discovery are loaded`() {
    #expect(LineFixture.all(in: "discovery").count > 20)
  }

  @Test(arguments: LineFixture.all(in: "discovery"))
  func `A page's feeds are found, best first`(_ page: LineFixture) {
    #expect(Self.found(page.bytes) == page.expected)
  }

  @Test func `Titles are read in the page's encoding`() {
    let link = Array("<link rel=alternate type=application/rss+xml href=f title='Gr".utf8) + [0xFC, 0xDF]
    let page = link + Array("e'>".utf8)
    let expected = ["https://example.org/blog/f | Grüße | application/rss+xml"]
    #expect(Self.found(Array("<meta charset=iso-8859-1>".utf8) + page) == expected)
    let meta = Array(#"<META http-equiv="Content-Type" content="text/html; charset = windows-1252">"#.utf8)
    #expect(Self.found(meta + page) == expected)
    #expect(Self.found(page, contentType: "text/html; charset=ISO-8859-1") == expected)
    let wide = Array("<link rel=alternate type=application/rss+xml href=f title='Grüße'>".utf16).flatMap {
      [UInt8($0 & 255), UInt8($0 >> 8)]
    }
    #expect(Self.found([0xFF, 0xFE] + wide) == expected)
    // A byte order mark overrides the meta element.
    let marked =
      "\u{FEFF}<meta charset=iso-8859-1>"
      + "<link rel=alternate type=application/rss+xml href=f title='Grüße'>"
    #expect(Self.found(Array(marked.utf8)) == expected)
  }

  @Test func `Only the start of a page is searched`() {
    let page = String(repeating: "<p>x</p>", count: 1000) + "<link rel=feed href=f>"
    let document = FeedDocument(bytes: Array(page.utf8), baseURL: "https://example.org/")
    #expect(FeedDiscovery(maximumBytes: 4000).feeds(inPage: document).isEmpty)
    #expect(FeedDiscovery().feeds(inPage: document).count == 1)
  }

  /// A page and the first guess for it.
  static let sites = SyndicationFixture.lines("discovery/sites.tsv").map {
    $0.split(separator: "\t").map(String.init)
  }

  @Test func `The fixture of known sites has at least 30 entries`() {
    #expect(Self.sites.count >= 30)
  }

  @Test(arguments: sites)
  func `For a page of a known site, the site's feed is the first guess`(_ example: [String]) {
    #expect(FeedDiscovery().guesses(forPage: example[0]).first?.url == example[1])
  }

  @Test func `Guesses are distinct URLs on the page's host; a file or an empty URL has none`() {
    let guesses = FeedDiscovery().guesses(forPage: "https://example.org/news/x").map(\.url)
    #expect(guesses.count > 10)
    #expect(Set(guesses).count == guesses.count)
    #expect(guesses.allSatisfy { $0.hasPrefix("https://example.org/") })
    #expect(FeedDiscovery().guesses(forPage: "file:///etc/passwd").isEmpty)
    #expect(FeedDiscovery().guesses(forPage: "").isEmpty)
  }
}
