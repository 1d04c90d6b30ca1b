import NewsCore
import NewsToolbox
import Testing

@testable import NewsSyndication

@Suite struct `Limits of feeds` {
  private func parse(_ xml: String, limits: ParseLimits = ParseLimits()) throws -> ParsedFeed {
    try FeedParser(limits: limits).parse(FeedDocument(bytes: Array(xml.utf8)))
  }

  private func feed(_ items: String) -> String {
    "<rss version=\"2.0\"><channel><title>T</title><link>http://e.example/</link>\(items)</channel></rss>"
  }

  private let good = "<item><title>Good</title><guid isPermaLink=\"false\">g</guid></item>"

  @Test func `Attributes beyond the limit are dropped, and the rest is read`() throws {
    let many = (0..<5000).map { "a\($0)='x'" }.joined(separator: " ")
    let feed = try parse(feed("<item><title \(many)>Many</title></item>" + good))
    #expect(feed.items.map(\.title) == ["Many", "Good"])
    #expect(feed.problems.first?.message.contains("attributes") == true)
    #expect(!feed.isWellFormed)
  }

  @Test(arguments: ["\u{301}\u{316}", "&#x301;&#790;", "&amp;#x301;&amp;#x316;"])
  func `No text of a feed has a long run of combining marks`(_ marks: String) throws {
    let long = "n" + String(repeating: marks, count: 500)
    let item = """
      <item><title>\(long)</title><description>&lt;p id="\(long)"&gt;\(long)</description><guid>\(long)</guid>
      <link>http://e.example/\(long)</link><category domain="\(long)">\(long)</category><author>\(long)</author>
      <enclosure url="http://e.example/\(long)" type="\(long)" length="1"/><comments>http://e.example/\(long)</comments></item>
      """
    let feed = try parse(feed("<description>\(long)</description>" + item))
    #expect(Self.texts(of: feed).count > 12)
    #expect(Self.texts(of: feed).filter { !$0.streamSafe.isEqual(bytesOf: $0) } == [])
  }

  @Test(arguments: ["\u{301}\u{316}", "\\u0301\\u0316"])
  func `No text of a JSON Feed has a long run of combining marks`(_ marks: String) throws {
    let long = "n" + String(repeating: marks, count: 500)
    let json = """
      {"version": "https://jsonfeed.org/version/1.1", "title": "\(long)", "items": [{"id": "\(long)", "title": "\(long)",
      "content_text": "\(long)", "tags": ["\(long)"], "authors": [{"name": "\(long)"}]}]}
      """
    let feed = try parse(json)
    #expect(Self.texts(of: feed).count > 5)
    #expect(Self.texts(of: feed).filter { !$0.streamSafe.isEqual(bytesOf: $0) } == [])
  }

  /// All texts in a value.
  private static func texts(of value: Any) -> [String] {
    if let text = value as? String { return [text] }
    return Mirror(reflecting: value).children.flatMap { texts(of: $0.value) }
  }

  @Test func `Namespaces beyond the limit are dropped, and the rest is read`() throws {
    let many = (0..<5000).map { "xmlns:n\($0)='urn:\($0)'" }.joined(separator: " ")
    let feed = try parse(feed("<item \(many)><title>Many</title></item>" + good))
    #expect(feed.items.map(\.title) == ["Many", "Good"])
    #expect(feed.problems.contains { $0.message.contains("attributes") })
  }

  @Test func `A start tag that is too long is truncated, and the rest is read`() throws {
    let long = String(repeating: "x", count: 70_000)
    let feed = try parse(feed("<item><title a='\(long)'>Long</title></item>" + good))
    #expect(feed.items.last?.title == "Good")
    #expect(feed.problems.contains { $0.message.contains("longer than") })
  }

  @Test func `Items before the 257th level of nesting are kept`() throws {
    let deep = String(repeating: "<d>", count: 100_000)
    let feed = try parse(feed(good + "<item><title>In</title>" + deep))
    #expect(feed.items.map(\.title) == ["Good", "In"])
    #expect(feed.problems.contains { $0.message.contains("deeper") })
  }

  @Test func `The nesting limit also applies to well-formed documents`() throws {
    let deep = String(repeating: "<d>", count: 5000) + String(repeating: "</d>", count: 5000)
    let feed = try parse(feed(good + "<item>\(deep)</item>"))
    #expect(feed.items.first?.title == "Good")
    #expect(feed.problems.contains { $0.message.contains("deeper") })
  }

