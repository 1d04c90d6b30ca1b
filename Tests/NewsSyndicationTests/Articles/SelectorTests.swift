import NewsCore
import NewsSyndication
import Testing

@Suite struct `CSS selectors` {
  private static let page = """
    <body><div id="Main" class="one two"><h2>h</h2><p class="x">1</p><p data-k="a-b c">2</p><span>3</span><p>4</p></div>
    <section><div><p>5</p></div><my-part LANG=EN>6</my-part><img alt=""><p class="a:b">7</p></section></body>
    """

  /// The texts of the matching elements, in document order.
  private func texts(_ selector: String, page: String = page) throws -> String {
    let document = FeedDocument(bytes: Array(page.utf8))
    let hints = ArticleHints(selectors: ArticleSelectors(content: selector))
    do {
      let article = try ArticleExtractor().article(inPage: document, hints: hints)
      return article.isSelectorUnmatched ? "" : article.text.filter { $0.isNumber || $0.isLetter }
    } catch {
      guard error == .noArticle else { throw error }
      return ""
    }
  }

  @Test(arguments: [
    ("p", "12457"), ("P", "12457"), ("#Main", "h1234"), ("#main", ""), (".one.two > p", "124"), (".ONE", ""),
    ("div p", "1245"), ("body > div > p", "124"), ("h2 + p", "1"), ("h2 ~ p", "124"), ("p + p", "2"),
    ("span, h2", "h3"), ("[data-k]", "2"), ("[data-k='a-b c']", "2"), ("[data-k~=c]", "2"),
    ("[data-k|=a]", "2"), ("[data-k^=a]", "2"), ("[data-k$='c']", "2"), ("[data-k*='-b']", "2"),
    ("[data-k*=x]", ""), ("[lang=en]", ""), ("[lang=en i]", "6"), ("my-part", "6"), ("p:not(.x)", "2457"),
    ("#Main p:not(.x, [data-k])", "4"), ("#Main :first-child", "h"), ("#Main > :last-child", "4"),
    ("#Main p:first-of-type", "1"), ("#Main p:last-of-type", "4"), ("section p:only-child", "5"),
    ("#Main > :nth-child(3)", "2"), ("#Main > :nth-child(2n)", "13"), ("#Main > :nth-child(odd)", "h24"),
    ("#Main > :nth-child(-n+2)", "h1"), ("#Main > :nth-last-child(1)", "4"), ("#Main p:nth-of-type(2)", "2"),
    ("div:has(> p.x)", "h1234"), ("div:has(span + p)", "h1234"), ("section:has(div p)", "567"),
    ("section > :has(p)", "5"), ("h2:has(+ p)", "h"), ("h2:has(~ span)", "h"), (#".a\:b"#, "7"),
    ("*", "h1234567"), ("p ~ p ~ p", "4"), ("body div p.x", "1"), (" p.x ", "1"),
  ])
  func `A selector matches as in a browser`(_ selector: String, _ expected: String) throws {
    #expect(try texts(selector) == expected)
  }

  @Test(arguments: [
    ("", 1), ("p,", 3), ("p >", 4), ("p:hover", 2), ("p::before", 2), ("a[href", 7), ("a[href=", 8),
    ("[x='y]", 4), ("p:nth-child(x)", 13), ("p:not(p", 8), ("p)", 2), ("..", 2), ("p:has(:has(a))", 7),
    ("svg|a", 4), ("p:not(a b)", 9), ("p!", 2), ("p:nth-child(1000001)", 13),
    ("p:nth-child(-9223372036854775808)", 13), ("p:nth-child(-9223372036854775808n+1)", 13),
    ("p:nth-child(n-9223372036854775808)", 13),
  ])
  func `An invalid or unsupported selector is refused with the position of the error`(
    _ selector: String,
    _ position: Int
  ) {
    let problem = ArticleExtractor().problem(inSelectors: selector)
    #expect(problem?.position == position, "\(selector): \(problem?.description ?? "accepted")")
  }

  @Test func `A long selector matches deeply nested elements; one with 70 parts is refused`() throws {
    let page = String(repeating: "<div>", count: 400) + "<p>1</p>"
    #expect(try texts(String(repeating: "div ", count: 60) + "p", page: page) == "1")
    #expect(ArticleExtractor().problem(inSelectors: String(repeating: "a ", count: 70)) != nil)
  }

  @Test(arguments: [
    // The name `p` is a condition, too.
    ("p:not(", ".a,", ".a)", 253, "conditions"), ("p", ".a", "", 255, "conditions"),
    ("p", "[a=b]", "", 255, "conditions"), ("p", ":first-child", "", 255, "conditions"),
    ("p, p.", "a", "", 8187, "bytes"),
  ])
  func `A selector with too many conditions is refused`(
    _ start: String,
    _ part: String,
    _ end: String,
    _ most: Int,
    _ word: String
  ) {
    func problem(_ count: Int) -> String? {
      ArticleExtractor().problem(inSelectors: start + String(repeating: part, count: count) + end)?
        .description
    }
    #expect(problem(most) == nil)
    #expect(problem(most + 1)?.contains(word) == true)
  }
}
