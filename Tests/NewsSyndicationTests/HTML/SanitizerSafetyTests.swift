import Foundation
import SeededRandom
import Testing

@testable import NewsSyndication

/// Reads files of this target's Fixtures folder.
enum SyndicationFixture {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures")

  static func text(_ path: String) throws -> String {
    try String(contentsOf: folder.appending(path: path), encoding: .utf8)
  }

  /// Returns a file's text with ill-formed UTF-8 replaced by U+FFFD.
  static func repaired(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.appending(path: path)), as: UTF8.self)
  }

  static func lines(_ path: String) -> [String] {
    ((try? text(path)) ?? "").split(separator: "\n").map(String.init)
  }
}

/// Checks sanitized HTML with an independent parser, stricter than any browser, and lists what is not allowed.
struct StrictHTMLReader {
  private let bytes: [UInt8]
  private var index = 0
  private var open: [String] = []
  private(set) var problems: [String] = []

  static let elements = Set(
    """
    a abbr acronym address area article aside audio b bdi bdo big blockquote br caption center cite code col colgroup data \
    dd del details dfn dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd \
    li main map mark menu nav ol p picture pre q rb rp rt rtc ruby s samp section small source span strike strong sub \
    summary sup table tbody td tfoot th thead time tr tt u ul var video wbr
    """.split(separator: " ").map(String.init)
  )
  static let attributes = Set(
    """
    abbr align alt axis bgcolor border cellpadding cellspacing char charoff cite class clear color colspan compact coords \
    controls datetime dir face headers height href hreflang hspace id lang longdesc loop media muted name noshade nowrap open \
    poster preload reversed rowspan rules scope shape size sizes span src srcset start style summary title type usemap valign value \
    vspace width
    """.split(separator: " ").map(String.init)
  )
  static let mathElements = Set(
    """
    math menclose merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt \
    mstyle msub msubsup msup mtable mtd mtext mtr munder munderover semantics
    """.split(separator: " ").map(String.init)
  )
  static let mathTokens: Set<String> = ["mi", "mn", "mo", "ms", "mtext"]
  static let mathAttributes = Set(
    """
    accent accentunder class columnalign columnspan depth dir display displaystyle fence form height id lang largeop \
    linethickness lspace mathvariant maxsize minsize movablelimits notation rowalign rowspan rspace scriptlevel \
    separator stretchy symmetric title voffset width
    """.split(separator: " ").map(String.init)
  )
  static let void: Set<String> = ["area", "br", "col", "hr", "img", "source", "wbr"]

  init(_ html: String) {
    bytes = Array(html.utf8)
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "<") { tag() } else { index += 1 }
    }
    if !open.isEmpty { problems.append("unclosed \(open)") }
  }

  private mutating func name() -> String {
    let start = index
    while index < bytes.count, bytes[index] != UInt8(ascii: " "), bytes[index] != UInt8(ascii: "="),
      bytes[index] != UInt8(ascii: ">")
    { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func tag() {
    index += 1
    if index < bytes.count, bytes[index] == UInt8(ascii: "/") {
      index += 1
      let closed = name()
      if open.popLast() != closed { problems.append("</\(closed)>") }
      return
    }
    let element = name()
    // A browser is in another mode within a formula: it must contain only its own elements, and the innermost only text.
    let isInMath = open.last.map(Self.mathElements.contains) ?? false
    let isKnown = isInMath || element == "math" ? Self.mathElements : Self.elements
    if !isKnown.contains(element) || isInMath && element == "math"
      || Self.mathTokens.contains(open.last ?? "")
    {
      problems.append("<\(element)> in \(open.suffix(2))")
    }
    while index < bytes.count, bytes[index] == UInt8(ascii: " ") {
      index += 1
      attribute(of: element)
    }
    if index >= bytes.count || bytes[index] != UInt8(ascii: ">") {
      problems.append("<\(element) does not end")
    }
    if !Self.void.contains(element) { open.append(element) }
  }

  private mutating func attribute(of element: String) {
    let attribute = name()
    let known = Self.mathElements.contains(element) ? Self.mathAttributes : Self.attributes
    if !known.contains(attribute) { problems.append("\(element)@\(attribute)") }
    guard index < bytes.count, bytes[index] == UInt8(ascii: "=") else { return }
    index += 1
    guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
      problems.append("\(attribute) without quotes")
      return
    }
    let start = index + 1
    index = bytes[start...].firstIndex(of: UInt8(ascii: "\"")) ?? bytes.count
    let raw = String(decoding: bytes[start..<index], as: UTF8.self)
    if raw.contains("<") || raw.contains(">") { problems.append("angle in \(attribute)") }
    let value = HTMLPlainText.decodingReferences(in: raw)
    let plain = value.unicodeScalars.filter {
      $0.value > UInt8(ascii: " ") && !(0x7F...0xA0).contains($0.value)
    }
    .reduce(into: "") { $0.unicodeScalars.append($1) }.lowercased()
    for scheme in ["javascript:", "vbscript:", "data:", "file:", "view-source:", "feed:javascript"] {
      let isAddress = ["href", "src", "cite", "poster", "longdesc", "usemap"].contains(attribute)
      let isCandidate = attribute == "srcset" && plain.split(separator: ",").contains { $0.hasPrefix(scheme) }
      if isAddress && plain.hasPrefix(scheme) || isCandidate {
        problems.append("\(attribute)=\(value)")
      }
    }
    let active = [
      "url(", "expression(", "position:", "behavior:", "binding:", "@import", "\\", "/*", "var(", "attr(",
    ]
    if attribute == "style", active.contains(where: { plain.contains($0) }) {
      problems.append("style=\(value)")
    }
    index += 1
  }
}

