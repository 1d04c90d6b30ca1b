import Glibc
import NewsCore
import Testing

@testable import NewsSyndication

@Suite struct `Mapped documents` {
  /// Documents with a field of megabytes.
  private static let documents: [(name: String, bytes: [UInt8])] = [
    ("text", rss("description", String(repeating: "word ", count: 300_000))),
    ("references", rss("description", String(repeating: "&lt;b&gt;é&lt;/b&gt; &amp;amp; ", count: 50_000))),
    ("section", rss("description", "<![CDATA[" + String(repeating: "<p>a <i>b</i>", count: 100_000) + "]]>")),
    ("line ends", rss("description", String(repeating: "a\r\nb\r", count: 300_000))),
    ("a run of returns", rss("description", "x" + String(repeating: "\r", count: 700_000) + "y &amp; z")),
    (
      "returns at the ends of pieces",
      rss("description", String(repeating: "abc\r\n\r", count: 150_000) + "&amp;")
    ),
    ("title", rss("title", String(repeating: "é &amp;amp; ", count: 100_000))),
    ("title in HTML", rss("title", String(repeating: "&lt;b&gt;é  x&lt;/b&gt; ", count: 60_000))),
    ("guid", rss("guid", String(repeating: "word-", count: 200_000))),
    ("ill-formed", rss("description", String(repeating: "a & b <br> ", count: 100_000))),
    ("open section", rss("description", "<![CDATA[" + String(repeating: "é x ", count: 200_000))),
    (
      "Windows-1252",
      Array("<?xml version=\"1.0\" encoding=\"windows-1252\"?>".utf8)
        + rss("description", String(repeating: "word ", count: 300_000)).map {
          $0 == UInt8(ascii: "w") ? 0xE9 : $0
        }
    ),
    (
      "ill-formed Windows-1251",
      Array("<?xml version=\"1.0\" encoding=\"windows-1251\"?>".utf8)
        + rss("description", "& " + String(repeating: "word ", count: 300_000)).map {
          $0 == UInt8(ascii: "w") ? 0xF1 : $0
        }
    ),
    ("late link", rss("description", String(repeating: "&lt;a href=x&gt;y ", count: 60_000), link: false)),
    (
      "base64",
      Array(
        ("<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry><id>x</id><content type=\"image/png\">"
          + String(repeating: "aGVsbG8g", count: 100_000) + "</content></entry></feed>").utf8
      )
    ),
  ]

  private static func rss(_ element: String, _ text: String, link: Bool = true) -> [UInt8] {
    let address = "<link>http://e.example/</link>"
    let item = "<item><\(element)>\(text)</\(element)></item><item><title>last</title></item>"
    return Array(
      "<rss version=\"2.0\"><channel>\(link ? address : "")\(item)\(link ? "" : address)</channel></rss>".utf8
    )
  }

  @Test(arguments: documents.indices)
  func `A mapped file gives the same feed as its bytes`(_ index: Int) throws {
    let bytes = Self.documents[index].bytes
    let document = FeedDocument(bytes: bytes)
    var expected: [ParsedItem] = []
    let feed = try FeedParser().parse(document) { expected.append($0) }
    try withFile(of: bytes) { path in
      var items: [ParsedItem] = []
      let other = try FeedParser().parse(FeedDocument(bytes: []), fileAt: path) { items.append($0) }
      #expect(items == expected)
      #expect(items.count >= 1)
      #expect(other == feed)
    }
  }

  @Test(arguments: ["/dev/null", "/nonexistent/feed.xml"])
  func `For a file that cannot be mapped, the parser returns nil`(_ path: String) throws {
    #expect(try FeedParser().parse(FeedDocument(bytes: []), fileAt: path) { _ in } == nil)
  }

  private func withFile(of bytes: [UInt8], _ body: (String) throws -> Void) throws {
    let file = try #require(tmpfile())
    defer { fclose(file) }
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    fflush(file)
    try body("/proc/self/fd/\(fileno(file))")
  }
}
