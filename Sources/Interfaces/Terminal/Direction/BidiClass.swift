/// The bidirectional classes of characters (Unicode Standard Annex 9, table 4). Embeddings and overrides are missing:
/// `DisplayText` removes them.
enum BidiClass: UInt8, Hashable, Sendable {
  case left, right, arabicLetter
  case european, europeanSeparator, europeanTerminator, arabicNumber, commonSeparator
  case nonspacing, boundary, paragraph, segment, space, neutral
  /// FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE, which `DisplayText.isolated` adds.
  case isolate, pop

  init(_ scalar: Unicode.Scalar) {
    let value = scalar.value
    switch value {
    case 0x41...0x5A, 0x61...0x7A: self = .left
    case 0x2068: self = .isolate
    case 0x2069: self = .pop
    default: self = Self.listed(value) ?? Self.usual(scalar)
    }
  }

  /// True for the classes that give text its direction.
  var isStrong: Bool { self == .left || self == .right || self == .arabicLetter }

  /// The class of a scalar that differs from the usual one, from the generated table.
  private static func listed(_ value: UInt32) -> BidiClass? {
    let table = BidiClassTable.ranges
    var low = 0
    var high = table.count / 3
    while low < high {
      let middle = (low + high) / 2
      if value < table[3 * middle] {
        high = middle
      } else if value > table[3 * middle + 1] {
        low = middle + 1
      } else {
        return BidiClass(rawValue: UInt8(truncatingIfNeeded: table[3 * middle + 2]))
      }
    }
    return nil
  }

  /// The class that most characters of a category or block have.
  private static func usual(_ scalar: Unicode.Scalar) -> BidiClass {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: .nonspacing
    default:
      switch scalar.value {
      case 0x0600...0x07BF, 0x0860...0x08FF, 0xFB50...0xFDFF, 0xFE70...0xFEFF, 0x1EC70...0x1EEFF:
        .arabicLetter
      case 0x0590...0x085F, 0xFB1D...0xFB4F, 0x10800...0x10FFF, 0x1E800...0x1EFFF: .right
      default: .left
      }
    }
  }
}
