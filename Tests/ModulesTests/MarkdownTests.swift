import NewsCore
import NewsToolbox
import Testing

@testable import Modules
@testable import NewsFormats
@testable import NewsText

@Suite struct `Markdown` {
  private func span(_ text: String, _ style: RichText.Style = [], footnote: Int? = nil) -> RichText.Span {
    RichText.Span(text: text, style: style, footnote: footnote)
  }

  private func markdown(_ blocks: RichText.Block..., links: [String] = []) -> String {
    MarkdownText.lines(of: RichText(blocks: blocks, links: links)).dropFirst().joined(separator: "\n")
  }

  @Test(arguments: [
    ("- x", "- \\- x"), ("# h", "- \\# h"), ("1. one", "- 1\\. one"), ("+ a", "- \\+ a"),
    ("plain", "- plain"),
  ])
  func `Markup characters at the start of a list item are escaped`(_ text: String, _ line: String) {
    #expect(markdown(.listItem([span(text)], marker: "•", indent: 0)) == line)
  }

  @Test func `Adjacent spans of one style share their delimiters; delimiters of two styles never touch`() {
    #expect(markdown(.paragraph([span("a", .emphasis), span("b", .emphasis)], indent: 0)) == "*ab*")
    #expect(markdown(.paragraph([span("a", .emphasis), span("b", .strong)], indent: 0)) == "*a*b")
    #expect(markdown(.paragraph([span("a", .emphasis), span(" b", .strong)], indent: 0)) == "*a* **b**")
  }

  @Test func `Emphasis that CommonMark would not recognize is omitted`() {
    // CommonMark 6.2: a mark after punctuation cannot close before a letter.
    #expect(markdown(.paragraph([span("Note:", .strong), span("x")], indent: 0)) == "Note:x")
    #expect(markdown(.paragraph([span("Note:", .strong), span(" x")], indent: 0)) == "**Note:** x")
    #expect(markdown(.paragraph([span("x"), span("(y)", .emphasis)], indent: 0)) == "x(y)")
  }

  @Test func `Code with backticks is delimited by more backticks`() {
    #expect(markdown(.paragraph([span("a`b", .code)], indent: 0)) == "``a`b``")
    #expect(markdown(.paragraph([span("`", .code)], indent: 0)) == "`` ` ``")
    #expect(
      markdown(.tableRow([[span("a|b", .code)], [span("c")]], isHeader: true)).hasPrefix("| a\\|b | c |")
    )
  }

  @Test func `Paragraphs of one quotation stay together, and a nested quotation is deeper`() {
    #expect(
      markdown(.quotation([span("one")], indent: 0), .quotation([span("two")], indent: 0))
        == "> one\n>\n> two"
    )
    #expect(markdown(.quotation([span("in")], indent: 1)) == "> > in")
  }

  @Test func `Blocks of a list item are indented below it`() {
    #expect(
      markdown(
        .listItem([span("item")], marker: "•", indent: 0),
        .preformatted("x = 1\ny", indent: 1),
        .paragraph([span("more")], indent: 1),
        .paragraph([span("after")], indent: 0)
      ) == "- item\n\n   ```\n   x = 1\n   y\n   ```\n\n   more\n\nafter"
    )
  }
}

@Suite struct `Items on one page` {
  private func page(_ html: String, id: Int64 = 7) -> String {
    var buffer = ByteBuffer()
    PageContent.append(html, of: NewsItem.ID(rawValue: id), to: &buffer)
    return buffer.string()
  }

  @Test(arguments: [
    ("<p id=\"dup\">a</p>", "<p id=\"i7-dup\">a</p>"),
    ("<a href=\"#dup\">x</a><a name=\"dup\">y</a>", "<a href=\"#i7-dup\">x</a><a name=\"i7-dup\">y</a>"),
    ("<a href=\"https://e.example/#x\">x</a>", "<a href=\"https://e.example/#x\">x</a>"),
    ("<p class=\"meta\" id=\"x\">a</p>", "<p id=\"i7-x\">a</p>"),
    ("<b class=\"tag\">a</b>", "<b>a</b>"),
    ("<td headers=\"a b\">", "<td headers=\"i7-a i7-b\">"),
    ("<img usemap=\"#m\" alt=\"a > b id=c\">", "<img usemap=\"#i7-m\" alt=\"a > b id=c\">"),
    ("text with id= and class=\"x\"", "text with id= and class=\"x\""),
    ("<img alt=\"id=&quot;x&quot;\" title=\"class=\">", "<img alt=\"id=&quot;x&quot;\" title=\"class=\">"),
  ])
  func `The ids and names in an item's HTML get the item's prefix, and class attributes are removed`(
    _ html: String,
    _ expected: String
  ) {
    #expect(page(html) == expected)
  }
}
