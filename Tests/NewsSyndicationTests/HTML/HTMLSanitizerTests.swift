import NewsSyndication
import Testing

@Suite struct `Sanitised HTML` {
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
  func `Tables are whole`(_ html: String, _ expected: String) {
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
    ("<p style='color:rgb(1, 2,3)'>x", #"<p style="color: rgb(1, 2,3)">x</p>"#),
    ("<p style='col\\6fr:red'>x", "<p>x</p>"), ("<p style='color:r/**/ed'>x", "<p>x</p>"),
    ("<p style=\"font-family:'a b', serif\">x", #"<p style="font-family: 'a b', serif">x</p>"#),
    (
      "<picture><source srcset=a.webp><img src=b.png></picture>",
      #"<picture><source srcset="https://example.org/a/a.webp"><img src="https://example.org/a/b.png"></picture>"#
    ),
  ])
  func `Attributes are made safe and links resolved`(_ html: String, _ expected: String) {
    #expect(Self.sanitized(html, base: "https://example.org/a/") == expected)
  }
}
