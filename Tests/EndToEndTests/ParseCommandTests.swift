import TestSupport
import Testing
import TestServer

@Suite(.blocking) struct `The parse command` {
  private let directory = TemporaryDirectory()
  private var newsd: Program { Program(in: directory) }

  private static let good = "<item><title>Good</title><guid isPermaLink=\"false\">g</guid></item>"

  private static func rss(_ items: String, before: String = "") -> String {
    before + "<rss version=\"2.0\"><channel><title>T</title>\n\(items)</channel></rss>"
  }

  private static func numbered(_ count: Int, _ piece: (Int) -> String) -> String {
    (0..<count).map(piece).joined()
  }

  /// Documents that each exceed one limit, with the expected message and its line.
  private static let excesses: [(name: String, document: String, said: String, line: Int)] = [
    (
      "entities that multiply",
      rss(
        "<item><title>a&e9;b</title></item>" + good,
        before: "<!DOCTYPE rss [<!ENTITY e0 \"xxxxxxxxxx\">"
          + numbered(9) { level in
            "<!ENTITY e\(level + 1) \"" + String(repeating: "&e\(level);", count: 10) + "\">"
          } + "]>"
      ), "entities add more than", 2
    ),
    (
      "elements too deep", rss(good + String(repeating: "<d>", count: 5000)),
      "nested deeper than 256", 2
    ),
    (
      "attributes too many",
      rss("<item \(numbered(300) { "a\($0)='x' " })><title>x</title></item>" + good),
      "more than 256 attributes", 2
    ),
    (
      "namespaces too many",
      rss("<item \(numbered(300) { "xmlns:n\($0)='u' " })><title>x</title></item>" + good),
      "more than 256 attributes", 2
    ),
    (
      "a start tag too long",
      rss("<item a='\(String(repeating: "x", count: 70_000))'><title>x</title></item>" + good),
      "longer than 65536 bytes", 2
    ),
    (
      "text too long",
      rss("<item><description>\(String(repeating: "word ", count: 1_700_000))</description></item>" + good),
      "field is longer than 8388608 bytes", 2
    ),
    (
      "items too many", rss(String(repeating: "\n<item><title>x</title></item>", count: 100_010)),
      "more than 100000 items", 100_003
    ),
    (
      "a list too long",
      rss("<item><title>x</title>\(numbered(600) { "<category>c\($0)</category>" })</item>" + good),
      "more than 512 elements", 2
    ),
    (
      "names too many", rss(numbered(20_000) { "<n\($0)/>" } + good),
      "more than 2000 different names", 2
    ),
    (
      "more output than there should be",
      "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:base=\"http://e.example/"
        + String(repeating: "x", count: 4000) + "/\"><title>T</title>\n"
        + String(
          repeating: "<entry>\(String(repeating: "<link href=\"y\"/>", count: 400))</entry>",
          count: 60
        )
        + "</feed>",
      "the items hold more than", 2
    ),
  ]

  @Test(arguments: excesses.indices)
  func `parse --check reports each exceeded limit of the parser with its line`(_ index: Int) throws {
    let excess = Self.excesses[index]
    let path = directory.write(excess.document, to: "\(index).xml")
    let result = try newsd.run("parse", "--check", path)
    #expect(result.status == 0, "\(excess.name): \(result.errors)")
    #expect(result.errors.isEmpty)
    let found = result.lines.first { $0.contains(excess.said) }
    #expect(found?.hasPrefix("\(path):\(excess.line):") == true, "\(excess.name): \(found ?? "not said")")
  }

  @Test func `Items after an exceeded limit are still read`() throws {
    for index in Self.excesses.indices
    where Self.excesses[index].document.hasSuffix(Self.good + "</channel></rss>") {
      let path = directory.write(Self.excesses[index].document, to: "\(index).xml")
      #expect(
        try newsd.run("parse", path).output.contains("\"title\":\"Good\""),
        "\(Self.excesses[index].name)"
      )
    }
  }

  @Test(arguments: [
    "<rss>\u{0}<channel>\u{0}<title>t\u{0}</title></channel></rss>",
    "<\u{0}r\u{0}s\u{0}s\u{0}>\u{0}<\u{0}",
    "<rss\u{0} version=\"2.0\"><channel><title>t</title></channel></rss>",
    "<?xml version=\"1.0\" encoding=\"utf-16\"?><rss><channel><title>t</title>\u{0}</channel></rss>",
    "\u{0}<rss><channel/></rss>",
  ])
  func `Libraries print nothing on standard error`(_ document: String) throws {
    let path = directory.write(document, to: "null.xml")
    let result = try newsd.run("parse", path)
    #expect([0, 65].contains(result.status))
    #expect(result.errors.split(separator: "\n").count == (result.status == 0 ? 0 : 1), "\(result.errors)")
    #expect(!result.errors.contains("error :"))
  }

  @Test func `A mapped file gives the same output as a pipe`() throws {
    let text = String(repeating: "&lt;p&gt;a &amp;amp; b&lt;/p&gt; ", count: 40_000)
    let feed = """
      <rss version="2.0"><channel><title>T</title><item><title>one</title><description>\(text)</description></item>
      <item><title>two</title></item></channel></rss>
      """
    let path = directory.write(feed, to: "long.xml")
    let file = try newsd.run("parse", path)
    #expect(file.status == 0 && file.output.contains("\"title\":\"two\""))
    #expect(try newsd.run("parse", "-", input: feed).output == file.output)
  }

  @Test func `A finding names file, line and column`() throws {
    let feed = """
      <rss version="2.0"><channel><title>T</title><link>https://e.example/</link><description>D</description>
      <item><title>a & b</title><guid isPermaLink="false">g</guid><pubDate>then</pubDate></item>
      <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://e.example/f"/></channel></rss>
      """
    let path = directory.write(feed, to: "feed.xml")
    let lines = try newsd.run("parse", "--check", path).lines
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix("\(path):2:16: unescaped \"&\"") == true, "\(lines)")
    #expect(lines.last == "\(path):2:61: <pubDate> is not a date: then")
  }

  @Test func `Findings of a JSON Feed have the position of the item`() throws {
    let feed = """
      {"version": "https://jsonfeed.org/version/1.1", "title": "T", "feed_url": "https://e.example/f",
       "home_page_url": "https://e.example/", "items": [
        {"id": "1", "content_text": "x", "date_published": "2026-11-20T08:15:00Z"},
        {"id": "1", "content_text": "x", "date_published": "then"}]}
      """
    let path = directory.write(feed, to: "feed.json")
    let lines = try newsd.run("parse", "--check", path).lines
    #expect(
      lines == [
        "\(path):4:3: the item has the id of another item: 1",
        "\(path):4:3: the item's date_published is not a date: then",
      ]
    )
  }
}
