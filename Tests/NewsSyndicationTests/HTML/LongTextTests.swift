import NewsCore
import NewsToolbox
import Testing

@testable import NewsSyndication

@Suite struct `Long texts` {
  /// Texts longer than one freed piece, with content that a piece could split: references, multibyte characters,
  /// sections.
  private static let texts: [String] = [
    String(repeating: "word ", count: 400_000), String(repeating: "é漢😀", count: 200_000),
    String(repeating: "a &amp; b &#xe9;&eacute;", count: 80_000),
    String(repeating: "<p>a <a href=\"/x?a=1&amp;b=2\">b</a> &lt; c</p>", count: 40_000),
    "<script>" + String(repeating: "x<y ", count: 300_000) + "</script>end",
    "<![CDATA[" + String(repeating: "<b>x</b>&amp; ", count: 100_000) + "]]>end",
    "<pre>" + String(repeating: "x  y\n", count: 300_000) + "</pre><!-- "
      + String(repeating: "- ", count: 300_000),
    String(repeating: "<", count: 700_000), String(repeating: "x", count: 2_000_000),
  ]

  @Test(arguments: texts.indices)
  func `Sanitizing gives the same result if the input's memory is freed while it is read`(_ index: Int) {
    let text = Self.texts[index]
    var sanitizer = HTMLSanitizer()
    let kept = sanitizer.sanitize(text, base: "http://e.example/")
    var buffer = ByteBuffer()
    buffer.append(text)
    let base = BaseURL("http://e.example/")
    let spent = sanitizer.sanitize(buffer.bytes, against: base, makesText: true, releasesInput: true)
    #expect(spent.html == kept.html)
    #expect(spent.text == kept.text)
    buffer.removeAll()
    buffer.append(text)
    let alone = sanitizer.sanitize(buffer.bytes, against: base, makesText: false, releasesInput: true)
    #expect(alone.html == kept.html)
    #expect(alone.text == nil)
  }

  @Test(arguments: [0, 1, LongText.size - 1, LongText.size, LongText.size * 3 + 5])
  func `Taking the text of a buffer returns its content and empties it`(_ length: Int) {
    var buffer = ByteBuffer()
    for index in 0..<length { buffer.append(UInt8(0x20 + index % 90)) }
    let text = buffer.string()
    let taken = buffer.takeString()
    #expect(taken == text)
    buffer.append("again")
    let next = buffer.string()
    #expect(next == "again")
  }

  @Test func `Sanitized HTML is truncated at the limit per item`() {
    var buffer = ByteBuffer()
    buffer.append("<p>" + String(repeating: "&", count: 3_000_000))
    var sanitizer = HTMLSanitizer()
    let result = sanitizer.sanitize(buffer.bytes, against: nil, makesText: false, releasesInput: true)
    let isCut = sanitizer.isTruncated
    #expect(isCut)
    #expect(result.html.utf8.count < 4_500_000)
    #expect(result.html.hasPrefix("<p>&amp;&amp;") && result.html.hasSuffix("&amp;</p>"))
    let short = sanitizer.sanitize("<p>&", base: nil)
    let isShortCut = sanitizer.isTruncated
    #expect(short.html == "<p>&amp;</p>" && !isShortCut)
  }

  @Test func `Taking a long text leaves the bytes before it in the buffer`() {
    var buffer = ByteBuffer()
    let before = String(repeating: "before", count: 3333)
    let after = String(repeating: "text", count: 500_000)
    buffer.append(before)
    buffer.append(after)
    let text = LongText.take(UnsafeBufferPointer(rebasing: buffer.bytes[before.utf8.count...]))
    #expect(text == after)
    buffer.truncate(to: before.utf8.count)
    let kept = buffer.string()
    #expect(kept == before)
  }
}
