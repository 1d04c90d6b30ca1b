import NewsCore
import NewsSyndication
import Testing

@Suite struct `Rich text` {
  /// Describes rich text in a compact notation, one line per block.
  static func notation(_ html: String) -> String {
    let rich = HTMLRichText().richText(fromHTML: html)
    func text(_ spans: [RichText.Span]) -> String {
      spans.map { span in
        var text = span.text.replacing("\n", with: "\\n")
        let style = span.style
        if style.contains(.strong) { text = "*\(text)*" }
        if style.contains(.emphasis) { text = "/\(text)/" }
        if style.contains(.code) { text = "`\(text)`" }
        if style.contains(.struck) { text = "~\(text)~" }
        if style.contains(.image) { text = "<\(text)>" }
        if style.contains(.link) { text = "[\(text)]" }
        return text + (span.picture.map { "(\($0))" } ?? "") + (span.footnote.map { "{\($0)}" } ?? "")
      }.joined()
    }
    var lines = rich.blocks.map { block in
      switch block {
      case .paragraph(let spans, let indent): "p\(indent) \(text(spans))"
      case .heading(let spans, let level): "h\(level) \(text(spans))"
      case .listItem(let spans, let marker, let indent): "l\(indent) \(marker) \(text(spans))"
      case .preformatted(let string, let indent): "c\(indent) " + string.replacing("\n", with: "\\n")
      case .quotation(let spans, let indent): "q\(indent) \(text(spans))"
      case .tableRow(let cells, let isHeader):
        (isHeader ? "th " : "tr ") + cells.map(text).joined(separator: "|")
      case .rule: "rule"
      }
    }
    lines += rich.links.map { "-> \($0)" }
    return lines.joined(separator: "\n")
  }

  @Test(arguments: [
    ("<ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>です", "p0 漢字(かんじ)です"),
    ("<ruby>漢<rp>(</rp><rt>かん<p>字", "p0 漢(かん)\np0 字"),
    (
      "so <math><mfrac><mi>a</mi><mrow><mi>b</mi><mo>+</mo><mn>1</mn></mrow></mfrac><mo>=</mo><msup><mi>x</mi><mn>2</mn></msup></math>.",
      "p0 so a/(b+1)=x^2."
    ),
    (
      "<math><msqrt><mi>x</mi></msqrt><msubsup><mi>y</mi><mi>i</mi><mspace/></msubsup><mtable><mtr><mtd>1</mtd><mtd>2</mtd></mtr><mtr><mtd>3</mtd></mtr></mtable>",
      "p0 √(x)y_i^1 2; 3"
    ),
    ("", ""), ("a  b\n c", "p0 a b c"), ("<p>a</p><p>b</p>", "p0 a\np0 b"), ("<p> a </p>", "p0 a"),
    ("a<b>b</b> <i>c <code>d</code></i>", "p0 a*b* /c /`/d/`"), ("a<br>b<br><br>c<br>", "p0 a\\nb\np0 c"),
    ("<del>a</del><u>b</u>", "p0 ~a~b"), ("<h2>a</h2>b", "h2 a\np0 b"), ("a<hr><hr>b", "p0 a\nrule\np0 b"),
    ("<ul><li>a<li>b</ul>", "l0 • a\nl0 • b"),
    ("<ol start=3><li>a<li value=9>b<li>c</ol>", "l0 3. a\nl0 9. b\nl0 10. c"),
    (
      "<ul><li>a<ol><li>b</ol><p>c</p></ul>d",
      "l0 • a\nl1 1. b\np1 c\np0 d"
    ),
    ("<blockquote>a<blockquote><p>b</blockquote></blockquote>c", "q0 a\nq1 b\np0 c"),
    ("<pre>\na\n  b\n</pre>c", "c0 a\\n  b\np0 c"), ("<pre><b>a</b>&lt;<br>b</pre>", "c0 a<\\nb"),
    ("<dl><dt>a<dd>b</dl>", "p0 *a*\np1 b"),
    ("<a href=https://e.org/>a</a> b", "p0 [a]{1} b\n-> https://e.org/"),
    (
      "<a href=https://e.org/1>a</a><a href=https://e.org/2>b</a><a href=https://e.org/1>c</a>",
      "p0 [a]{1}[b]{2}[c]{1}\n-> https://e.org/1\n-> https://e.org/2"
    ),
    ("<a href=https://e.org/>a <b>b</b></a>", "p0 [a ][*b*]{1}\n-> https://e.org/"),
    ("<a href=https://e.org/></a>a<a href=#x>b</a><a href=javascript:x>c</a>", "p0 abc"),
    ("<a href=https://e.org/><p>a</p><p>b</p></a>", "p0 [a]{1}\np0 b\n-> https://e.org/"),
    ("<img alt='a &amp; b' src=x.png>", "p0 <a & b>"), ("<img src=/i/cat.png?x>", "p0 <cat.png>"),
    ("<img alt='' title=t src=x.png>", "p0 <t>"),
    ("<a href=https://e.org/><img alt=i></a>", "p0 [<i>]{1}\n-> https://e.org/"),
    (
      "<img alt=i src=https://e.org/i.png> <a href=https://e.org/>a</a>",
      "p0 <i>(1) [a]{2}\n-> https://e.org/i.png\n-> https://e.org/"
    ),
    (
      "<a href=https://e.org/><img alt=i src=https://e.org/i.png></a>",
      "p0 [<i>](1){2}\n-> https://e.org/i.png\n-> https://e.org/"
    ),
    (
      "<a href=https://e.org/i.png><img src=https://e.org/i.png></a>",
      "p0 [<i.png>](1){1}\n-> https://e.org/i.png"
    ),
    ("<img alt=i src=data:image/png;base64,AA>", "p0 <i>"),
    ("<video><source src=https://e.org/v.mp4></video>", "p0 [video]{1}\n-> https://e.org/v.mp4"),
    ("<table><tr><th>a<th>b<tr><td>c<td>d</table>", "th a|b\ntr c|d"), ("<table><tr><td>a</table>", "p0 a"),
    ("<table><tr><td><p>a</p><td></table>", "tr a|"),
    ("<table><tr><td><p>a</p><p>b</p><td>c</table>", "p0 a\np0 b\np0 c"),
    ("<table><tr><td>a<table><tr><td>b<td>c</table></table>", "p0 a\ntr b|c"),
    ("<q>a</q>", "p0 “a”"), ("a<script>b</script><svg><text>c</text></svg>d", "p0 ad"),
    ("<b>a</p>b", "p0 *a*\np0 *b*"), ("</ul></a>a", "p0 a"), ("a &lt;b&gt; & c", "p0 a <b> & c"),
    ("<figure><img alt=i><figcaption>c</figcaption></figure>", "p0 <i>\np0 /c/"),
  ])
  func `HTML is converted to blocks`(_ html: String, _ expected: String) {
    #expect(Self.notation(html) == expected)
  }
}
