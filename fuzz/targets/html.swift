import NewsCore
@testable import NewsSyndication
import NewsToolbox

/// Sanitized HTML passes an independent safety check, and sanitizing is idempotent.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHTML(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  // Callers always pass well-formed UTF-8.
  var text = String(decoding: UnsafeBufferPointer(start: data, count: size), as: UTF8.self)
  text.withUTF8(check)
  return 0
}

private func check(_ bytes: UnsafeBufferPointer<UInt8>) {
  var sanitizer = HTMLSanitizer()
  let once = sanitizer.sanitize(bytes, base: "https://example.org/a/b")
  checkSafety(once.html)
  let twice = sanitizer.sanitize(once.html, base: "https://example.org/a/b")
  require(once.html == twice.html, "not stable:\n\(once.html)\n\(twice.html)")
  let bare = sanitizer.sanitize(bytes, base: nil)
  checkSafety(bare.html)
  var plain = HTMLPlainText()
  let line = plain.line(ofHTML: bytes)
  require(
    !line.utf8.contains(0x0A) && line.utf8.first != 0x20 && line.utf8.last != 0x20,
    "not a line: \(line)"
  )
  _ = HTMLRichText().richText(fromHTML: String(decoding: bytes, as: UTF8.self))
  _ = HTMLRichText().richText(fromHTML: once.html)
  let page = FeedDocument(bytes: Array(bytes), baseURL: "https://example.org/")
  for feed in FeedDiscovery().feeds(inPage: page) {
    require(
      feed.url.utf8.starts(with: "http://".utf8) || feed.url.utf8.starts(with: "https://".utf8),
      "not on the web: \(feed.url)"
    )
  }
}

private let elements: Set<String> = Set(
  """
  a abbr acronym address area article aside audio b bdi bdo big blockquote br caption center cite code col colgroup data dd
  del details dfn dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li
  main map mark menu nav ol p picture pre q rb rp rt rtc ruby s samp section small source span strike strong sub summary
  sup table tbody td tfoot th thead time tr tt u ul var video wbr
  """.split { $0 == " " || $0 == "\n" }.map(String.init)
)
private let mathElements: Set<String> = Set(
  """
  math menclose merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle
  msub msubsup msup mtable mtd mtext mtr munder munderover semantics
  """.split { $0 == " " || $0 == "\n" }.map(String.init)
)
private let mathTokens: Set<String> = ["mi", "mn", "mo", "ms", "mtext"]
private let void: Set<String> = ["area", "br", "col", "hr", "img", "source", "wbr"]

/// Parses HTML more strictly than any browser: every `<` must begin an allowed tag, every value must be quoted, and
/// elements must be closed in order.
private func checkSafety(_ html: String) {
  let bytes = Array(html.utf8)
  var open: [String] = []
  var index = 0
  func name() -> String {
    let start = index
    while index < bytes.count, ASCII.isLetter(bytes[index]) || ASCII.isDigit(bytes[index]) { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }
  while index < bytes.count {
    guard bytes[index] == 0x3C else {
      index += 1
      continue
    }
    index += 1
    if index < bytes.count, bytes[index] == 0x2F {
      index += 1
      let closed = name()
      require(
        open.popLast() == closed && index < bytes.count && bytes[index] == 0x3E,
        "unbalanced \(closed): \(html)"
      )
      continue
    }
    let element = name()
    // Within a formula a browser is in another mode: there must be only elements of MathML, and in the innermost only text.
    let isInMath = open.last.map(mathElements.contains) ?? false
    let known = isInMath || element == "math" ? mathElements : elements
    require(known.contains(element), "element \(element.debugDescription): \(html)")
    require(!(isInMath && element == "math"), "a formula in a formula: \(html)")
    require(!mathTokens.contains(open.last ?? ""), "an element in a token: \(html)")
    while index < bytes.count, bytes[index] == 0x20 {
      index += 1
      let attribute = name()
      require(
        !attribute.isEmpty && !attribute.hasPrefix("on"),
        "attribute \(attribute.debugDescription): \(html)"
      )
      guard index < bytes.count, bytes[index] == 0x3D else { continue }
      index += 1
      require(index < bytes.count && bytes[index] == 0x22, "no quote: \(html)")
      index += 1
      let start = index
      while index < bytes.count, bytes[index] != 0x22 {
        require(bytes[index] != 0x3C && bytes[index] != 0x3E, "angle in a value: \(html)")
        index += 1
      }
      let value = HTMLPlainText.decodingReferences(in: String(decoding: bytes[start..<index], as: UTF8.self))
      checkValue(attribute, value, html)
      index += 1
    }
    require(index < bytes.count && bytes[index] == 0x3E, "tag \(element) does not end: \(html)")
    if !void.contains(element) { open.append(element) }
  }
  require(open.isEmpty, "unclosed \(open): \(html)")
}

private func checkValue(_ attribute: String, _ value: String, _ html: String) {
  let plain = String(
    String.UnicodeScalarView(value.unicodeScalars.filter { $0.value > 0x20 && $0.value != 0x7F })
  )
  .lowercased()
  switch attribute {
  case "href", "src", "cite", "poster", "srcset", "longdesc", "usemap":
    for scheme in ["javascript:", "vbscript:", "data:", "file:"] {
      require(!plain.hasPrefix(scheme), "\(attribute)=\(value): \(html)")
    }
  case "style":
    for word in [
      "url(", "expression", "javascript:", "position:", "behavior:", "@import", "\\", "/*", "binding:",
    ] {
      require(
        !plain.contains(word) || word == "expression" && !plain.contains("expression("),
        "style=\(value): \(html)"
      )
    }
  default:
    break
  }
}
