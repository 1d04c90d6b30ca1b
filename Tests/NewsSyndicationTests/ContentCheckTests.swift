import NewsCore
import NewsSyndication
import Testing

/// Findings about the HTML and XHTML of items.
@Suite struct `Check of HTML and XHTML` {
  private func findings(_ elements: String, attributes: String = "") throws -> [String] {
    let document = """
      <rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/" \
      xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"\(attributes)>
      <channel><title>T</title><link>https://e.example/</link><description>D</description>
      <atom:link rel="self" href="https://e.example/feed"/><item><title>t</title>
      <guid>https://e.example/1</guid><pubDate>Fri, 20 Nov 2020 08:15:00 +0000</pubDate>
      \(elements)</item></channel></rss>
      """
    return try FeedParser().check(FeedDocument(bytes: Array(document.utf8))).map(\.message)
  }

  private func html(_ html: String) throws -> [String] {
    try findings("<description><![CDATA[\(html)]]></description>")
  }

  private func xhtml(_ xhtml: String) throws -> [String] {
    try findings("<body xmlns=\"http://www.w3.org/1999/xhtml\">\(xhtml)</body>")
  }

  private static let removed = ", which readers remove"

  @Test(arguments: [
    ("<script>x</script>", "<script>"), ("<input value=\"x\"/>", "<input>"),
    ("<button>x</button>", "<button>"),
    ("<link rel=\"next StyleSheet\" href=\"https://e.example/a.css\"/>", "<link>"),
    ("<a href=\" JaVaScRiPt:x()\">x</a>", "a javascript: URL"),
    ("<a href=\"java&#10;script:x()\">x</a>", "a javascript: URL"),
    ("<a href=\"data:text/html,x\">x</a>", "a data:text/html URL"),
    ("<img src=\"vbscript:x\" alt=\"\"/>", "a vbscript: URL"), ("<?import namespace=\"t\"?>", "<?import>"),
  ])
  func `HTML and XHTML have the same finding`(_ markup: String, _ found: String) throws {
    #expect(try html("<p>a</p>" + markup) == ["<description> contains \(found)\(Self.removed)"])
    #expect(try xhtml("<p>a</p>" + markup) == ["<xhtml:body> contains \(found)\(Self.removed)"])
  }

  @Test(arguments: [
    "<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"x()\"></svg>",
    "<math xmlns=\"http://www.w3.org/1998/Math/MathML\" onload=\"x()\"></math>",
    "<p onload=\"x()\">x</p>",
  ])
  func `Event handlers are found on elements of HTML, SVG and MathML`(_ markup: String) throws {
    #expect(try html(markup) == ["<description> contains an event handler\(Self.removed)"])
    #expect(try xhtml(markup) == ["<xhtml:body> contains the event handler onload\(Self.removed)"])
  }

  @Test(arguments: [
    ("<img src=\"https://e.example/a\" srcset=\"https://e.example/b 1x, b.png 2x\" alt=\"\"/>", "b.png"),
    ("<video poster=\"p.png\"></video>", "p.png"), ("<a href=\"x\">x</a>", "x"),
  ])
  func `Relative URLs are found`(_ markup: String, _ url: String) throws {
    #expect(try html(markup) == ["the HTML of <description> contains a relative URL: \(url)"])
    #expect(try xhtml(markup) == ["<xhtml:body> contains a relative URL: \(url)"])
    #expect(
      try findings(
        "<description><![CDATA[\(markup)]]></description>",
        attributes: " xml:base='https://e.example/'"
      ) == []
    )
  }

  @Test(arguments: [
    "<p>x</p><a href=\"#n\">n</a><link rel=\"alternate\" href=\"https://e.example/\"/>",
    "<img srcset=\"https://e.example/a,b.png 1x\" src=\"data:image/png;base64,AAAA\" alt=\"\"/>",
  ])
  func `Harmless content has no findings`(_ markup: String) throws {
    #expect(try html(markup) == [])
    #expect(try xhtml(markup) == [])
  }

  @Test func `Each kind of finding is reported once per text`() throws {
    let markup =
      "<script></script><a onclick=\"x()\" href=\"rel\">x</a><form/><a onclick=\"y()\" href=\"other\">x</a>"
    #expect(
      try html(markup) == [
        "<description> contains <script>\(Self.removed)",
        "<description> contains an event handler\(Self.removed)",
        "the HTML of <description> contains a relative URL: rel",
      ]
    )
    #expect(
      try xhtml(markup) == [
        "<xhtml:body> contains <script>\(Self.removed)",
        "<xhtml:body> contains the event handler onclick\(Self.removed)",
        "<xhtml:body> contains a relative URL: rel",
      ]
    )
  }

  @Test(arguments: ["media:description type=\"html\"", "itunes:summary"])
  func `HTML in elements of modules such as Media RSS is checked`(_ element: String) throws {
    let name = String(decoding: element.utf8.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
    #expect(
      try findings("<\(element)>&lt;script&gt;x&lt;/script&gt;</\(name)>") == [
        "<\(name)> contains <script>\(Self.removed)"
      ]
    )
  }

  @Test func `A JSON Feed can say that it is expired`() throws {
    func feed(_ member: String) throws -> ParsedFeed {
      let text = "{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"T\",\(member)\"items\":[]}"
      return try FeedParser().parse(FeedDocument(bytes: Array(text.utf8)))
    }
    #expect(try feed("\"expired\":true,").isExpired == true)
    #expect(try feed("").isExpired == nil)
  }
}
