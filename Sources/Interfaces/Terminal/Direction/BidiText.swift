/// The direction of a paragraph.
enum TextDirection: Hashable, Sendable {
  case leftToRight, rightToLeft
  /// The direction of the first letter; left to right if there is none.
  case automatic
}

/// Embedding levels of a line of text, by which it is reordered for terminals that do not do it themselves (Unicode
/// Standard Annex 9). A line is resolved on its own, with the direction of its paragraph.
struct BidiText {
  /// The level of the paragraph: 0 from left to right, 1 from right to left.
  let base: UInt8
  /// The level of each scalar; odd: from right to left.
  private(set) var levels: [UInt8]
  private let scalars: [Unicode.Scalar]
  private let original: [BidiClass]
  private var classes: [BidiClass]
  /// Isolates deeper than this are read as neutral characters. Only newsd itself adds isolates.
  private static let deepest = 8

  init(_ scalars: [Unicode.Scalar], _ direction: TextDirection) {
    self.scalars = scalars
    original = scalars.map(BidiClass.init)
    classes = original
    base =
      switch direction {
      case .leftToRight: 0
      case .rightToLeft: 1
      case .automatic: Self.firstStrong(original[...]) == .left ? 0 : 1
      }
    levels = Array(repeating: base, count: scalars.count)
    resolve(scalars.indices, level: base, depth: 0)
    resetSpaces()
  }

  /// Returns the first strong class that is not inside an isolate (rules P2 and P3); left to right if there is none.
  private static func firstStrong(_ classes: ArraySlice<BidiClass>) -> BidiClass {
    var depth = 0
    for found in classes {
      switch found {
      case .isolate: depth += 1
      case .pop: depth = max(depth - 1, 0)
      default: if depth == 0, found.isStrong { return found }
      }
    }
    return .left
  }

  // MARK: - Sequences

  /// Resolves a range at a level, treating isolates inside it as neutral characters, then resolves each
  /// isolate (rules X5 and X6).
  private mutating func resolve(_ range: Range<Int>, level: UInt8, depth: Int) {
    var sequence: [Int] = []
    var isolates: [Range<Int>] = []
    var index = range.lowerBound
    while index < range.upperBound {
      levels[index] = level
      if original[index] != .boundary { sequence.append(index) }
      if original[index] == .isolate, depth < Self.deepest {
        let end = self.end(ofIsolate: index, in: range)
        isolates.append(index + 1..<end)
        index = end
      } else {
        index += 1
      }
    }
    for index in sequence where original[index] == .isolate || original[index] == .pop {
      classes[index] = .neutral
    }
    resolveWeak(sequence, level)
    resolveBrackets(sequence, level)
    resolveNeutral(sequence, level)
    raise(sequence, level)
    for isolate in isolates {
      let isRight = Self.firstStrong(original[isolate]) != .left
      let odd = (level + 1) | 1
      resolve(isolate, level: isRight ? odd : (level + 2) & ~1, depth: depth + 1)
    }
  }

  /// Returns the index of the character that ends an isolate; the end of the range if there is none.
  private func end(ofIsolate start: Int, in range: Range<Int>) -> Int {
    var depth = 0
    for index in start..<range.upperBound {
      if original[index] == .isolate { depth += 1 }
      if original[index] == .pop {
        depth -= 1
        if depth == 0 { return index }
      }
    }
    return range.upperBound
  }

  private func direction(of level: UInt8) -> BidiClass { level % 2 == 0 ? .left : .right }

  /// Applies rules W1 to W7: resolves numbers and the characters that belong to them.
  private mutating func resolveWeak(_ sequence: [Int], _ level: UInt8) {
    let start = direction(of: level)
    var previous = start
    var strong = start
    for index in sequence {
      if classes[index] == .nonspacing { classes[index] = previous }
      previous = classes[index]
      if previous.isStrong { strong = previous }
      if classes[index] == .european, strong == .arabicLetter { classes[index] = .arabicNumber }
    }
    for index in sequence where classes[index] == .arabicLetter { classes[index] = .right }
    joinSeparators(sequence)
    joinTerminators(sequence)
    strong = start
    for index in sequence {
      switch classes[index] {
      case .europeanSeparator, .europeanTerminator, .commonSeparator: classes[index] = .neutral
      case .european where strong == .left: classes[index] = .left
      case let found where found.isStrong: strong = found
      default: break
      }
    }
  }

