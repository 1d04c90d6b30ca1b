/// Brackets and symbols that are mirrored in right-to-left text.
enum BidiMirror {
  /// Pairs of brackets (BidiBrackets.txt): an opening one and its closing one.
  private static let brackets: [(opening: Unicode.Scalar, closing: Unicode.Scalar)] = [
    ("(", ")"), ("[", "]"), ("{", "}"), ("\u{F3A}", "\u{F3B}"), ("\u{F3C}", "\u{F3D}"),
    ("\u{2045}", "\u{2046}"), ("\u{207D}", "\u{207E}"), ("\u{208D}", "\u{208E}"), ("\u{2308}", "\u{2309}"),
    ("\u{230A}", "\u{230B}"), ("\u{2329}", "\u{232A}"), ("\u{2768}", "\u{2769}"), ("\u{276A}", "\u{276B}"),
    ("\u{276C}", "\u{276D}"), ("\u{2772}", "\u{2773}"), ("\u{2774}", "\u{2775}"), ("\u{27E6}", "\u{27E7}"),
    ("\u{27E8}", "\u{27E9}"), ("\u{27EA}", "\u{27EB}"), ("\u{27EC}", "\u{27ED}"), ("\u{2983}", "\u{2984}"),
    ("\u{3008}", "\u{3009}"), ("\u{300A}", "\u{300B}"), ("\u{300C}", "\u{300D}"), ("\u{300E}", "\u{300F}"),
    ("\u{3010}", "\u{3011}"), ("\u{3014}", "\u{3015}"), ("\u{3016}", "\u{3017}"), ("\u{3018}", "\u{3019}"),
    ("\u{301A}", "\u{301B}"), ("\u{FE59}", "\u{FE5A}"), ("\u{FE5B}", "\u{FE5C}"), ("\u{FE5D}", "\u{FE5E}"),
    ("\u{FF08}", "\u{FF09}"), ("\u{FF3B}", "\u{FF3D}"), ("\u{FF5B}", "\u{FF5D}"), ("\u{FF5F}", "\u{FF60}"),
    ("\u{FF62}", "\u{FF63}"),
  ]
  /// Common mirrored symbols that are not brackets (BidiMirroring.txt).
  private static let signs: [(Unicode.Scalar, Unicode.Scalar)] = [
    ("<", ">"), ("«", "»"), ("‹", "›"), ("≤", "≥"), ("≪", "≫"), ("∈", "∋"), ("⊂", "⊃"), ("⊆", "⊇"),
    ("≺", "≻"), ("⊢", "⊣"), ("\u{FF1C}", "\u{FF1E}"), ("\u{2264}", "\u{2265}"), ("\u{2E28}", "\u{2E29}"),
  ]

  private static let mirrored: [Unicode.Scalar: Unicode.Scalar] = {
    var table: [Unicode.Scalar: Unicode.Scalar] = [:]
    for (a, b) in brackets.map({ ($0.opening, $0.closing) }) + signs {
      table[a] = b
      table[b] = a
    }
    return table
  }()
  private static let closings = Dictionary(
    uniqueKeysWithValues: brackets.map { ($0.opening, same($0.closing)) }
  )
  private static let closing = Set(brackets.map { same($0.closing) })

  /// The mirrored form of a scalar; nil if it has none.
  static func mirror(_ scalar: Unicode.Scalar) -> Unicode.Scalar? { mirrored[scalar] }

  /// Replaces U+2329 and U+232A with U+3008 and U+3009, which are canonically equivalent.
  private static func same(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar {
    case "\u{2329}": "\u{3008}"
    case "\u{232A}": "\u{3009}"
    default: scalar
    }
  }

  /// The positions of paired brackets, in the order of the opening ones (definition BD16).
  static func pairs(in scalars: [Unicode.Scalar]) -> [(opening: Int, closing: Int)] {
    var open: [(closing: Unicode.Scalar, place: Int)] = []
    var pairs: [(opening: Int, closing: Int)] = []
    for (place, scalar) in scalars.enumerated() {
      if let expected = closings[scalar] {
        // The standard's limit: deeper brackets end the search.
        guard open.count < 63 else { break }
        open.append((expected, place))
      } else if closing.contains(same(scalar)),
        let match = open.lastIndex(where: { $0.closing == same(scalar) })
      {
        pairs.append((open[match].place, place))
        open.removeSubrange(match...)
      }
    }
    return pairs.sorted { $0.opening < $1.opening }
  }
}
