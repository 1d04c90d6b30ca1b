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
  case mark, marquee, math, menu, menuitem, meta, meter, nav, nobr, noembed, noframes, noscript, object, ol
  case optgroup, option, output, p, param, picture, plaintext, pre, progress, q, rb, rp, rt, rtc, ruby, s,
    samp
  case script, section, select, slot, small, source, spacer, span, strike, strong, style, sub, summary, sup,
    svg
  case table, tbody, td, template, textarea, tfoot, th, thead, time, title, tr, track, tt, u, ul, `var`,
    video, wbr
  case xml, xmp

  static let count = allCases.count

  /// The name in a document.
  var name: String { self == .annotationXML ? "annotation-xml" : "\(self)" }
}

/// Properties of elements that the tokenizer and its sinks use.
struct HTMLTraits: OptionSet {
  let rawValue: UInt32

  /// Allowed in sanitized HTML.
  static let allowed = HTMLTraits(rawValue: 1)
  /// A void element: no content and no end tag.
  static let void = HTMLTraits(rawValue: 1 << 1)
  /// Begins and ends a line of text.
  static let block = HTMLTraits(rawValue: 1 << 2)
  /// Separated from its neighbours by an empty line.
  static let spaced = HTMLTraits(rawValue: 1 << 3)
  /// Its start tag ends an open paragraph.
  static let closesParagraph = HTMLTraits(rawValue: 1 << 4)
  /// End tags inside it cannot close elements outside it: tables and their cells.
  static let barrier = HTMLTraits(rawValue: 1 << 5)
  /// End of the search for an open `li`, `dt` or `dd` to close.
  static let special = HTMLTraits(rawValue: 1 << 6)
  /// Raw text: its content has no markup up to the end tag. Not shown.
  static let hiddenRawText = HTMLTraits(rawValue: 1 << 7)
  /// Raw text: its content has no markup up to the end tag. Shown.
  static let shownRawText = HTMLTraits(rawValue: 1 << 8)
  /// Removed with its content.
  static let skipped = HTMLTraits(rawValue: 1 << 9)
  /// Contains rows or cells but no text: `table`, `tbody`, `tr`, …
  static let tableStructure = HTMLTraits(rawValue: 1 << 10)
  /// A row, cell, caption or group: valid only within a table.
  static let tablePart = HTMLTraits(rawValue: 1 << 11)
  /// White space is significant.
  static let preformatted = HTMLTraits(rawValue: 1 << 12)
  static let heading = HTMLTraits(rawValue: 1 << 13)
  /// Ends an unclosed `svg` or `math` (HTML standard, section 13.2.6.5).
  static let leavesForeign = HTMLTraits(rawValue: 1 << 14)
}

extension HTMLElement {
  /// `ruby` and its parts.
  @inline(__always)
  var isRuby: Bool {
    switch self {
    case .ruby, .rb, .rp, .rt, .rtc: true
    default: false
    }
  }
}
