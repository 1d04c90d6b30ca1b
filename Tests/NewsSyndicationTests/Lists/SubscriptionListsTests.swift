import Foundation
import NewsService
import NewsSyndication
import Testing

/// One line for each feed and each skipped entry.
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
}

private func notation(_ text: String) throws -> [String] { try notation(Array(text.utf8)) }

@Suite struct `OPML` {
  @Test(arguments: [
    (
      "<opml><body><outline text='A' type='rss' xmlUrl='https://a.example/f' htmlUrl='https://a.example/'/></body></opml>",
      ["https://a.example/f ~A @https://a.example/"]
    ),
    (
      "<OPML><BODY><OUTLINE TEXT='A' XMLURL='https://a.example/f' HTMLURL='/x'/></BODY></OPML>",
      ["https://a.example/f ~A @https://a.example/x"]
    ),
    (
      """
      <opml version="1.0"><head><title>t</title></head><body>
      <outline text="News"><outline title="Local"><outline xmlUrl="https://a.example/1"/></outline>
      <outline xmlUrl="https://a.example/2"></outline></outline><outline xmlUrl="https://a.example/3"/></body></opml>
      """,
      ["https://a.example/1 in News/Local", "https://a.example/2 in News", "https://a.example/3"]
    ),
    (
      "<opml><outline xmlUrl='https://a.example/1' category='/News/Local,/x'/><outline text='F'><outline xmlUrl='https://a.example/2' category='/G'/></outline></opml>",
      ["https://a.example/1 in News/Local", "https://a.example/2 in F"]
    ),
    (
      "<opml><outline text='A &amp; B &lt;3 &eacute;' xmlUrl='https://a.example/?a=1&amp;b=2'/></opml>",
      ["https://a.example/?a=1&b=2 ~A & B <3 é"]
    ),
    (
      "<opml><outline text='A & B' xmlUrl='https://a.example/?a=1&copy=2'/></opml>",
      ["https://a.example/?a=1&copy=2 ~A & B"]
    ),
    (
      "<opml><outline text=\"A xmlUrl=\"https://a.example/1\"/>\n<outline text='B' xmlUrl='https://a.example/2/>\n<outline text=C xmlUrl=https://a.example/3/></opml>",
      ["https://a.example/2 ~B", "https://a.example/3 ~C"]
    ),
    (
      "<opml><body><outline text='A'><outline xmlUrl='https://a.example/1'></body></outline><outline xmlUrl='https://a.example/2'",
      ["https://a.example/1 in A", "https://a.example/2 in A"]
    ),
    (
      "<?xml version='1.0'?><!DOCTYPE opml [<!ENTITY x SYSTEM 'file:///etc/passwd'><!ENTITY y '&x;&x;'>]><opml><!-- <outline xmlUrl='https://a.example/0'/> --><outline text='&y;' xmlUrl='https://a.example/1'/></opml>",
      ["https://a.example/1 ~&y;"]
    ),
    (
      "Warning: something\n<?xml version='1.0'?>\n<opml version='2.0'><body><outline text='A' xmlUrl='https://a.example/f'/></body></opml>",
      ["https://a.example/f ~A"]
    ),
    (
      """
      <opml version="2.0"><body><outline text="Off" isComment="true"><outline xmlUrl="https://a.example/1"/>
      <outline text="G"><outline xmlUrl="https://a.example/2"/></outline></outline>
      <outline xmlUrl="https://a.example/3" isComment="TRUE"/><outline xmlUrl="https://a.example/4" isComment="false"/>
      </body></opml>
      """,
      [
        "https://a.example/4", "! 1 https://a.example/1: is commented out",
        "! 2 https://a.example/2: is commented out", "! 3 https://a.example/3: is commented out",
      ]
    ),
    (
      """
      <opml version="1.0"><outline text="A"/><outline text="B"/>
      <outline xmlUrl="file:///1"/><outline xmlUrl="file:///2"/>

      <outline xmlUrl="file:///3"/></opml>
      """,
      [
        "! 2 file:///1: is a file; add it by hand if it is meant",
        "! 2 file:///2: is a file; add it by hand if it is meant",
        "! 4 file:///3: is a file; add it by hand if it is meant",
      ]
    ),
    (
      """
      <opml><outline xmlUrl="file:///etc/passwd" text="f"/><outline xmlUrl="exec:rm"/><outline xmlUrl="/x"/>
      <outline xmlUrl="javascript:x"/><outline type="include" url="https://a.example/l.opml" text="i"/>
      <outline type="HTML+XPath" xmlUrl="https://a.example/p"/><outline xmlUrl="feed://a.example/f"/>
      <outline type="rss" url="a.example/g"/><outline type="link" url="https://a.example/"/></opml>
      """,
      [
        "http://a.example/f", "https://a.example/g",
        "! 1 file:///etc/passwd: is a file; add it by hand if it is meant", "! 1 exec:rm: runs a command",
        "! 1 /x: is a file; add it by hand if it is meant",
        "! 2 javascript:x: has the scheme javascript:, which newsd does not fetch",
        "! 2 https://a.example/l.opml: includes another list",
        "! 3 https://a.example/p: is read from a page that is no feed (HTML+XPath)",
        "! 4 https://a.example/: is a link, not a feed",
      ]
    ),
    ("<opml></opml>", []), ("<opml><body><outline text=''/></body>", []),
    (
      "<opml><outline text='\n a\n b '><outline text='https://a.example/' xmlUrl=' https://a.example/ '/></outline></opml>",
      ["https://a.example/ in a  b"]
    ),
    ("<outline><outline xmlUrl='https://a.example/'/>", ["https://a.example/"]),
    ("<opml:opml xmlns:opml='x'><opml:outline xmlUrl='https://a.example/'/>", ["https://a.example/"]),
  ])
  func `Outlines are feeds in folders`(_ opml: String, _ expected: [String]) throws {
    #expect(try notation(opml) == expected)
  }

