/// The elements that newsd knows. Any other element is `unknown`, and only its text is kept.
enum HTMLElement: UInt8, CaseIterable {
  case unknown = 0
  case a, abbr, acronym, address, annotation, annotationXML, applet, area, article, aside, audio, b, base,
    basefont
  case bdi, bdo, bgsound, big, blink, blockquote, body, br, button, canvas, caption, center, cite, code, col
  case colgroup, command, data, datalist, dd, del, details, dfn, dialog, dir, div, dl, dt, em, embed, fieldset
  case figcaption, figure, font, footer, form, frame, frameset, h1, h2, h3, h4, h5, h6, head, header, hgroup,
    hr
  case html, i, iframe, image, img, input, ins, isindex, kbd, keygen, label, legend, li, link, listing, main,
    map
  case mark, marquee, menu, menuitem, meta, meter, nav, nobr, noembed, noframes, noscript, object, ol
  case optgroup, option, output, p, param, picture, plaintext, pre, progress, q, rb, rp, rt, rtc, ruby, s,
    samp
  case script, section, select, slot, small, source, spacer, span, strike, strong, style, sub, summary, sup,
    svg
  case table, tbody, td, template, textarea, tfoot, th, thead, time, title, tr, track, tt, u, ul, `var`,
    video, wbr
  case xml, xmp
  /// MathML. The names are together, from `math` to `semantics`.
  case math, menclose, merror, mfrac, mi, mmultiscripts, mn, mo, mover, mpadded, mphantom, mprescripts, mroot,
    mrow
  case ms, mspace, msqrt, mstyle, msub, msubsup, msup, mtable, mtd, mtext, mtr, munder, munderover, semantics

  static let count = allCases.count

  /// The element's name in documents.
  var name: String { self == .annotationXML ? "annotation-xml" : "\(self)" }
}

/// Properties of elements that the tokenizer and its sinks use.
struct HTMLTraits: OptionSet {
  let rawValue: UInt32

  /// The element is allowed in sanitized HTML.
  static let allowed = HTMLTraits(rawValue: 1)
  /// A void element: no content and no end tag.
  static let void = HTMLTraits(rawValue: 1 << 1)
  /// The element begins and ends a line of text.
  static let block = HTMLTraits(rawValue: 1 << 2)
  /// An empty line separates the element from its neighbours.
  static let spaced = HTMLTraits(rawValue: 1 << 3)
  /// The element's start tag ends an open paragraph.
  static let closesParagraph = HTMLTraits(rawValue: 1 << 4)
  /// End tags inside the element cannot close elements outside it: tables and their cells.
  static let barrier = HTMLTraits(rawValue: 1 << 5)
  /// The search for an open `li`, `dt` or `dd` to close ends at this element.
  static let special = HTMLTraits(rawValue: 1 << 6)
  /// The element contains raw text, without markup up to the end tag. Browsers do not show it.
  static let hiddenRawText = HTMLTraits(rawValue: 1 << 7)
  /// The element contains raw text, without markup up to the end tag. Browsers show it.
  static let shownRawText = HTMLTraits(rawValue: 1 << 8)
  /// The sanitizer removes the element with its content.
  static let skipped = HTMLTraits(rawValue: 1 << 9)
  /// The element contains rows or cells but no text: `table`, `tbody`, `tr`, …
  static let tableStructure = HTMLTraits(rawValue: 1 << 10)
  /// The element is a row, cell, caption or group, which is valid only within a table.
  static let tablePart = HTMLTraits(rawValue: 1 << 11)
  /// White space in the element is significant.
  static let preformatted = HTMLTraits(rawValue: 1 << 12)
  static let heading = HTMLTraits(rawValue: 1 << 13)
  /// The element's start tag ends an unclosed `svg` or `math` (HTML standard, section 13.2.6.5).
  static let leavesForeign = HTMLTraits(rawValue: 1 << 14)
  /// An element of MathML, which is valid only within `math`.
  static let math = HTMLTraits(rawValue: 1 << 15)
  /// An element of MathML that contains only text. Browsers would read tags in it as HTML.
  static let mathToken = HTMLTraits(rawValue: 1 << 16)
}

extension HTMLElement {
  /// True for `math` and the elements in it.
  @inline(__always)
  var isMath: Bool { (Self.math.rawValue...Self.semantics.rawValue).contains(rawValue) }

  /// True for `ruby` and its parts.
  @inline(__always)
  var isRuby: Bool {
    switch self {
    case .ruby, .rb, .rp, .rt, .rtc: true
    default: false
    }
  }
}
