import NewsCore
import Testing

@testable import NewsSyndication

@Suite struct `Sanitized HTML` {
  static func sanitized(_ html: String, base: String? = nil) -> String {
    var sanitizer = HTMLSanitizer()
    return sanitizer.sanitize(html, base: base).html
  }

  @Test(arguments: [
    ("plain", "plain"), ("<p>a</p>", "<p>a</p>"), ("<P CLASS=x>a</P >", #"<p class="x">a</p>"#),
    ("a & b < c > d", "a &amp; b &lt; c > d"), ("&lt;script&gt;", "&lt;script&gt;"),
    ("<b>a<i>b</b>c</i>", "<b>a<i>b</i></b>c"), ("<p>a<p>b", "<p>a</p><p>b</p>"), ("</p></div>a", "a"),
    ("<ul><li>a<li>b<ul><li>c</ul></ul>", "<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>"),
    ("<dl><dt>a<dd>b<dt>c</dl>", "<dl><dt>a</dt><dd>b</dd><dt>c</dt></dl>"),
    ("<a href=/x>a<a href=/y>b", #"<a href="/x">a</a><a href="/y">b</a>"#),
    ("<p>a<div>b</div>c</p>", "<p>a</p><div>b</div>c"), ("<b><p>a</b>b</p>c", "<b><p>ab</p></b>c"),
    ("<h1>a<h2>b</h3>", "<h1>a</h1><h2>b</h2>"), ("<br/><hr><wbr></br>", "<br><hr><wbr><br>"),
    ("<div/>a<b/>", "<div></div>a<b></b>"), ("<p", ""), ("a<p title=\"x", "a"), ("<>", "&lt;>"),
    ("<1>", "&lt;1>"), ("</ x>a", "a"), ("<?xml version='1.0'?>a", "a"), ("<!DOCTYPE html>a", "a"),
    ("<!-->a-->", "a-->"), ("<!--->a", "a"), ("<!-- a --!>b", "b"), ("<!-- a -- b", ""),
    ("<![CDATA[<b>a</b>]]>c", "<b>a</b>c"), ("<![CDATA[a", "a"), ("<![if !IE]>a<![endif]>", "a"),
    ("<o:p>a</o:p><xml><w:x>b</w:x></xml>c", "ac"),
    ("<font color=red>a</font>", #"<font color="red">a</font>"#),
    ("<ruby>漢<rp>(<rt>kan<rp>)</ruby>", "<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>"),
    ("<details open><summary>a</summary>b</details>", "<details open><summary>a</summary>b</details>"),
    ("<plaintext>a</plaintext><b>", "<pre>a&lt;/plaintext>&lt;b></pre>"),
    ("<xmp><b>&amp;</xmp>c", "<pre>&lt;b>&amp;amp;</pre>c"),
    ("<p title='a\"b&quot;<c>'>d", #"<p title="a&quot;b&quot;&lt;c&gt;">d</p>"#),
    ("<p class=a class=b>c", #"<p class="a">c</p>"#), ("<p/class=a/id=b>c", #"<p class="a/id=b">c</p>"#),
    ("<p/class='a'/id=b>c", #"<p class="a" id="b">c</p>"#),
  ])
  func `Output is balanced and escaped`(_ html: String, _ expected: String) {
    #expect(Self.sanitized(html) == expected)
  }

  @Test(arguments: [
    // References that begin with a markup character, controls and noncharacters.
    ("<p>x &nvlt;script>y &nvgt; z", "<p>x &lt;\u{20D2}script>y &gt;\u{20D2} z</p>"),
    ("a&#x81;&#x8D;&#xFFFE;&#xFDD0;b", "a\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}b"),
    ("<p title='&#x81;&nvlt;'>a", "<p title=\"\u{FFFD}&lt;\u{20D2}\">a</p>"),
    // Tags that end a skipped element.
    ("<svg><style>p{}</svg><p>rest", "<p>rest</p>"), ("<svg><textarea></svg><p>rest", "<p>rest</p>"),
    ("<svg><title>x</svg>rest", "rest"), ("<svg><style>p{}</style></svg><style>p{}</style>rest", "rest"),
    ("<div><svg></div><style>p{}</style>rest", "<div></div>rest"),
    ("<svg><script>'</svg>'</script></svg>rest", "rest"),
    ("<div><svg><path></div>text", "<div></div>text"), ("<div><svg><g></g></svg>b</div>c", "<div>b</div>c"),
    (
      "<table><tr><td><select><option>A</table><p>rest",
      "<table><tr><td></td></tr></table><p>rest</p>"
    ),
    ("<select><option>A<input>b", "b"), ("<select>A<select>b", "b"), ("<select><div>A</div></select>b", "b"),
    ("<script><!--<script></script>--></script>a", "a"), ("<script><!--</script>a", "a"),
    ("<script><!--<script>--></script>a", "a"), ("<script><!--><script></script>a", "a"),
  ])
  func `Unclosed elements and special references are read as browsers read them`(
    _ html: String,
    _ expected: String
  ) {
    #expect(Self.sanitized(html) == expected)
  }

  @Test(arguments: [
    (
      "<p>See <iframe src='//www.youtube.com/embed/abc?a=1&amp;b=2' width=560>x</iframe>!</p>",
      #"<p>See <a class="newsd-frame" href="https://www.youtube.com/embed/abc?a=1&amp;b=2">▶ Video</a> !</p>"#
    ),
    (
      "<iframe src='about:blank' data-src='https://player.vimeo.com/video/1' title=' A &quot;talk&quot;\n <b>'></iframe>",
      #"<a class="newsd-frame" href="https://player.vimeo.com/video/1">▶ A "talk" &lt;b&gt;</a> "#
    ),
    (
      "<iframe src='/map'></iframe>a",
      #"<a class="newsd-frame" href="https://e.example/map">Embedded: e.example</a> a"#
    ),
    (
      "<iframe title=Map src='https://m.example/x'></iframe>a",
      #"<a class="newsd-frame" href="https://m.example/x">Embedded: Map (m.example)</a> a"#
    ),
    // The second frame is that for readers without scripts.
    (
      "<iframe data-src=/m></iframe><noscript><iframe src=/m></iframe></noscript>",
      #"<a class="newsd-frame" href="https://e.example/m">Embedded: e.example</a> "#
    ),
    ("<iframe src='javascript:youtube.com/embed/x'></iframe>a", "a"),
    ("<iframe src='mailto:a@b.example'></iframe>a", "a"), ("<iframe></iframe>a", "a"),
    ("<iframe src='https://t.example/p' width=1 height=1></iframe>a", "a"),
    ("<iframe src='https://www.googletagmanager.com/ns.html'></iframe>a", "a"),
    ("<iframe hidden src='https://www.youtube.com/embed/x'></iframe>a", "a"),
    ("<div hidden><iframe src='https://www.youtube.com/embed/x'></iframe></div>a", "a"),
    (
      "<a href='https://y.example/'>b<iframe src='https://z.example/'></iframe></a>",
      ##"<a href="https://y.example/">b</a><a class="newsd-frame" href="https://z.example/">Embedded: z.example</a> "##
    ),
  ])
  func `A frame becomes a link to what it shows`(_ html: String, _ expected: String) {
    var sanitizer = HTMLSanitizer()
    let result = sanitizer.sanitize(html, base: "https://e.example/")
    #expect(result.html == expected)
    #expect(
      !result.text.contains("Embedded") && !result.text.contains("▶"),
      "the link is no text of the item"
    )
    #expect(sanitizer.sanitize(result.html, base: "https://e.example/").html == expected)
  }

  @Test(arguments: [
    (
      "<math display=block><mfrac><mi mathvariant=bold>a</mi><mrow><mn>2</mn><mo>&lt;</mo></mrow></mfrac></math>",
      #"<math display="block"><mfrac><mi mathvariant="bold">a</mi><mrow><mn>2</mn><mo>&lt;</mo></mrow></mfrac></math>"#
    ),
    (
      "<math><semantics><mi>x</mi><annotation encoding='application/x-tex'>x</annotation></semantics></math>",
      "<math><semantics><mi>x</mi></semantics></math>"
    ),
    (
      "<math><mspace width=1em /><mprescripts/></math>",
      #"<math><mspace width="1em"></mspace><mprescripts></mprescripts></math>"#
    ),
    // HTML in a formula ends it, or its tags are dropped, as in browsers.
    ("<math><mrow><p>a</p>", "<math><mrow></mrow></math><p>a</p>"),
    ("<math><mi>a<b>b</b></mi></math>c", "<math><mi>ab</mi></math>c"),
    ("<math><mtext><div>a</div>", "<math><mtext></mtext></math><div>a</div>"),
    ("<math><mi><mrow>a</mrow></mi></math>", "<math><mi>a</mi></math>"),
    ("<math><math><mi>a", "<math><mi>a</mi></math>"),
    ("<math><mi>a</br>b", "<math><mi>a</mi></math><br>b"),
    ("<math><mrow><a href='javascript:x'>a</a></mrow></math>", "<math><mrow>a</mrow></math>"),
    ("<math><maction actiontype=statusline#x><mi>a</mi></maction></math>", "<math><mi>a</mi></math>"),
    (
      "<math><annotation-xml encoding=text/html><p>a</p><img src=x onerror=y></annotation-xml><mi>b</mi></math>",
      "<math><mi>b</mi></math>"
    ),
    (
      "<math href='https://x.example/' xlink:href=x onclick=y src=z><mi href=javascript:x>a</mi></math>",
      "<math><mi>a</mi></math>"
    ),
    ("<math><mtext><mglyph><style></math><img src=x onerror=y></style>b", "<math><mtext>b</mtext></math>"),
    ("<mi>a</mi><mrow>b</mrow>", "ab"), ("<p>a<math><mi>b</p>c", "<p>a<math><mi>b</mi></math></p>c"),
    ("<p display=block form=x>a", "<p>a</p>"),
  ])
  func `MathML is kept without what could leave it`(_ html: String, _ expected: String) {
    let once = Self.sanitized(html)
    #expect(once == expected)
    #expect(Self.sanitized(once) == expected)
    #expect(StrictHTMLReader(once).problems.isEmpty)
  }

  @Test(arguments: [
    "<p>a <iframe src='https://v.example/'></iframe> b</p>",
    "<p>x<math><mfrac><mi>a</mi><mi>&lt;b</mi></mfrac></math></p>",
    "<iframe src='https://v.example/' title='&lt;/a>'></iframe>", "<p>none of these</p>", "<p>&lt;math> a",
  ])
  func `Without frames and MathML, the HTML is what it was before newsd kept them`(_ html: String) {
    let before = html.replacing(/<iframe.*<\/iframe>/, with: "").replacing(/<\/?m[a-z]+>/, with: "")
    #expect(KeptMarkup.removed(from: Self.sanitized(html)) == Self.sanitized(before))
    #expect(KeptMarkup.removed(from: Self.sanitized(before)) == Self.sanitized(before))
  }

  @Test(arguments: [
    ("<p hidden>not</p><p>yes", "<p>yes</p>", "yes"),
    ("<div style=\"display:none\">not <b>this</b><img src=x alt=y></div><p>yes", "<p>yes</p>", "yes"),
    ("<div style='DISPLAY : none !important;color:red'>not</div>yes", "yes", "yes"),
    ("<div style='display&colon;none'>not</div>yes", "yes", "yes"),
    (
      "<div style='display:none;display:block'>yes</div>",
      "<div style=\"display: none; display: block\">yes</div>", "yes"
    ),
    ("<div style='display:/**/none'>not</div>yes", "yes", "yes"),
    ("<div style='/*;*/d\\69splay:/*x*/no\\6e e'>not</div>yes", "yes", "yes"),
    ("<div style='d\\i\\000073 play\\:none'>yes</div>", "<div>yes</div>", "yes"),
    ("<div style='font-family:\"/*\";display:none'>not</div>yes", "yes", "yes"),
    ("<div style='color:red;/*'>yes</div>", "<div style=\"color: red\">yes</div>", "yes"),
    ("<div style='visibility:hidden'>not</div>yes", "yes", "yes"),
    ("<div style='visibility:hidden;visibility:visible'>yes</div>", "<div>yes</div>", "yes"),
    ("<dialog>not</dialog>yes", "yes", "yes"), ("<dialog open>yes</dialog>", "yes", "yes"),
    ("<ul><li hidden>not<li>yes</ul>", "<ul><li>yes</li></ul>", "yes"),
    ("<p hidden>not<div>yes</div>", "<div>yes</div>", "yes"), ("<p>a<br hidden>b", "<p>ab</p>", "ab"),
    ("<form hidden>not <form>not</form></form>yes", "yes", "yes"), ("yes<span hidden>not", "yes", "yes"),
    ("<div hidden><pre>n\n\no</pre><table><td>no</table></div><p>y  es", "<p>y  es</p>", "y es"),
    ("<pre>a  b<span hidden>n</pre>c  d", "<pre>a  b</pre>c  d", "a  b\n\nc d"),
    ("<table hidden><tr><td>not</table>yes", "yes", "yes"),
    ("<body style='display:none'>yes</body>", "yes", "yes"), ("<div hidden/>yes", "yes", "yes"),
    ("<div style='display:nonesuch'>yes</div>", "<div style=\"display: nonesuch\">yes</div>", "yes"),
  ])
  func `Hidden elements are removed from HTML and text`(_ html: String, _ expected: String, _ text: String) {
    var sanitizer = HTMLSanitizer()
    let result = sanitizer.sanitize(html, base: nil)
    #expect(result.html == expected)
    #expect(result.text == text)
    #expect(Self.sanitized(result.html) == expected)
    var line = HTMLPlainText()
    #expect(!line.line(ofHTML: html).contains("not "))
    #expect(line.line(ofHTML: html).hasPrefix(html.hasPrefix("<p>a") || html.hasPrefix("<pre>") ? "a" : "y"))
  }

  @Test(arguments: [
    ("margin-top: -2000px", ""), ("margin:0 -5em", ""), ("text-indent:-9999px", ""), ("width:100000px", ""),
    ("height:4000em", ""), ("width:101vw", ""), ("letter-spacing:-.5em", ""), ("margin-top:calc(1px)", ""),
    ("margin:-moz-initial", "margin: -moz-initial"), ("width:640px", "width: 640px"),
    ("width:100%", "width: 100%"),
    ("color:#99999999", "color: #99999999"), ("font-weight:700", "font-weight: 700"),
    ("line-height:1.25", "line-height: 1.25"), ("font-family:h-20000", "font-family: h-20000"),
  ])
  func `Styles that could cover neighbouring items are removed`(_ style: String, _ expected: String) {
    #expect(
      Self.sanitized("<p style=\"\(style)\">a</p>")
        == (expected.isEmpty ? "<p>a</p>" : "<p style=\"\(expected)\">a</p>")
    )
  }

  @Test(arguments: [
    (
      "<table><tr><td>a<td>b<tr><th>c</table>d",
      "<table><tr><td>a</td><td>b</td></tr><tr><th>c</th></tr></table>d"
    ),
    ("<td>a</td><tr>b", "ab"),
    ("<table>a<tr>b</table>", "<table><tr><td>a</td></tr><tr><td>b</td></tr></table>"),
    ("<table>\n<tr>\n<td>a", "<table>\n<tr>\n<td>a</td></tr></table>"),
    (
      "<table><thead><tr><th>a<tbody><tr><td>b</table>",
      "<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>"
    ),
    (
      "<table><td>a<table><td>b</td></table>c</td></table>",
      "<table><tr><td>a<table><tr><td>b</td></tr></table>c</td></tr></table>"
    ),
    ("<table><col><td>a</table>", "<table><colgroup><col></colgroup><tr><td>a</td></tr></table>"),
    ("<b><table><td>a</b>c</table>d", "<b><table><tr><td>ac</td></tr></table>d</b>"),
    ("<table><caption>a<tr><td>b", "<table><caption>a</caption><tr><td>b</td></tr></table>"),
  ])
  func `Tables are completed and closed`(_ html: String, _ expected: String) {
    #expect(Self.sanitized(html) == expected)
  }

  @Test(arguments: [
    ("<a href=\"b#c\">x</a>", #"<a href="https://example.org/a/b#c">x</a>"#),
    ("<a href=#c>x</a><i id=c>y</i>", ##"<a href="#c">x</a><i id="c">y</i>"##),
    ("<a href=#c>x</a>", #"<a href="https://example.org/a/#c">x</a>"#),
    ("<img src=/i.png alt=i>", #"<img src="https://example.org/i.png" alt="i">"#),
    (
      "<img srcset='i.png 1x, /j.png 2x,k.png'>",
      #"<img srcset="https://example.org/a/i.png 1x, https://example.org/j.png 2x, https://example.org/a/k.png">"#
    ),
    (
      "<img srcset='i.png 1x, j.png (a, b) 2x, k.png 3x'>",
      #"<img srcset="https://example.org/a/i.png 1x, https://example.org/a/j.png, https://example.org/a/k.png 3x">"#
    ),
    (
      "<video poster=p.jpg src=v.mp4 controls></video>",
      #"<video poster="https://example.org/a/p.jpg" src="https://example.org/a/v.mp4" controls></video>"#
    ),
    ("<blockquote cite=q>x</blockquote>", #"<blockquote cite="https://example.org/a/q">x</blockquote>"#),
    ("<a href='javascript:x'>y</a>", "<a>y</a>"), ("<a href='java&#115;cript:x'>y</a>", "<a>y</a>"),
    ("<a href='&#106&#97vascript&colon;x'>y</a>", "<a>y</a>"),
    ("<a href=\"java&Tab;script:x\">y</a>", "<a>y</a>"),
    ("<img src=data:image/png;base64,AAAA>", ""), ("<img src=x.gif width=1 height=1>", ""),
    ("<img src=x.gif style='width:1px; height:1px'>", ""),
    (
      "<img src=x.gif height=1 width=100>", #"<img src="https://example.org/a/x.gif" height="1" width="100">"#
    ),
    ("<img data-src=r.png src='data:image/gif;base64,R0'>", #"<img src="https://example.org/a/r.png">"#),
    ("<img data-src=r.png src=s.png>", #"<img src="https://example.org/a/s.png">"#),
    ("<p style='color:red;position:fixed;top:0'>x", #"<p style="color: red">x</p>"#),
    ("<p style='background:url(x)'>x", "<p>x</p>"), ("<p style='width:expression(alert(1))'>x", "<p>x</p>"),
    ("<p style='margin:-300px 0 0'>x", "<p>x</p>"), ("<p style='margin-left:-.5em'>x", "<p>x</p>"),
    ("<p style='text-indent: -9999px'>x", "<p>x</p>"), ("<p style='width:200vw'>x", "<p>x</p>"),
    ("<p style='height:99999px'>x", "<p>x</p>"), ("<p style='height:1e5px'>x", "<p>x</p>"),
    ("<p style='letter-spacing:900em'>x", "<p>x</p>"), ("<p style='width:1000%'>x", "<p>x</p>"),
    ("<p style='unicode-bidi:Bidi-Override;color:#123456'>x", #"<p style="color: #123456">x</p>"#),
    ("<p style='width:100%;margin:0 1.5em'>x", #"<p style="width: 100%; margin: 0 1.5em">x</p>"#),
    ("<p style='color:rgb(1, 2,3)'>x", #"<p style="color: rgb(1, 2,3)">x</p>"#),
    ("<p style='col\\6fr:red'>x", "<p>x</p>"), ("<p style='color:r/**/ed'>x", "<p>x</p>"),
    ("<p style=\"font-family:'a b', serif\">x", #"<p style="font-family: 'a b', serif">x</p>"#),
    (
      "<picture><source srcset=a.webp><img src=b.png></picture>",
      #"<picture><source srcset="https://example.org/a/a.webp"><img src="https://example.org/a/b.png"></picture>"#
    ),
  ])
  func `Attributes are sanitized and links resolved`(_ html: String, _ expected: String) {
    #expect(Self.sanitized(html, base: "https://example.org/a/") == expected)
  }
}
