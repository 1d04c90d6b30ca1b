import CFriBidi

/// The direction of a paragraph.
enum TextDirection: Hashable, Sendable {
  case leftToRight, rightToLeft
  /// The direction of the first letter; left to right if there is none.
  case automatic

  /// libfribidi's name for it.
  fileprivate var code: UInt32 {
    switch self {
    case .leftToRight: 0x110
    case .rightToLeft: 0x111
    case .automatic: 0x40
    }
  }
}

/// The order of a line's scalars on terminals that do not reorder text themselves (Unicode Standard Annex 9), found by
/// libfribidi.
struct BidiText {
  /// False if libfribidi is not installed.
  static let isAvailable = newsd_bidi_is_available()

  /// The level of each scalar; odd: from right to left.
  private(set) var levels: [Int8]
  /// The indexes of the scalars from left to right.
  private(set) var order: [Int32]

  init(_ text: String, _ direction: TextDirection) {
    let scalars = text.unicodeScalars.map(\.value)
    let count = Int32(scalars.count)
    levels = Array(repeating: 0, count: scalars.count)
    order = Array(0..<count)
    guard count > 0 else { return }
    let types = Self.types(of: scalars)
    var brackets = [UInt32](repeating: 0, count: scalars.count)
    newsd_bidi_brackets(scalars, count, types, &brackets)
    var found = direction.code
    guard newsd_bidi_levels(types, brackets, count, &found, &levels) > 0 else { return }
    _ = newsd_bidi_reorder(types, count, found, &levels, &order)
  }

  /// The text with Arabic letters in their joined forms, still in reading order, for terminals that draw each cell
  /// separately.
  static func joined(_ text: String) -> String {
    var scalars = text.unicodeScalars.map(\.value)
    guard !scalars.isEmpty else { return text }
    let count = Int32(scalars.count)
    let levels = [Int8](repeating: 1, count: scalars.count)
    var joining = [UInt8](repeating: 0, count: scalars.count)
    newsd_bidi_joining_types(scalars, count, &joining)
    newsd_bidi_join(types(of: scalars), count, levels, &joining)
    newsd_bidi_shape(levels, count, &joining, &scalars)
    // A ligature replaces its last letter, and this scalar replaces the letters before.
    let filler: UInt32 = 0xFEFF
    return String(
      String.UnicodeScalarView(scalars.lazy.filter { $0 != filler }.compactMap(Unicode.Scalar.init))
    )
  }

  /// The mirrored form of a bracket or symbol; nil if it has none.
  static func mirrored(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    var mirrored: UInt32 = 0
    return newsd_bidi_mirror(scalar.value, &mirrored) == 0 ? nil : Unicode.Scalar(mirrored)
  }

  private static func types(of scalars: [UInt32]) -> [UInt32] {
    var types = [UInt32](repeating: 0, count: scalars.count)
    newsd_bidi_types(scalars, Int32(scalars.count), &types)
    return types
  }
}
