import NewsCore
import NewsSyndication
import Testing

@Suite struct `The article of a page` {
  private static let sentence =
    "The committee said on Tuesday that it would publish its findings before the end of the year, after months. "

  private static func paragraphs(_ count: Int, _ word: String = "Paragraph") -> String {
    (1...count).map { "<p>\(word) \($0): \(sentence)</p>" }.joined(separator: "\n")
  }

  private func article(_ html: String, _ hints: ArticleHints = ArticleHints()) throws -> PageArticle {
    let document = FeedDocument(bytes: Array(html.utf8), baseURL: "https://example.org/news/story")
    return try ArticleExtractor().article(inPage: document, hints: hints)
  }

  private static let page = """
    <html><head><title>A story of note | The Example</title><meta property="og:site_name" content="The Example">
    <meta name=author content="Ada Lovelace"><meta property="article:published_time" content="2026-11-20T08:00:00Z"></head>
    <body><nav><a href=/>Home</a> <a href=/a>About</a></nav><div class=sidebar>\(paragraphs(2, "Aside"))</div>
    <main><h1>A story of note</h1><div id=text>\(paragraphs(5))
    <p><img src="data:image/gif;base64,R0" data-src="/image.jpg" alt="A picture"></p>
    <div class="share-buttons"><a href=/s>Share this</a></div><h2>More</h2></div></main>
    <div id=comments><p>First comment. \(sentence)</p></div><footer>All rights reserved</footer></body></html>
    """

  @Test func `The text is extracted without menus, sidebars, comments and sharing links`() throws {
    let found = try article(Self.page)
    #expect(found.text.contains("Paragraph 1:") && found.text.contains("Paragraph 5:"))
    for word in ["Home", "Aside", "Share this", "First comment", "All rights", "More", "A story of note"] {
      #expect(!found.text.contains(word), "\(word)")
    }
  }

  @Test func `Titles of marks between signs, which would take an hour to compare, do not delay the article`()
    throws
  {
    let marks = String(repeating: String(repeating: "\u{5B0}\u{5B1}", count: 15) + ".", count: 20_000)
    let found = try article(
      "<title>\(marks) | Site</title><meta property='og:title' content='\(marks)'><h1>\(marks.prefix(900))</h1>\(Self.page)"
    )
    #expect(found.text.contains("Paragraph 5:"))
  }

  @Test func `Title, author and date come from the page's metadata`() throws {
    let found = try article(Self.page)
    #expect(found.title == "A story of note")
    #expect(found.byline == "Ada Lovelace")
    #expect(found.published?.rfc3339 == "2026-11-20T08:00:00Z")
  }

  @Test func `An image with a placeholder gets the address from its data-src`() throws {
    #expect(
      try article(Self.page).html.contains(#"<img src="https://example.org/image.jpg" alt="A picture">"#)
    )
  }

  @Test(arguments: [
    (#"<img src="/blank.gif" data-srcset="/a.jpg 320w, /b.jpg 640w">"#, #"src="https://example.org/b.jpg""#),
    (
      #"<img src="data:," class=x><noscript><img src="/c.jpg"></noscript>"#,
      #"src="https://example.org/c.jpg""#
    ),
    (#"<amp-img src="/d.jpg" width=5 height=5></amp-img>"#, #"<img src="https://example.org/d.jpg""#),
    (
      #"<iframe src="https://www.youtube.com/embed/x"></iframe>"#,
      #"<a class="newsd-frame" href="https://www.youtube.com/embed/x">▶ Video</a>"#
    ),
    (
      #"<figure><iframe data-src="/map" title="The map"></iframe></figure>"#,
      #"<a class="newsd-frame" href="https://example.org/map">Embedded: The map (example.org)</a>"#
    ),
    (
      #"<p>so <math><mspace width="1em"/><mi>x</mi></math>.</p>"#,
      #"<mspace width="1em"></mspace><mi>x</mi></math>"#
    ),
  ])
  func `Images and videos that need a script are kept as images and links`(
    _ markup: String,
    _ expected: String
  ) throws {
    let found = try article("<body><article>\(Self.paragraphs(2))\(markup)\(Self.paragraphs(2))</article>")
    #expect(found.html.contains(expected), "\(found.html)")
  }

  @Test func `An article is found even in an element with the class sidebar`() throws {
    let found = try article("<body class=x><div class=sidebar>\(Self.paragraphs(6))</div>")
    #expect(found.text.contains("Paragraph 6"))
  }

  @Test func `An article in an aside, a form and a head that never ends is found`() throws {
    let found = try article("<head><title>T</title><form><aside>\(Self.paragraphs(6))</aside></form>")
    #expect(found.text.contains("Paragraph 1") && found.text.contains("Paragraph 6"))
  }

  @Test func `Custom elements are read as containers of text`() throws {
    let found = try article(
      "<body><x-page><x-story>\(Self.paragraphs(4))</x-story><x-menu><a href=/>Menu</a></x-menu></x-page>"
    )
    #expect(found.text.contains("Paragraph 4") && !found.text.contains("Menu"))
  }

  @Test func `A lead paragraph before the article's body belongs to the article`() throws {
    let found = try article(
      "<body><article><h1>T</h1><p class=lead>The lead: \(Self.sentence)</p>"
        + "<div class=article-body>\(Self.paragraphs(4))</div></article>"
    )
    #expect(found.text.hasPrefix("The lead:"))
  }

  @Test func `Data tables and code stay in the article`() throws {
    let table = "<table><tr><th>Year<th>Sum<tr><td>2025<td>7</table><pre><code>let x = 1</code></pre>"
    let found = try article("<body><article>\(Self.paragraphs(3))\(table)\(Self.paragraphs(3))</article>")
    #expect(found.html.contains("<td>7</td>") && found.html.contains("let x = 1"))
  }

  @Test func `The text comes from JSON-LD if the page itself lacks it`() throws {
    let body = String(repeating: Self.sentence, count: 6)
    let found = try article(
      "<script type='application/ld+json'>{\"@graph\": [{\"@type\": \"NewsArticle\", \"headline\": \"H &amp; M\","
        + "\"author\": [{\"name\": \"A\"}, {\"name\": \"B\"}], \"datePublished\": \"2026-01-02\", \"articleBody\": \"\(body)\"}]}"
        + "</script><body><p>Too short to be the article, but it is text.</p>"
    )
    #expect(found.text.contains("The committee said"))
    #expect(
      found.title == "H & M" && found.byline == "A, B" && found.published?.rfc3339 == "2026-01-02T00:00:00Z"
    )
  }

  @Test func `Markup in the author's name is removed`() throws {
    let link = "&lt;a href=&quot;/ada&quot;&gt;Ada &amp;amp; Bob&lt;/a&gt;"
    let found = try article("<meta name=author content='\(link)'><body>\(Self.paragraphs(4))")
    #expect(found.byline == "Ada & Bob")
  }

  @Test func `Links are resolved against the base element`() throws {
    let found = try article(
      "<base href='/other/'><body>\(Self.paragraphs(3))<p>And <a href=x>a link</a> within.</p>"
    )
    #expect(found.html.contains("https://example.org/other/x"))
  }

  @Test(arguments: ["", "<body><nav><a href=/>Home</a></nav>", "<html><script>var x</script></html>"])
  func `A page without text has no article`(_ html: String) {
    #expect(throws: ArticleRefusal.noArticle) { try article(html) }
  }

  @Test(arguments: ["Just a moment...", "Access Denied", "Before you continue to Example"])
  func `A bot check, a denial or a consent page in place of the article is refused`(_ title: String) {
    #expect(throws: ArticleRefusal.wall) {
      try article(
        "<title>\(title)</title><body><p>Checking that you are no robot, please wait for some seconds.</p>"
      )
    }
  }

