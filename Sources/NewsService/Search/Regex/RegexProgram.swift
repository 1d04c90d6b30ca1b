import NewsToolbox

/// A regular expression compiled to instructions of an NFA.
struct RegexProgram: Sendable {
  enum Instruction: Sendable {
    /// Consumes one character of the set, then continues with the next instruction.
    case take(set: Int)
    case split(Int, Int)
    case jump(Int)
    case check(RegexAssertion)
    case accept
  }

  /// Limit on the instructions: matching takes at most this many steps per character.
  static let maximumInstructions = 4000

  private(set) var instructions: [Instruction] = []
  /// Equivalence classes of characters that no set distinguishes.
  private(set) var classes: ScalarClasses
  /// For each set and each class, whether the set contains the class.
  private(set) var members: [[Bool]] = []
  private(set) var hasChecks = false

  init(_ node: RegexNode) throws(RegexError) {
    var compiler = RegexCompiler()
    try compiler.emit(node)
    try compiler.append(.accept)
    instructions = compiler.instructions
    hasChecks = instructions.contains { if case .check = $0 { true } else { false } }
    classes = ScalarClasses(of: compiler.sets, checksWords: hasChecks)
    members = compiler.sets.map { [classes] set in classes.members(of: set) }
  }
}

/// Compiles nodes to instructions.
private struct RegexCompiler {
  var instructions: [RegexProgram.Instruction] = []
  var sets: [ScalarSet] = []
  private var steps = 0

  mutating func append(_ instruction: RegexProgram.Instruction) throws(RegexError) {
    instructions.append(instruction)
    try countStep()
    guard instructions.count <= RegexProgram.maximumInstructions else { throw RegexError.tooLarge }
  }

  /// Limits compile time: a repetition of an empty expression emits no instructions but still takes time.
  private mutating func countStep() throws(RegexError) {
    steps += 1
    guard steps <= RegexProgram.maximumInstructions * 4 else { throw RegexError.tooLarge }
  }

  mutating func emit(_ node: RegexNode) throws(RegexError) {
    try countStep()
    switch node {
    case .empty:
      break
    case .set(let set):
      sets.append(set)
      try append(.take(set: sets.count - 1))
    case .assertion(let assertion):
      try append(.check(assertion))
    case .sequence(let parts):
      for part in parts { try emit(part) }
    case .choice(let branches):
      try emitChoice(branches[...])
    case .repetition(let inner, let least, let most):
      try emitRepetition(inner, least, most)
    }
  }

  private mutating func emitChoice(_ branches: ArraySlice<RegexNode>) throws(RegexError) {
    var jumps: [Int] = []
    for (offset, branch) in branches.enumerated() {
      guard offset < branches.count - 1 else {
        try emit(branch)
        break
      }
      let split = instructions.count
      try append(.split(split + 1, split + 1))
      try emit(branch)
      jumps.append(instructions.count)
      try append(.jump(0))
      instructions[split] = .split(split + 1, instructions.count)
    }
    for jump in jumps { instructions[jump] = .jump(instructions.count) }
  }

  private mutating func emitRepetition(_ inner: RegexNode, _ least: Int, _ most: Int?) throws(RegexError) {
    for _ in 0..<least { try emit(inner) }
    guard let most else {
      let split = instructions.count
      try append(.split(split + 1, split + 1))
      try emit(inner)
      try append(.jump(split))
      instructions[split] = .split(split + 1, instructions.count)
      return
    }
    var splits: [Int] = []
    for _ in least..<max(most, least) {
      splits.append(instructions.count)
      try append(.split(instructions.count + 1, 0))
      try emit(inner)
    }
    for split in splits { instructions[split] = .split(split + 1, instructions.count) }
  }
}

/// Divides all characters into few classes whose members the expression treats alike.
struct ScalarClasses: Sendable {
  /// Starts of the segments in ascending order; the first is 0. A class is a segment combined with whether its
  /// characters are word characters.
  private let borders: [UInt32]
  private let usesWords: Bool
  /// The class of each ASCII character.
  private let ascii: [UInt16]

  init(of sets: [ScalarSet], checksWords: Bool) {
    var all: Set<UInt32> = [0, 0x0A, 0x0B]
    for set in sets {
      for range in set.ranges {
        all.insert(range.lowerBound)
        all.insert(range.upperBound + 1)
      }
    }
    let borders = all.sorted()
    let usesWords = checksWords || sets.contains { $0.hasWord || $0.hasNonWord }
    self.borders = borders
    self.usesWords = usesWords
    ascii = (0..<128).map { value in
      Self.number(UInt32(value), borders, usesWords && Self.isWord(UInt32(value)))
    }
  }

  var count: Int { borders.count * 2 }

  @inline(__always)
  func number(ofASCII byte: UInt8) -> Int { Int(ascii[Int(byte)]) }

  func number(of scalar: ClassifiedScalar) -> Int {
    Int(Self.number(scalar.scalar, borders, usesWords && Self.isWord(scalar)))
  }

  func isWord(_ number: Int) -> Bool { number & 1 == 1 }
  func isNewline(_ number: Int) -> Bool { borders[number >> 1] == 0x0A }

  func members(of set: ScalarSet) -> [Bool] {
    (0..<count).map { number in
      let first = borders[number >> 1]
      let isWord = number & 1 == 1
      let isIn =
        set.ranges.contains { $0.contains(first) } || (set.hasWord && isWord) || (set.hasNonWord && !isWord)
      return isIn != set.isNegated
    }
  }

  private static func number(_ scalar: UInt32, _ borders: [UInt32], _ isWord: Bool) -> UInt16 {
    var low = 0
    var high = borders.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if borders[middle] <= scalar { low = middle } else { high = middle }
    }
    return UInt16(low << 1 | (isWord ? 1 : 0))
  }

  private static func isWord(_ ascii: UInt32) -> Bool {
    ascii == 0x5F || ASCII.isWord(UInt8(truncatingIfNeeded: ascii))
  }

  private static func isWord(_ scalar: ClassifiedScalar) -> Bool {
    switch scalar.kind {
    case .separator, .symbol, .regional, .apostrophe, .nonJoiner: false
    default: true
    }
  }
}
