extension BoundedRegex {
  /// How many instructions may run to mark the matches in one text.
  public static let markingSteps = 2_000_000

  /// Returns the matches as non-overlapping byte ranges, leftmost-longest; empty matches are omitted. Slower than
  /// `matches`: use it only for texts that are displayed. Ends after `steps` instructions of the program, some
  /// milliseconds: a hostile expression runs thousands for each character.
  public func ranges(
    in text: UnsafeBufferPointer<UInt8>,
    limit: Int = 100,
    steps: Int = BoundedRegex.markingSteps
  ) -> [Range<Int>] {
    var search = RegexRangeSearch(program: program, steps: steps)
    return search.run(text, limit: limit)
  }
}

/// Simulates all NFA threads in parallel; each carries the earliest start of its match.
private struct RegexRangeSearch {
  let program: RegexProgram
  private var steps: Int
  private var current: [(place: Int, start: Int)] = []
  private var starts: [Int]
  private var order: [Int] = []
  private var stack: [(place: Int, start: Int)] = []
  private var best: Range<Int>?

  init(program: RegexProgram, steps: Int) {
    self.program = program
    self.steps = steps
    starts = Array(repeating: .max, count: program.instructions.count)
  }

  mutating func run(_ text: UnsafeBufferPointer<UInt8>, limit: Int) -> [Range<Int>] {
    guard let base = text.baseAddress, limit > 0 else { return [] }
    var found: [Range<Int>] = []
    var afterWord = false
    var atLineStart = true
    var at = 0
    while at <= text.count, found.count < limit, steps > 0 {
      var kind: Int?
      var length = 1
      if at < text.count {
        let scalar = UnicodeTables.classify(base + at, text.count - at)
        kind = program.classes.number(of: scalar)
        length = scalar.length
      }
      let context = RegexContext(
        afterWord: afterWord,
        atLineStart: atLineStart,
        atTextStart: at == 0,
        isWord: kind.map(program.classes.isWord) ?? false,
        isLineEnd: kind.map(program.classes.isNewline) ?? true,
        isTextEnd: kind == nil
      )
      // After a match, start no new thread: only matches with the same start and a later end, or with an
      // earlier start, can replace it.
      if best == nil { current.append((0, at)) }
      step(context, kind, at)
      if let match = best, current.isEmpty {
        found.append(match)
        best = nil
        // Threads that started inside the match end with it; the search continues after it.
        if match.upperBound <= at {
          at = match.upperBound
          (afterWord, atLineStart) = contextBefore(at, base)
          continue
        }
      }
      afterWord = context.isWord
      atLineStart = kind.map(program.classes.isNewline) ?? false
      at += length
    }
    return found
  }

  /// Follows all instructions that consume no character, then consumes the character of class `kind`.
  private mutating func step(_ context: RegexContext, _ kind: Int?, _ at: Int) {
    for thread in current {
      stack.append(thread)
      while steps > 0, let (place, start) = stack.popLast() {
        guard start < starts[place] else { continue }
        // An instruction may run again, for a thread with an earlier start.
        steps -= 1
        if starts[place] == .max { order.append(place) }
        starts[place] = start
        switch program.instructions[place] {
        case .accept: accept(start, at)
        case .jump(let to): stack.append((to, start))
        case .split(let a, let b):
          stack.append((b, start))
          stack.append((a, start))
        case .check(let assertion):
          if context.holds(assertion) { stack.append((place + 1, start)) }
        case .take: break
        }
      }
    }
    current.removeAll(keepingCapacity: true)
    for place in order {
      let start = starts[place]
      starts[place] = .max
      guard case .take(let set) = program.instructions[place], let kind, program.members[set][kind] else {
        continue
      }
      if let best, start > best.lowerBound { continue }
      current.append((place + 1, start))
    }
    order.removeAll(keepingCapacity: true)
  }

  private mutating func accept(_ start: Int, _ end: Int) {
    guard end > start else { return }
    guard let known = best else {
      best = start..<end
      return
    }
    if start < known.lowerBound || (start == known.lowerBound && end > known.upperBound) {
      best = start..<end
    }
  }

  /// Returns whether the character before `at` is a word character, and whether it is a newline.
  private func contextBefore(_ at: Int, _ base: UnsafePointer<UInt8>) -> (Bool, Bool) {
    var start = at - 1
    while start > 0, base[start] & 0xC0 == 0x80, at - start < 4 { start -= 1 }
    guard start >= 0 else { return (false, true) }
    let kind = program.classes.number(of: UnicodeTables.classify(base + start, at - start))
    return (program.classes.isWord(kind), program.classes.isNewline(kind))
  }
}

/// The classes of the characters before and after a position.
private struct RegexContext {
  var afterWord: Bool
  var atLineStart: Bool
  var atTextStart: Bool
  var isWord: Bool
  var isLineEnd: Bool
  var isTextEnd: Bool

  func holds(_ assertion: RegexAssertion) -> Bool {
    switch assertion {
    case .lineStart: atLineStart
    case .lineEnd: isLineEnd
    case .textStart: atTextStart
    case .textEnd: isTextEnd
    case .wordBorder: afterWord != isWord
    case .noWordBorder: afterWord == isWord
    }
  }
}