  @Test func `Folders with endless names do not multiply`() throws {
    let name = String(repeating: "x", count: 400)
    let list =
      "<opml><body>" + String(repeating: "<outline text='\(name)'>", count: 20)
      + "<outline xmlUrl='https://a.example/'/>" + String(repeating: "</outline>", count: 20)
      + "<outline text='y'><outline xmlUrl='https://b.example/'/></outline>"
      + "<outline xmlUrl='https://c.example/' category='/\(String(repeating: "z", count: 5000))'/></body></opml>"
    let feeds = try SubscriptionLists().decode(Array(list.utf8))
    #expect(feeds.map(\.folder) == ["\(name)/\(name)", "y", nil])
  }

  @Test func `Lists are read in their encoding`() throws {
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

  @Test func `Other readers' settings are understood`() throws {
    let list = """
      <opml xmlns:frss="https://freshrss.org/opml" xmlns:miniflux="https://miniflux.app/opml">
      <outline text="a" xmlUrl="https://a.example/1" frss:CURLOPT_USERAGENT="X/1" frss:cssFullContent="p" description="d"/>
      <outline text="b" xmlUrl="https://a.example/2" miniflux:userAgent="Y/1" miniflux:scraperRules="p" newsd:timeout="-1"/>
      </opml>
      """
    let feeds = try SubscriptionLists().decode(Array(list.utf8))
    #expect(feeds.map(\.settings.userAgent) == ["X/1", "Y/1"])
    #expect(feeds.map(\.settings.timeout) == [nil, nil])
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

  @Test func `A list that is written and read again is the same`() throws {
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
    let feeds = [
      Self.feed(1, "One & <only> \"1\"", folder: "News/Local", settings: settings),
      Self.feed(2, "日本 😀", folder: "News"), Self.feed(3, "tab\tand feed\n", folder: nil),
      Self.feed(4, "back in News", folder: "News/Local"), Self.feed(5, "x", folder: "A & B/'C'"),
      Self.feed(6, "x", folder: "News/Local/Deep"),
    ]
    let opml = SubscriptionLists().encodeOPML(feeds, title: "My & list")
    let list = try SubscriptionLists().decodeList(Array(opml.utf8))
    #expect(list.title == "My & list")
    #expect(list.skipped.isEmpty)
    #expect(list.feeds.map(\.url) == feeds.map { URLResolver.resolve($0.url, base: nil) })
    #expect(
      list.feeds.map(\.title) == ["One & <only> \"1\"", "日本 😀", "tab and feed", "back in News", "x", "x"]
    )
    #expect(list.feeds.map(\.folder) == feeds.map(\.folder))
    #expect(list.feeds.map(\.siteURL) == feeds.map(\.siteURL))
    #expect(list.feeds.map(\.settings) == feeds.map(\.settings))
  }

  @Test func `Folders are nested and text is escaped`() {
    let feeds = [Self.feed(2, "a\u{1}<b>", folder: "F/G"), Self.feed(2, "c", folder: nil)]
    #expect(
      SubscriptionLists().encodeOPML(feeds, title: "t") == """
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
  func `What is no list is refused`(_ text: String, _ code: FeedParseError.Code) {
    #expect { try SubscriptionLists().decode(Array(text.utf8)) } throws: {
      ($0 as? FeedParseError)?.code == code
    }
  }

  @Test func `The number of feeds is bounded`() throws {
    let opml = "<opml>" + String(repeating: "<outline xmlUrl='https://a.example/'/>", count: 5) + "</opml>"
    let list = try SubscriptionLists(maximumFeeds: 3).decodeList(Array(opml.utf8))
    #expect(list.feeds.count == 3)
    #expect(list.skipped.count == 2)
  }

  @Test func `Deep and broken lists are read to their end`() throws {
    let count = 20_000
    let deep =
      String(repeating: "<outline text='a'>", count: count) + "<outline xmlUrl='https://a.example/'/>"
    #expect(try SubscriptionLists().decode(Array(deep.utf8)).count == 1)
    for piece in [
      "<!--", "<![CDATA[", "<outline a='", "<outline a=\"x' ", "<!x [", "&amp", "</outline", "<?",
    ] {
      let text = "<opml>" + String(repeating: piece, count: count)
      _ = try? SubscriptionLists().decode(Array(text.utf8))
    }
  }
}

@Suite struct `Lists of other readers` {
  @Test func `A title found by fuzzing loses the space at its end`() throws {
    let bytes = try Data(
      contentsOf: SyndicationFixture.folder.appending(path: "lists/title-ending-in-a-space.urls")
    )
    #expect(try SubscriptionLists().decode(Array(bytes)).first?.title == "Titm")
  }

  @Test(arguments: [
    (
      """
      # newsboat
      https://a.example/f "News" "~My \\"title\\"" !
      "https://a.example/g" tag other # comment
      "query:Unread:unread = \\"yes\\""
      filter:cat:https://a.example/h
      "exec:~/bin/x" tag
      file:///home/x
      https://a.example/i
      """,
      [
        "https://a.example/f ~My \"title\" in News", "https://a.example/g in tag", "https://a.example/i",
        "! 4 query:Unread:unread = \"yes\": is a saved query",
        "! 5 filter:cat:https://a.example/h: runs a command",
        "! 6 exec:~/bin/x: runs a command", "! 7 file:///home/x: is a file; add it by hand if it is meant",
      ]
    ),
    ("https://a.example/f\r\nhttps://a.example/g\r\n", ["https://a.example/f", "https://a.example/g"]),
    ("https://a.example/f \"unclosed tag", ["https://a.example/f in unclosed tag"]),
  ])
  func `newsboat's urls`(_ text: String, _ expected: [String]) throws {
    #expect(try notation(text) == expected)
  }

  @Test(arguments: [
    (
      """
      #sfeedpath="$HOME/.sfeed/feeds"
      # feed 'not' 'https://a.example/0'
      fetch() { curl -L "$2"; }
      feeds() {
      \t# feed <name> <feedurl> [basesiteurl] [encoding]
      \tfeed 'One' 'https://a.example/1.xml' 'https://a.example/' 'iso-8859-1'
      \tfeed "Two \\"2\\"" https://a.example/2?a=1 ; feed Three \\
      \t\t'https://a.example/3&4'
      \tfeed 'Four' "https://$HOST/4"
      \tfeed "$(name)" 'https://a.example/5'
      \tfeed 'Six' `cat url`
      \tfor i in a b; do feed "$i" "https://a.example/$i"; done
      \tfeed 'Seven' 'file:///etc/passwd'
      \tfeed 'Eight'
      }
      """,
      [
        "https://a.example/1.xml ~One @https://a.example/ as iso-8859-1",
        "https://a.example/2?a=1 ~Two \"2\"",
        "https://a.example/3&4 ~Three",
        "! 9 feed 'Four' \"https://$HOST/4\": could only be read by running it",
        "! 10 feed \"$(name)\" 'https://a.example/5': could only be read by running it",
        "! 11 feed 'Six' `cat url`: could only be read by running it",
        "! 12 feed \"$i\" \"https://a.example/$i\": could only be read by running it",
        "! 13 file:///etc/passwd: is a file; add it by hand if it is meant",
        "! 14 feed 'Eight': has no address",
      ]
    ),
    ("feeds() {\n}\n", []),
  ])
  func `sfeed's sfeedrc, never run`(_ text: String, _ expected: [String]) throws {
    #expect(try notation(text) == expected)
  }
}
