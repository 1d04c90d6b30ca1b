import TestServer
import TestSupport
import Testing

@Suite(.blocking) struct `Whole articles` {
  let wire: Wire

  init() throws {
    wire = try Wire()
  }

  private static let sentence =
    "The harbour was quiet that morning, and the ships lay still at their moorings. "

  private static func feed(_ url: String, _ numbers: ClosedRange<Int> = 1...4) -> String {
    let items = numbers.map { number in
      "<item><title>Story \(number)</title><link>\(url)/story/\(number)</link><guid>\(number)</guid>"
        + "<description>Story number \(number): \(sentence)</description></item>"
    }
    return
      "<rss version=\"2.0\"><channel><title>T</title><link>\(url)</link>\(items.joined())</channel></rss>"
  }

  private static func page(_ number: Int, _ extra: String = "") -> String {
    let paragraphs = (1...5).map { "<p>Part \($0). \(sentence)Lighthouses are described in part \($0).</p>" }
    return "<html><head><title>Story \(number)</title></head><body><nav><a href=/>Menu</a></nav><article>"
      + "<h1>Story \(number)</h1><p>Story number \(number): \(sentence)</p>\(paragraphs.joined())\(extra)</article></body></html>"
  }

  /// A feed of four items, and pages for eight; the third and the seventh are walls.
  private func serve() throws {
    let url = wire.server.url("")
    try wire.add("/feed", .ok(Self.feed(url)))
    for number in 1...8 {
      let isWall = number % 4 == 3
      let body = isWall ? "<title>Just a moment...</title><p>Checking your browser.</p>" : Self.page(number)
      let html = [("Content-Type", "text/html; charset=utf-8")]
      wire.server.on("/story/\(number)", replies: [.ok(body, headers: html)])
    }
  }

  @Test func `fetch --articles stores the articles of new items, and refuses a page that is a bot check`()
    throws
  {
    try serve()
    #expect(try wire.run("feeds", "set", "1", "article=always").status == 0)
    #expect(try wire.run("fetch", "--articles").status == 0)
    // The items stored with the subscription precede the setting, so their pages are not fetched.
    #expect(wire.server.count("/story/1") == 0)
    wire.server.on("/feed", replies: [.ok(Self.feed(wire.server.url(""), 5...8))])
    let result = try wire.run("fetch", "--articles")
    #expect(result.errors.contains("4 pages read: 3 articles, 1 refused"), "\(result.errors)")
    let found = try wire.run("search", "lighthouses", "--format", "tsv", "--fields", "title,article")
    #expect(found.lines.count == 3, "\(found.output)")
    let refused = try wire.run("list", "--format", "tsv", "--fields", "title,article,article_reason").lines
    #expect(refused.contains { $0.hasPrefix("Story 7\trefused\t") })
  }

  @Test func `The article of an ingested item is fetched`() throws {
    try serve()
    let line = "{\"id\":\"1\",\"title\":\"Story 1\",\"url\":\"\(wire.server.url("/story/1"))\"}"
    #expect(try wire.newsd.run("ingest", "--feed", "Script", input: line).status == 0)
    let found = try wire.run("list", "--feed", "Script", "--format", "ids").lines
    let shown = try wire.run("show", found.first.map(String.init) ?? "", "--article")
    #expect(shown.output.contains("Lighthouses"), "\(shown.output)\(shown.errors)")
  }

  @Test func `feeds preview stores no article; show --article stores one, unless the page is a bot check`()
    throws
  {
    try serve()
    let preview = try wire.run("feeds", "preview", "1", "--limit", "2")
    #expect(preview.status == 0, "\(preview.errors)")
    #expect(preview.output.contains("after:"), "\(preview.output)")
    #expect(
      try wire.run("list", "--format", "tsv", "--fields", "article").output.contains("fetched") == false
    )
    let id = try wire.run("search", "--format", "ids", "title:\"Story 1\"").lines.first.map(String.init) ?? ""
    let shown = try wire.run("show", id, "--article")
    #expect(shown.output.contains("Lighthouses"), "\(shown.output)\(shown.errors)")
    let json = try wire.run("show", id, "--format", "json").output
    #expect(json.contains("\"article\":\"fetched\""), "\(json)")
    #expect(json.contains("\"feed_content_html\":\"Story number 1"), "\(json)")
    let walls = try wire.run("search", "--format", "ids", "title:\"Story 3\"").lines
    let wall = walls.first.map(String.init) ?? ""
    let kept = try wire.run("show", wall, "--article")
    #expect(kept.status == 0)
    #expect(kept.errors.contains("keeps the feed's text"), "\(kept.errors)")
  }

  @Test
  func
    `feeds set rejects an invalid CSS selector; settings for a folder apply to its present and later feeds`()
    throws
  {
    try serve()
    let wrong = try wire.run("feeds", "set", "1", "article-content=p:hover")
    #expect(wrong.status == 64)
    #expect(wrong.errors.contains("character 2"), "\(wrong.errors)")
    #expect(try wire.run("feeds", "set", "1", "article=sometimes").status == 64)
    #expect(try wire.run("feeds", "move", "1", "--folder", "News/Ships").status == 0)
    #expect(
      try wire.run("feeds", "set", "--folder", "News", "article=auto", "article-remove=.ad").status == 0
    )
    #expect(try wire.run("feeds", "set", "1").output.contains("article=auto\narticle-remove=.ad\n"))
    #expect(try wire.run("feeds", "set", "--folder", "Nowhere", "article=auto").status == 66)
    // A feed added later inherits the settings, too.
    wire.server.on("/later", replies: [.ok(Self.feed(wire.server.url("")))])
    #expect(try wire.run("feeds", "add", wire.server.url("/later"), "--folder", "News").status == 0)
    #expect(try wire.run("feeds", "set", "2").output.contains("article=auto\narticle-remove=.ad\n"))
    let opml = try wire.run("feeds", "export").output
    #expect(opml.contains("newsd:article=\"auto\""), "\(opml)")
    #expect(opml.contains("newsd:articleRemove=\".ad\""), "\(opml)")
  }

  @Test func `parse --article prints one object, and exits with 65 if there is no article`() throws {
    let path = wire.directory.write(Self.page(7), to: "page.html")
    let found = try wire.run(
      "parse",
      "--article",
      "--url",
      "https://example.org/",
      "--excerpt",
      Self.sentence,
      path
    )
    #expect(found.status == 0)
    #expect(found.output.hasPrefix("{\"title\":\"Story 7\",\"byline\":null,\"published\":null,\"html\":"))
    #expect(found.output.hasSuffix("\"excerpt_found\":true}\n"), "\(found.output)")
    let empty = wire.directory.write("<html><nav>Menu</nav></html>", to: "empty.html")
    let none = try wire.run("parse", "--article", empty)
    #expect(none.status == 65)
    #expect(none.output.isEmpty)
    #expect(none.errors.contains("no article"), "\(none.errors)")
    #expect(try wire.run("parse", "--excerpt", "x", path).status == 64)
    #expect(try wire.run("parse", "--article", "--check", path).status == 64)
  }
}
