import NewsSyndication
import Testing

@Suite struct `Character references` {
  @Test(arguments: [
    ("&amp;&lt;&gt;&quot;&apos;", "&<>\"'"), ("&eacute;&Eacute;&nbsp;", "éÉ\u{A0}"),
    ("&copy &copy;", "© ©"), ("&notit;", "¬it;"), ("&notin;", "∉"), ("&ampamp;", "&amp;"),
    ("&CounterClockwiseContourIntegral;", "∳"), ("&NotEqualTilde;", "\u{2242}\u{338}"), ("&fjlig;", "fj"),
    ("&hellip", "&hellip"), ("&;", "&;"), ("&", "&"), ("& x", "& x"), ("&unknown;", "&unknown;"),
    ("&#65;&#x42;&#X43;", "ABC"), ("&#65 &#x42x", "A Bx"), ("&#;", "&#;"), ("&#x;", "&#x;"), ("&#", "&#"),
    ("&#150;&#x93;&#128;&#x81;", "–“€\u{FFFD}"),
    ("&#xFFFE;&#xFDD0;&#x1FFFF;&nvlt;", "\u{FFFD}\u{FFFD}\u{FFFD}<\u{20D2}"),
    ("&#0;&#xD800;&#x110000;", "\u{FFFD}\u{FFFD}\u{FFFD}"),
    ("&#99999999999999999999;", "\u{FFFD}"), ("&#x1F600;", "😀"), ("&NewLine;", "\n"),
    ("a&b=1&c=2", "a&b=1&c=2"),
  ])
  func `References in text are decoded as in the HTML standard`(_ text: String, _ decoded: String) {
    #expect(HTMLPlainText.decodingReferences(in: text) == decoded)
  }

  @Test func `In attributes, a name without semicolon before a letter or equals sign is text`() {
    var sanitizer = HTMLSanitizer()
    let html = #"<a href="/?a=1&copy=2&lt=3&amp;reg=4&sect;=5">x</a>"#
    #expect(
      sanitizer.sanitize(html, base: "https://example.org/").html
        == #"<a href="https://example.org/?a=1&amp;copy=2&amp;lt=3&amp;reg=4§=5">x</a>"#
    )
  }
}
