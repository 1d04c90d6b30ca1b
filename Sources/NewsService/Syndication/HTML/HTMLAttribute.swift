/// The attributes that newsd uses; the tokenizer skips all others.
enum HTMLAttribute: UInt8, CaseIterable {
  case abbr, align, alt, ariaHidden, ariaModal, axis, bgcolor, border, cellpadding, cellspacing, char,
    charoff, cite, `class`, clear
  case color, colspan, compact, content, controls, coords, dataLazySrc, dataLazySrcset, dataOriginal, dataSrc,
    dataSrcset, datetime, dir, face,
    headers
  case height, hidden, href, hreflang, hspace, id, itemprop, lang, longdesc, loop, media, muted, name,
    noshade, nowrap,
    open,
    poster
  case preload, property, rel, reversed, role, rowspan, rules, scope, shadowrootmode, shape, size, sizes,
    span, src, srcset, start, style,
    summary
  case title, type, usemap, valign, value, vspace, width
  /// Attributes of MathML. The names are together, from `accent` to `voffset`.
  case accent, accentunder, columnalign, columnspan, depth, display, displaystyle, fence, form, largeop,
    linethickness
  case lspace, mathvariant, maxsize, minsize, movablelimits, notation, rowalign, rspace, scriptlevel,
    separator
  case stretchy, symmetric, voffset

  static let count = allCases.count

  /// The attribute's name in documents.
  var name: String {
    switch self {
    case .ariaHidden: "aria-hidden"
    case .ariaModal: "aria-modal"
    case .dataLazySrc: "data-lazy-src"
    case .dataLazySrcset: "data-lazy-srcset"
    case .dataOriginal: "data-original"
    case .dataSrc: "data-src"
    case .dataSrcset: "data-srcset"
    default: "\(self)"
    }
  }

  /// How the sanitizer treats a value.
  enum Kind {
    /// The attribute is removed.
    case dropped
    /// The value may be any text.
    case text
    /// The value is a URL that the user may follow.
    case link
    /// The value is a URL that is loaded with the page.
    case resource
    case sourceSet
    case style
    /// The attribute is boolean, and is written without a value.
    case flag
  }

  /// Returns how the attribute is treated on `element`.
  func kind(on element: HTMLElement) -> Kind {
    if element.isMath || rawValue >= Self.accent.rawValue { return kindInMath(element) }
    return switch self {
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
    case .dataLazySrc, .dataLazySrcset, .dataOriginal, .dataSrc, .dataSrcset, .hidden, .rel: .dropped
    case .ariaHidden, .ariaModal, .content, .itemprop, .property, .role, .shadowrootmode: .dropped
    default: .text
    }
  }

  /// MathML has no addresses: those of links and of pictures are removed.
  private func kindInMath(_ element: HTMLElement) -> Kind {
    switch self {
    case .class, .dir, .height, .id, .lang, .rowspan, .title, .width: element.isMath ? .text : .dropped
    default: element.isMath && rawValue >= Self.accent.rawValue ? .text : .dropped
    }
  }
}

/// A set of attributes in two words.
struct HTMLAttributeSet {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  @inline(__always)
  func contains(_ name: HTMLAttribute) -> Bool {
    let bit: UInt64 = 1 &<< UInt64(name.rawValue & 63)
    return (name.rawValue < 64 ? low : high) & bit != 0
  }

  /// Inserts `name`. Returns false if the set contains it already.
  @inline(__always)
  mutating func insert(_ name: HTMLAttribute) -> Bool {
    guard !contains(name) else { return false }
    let bit: UInt64 = 1 &<< UInt64(name.rawValue & 63)
    if name.rawValue < 64 { low |= bit } else { high |= bit }
    return true
  }
}