  @Test func `An entity that would expand beyond the limit expands to nothing`() throws {
    var subset = "<!ENTITY e0 \"xxxxxxxxxx\">"
    for level in 1...9 {
      subset += "<!ENTITY e\(level) \"" + String(repeating: "&e\(level - 1);", count: 10) + "\">"
    }
    let feed = try parse("<!DOCTYPE rss [\(subset)]>" + feed("<item><title>a&e9;b</title></item>" + good))
    #expect(feed.items.map(\.title) == ["ab", "Good"])
    #expect(feed.problems.contains { $0.message.contains("entities add") })
  }

  @Test func `Billions of nested empty entities expand to nothing`() throws {
    var subset = "<!ENTITY e0 \"\">"
    for level in 1...7 {
      subset += "<!ENTITY e\(level) \"" + String(repeating: "&e\(level - 1);", count: 5000) + "\">"
    }
    let feed = try parse("<!DOCTYPE rss [\(subset)]>" + feed("<item><title>a&e7;b</title></item>" + good))
    #expect(feed.items.map(\.title) == ["ab", "Good"])
  }

  @Test func `A recursive entity expands to nothing`() throws {
    let feed = try parse(
      "<!DOCTYPE rss [<!ENTITY a \"&b;\"><!ENTITY b \"&a;\">]>" + feed("<item><title>x&a;y</title></item>")
    )
    #expect(feed.items.map(\.title) == ["xy"])
  }

  @Test func `A field beyond the limit is truncated, and others are kept`() throws {
    var limits = ParseLimits()
    limits.maximumFieldBytes = 1000
    let long = String(repeating: "word ", count: 20_000)
    let feed = try parse(
      feed("<item><title>L</title><description>\(long)</description></item>" + good),
      limits: limits
    )
    #expect(feed.items.map(\.title) == ["L", "Good"])
    #expect((feed.items.first?.contentText?.utf8.count ?? 0) <= 1000)
    #expect(feed.problems.contains { $0.message.contains("field is longer") })
    #expect(feed.limitNotes == ["a field is longer than 1000 bytes; its end was left out"])
  }

  @Test func `A JSON Feed field beyond the limit is dropped with a note`() throws {
    var limits = ParseLimits()
    limits.maximumFieldBytes = 1000
    let long = String(repeating: "word ", count: 1000)
    let document = """
      {"version":"https://jsonfeed.org/version/1.1","title":"t","items":[{"id":"1","content_text":"\(long)"}]}
      """
    let feed = try parse(document, limits: limits)
    #expect(feed.items.first?.contentText == "")
    #expect(feed.limitNotes == ["a field is longer than 1000 bytes and was left out"])
  }

  @Test func `A JSON Feed is read up to the limit on values`() throws {
    var limits = ParseLimits()
    limits.maximumValues = 20
    let items = (1...20).map { "{\"id\":\"\($0)\",\"title\":\"x\"}" }.joined(separator: ",")
    let document = "{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"t\",\"items\":[\(items)]}"
    let feed = try parse(document, limits: limits)
    #expect(feed.items.prefix(5).map(\.id) == ["1", "2", "3", "4", "5"])
    #expect(feed.items.count <= 6)
    #expect(!feed.isWellFormed)
    #expect(feed.limitNotes == ["there are more than 20 values; the rest was left out"])
    #expect(try parse(document).items.count == 20)
    #expect(try parse(document).limitNotes.isEmpty)
  }

  @Test func `A feed within all limits has no limit notes, even if ill-formed`() throws {
    #expect(try parse(feed("<item><title>A & B</title></item>")).limitNotes.isEmpty)
  }

  @Test func `Items beyond the limit are dropped`() throws {
    var limits = ParseLimits()
    limits.maximumItems = 10
    let feed = try parse(feed(String(repeating: good, count: 50)), limits: limits)
    #expect(feed.items.count == 10)
    #expect(feed.problems.contains { $0.message.contains("more than 10 items") })
  }

  @Test func `Fewer items are taken if they are in memory together than if they are delivered one by one`()
    throws
  {
    let document = feed((0..<20).map { "<item><title>\($0)</title></item>" }.joined())
    var limits = ParseLimits()
    limits.maximumHeldItems = 10
    let held = try parse(document, limits: limits)
    #expect(held.items.count == 10)
    #expect(held.limitNotes == ["there are more than 10 items; the rest was left out"])
    var delivered = 0
    let parser = FeedParser(limits: limits)
    let rest = try parser.parse(FeedDocument(bytes: Array(document.utf8))) { _ in delivered += 1 }
    #expect(delivered == 20 && rest.limitNotes.isEmpty)
    #expect(ParseLimits().maximumHeldItems == 50_000)
  }

  @Test func `Lists in an item are truncated at the limit`() throws {
    let tags = (0..<20_000).map { "<category>c\($0)</category>" }.joined()
    let feed = try parse(feed("<item><title>x</title>\(tags)</item>"))
    #expect(feed.items.first?.tags.count == FeedBuilder.maximumListLength)
  }