@Suite struct `Hostile HTML` {
  static let attacks = SyndicationFixture.lines("html/attacks.txt")

  @Test func `More than 100 attacks are loaded`() {
    #expect(Self.attacks.count > 100)
  }

  @Test(arguments: attacks)
  func `The output contains nothing outside the allow-list`(_ attack: String) {
    var sanitizer = HTMLSanitizer()
    for base in ["https://example.org/a/", nil] {
      for html in [
        attack, "<p>before " + attack + " after</p>", "<table><tr><td>" + attack, "<svg>" + attack,
      ] {
        let once = sanitizer.sanitize(html, base: base).html
        #expect(StrictHTMLReader(once).problems.isEmpty, "\(once)")
        #expect(sanitizer.sanitize(once, base: base).html == once)
      }
    }
  }

  @Test(arguments: [
    "srcset-with-control-characters.html", "srcset-without-any-address.html", "srcset-ending-in-a-comma.html",
    "pixel-with-a-control-character.html", "url-in-a-quoted-font-name.html",
    "pixel-with-a-size-that-is-dropped.html",
  ])
  func `Inputs found by fuzzing are sanitized, and sanitizing is idempotent`(_ name: String) throws {
    let html = try SyndicationFixture.repaired("html/" + name)
    var sanitizer = HTMLSanitizer()
    let once = sanitizer.sanitize(html, base: "https://example.org/a/b").html
    #expect(StrictHTMLReader(once).problems.isEmpty, "\(once)")
    #expect(sanitizer.sanitize(once, base: "https://example.org/a/b").html == once)
  }

  @Test(arguments: [UInt64](1...8))
  func `Sanitizing is idempotent`(_ seed: UInt64) {
    var generator = SeededRandom(seed: seed)
    let names = HTMLElement.allCases.map(\.name)
    let attributes = HTMLAttribute.allCases.map(\.name)
    let values = [
      "x", "1", "a b", "https://e.example/a?b&c", "#n", "javascript:x", "display:none",
      "color:red; margin:-1px", "'\"<>",
      "a.png 1x, b.png 2x", "&nvlt;&#x81;&amp;amp;", "width:1px;height:1px", "\u{1}\u{7F}",
    ]
    let texts = [
      "a", " ", "\n", "&nvlt;b>", "&#x8D;", "&lt;", "<", "&", "é\u{301}", "]]>", "-->", "&#xFFFF;", "\0",
    ]
    var sanitizer = HTMLSanitizer()
    for _ in 0..<400 {
      var html = ""
      for _ in 0..<Int.random(in: 1...24, using: &generator) {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0...3:
          html += "<\(names.randomElement(using: &generator) ?? "")"
          for _ in 0..<Int.random(in: 0...2, using: &generator) {
            html += " \(attributes.randomElement(using: &generator) ?? "")"
            html += "=\"\(values.randomElement(using: &generator) ?? "")\""
          }
          html += Int.random(in: 0..<10, using: &generator) == 0 ? "/>" : ">"
        case 4, 5: html += "</\(names.randomElement(using: &generator) ?? "")>"
        case 6: html += ["<!--", "<![CDATA[", "<?x", "<!x>"].randomElement(using: &generator) ?? ""
        default: html += texts.randomElement(using: &generator) ?? ""
        }
      }
      let once = sanitizer.sanitize(html, base: "https://example.org/a/").html
      #expect(StrictHTMLReader(once).problems.isEmpty, "\(html) → \(once)")
      #expect(sanitizer.sanitize(once, base: "https://example.org/a/").html == once, "\(html)")
    }
  }

  @Test func `The strict reader detects disallowed HTML`() {
    for html in [
      "<script>", "<b>", "</b>", "<b onclick=\"x\"></b>", "<b title=x></b>", "<b title=\"<\"></b>",
      "<a href=\"javascript:x\"></a>", "<a href=\"java&#10;script:x\"></a>", "<b style=\"a:url(x)\"></b>",
      "<b",
    ] {
      #expect(!StrictHTMLReader(html).problems.isEmpty, "\(html)")
    }
  }

  @Test(arguments: [
    "<b>", "</b>", "<table><tr><td>", "<a href=x>", "<ul><li>", "<p a='", " a=1", "<", "&", "<svg>",
    "<![CDATA[",
    "<!--", "<b><p></b>", "<font><p>", "<td>", "</script", "<script>", "<ruby><rt>", "&#1", "<h1>",
    "<dl><dt>",
  ])
  func `150 KB of repeated markup are sanitized, and the output is at most 20 times as long`(_ unit: String) {
    // In quadratic time, this input would take minutes.
    let html = "<p " + String(repeating: unit, count: 150_000 / unit.utf8.count)
    var sanitizer = HTMLSanitizer()
    let result = sanitizer.sanitize(html, base: "https://example.org/")
    #expect(result.html.utf8.count < html.utf8.count * 20)
  }

  @Test func `A base URL of 4,000 characters makes the output less than twelve times as long`() {
    let base = "https://example.org/" + String(repeating: "a", count: 4000) + "/"
    let html = String(repeating: "<a href=b>x</a>", count: 10_000)
    var sanitizer = HTMLSanitizer()
    #expect(sanitizer.sanitize(html, base: base).html.utf8.count < html.utf8.count * 12)
  }

  @Test func `Deeply nested HTML gives balanced output, and content after it is not nested in it`() {
    var sanitizer = HTMLSanitizer()
    let html =
      String(repeating: "<div>", count: 5000) + "x" + String(repeating: "</div>", count: 5000) + "<p>y</p>"
    let result = sanitizer.sanitize(html, base: nil)
    #expect(StrictHTMLReader(result.html).problems.isEmpty)
    #expect(result.html.hasSuffix("</div><p>y</p>"))
    #expect(result.text == "x\n\ny")
  }
}
