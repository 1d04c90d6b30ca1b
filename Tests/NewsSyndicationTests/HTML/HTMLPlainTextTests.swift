import NewsSyndication
import Testing

@Suite struct `Plain text of HTML` {
  @Test(arguments: [
    ("", ""), ("  a \n\t b  ", "a b"), ("a &amp; b", "a & b"), ("a < b > c", "a < b > c"),
    ("<b>bold</b>ly", "boldly"), ("<p>one</p><p>two</p>", "one two"), ("one<br>two", "one two"),
    ("x<script>alert(1)</script>y", "xy"), ("x<style>a{}</style>y", "xy"), ("x<!-- no -->y", "xy"),
    ("caf&eacute;&nbsp;x", "café\u{A0}x"), ("1 &lt; 2", "1 < 2"), ("I <3 you", "I <3 you"), ("a<b", "a"),
    ("<svg><title>no</title><path/></svg>yes", "yes"), ("日本 <i>語</i>", "日本 語"), ("&lt;b&gt;", "<b>"),
    ("<![CDATA[a <b>b</b>]]> c", "a b c"), ("AT&T", "AT&T"), ("&#160;", "\u{A0}"), ("a\u{0}b", "a b"),
  ])
  func `The HTML of a title becomes one line`(_ html: String, _ text: String) {
    var plain = HTMLPlainText()
    #expect(plain.line(ofHTML: html) == text)
  }

  @Test(arguments: [
    ("<ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>", "漢字(かんじ)"),
    ("<ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>です", "漢字(かんじ)です"),
    ("<p><ruby>漢<rt>かん</p>字", "漢(かん)\n\n字"), ("<ruby>a<rt>b&eacute;</ruby> c", "a(bé) c"),
    ("<ruby>漢</ruby>字", "漢字"), ("<ruby>漢<rt> </rt></ruby>字", "漢字"),
    ("<p>one</p><p>two</p>", "one\n\ntwo"), ("<div>one</div><div>two</div>", "one\ntwo"),
    ("one<br>two<br><br>three", "one\ntwo\n\nthree"), ("<ul><li>a</li><li>b</li></ul>c", "a\nb\n\nc"),
    ("<pre>a\n  b</pre>c", "a\n  b\n\nc"), ("<table><tr><td>1</td><td>2</td></tr></table>", "1 2"),
    (" <b> a </b> <i> b </i> ", "a b"), ("a<!-- x -->b", "ab"), ("<h1>T</h1>text", "T\n\ntext"),
    ("<p>a &amp; b</p>", "a & b"), ("x<form><p>y</p><input><button>z</button></form>", "x\n\ny\n\nz"),
    ("<noscript>a</noscript>", "a"), ("a<select><option>b</select>c", "a\nc"),
    ("<math><mi>x</mi><annotation>no</annotation></math>", "x"),
  ])
  func `The HTML of content becomes one line per block`(_ html: String, _ text: String) {
    var sanitizer = HTMLSanitizer()
    #expect(sanitizer.sanitize(html, base: nil).text == text)
  }
}