  private func atom(_ content: String) -> [UInt8] {
    Array("<feed xmlns='http://www.w3.org/2005/Atom'><title>T</title><id>f</id>\(content)</feed>".utf8)
  }

  @Test func `The authors of a feed that follow its entries count in each entry that gets them`() throws {
    let entries = (0..<200).map { "<entry><id>\($0)</id><title>t</title></entry>" }.joined()
    let name = String(repeating: "n", count: 900)
    let document = atom(entries + (0..<100).map { "<author><name>\(name)\($0)</name></author>" }.joined())
    var limits = ParseLimits()
    limits.maximumTotalBytes = 100_000
    let parser = FeedParser(limits: limits)
    let feed = try parser.parse(FeedDocument(bytes: document))
    #expect(feed.items.count == 200)
    #expect(feed.items.first?.authors.count == 100)
    #expect(feed.items.reduce(0) { $0 + $1.textBytes } <= document.count * 8)
    var items: [ParsedItem] = []
    let streamed = try parser.parse(FeedDocument(bytes: document)) { items.append($0) }
    #expect(items == feed.items)
    #expect(streamed.limitNotes.contains { $0.contains("bytes together") })
  }

  @Test func `What all items show or take of their feed is short`() throws {
    let long = String(repeating: "n", count: 5000)
    let json =
      "{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"\(long)\",\"language\":\"\(long)\",\"items\":[]}"
    let rss = "<rss version='2.0'><channel><title>\(long)</title><language>\(long)</language></channel></rss>"
    for document in [json, rss] {
      let feed = try parse(document)
      #expect(feed.title == String(long.prefix(1000)))
      #expect(feed.language == nil)
    }
  }

  @Test func `Long names of people and tags are cut between Unicode scalars`() throws {
    let long = "x" + String(repeating: "é", count: 5000)
    let cut = "x" + String(repeating: "é", count: 499)
    let person = "<name>\(long)</name><email>\(long)</email>"
    let document = atom(
      "<author>\(person)</author><entry><id>1</id><author>\(person)</author>"
        + "<contributor>\(person)</contributor><category term='\(long)' label='\(long)'/></entry>"
    )
    let item = try #require(try FeedParser().parse(FeedDocument(bytes: document)).items.first)
    #expect((item.authors + item.contributors).map(\.name) == [cut, cut])
    #expect((item.authors + item.contributors).map(\.email) == [cut, cut])
    #expect(item.tags == [Category(term: cut, label: cut)])
    let json =
      "{\"version\":\"https://jsonfeed.org/version/1.1\",\"items\":[{\"id\":\"1\",\"tags\":[\"\(long)\"],"
      + "\"authors\":[{\"name\":\"\(long)\"}]}]}"
    let other = try #require(try FeedParser().parse(FeedDocument(bytes: Array(json.utf8))).items.first)
    #expect(other.authors == [Author(name: cut)])
    #expect(other.tags == [Category(term: cut)])
    let rss = try parse(
      feed("<item><dc:creator xmlns:dc='http://purl.org/dc/elements/1.1/'>\(long)</dc:creator></item>")
    )
    #expect(rss.items.first?.authors == [Author(name: cut)])
  }

  @Test(arguments: [
    "&", "<", "</x>", "<x>", "<![CDATA[", "<!--", "<?", "&#", "]]>", "<a b=\"", "<a b='c", "<!DOCTYPE",
    "\u{1}", "&amp;amp;",
    "<title>", "<item>", "<item", "</item>", "<?xml ?>", "&nbsp;", "<!ENTITY", "<a:b:c>",
  ])
  func `A fault repeated 100,000 times gives a result of bounded size`(_ fault: String) throws {
    let document = feed(good + String(repeating: fault, count: 100_000))
    let feed = try parse(document)
    #expect(feed.items.first?.title == "Good")
    #expect(feed.problems.count <= ParseLimits().maximumProblems + 30)
    let text = feed.items.reduce(0) { $0 + ($1.contentHTML?.utf8.count ?? 0) + ($1.title?.utf8.count ?? 0) }
    #expect(text <= document.utf8.count * 6)
  }

  @Test(arguments: ["[", "{\"a\":", "[[],", "{\"a\":[", "\"\\u"])
  func `Deeply nested JSON is read up to the limit`(_ piece: String) {
    let document =
      "{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"t\",\"items\":[{\"id\":\"1\"}],\"x\":"
      + String(repeating: piece, count: 100_000)
    let feed = try? FeedParser().parse(FeedDocument(bytes: Array(document.utf8)))
    #expect(feed?.items.count == 1)
    #expect(feed?.isWellFormed == false)
  }
}