  @Test(arguments: [
    ("The committee said on Tuesday that it would publish its findings before the end …", true),
    ("<p>The committee said on <b>Tuesday</b> that it would publish</p>", true),
    ("A sentence that this page does not have, whatever else it says here.", false), ("", false),
  ])
  func `The feed's excerpt is recognized in the page by runs of its words`(_ excerpt: String, _ isFound: Bool)
    throws
  {
    let found = try article(Self.page, ArticleHints(excerpt: excerpt, title: "A Story of Note!"))
    #expect(found.isExcerptFound == isFound)
    #expect(found.isTitleFound == true)
  }

  @Test func `The part of the page that contains the feed's excerpt is preferred to a longer part`() throws {
    let page =
      "<body><div id=a>\(Self.paragraphs(9))</div><div id=b><div>"
      + (1...8).map {
        "<p>Other \($0): sentences about ships, which sail, and harbours, which do not, number \($0).</p>"
      }
      .joined() + "</div></div>"
    let hints = ArticleHints(excerpt: "sentences about ships, which sail, and harbours, which do not")
    #expect(try article(page).text.contains("Paragraph 1"))
    let found = try article(page, hints)
    #expect(found.isExcerptFound == true && found.text.contains("Other 1"))
  }

  @Test func `Selectors choose content, remove parts and find the next page`() throws {
    let page =
      "<body><div class=a>One <b class=ad>ad</b></div><div class=a>Two</div><p>\(Self.sentence)</p>"
      + "<a rel=next href='?page=2'>2</a>"
    let selectors = ArticleSelectors(content: ".a", remove: "b.ad", next: "a[rel=next]")
    let found = try article(page, ArticleHints(selectors: selectors))
    #expect(found.text == "One\nTwo")
    #expect(found.nextPage == "https://example.org/news/story?page=2")
    #expect(!found.isSelectorUnmatched)
  }

  @Test func `A selector that matches nothing is reported, and newsd finds the article itself`() throws {
    let found = try article(
      Self.page,
      ArticleHints(selectors: ArticleSelectors(content: ".none", remove: "img"))
    )
    #expect(found.isSelectorUnmatched && found.text.contains("Paragraph 1") && !found.html.contains("<img"))
  }

  @Test func `The content is sanitized`() throws {
    let found = try article(
      "<body><article>\(Self.paragraphs(3))<p onclick=x()>Text, <a href='javascript:x()'>a link</a>"
        + "<script>x()</script>, and more of it to be long enough.</p></article>"
    )
    #expect(
      !found.html.contains("javascript") && !found.html.contains("onclick") && !found.html.contains("x()")
    )
  }

  @Test(arguments: [
    "<div>", "<b>", "<x-a>", "<li>x", "<td>x", "<a href=x>y", "</b></i>", "<h1>Title</h1>", "<p class='",
  ])
  func `Deep and ill-formed markup does not crash the extractor`(_ unit: String) {
    _ = try? article("<title>Title</title>" + String(repeating: unit, count: 20_000))
  }
}
