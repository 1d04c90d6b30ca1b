import NewsCore
import NewsToolbox
import Testing

@testable import NewsSyndication

@Suite struct `Publisher check` {
  private func check(_ text: String) throws -> [String] {
    try FeedParser().check(FeedDocument(bytes: Array(text.utf8))).map {
      "\($0.line):\($0.column) \($0.message)"
    }
  }

  @Test func `A valid feed has no findings`() throws {
    let feed = """
      <rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>T</title><link>https://e.example/</link>
      <description>D</description><atom:link rel="self" href="https://e.example/feed"/><item><title>x</title><guid>https://e.example/1</guid><pubDate>Fri, 20 Nov 2026 08:15:00 +0000</pubDate></item>
      </channel></rss>
      """
    #expect(try check(feed) == [])
  }

  @Test(.timeLimit(.minutes(1)))
  func `Names with long runs of combining marks are checked in linear time`() throws {
    let marks = String(repeating: "\u{301}\u{316}", count: 10_000)
    let findings = try check("<feed xmlns=\"http://a\(marks)\"><title>T</title></feed>")
    #expect(findings.contains { $0.contains(bytesOf: "the namespace of <feed> is http://a") })
    #expect(findings.filter { !$0.streamSafe.isEqual(bytesOf: $0) } == [])
    let items = String(repeating: "<item a\(marks)=\"1\"><title>T</title></item>", count: 180)
    #expect(try !check("<rss version=\"2.0\"><channel>\(items)</channel></rss>").isEmpty)
  }

  @Test func `RSS findings have the line and column of the tag`() throws {
    let feed = """
      <rss><channel><title>T</title><link>/home</link>
      <item><guid>g</guid><pubDate>yesterday</pubDate>
        <enclosure url="https://e.example/a.mp3"/></item>
      <item><title>x</title><guid>g</guid></item>
      </channel></rss>
      """
    #expect(
      try check(feed) == [
        "1:1 <rss> has no version",
        "1:6 <channel> has no <description>",
        "1:6 <channel> has no <atom:link rel=\"self\"> with the feed's own address",
        "1:31 <link> is not an absolute URL: /home",
        "2:1 <item> has neither a <title> nor a <description>",
        "2:7 <guid> is not an absolute URL and lacks isPermaLink=\"false\": g",
        "2:21 <pubDate> is not a date: yesterday",
        "3:3 <enclosure> has no length",
        "3:3 <enclosure> has no type",
        "4:1 <item> has no <pubDate>",
        "4:23 <guid> is not an absolute URL and lacks isPermaLink=\"false\": g",
        "4:23 <guid> is also that of another item: g",
      ]
    )
  }

  @Test func `A wrong date of an Atom feed, and an entry without title and date, are found`() throws {
    let feed = """
      <feed xmlns="http://www.w3.org/2005/Atom"><id>i</id><title>T</title><updated>20 Nov 2026 08:15:00 GMT</updated>
      <entry><id>1</id></entry></feed>
      """
    let findings = try check(feed)
    #expect(findings.contains { $0.hasPrefix("1:69 <updated> is not an RFC 3339 date") })
    #expect(findings.contains("2:1 <entry> has no <title>"))
    #expect(findings.contains("2:1 <entry> has no <updated>"))
  }

  @Test func `An Atom author without child elements is empty`() throws {
    func feed(_ author: String) -> String {
      """
      <feed xmlns="http://www.w3.org/2005/Atom"><id>urn:x:1</id><title>T</title>
      <updated>2026-11-20T08:15:00Z</updated>\(author)</feed>
      """
    }
    #expect(try !check(feed("<author><name>A</name></author>")).contains { $0.contains("is empty") })
    #expect(try check(feed("<author/>")).contains { $0.contains("<author> is empty") })
  }

  @Test func `Each breach of XML is one finding`() throws {
    let findings = try check(
      "<rss version=\"2.0\"><channel><title>a & b</title>\n<link>x?a&b</link></channel></rss>"
    )
    #expect(findings.filter { $0.contains("unescaped") }.map { String($0.prefix(5)) } == ["1:38 ", "2:10 "])
  }
}