@Suite struct `Documents that are not feeds` {
  @Test(arguments: [
    ("", FeedParseError.Code.empty), ("  \n ", .empty),
    ("<!DOCTYPE html><html><body>x</body></html>", .htmlPage),
    ("<html><head></head></html>", .htmlPage), ("hello", .notAFeed), ("{\"a\":1}", .notAFeed),
    ("[1,2]", .notAFeed),
    ("<opml version=\"2.0\"><body/></opml>", .notAFeed),
    ("<svg xmlns=\"http://www.w3.org/2000/svg\"/>", .notAFeed),
    ("<urlset/>", .notAFeed), ("%PDF-1.4", .notAFeed),
    ("<?xml version=\"1.0\"?><html xmlns=\"http://www.w3.org/1999/xhtml\"/>", .htmlPage),
    ("<?xml", .notAFeed), ("<", .notAFeed), ("<data><item/></data>", .notAFeed),
  ])
  func `A document that is not a feed is refused with its kind`(_ text: String, _ code: FeedParseError.Code) {
    #expect {
      try FeedParser().parse(FeedDocument(bytes: Array(text.utf8)))
    } throws: { error in
      (error as? FeedParseError)?.code == code
    }
  }
}

/// Text repeated between a prefix and a suffix. The test description is short; the text would fill megabytes.
struct Repetition: Sendable, CustomTestStringConvertible {
  let text: String
  let testDescription: String

  init(_ piece: String, _ count: Int, after start: String, before end: String) {
    text = start + String(repeating: piece, count: count) + end
    testDescription = "\(start)(\(count) times \(piece.debugDescription))\(end)"
  }
}

@Suite struct `Names of elements, and unclosed markup, in feeds` {
  @Test func `Unknown names beyond the limit are reported, and known names are still read`() throws {
    let many = (0..<20_000).map { "<n\($0):x\($0) xmlns:n\($0)='urn:\($0)' a\($0)='1'/>" }.joined()
    let xml =
      "<rss version=\"2.0\"><channel><title>T</title><item><title>A</title>\(many)<link>http://e.example/a</link>"
      + "<guid>g</guid></item></channel></rss>"
    let feed = try FeedParser().parse(FeedDocument(bytes: Array(xml.utf8)))
    #expect(feed.items.map(\.url) == ["http://e.example/a"])
    #expect(feed.problems.contains { $0.message.contains("different names") })
  }

  @Test func `Every item of a feed with many long element names is read`() throws {
    let long = String(repeating: "x", count: 60)
    let items = (0..<1500).map { "<item><guid>\($0)</guid><n\($0)\(long)>v</n\($0)\(long)></item>" }.joined()
    let xml = "<rss version=\"2.0\"><channel><title>T</title>\(items)</channel></rss>"
    let feed = try FeedParser().parse(FeedDocument(bytes: Array(xml.utf8)))
    #expect(feed.items.count == 1500)
    #expect(feed.problems.contains { $0.message.contains("different names") })
  }

  /// In quadratic time, each of these would take hours.
  @Test(
    .timeLimit(.minutes(5)),
    arguments: [
      Repetition("<!--a", 200_000, after: "", before: "<item><title>t</title></item><!-- -->"),
      Repetition("<?a", 300_000, after: "", before: "<item><title>t</title></item><?b ?>"),
      Repetition("<![CDATA[<b/>", 100_000, after: "<item><title>t</title></item>", before: "]]>"),
      Repetition(
        "\r",
        1_000_000,
        after: "<item><title>t</title><description>",
        before: "</description></item>"
      ),
      Repetition("\r", 1_000_000, after: "<item><title>t</title><description>& ", before: ""),
    ]
  )
  func `Markup left open repeatedly is read in linear time`(_ body: Repetition) throws {
    let document = "<rss version=\"2.0\"><channel><title>T</title>\(body.text)</channel></rss>"
    let feed = try FeedParser().parse(FeedDocument(bytes: Array(document.utf8)))
    #expect(feed.items.first?.title == "t")
  }

  @Test(arguments: [true, false])
  func `Items nested in another item are returned in order, whether it is closed or not`(_ isClosed: Bool)
    throws
  {
    let text = String(repeating: "x", count: 3000)
    let inner = (1...800).map { "<item><title>\($0)</title><description>\(text)</description></item>" }
      .joined()
    let end = isClosed ? "</item><item><title>801</title></item>" : ""
    let document = "<rss version=\"2.0\"><channel><item><title>0</title>\(inner)\(end)</channel></rss>"
    var titles: [String] = []
    _ = try FeedParser().parse(FeedDocument(bytes: Array(document.utf8))) { titles.append($0.title ?? "") }
    #expect(titles == (0...(isClosed ? 801 : 800)).map(String.init))
  }
}
