import NewsCore
import NewsSyndication
import Testing

@Suite struct `Items written by scripts` {
  private func item(_ line: String) throws -> ImportedItem {
    try ItemLines().item(ofLine: Array(line.utf8)[...])
  }

  @Test func `An object with JSON Feed names is an item`() throws {
    let line = """
      {"id":7,"title":"A & B","content_html":"<p onclick='x'>Hi<script>alert(1)</script></p>","date_published":"2026-11-20T11:00:00Z","tags":["x"]}
      """
    let imported = try item(line)
    #expect(imported.item.id == "7")
    #expect(imported.item.title == "A & B")
    #expect(imported.item.contentHTML == "<p>Hi</p>")
    #expect(imported.item.contentText == "Hi")
    #expect(imported.item.published == Timestamp(seconds: 1_795_172_400))
    #expect(imported.item.tags.map(\.term) == ["x"])
  }

  @Test func `Media printed by newsd round-trip`() throws {
    let line = """
      {"schema":1,"guid":"tag:1","title":"T","image":"https://a/i.jpg","thumbnail":"https://a/t.jpg","duration":61,\
      "episode":"3","season":"1","chapters":"https://a/c.json","transcript":"javascript:alert(1)"}
      """
    let item = try item(line).item
    let media = try #require(ItemMedia(item))
    #expect(item.image == "https://a/i.jpg" && media.thumbnail?.url == "https://a/t.jpg")
    #expect(media.duration == 61 && media.episode == "3" && media.season == "1")
    #expect(media.chapters?.href == "https://a/c.json" && media.transcripts.isEmpty)
  }

  @Test func `An object printed by newsd round-trips`() throws {
    let line = """
      {"schema":1,"id":4711,"feed_id":2,"feed":"F","guid":"tag:1","title":"1 < 2 &amp; <b>","url":"https://example.org/1",\
      "authors":[{"name":"Ada","email":"a@example.org"}],"published":"2026-11-20T11:00:00Z","updated":null,\
      "stored":"2026-11-20T12:00:00Z","summary":"S <i>","content_text":"a <b> c","content_html":null,"tags":["t"],\
      "enclosures":[{"url":"https://example.org/a.mp3","mime_type":"audio/mpeg","size":5,"duration":60}],\
      "language":"de","is_read":true,"is_starred":false,"seq":9}
      """
    let imported = try item(line)
    #expect(imported.isRead && !imported.isStarred)
    let item = imported.item
    #expect(item.id == "tag:1")
    #expect(item.title == "1 < 2 &amp; <b>")
    #expect(item.summary == "S <i>")
    #expect(item.contentText == "a <b> c")
    #expect(item.contentHTML == nil)
    #expect(item.authors == [Author(name: "Ada", email: "a@example.org")])
    #expect(item.published == Timestamp(seconds: 1_795_172_400))
    #expect(item.language == "de")
    let audio = Enclosure(url: "https://example.org/a.mp3", mimeType: "audio/mpeg", size: 5, duration: 60)
    #expect(item.enclosures == [audio])
  }

  @Test func `An sfeed line is an item, even with only an id`() throws {
    let imported = try item("1795172400\tT\thttps://example.org/\t<b>x</b>\\n\thtml\tid\tAda\t\ta|b")
    #expect(imported.item.title == "T")
    #expect(imported.item.contentText == "x")
    #expect(try item("\t\t\t\t\tonly\t\t\t").item.id == "only")
  }

  @Test(arguments: [
    ("oops", "neither a JSON object nor a line of an sfeed file"),
    ("[]", "neither a JSON object nor a line of an sfeed file"),
    (#"{"id":"b","title":"#, "the JSON ends where a value is expected (column 19)"),
    (#"{"id":"b"} x"#, "something follows the JSON value (column 12)"),
    ("{}", "the item has no id, title, address or text"),
    ("a\tb", "the line has 2 fields; a line of an sfeed file has nine"),
    ("x\tT\t\t\t\t\t\t\t", "the first field is not a Unix time, with which a line of an sfeed file begins"),
  ])
  func `A line that is not an item is refused with the reason`(_ line: String, _ message: String) {
    #expect(throws: FeedParseError(code: .notAFeed, message: message)) { try item(line) }
  }

  @Test(arguments: [
    ("<rss/>", ItemInputShape?.some(.document)), ("[{}]", .document), ("{\"id\":1}", nil), ("", nil),
    ("{\"id\":1}\n", .lines), ("{\n \"version\"", .document), ("1\tT\n", .lines), ("oops\n{}", .lines),
    ("{\"version\":\"https://jsonfeed.org/version/1.1\",\"items\":[]}\n", .document),
  ])
  func `The first bytes distinguish lines from a document`(_ start: String, _ shape: ItemInputShape?) {
    #expect(ItemLines().shape(of: Array(start.utf8)[...]) == shape)
  }
}
