/// The attributes that newsd uses; the tokenizer skips all others.
///
/// There are fewer than 64, so that a set of them fits into one word.
enum HTMLAttribute: UInt8, CaseIterable {
  case abbr, align, alt, axis, bgcolor, border, cellpadding, cellspacing, char, charoff, cite, `class`, clear
  case color, colspan, compact, controls, coords, dataLazySrc, dataOriginal, dataSrc, datetime, dir, face,
    headers
  case height, hidden, href, hreflang, hspace, id, lang, longdesc, loop, media, muted, name, noshade, nowrap,
    open,
    poster
  case preload, rel, reversed, rowspan, rules, scope, shape, size, sizes, span, src, srcset, start, style,
    summary
  case title, type, usemap, valign, value, vspace, width

  static let count = allCases.count

  /// The name in a document.
  var name: String {
    switch self {
    case .dataLazySrc: "data-lazy-src"
    case .dataOriginal: "data-original"
    case .dataSrc: "data-src"
    default: "\(self)"
    }
  }

  /// How a value is sanitized.
  enum Kind {
    /// Removed.
    case dropped
    /// Any text.
    case text
    /// A URL to follow.
    case link
    /// A URL that is loaded with the page.
    case resource
    case sourceSet
    case style
    /// A boolean attribute, written without a value.
    case flag
  }

  /// How the attribute is treated on `element`.
  func kind(on element: HTMLElement) -> Kind {
    switch self {
    case .href: element == .a || element == .area ? .link : .dropped
    case .longdesc: element == .img ? .link : .dropped
    case .usemap: element == .img ? .link : .dropped
    case .coords, .shape: element == .area ? .text : .dropped
    case .cite:
      element == .blockquote || element == .q || element == .del || element == .ins ? .link : .dropped
    case .src:
      element == .img || element == .audio || element == .video || element == .source ? .resource : .dropped
    case .poster: element == .video ? .resource : .dropped
    case .srcset: element == .img || element == .source ? .sourceSet : .dropped
    case .style: .style
    case .name: element == .a || element == .map ? .text : .dropped
    case .hreflang: element == .a ? .text : .dropped
    case .value: element == .li || element == .data ? .text : .dropped
    case .controls, .loop, .muted: element == .audio || element == .video ? .flag : .dropped
    case .open: element == .details ? .flag : .dropped
    case .reversed: element == .ol ? .flag : .dropped
    case .compact, .noshade, .nowrap: .flag
    case .dataLazySrc, .dataOriginal, .dataSrc, .hidden, .rel: .dropped
    default: .text
    }
  }
}
