/// Replaces Arabic letters with their joined forms (presentation forms), for terminals that draw each cell
/// separately.
enum ArabicShaping {
  /// A letter's forms. Letters that join only to the preceding letter have two forms.
  private struct Forms {
    var isolated: UInt32
    var final: UInt32
    /// The form at the start of a word; nil: the letter does not join to the letter after it.
    var initial: UInt32?
    var medial: UInt32?
  }

  /// Letters that join on both sides, each with the first of its four consecutive forms: isolated, final,
  /// initial, medial.
  private static let joiningBoth: [(letter: UInt32, forms: UInt32)] = [
    (0x626, 0xFE89), (0x628, 0xFE8F), (0x62A, 0xFE95), (0x62B, 0xFE99), (0x62C, 0xFE9D), (0x62D, 0xFEA1),
    (0x62E, 0xFEA5), (0x633, 0xFEB1), (0x634, 0xFEB5), (0x635, 0xFEB9), (0x636, 0xFEBD), (0x637, 0xFEC1),
    (0x638, 0xFEC5), (0x639, 0xFEC9), (0x63A, 0xFECD), (0x641, 0xFED1), (0x642, 0xFED5), (0x643, 0xFED9),
    (0x644, 0xFEDD), (0x645, 0xFEE1), (0x646, 0xFEE5), (0x647, 0xFEE9), (0x64A, 0xFEF1), (0x67E, 0xFB56),
    (0x679, 0xFB66), (0x686, 0xFB7A), (0x6A9, 0xFB8E), (0x6AF, 0xFB92), (0x6BE, 0xFBAA), (0x6C1, 0xFBA6),
    (0x6CC, 0xFBFC),
  ]
  private static let joiningBefore: [(letter: UInt32, forms: UInt32)] = [
    (0x622, 0xFE81), (0x623, 0xFE83), (0x624, 0xFE85), (0x625, 0xFE87), (0x627, 0xFE8D), (0x629, 0xFE93),
    (0x62F, 0xFEA9), (0x630, 0xFEAB), (0x631, 0xFEAD), (0x632, 0xFEAF), (0x648, 0xFEED), (0x688, 0xFB88),
    (0x691, 0xFB8C), (0x698, 0xFB8A), (0x6BA, 0xFB9E), (0x6D2, 0xFBAE),
  ]
  /// Ligatures of lam with each alef: the alef, and the ligature's isolated form; the final form is the next
  /// scalar.
  private static let ligatures: [UInt32: UInt32] = [
    0x622: 0xFEF5, 0x623: 0xFEF7, 0x625: 0xFEF9, 0x627: 0xFEFB,
  ]
  private static let lam: UInt32 = 0x644
  private static let tatweel: UInt32 = 0x640
  private static let joiner: UInt32 = 0x200D

  private static let table: [UInt32: Forms] = {
    var table: [UInt32: Forms] = [:]
    for (letter, first) in joiningBoth {
      table[letter] = Forms(isolated: first, final: first + 1, initial: first + 2, medial: first + 3)
    }
    for (letter, first) in joiningBefore { table[letter] = Forms(isolated: first, final: first + 1) }
    // Alef maksura has its initial and medial forms in another block.
    table[0x649] = Forms(isolated: 0xFEEF, final: 0xFEF0, initial: 0xFBE8, medial: 0xFBE9)
    return table
  }()

  /// True if the text has letters that join.
  static func isNeeded(_ text: String) -> Bool {
    text.unicodeScalars.contains { (0x620...0x6D3).contains($0.value) }
  }

  /// The text with joined forms, still in reading order.
  static func shaped(_ text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    var result = String.UnicodeScalarView()
    /// True: the previous letter joins to this letter.
    var isJoined = false
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      let value = scalar.value
      if let forms = table[value] {
        let next = self.next(after: index, in: scalars)
        if value == lam, let next, let ligature = ligatures[scalars[next].value] {
          result.append(scalar: ligature + (isJoined ? 1 : 0))
          result.append(contentsOf: scalars[index + 1..<next])
          isJoined = false
          index = next + 1
          continue
        }
        let joinsNext = forms.initial != nil && next.map { joinsBefore(scalars[$0].value) } == true
        let form: UInt32? =
          switch (isJoined, joinsNext) {
          case (false, false): forms.isolated
          case (true, false): forms.final
          case (false, true): forms.initial
          case (true, true): forms.medial
          }
        result.append(scalar: form ?? value)
        isJoined = joinsNext
      } else {
        result.append(scalar)
        if value == tatweel || value == joiner {
          isJoined = true
        } else if !isTransparent(scalar) {
          isJoined = false
        }
      }
      index += 1
    }
    return String(result)
  }

  /// Returns the index of the next letter, skipping vowel signs; nil if there is none.
  private static func next(after index: Int, in scalars: [Unicode.Scalar]) -> Int? {
    var index = index + 1
    while index < scalars.count, isTransparent(scalars[index]) { index += 1 }
    return index < scalars.count ? index : nil
  }

  private static func joinsBefore(_ value: UInt32) -> Bool {
    table[value] != nil || value == tatweel || value == joiner
  }

  private static func isTransparent(_ scalar: Unicode.Scalar) -> Bool {
    BidiClass(scalar) == .nonspacing
  }
}

extension String.UnicodeScalarView {
  fileprivate mutating func append(scalar value: UInt32) {
    if let scalar = Unicode.Scalar(value) { append(scalar) }
  }
}