  /// Applies rule W4: a separator between two numbers of the same kind becomes part of the number.
  private mutating func joinSeparators(_ sequence: [Int]) {
    guard sequence.count > 2 else { return }
    for place in 1..<sequence.count - 1 {
      let before = classes[sequence[place - 1]]
      guard before == classes[sequence[place + 1]] else { continue }
      switch (classes[sequence[place]], before) {
      case (.europeanSeparator, .european), (.commonSeparator, .european), (.commonSeparator, .arabicNumber):
        classes[sequence[place]] = before
      default: break
      }
    }
  }

  /// Applies rule W5: signs such as `%` and `$` beside a European number become part of it.
  private mutating func joinTerminators(_ sequence: [Int]) {
    var place = 0
    while place < sequence.count {
      guard classes[sequence[place]] == .europeanTerminator else {
        place += 1
        continue
      }
      var end = place
      while end < sequence.count, classes[sequence[end]] == .europeanTerminator { end += 1 }
      let isBeside =
        place > 0 && classes[sequence[place - 1]] == .european
        || end < sequence.count && classes[sequence[end]] == .european
      if isBeside {
        for joined in place..<end { classes[sequence[joined]] = .european }
      }
      place = end
    }
  }

  /// Returns the direction that a class has for the neutral characters beside it: numbers count as right to left.
  private func strength(_ found: BidiClass) -> BidiClass? {
    switch found {
    case .left: .left
    case .right, .european, .arabicNumber: .right
    default: nil
    }
  }

  /// Applies rule N0: both brackets of a pair get the direction of the text between them.
  private mutating func resolveBrackets(_ sequence: [Int], _ level: UInt8) {
    let own = direction(of: level)
    for (opening, closing) in BidiMirror.pairs(
      in: sequence.map { classes[$0] == .neutral ? scalars[$0] : " " }
    ) {
      var found: BidiClass?
      for place in opening + 1..<max(closing, opening + 1) {
        guard let inside = strength(classes[sequence[place]]) else { continue }
        found = inside
        if inside == own { break }
      }
      guard let found else { continue }
      var result = own
      if found != own {
        let before = sequence[..<opening].last { strength(classes[$0]) != nil }
        let context = before.flatMap { strength(classes[$0]) } ?? own
        if context == found { result = found }
      }
      for place in [opening, closing] {
        classes[sequence[place]] = result
        // Combining marks on a bracket get its direction.
        for next in sequence[(place + 1)...] {
          guard original[next] == .nonspacing else { break }
          classes[next] = result
        }
      }
    }
  }

  /// Applies rules N1 and N2: neutral characters between two texts of the same direction get that direction; others
  /// get the direction of the level.
  private mutating func resolveNeutral(_ sequence: [Int], _ level: UInt8) {
    let own = direction(of: level)
    var place = 0
    var before = own
    while place < sequence.count {
      if let strong = strength(classes[sequence[place]]) {
        before = strong
        place += 1
        continue
      }
      var end = place
      while end < sequence.count, strength(classes[sequence[end]]) == nil { end += 1 }
      let after = end < sequence.count ? strength(classes[sequence[end]]) ?? own : own
      for neutral in place..<end { classes[sequence[neutral]] = before == after ? before : own }
      place = end
    }
  }

  /// Applies rules I1 and I2: raises the level of numbers and of text that runs against the level's direction.
  private mutating func raise(_ sequence: [Int], _ level: UInt8) {
    for index in sequence {
      switch (level % 2, classes[index]) {
      case (0, .right): levels[index] = level + 1
      case (0, .arabicNumber), (0, .european): levels[index] = level + 2
      case (1, .left), (1, .arabicNumber), (1, .european): levels[index] = level + 1
      default: levels[index] = level
      }
    }
  }

  /// Applies rule L1: spaces at the end of the line and before tabs get the paragraph's level.
  private mutating func resetSpaces() {
    var isBeforeEnd = true
    for index in original.indices.reversed() {
      switch original[index] {
      case .segment, .paragraph:
        levels[index] = base
        isBeforeEnd = true
      case .space, .boundary, .isolate, .pop: if isBeforeEnd { levels[index] = base }
      default: isBeforeEnd = false
      }
    }
  }

  // MARK: - Order

  /// Returns the indexes of pieces of text from left to right, computed from the level of each (rule L2).
  static func order(_ levels: [UInt8]) -> [Int] {
    var order = Array(levels.indices)
    let highest = levels.max() ?? 0
    let lowest = levels.filter { $0 % 2 == 1 }.min() ?? highest + 1
    guard lowest <= highest else { return order }
    for level in (lowest...highest).reversed() {
      var start = 0
      while start < order.count {
        guard levels[order[start]] >= level else {
          start += 1
          continue
        }
        var end = start
        while end < order.count, levels[order[end]] >= level { end += 1 }
        order[start..<end].reverse()
        start = end
      }
    }
    return order
  }
}
