/// A regular expression that matches in time linear in the text, whatever the expression.
///
/// The syntax is the common subset of POSIX and PCRE: characters, `.`, sets (`[a-z]`, `[^…]`, `[[:alpha:]]`), `\d \w \s`
/// and their negations, `\b \B`, `^` and `$` (start and end of a line), `\A \z`, groups, `|`, `* + ? {m,n}` (also
/// lazy). Case-insensitive, except after `(?-i)` and in groups with `(?-i:`. Back-references and lookaround
/// are not supported, because their time cannot be bounded.
public struct BoundedRegex: Sendable {
  let program: RegexProgram
  public let source: String

  /// Compiles an expression. The error's message states what is wrong with it.
  public init(_ source: String) throws(RegexError) {
    guard source.utf8.count <= 4096 else { throw RegexError.tooLarge }
    program = try RegexProgram(RegexParser.parse(source))
    self.source = source
  }

  /// True when the expression matches somewhere in `text`. To match many texts, reuse a `RegexMatcher`.
  public func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { RegexMatcher(self).matches($0) }
  }
}

/// Matches one expression against many texts. Builds a DFA lazily and caches its states in bounded memory, so that most
/// characters cost one table look-up. Not thread-safe.
public final class RegexMatcher {
  private let program: RegexProgram
  private var states: [State] = []
  private var numbers: [State: Int32] = [:]
  /// For each state and class the next state, `unknown` or `accepted`.
  private var transitions: [Int32] = []
  private let classCount: Int
  private let maximumStates: Int

  private static let unknown: Int32 = -1
  private static let accepted: Int32 = -2

  /// A state of the DFA: the NFA instructions that are reached before the next character is read.
  private struct State: Hashable {
    /// Instruction numbers in ascending order.
    var places: [Int32]
    /// Flags of the previous character: part of a word, newline, or none (start of the text).
    var afterWord = false
    var atLineStart = true
    var atTextStart = true
  }

  // Buffers of `advance`, reused to avoid allocation.
  private var marks: [UInt32]
  private var mark: UInt32 = 0
  private var stack: [Int32] = []
  /// Number of times the cache was cleared.
  private var generation = 0

  public init(_ regex: BoundedRegex) {
    program = regex.program
    classCount = program.classes.count + 1
    maximumStates = max(16, min(2000, (1 << 20) / classCount))
    marks = Array(repeating: 0, count: program.instructions.count)
    _ = number(of: State(places: [], atTextStart: true))
  }

  /// True when the expression matches somewhere in the text. Bytes that are not valid UTF-8 match only `.` and negated
  /// sets.
  public func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var state: Int32 = 0
    if let base = text.baseAddress {
      var at = 0
      while at < text.count {
        let kind: Int
        let byte = base[at]
        if byte < 0x80 {
          kind = program.classes.number(ofASCII: byte)
          at += 1
        } else {
          let scalar = UnicodeTables.classify(base + at, text.count - at)
          kind = program.classes.number(of: scalar)
          at += scalar.length
        }
        var next = transitions[Int(state) * classCount + kind]
        if next == Self.unknown { next = advance(state, kind) }
        if next == Self.accepted { return true }
        state = next
      }
    }
    let last = transitions[Int(state) * classCount + classCount - 1]
    return (last == Self.unknown ? advance(state, classCount - 1) : last) == Self.accepted
  }

  /// Computes and caches one transition. The last class is the end of the text.
  private func advance(_ number: Int32, _ kind: Int) -> Int32 {
    let isEnd = kind == classCount - 1
    let from = states[Int(number)]
    let isWord = !isEnd && program.classes.isWord(kind)
    let isNewline = !isEnd && program.classes.isNewline(kind)
    nextMark()
    var reached: [Int32] = []
    var isAccepted = false
    stack.append(0)
    stack.append(contentsOf: from.places)
    while let place = stack.popLast() {
      guard marks[Int(place)] != mark else { continue }
      marks[Int(place)] = mark
      switch program.instructions[Int(place)] {
      case .accept:
        isAccepted = true
      case .jump(let to):
        stack.append(Int32(to))
      case .split(let a, let b):
        stack.append(Int32(b))
        stack.append(Int32(a))
      case .take(let set):
        if !isEnd, program.members[set][kind] { reached.append(place + 1) }
      case .check(let assertion):
        let holds: Bool =
          switch assertion {
          case .lineStart: from.atLineStart
          case .lineEnd: isEnd || isNewline
          case .textStart: from.atTextStart
          case .textEnd: isEnd
          case .wordBorder: from.afterWord != isWord
          case .noWordBorder: from.afterWord == isWord
          }
        if holds { stack.append(place + 1) }
      }
    }
    let next: Int32
    if isAccepted {
      next = Self.accepted
    } else if isEnd {
      // At the end of the text no state follows; any value other than `accepted` will do.
      next = 0
    } else {
      let hasChecks = program.hasChecks
      let generationBefore = generation
      next = self.number(
        of: State(
          places: reached.sorted(),
          afterWord: hasChecks && isWord,
          atLineStart: !hasChecks || isNewline,
          atTextStart: !hasChecks
        )
      )
      // The cache was cleared, and the source state with it: there is nothing to update.
      if generation != generationBefore { return next }
    }
    transitions[Int(number) * classCount + kind] = next
    return next
  }

  private func nextMark() {
    mark &+= 1
    guard mark == 0 else { return }
    marks = Array(repeating: 0, count: marks.count)
    mark = 1
  }

  private func number(of state: State) -> Int32 {
    if let known = numbers[state] { return known }
    if states.count >= maximumStates {
      // The cache is full: clear it except for the start state.
      generation &+= 1
      let first = states[0]
      states = [first]
      numbers = [first: 0]
      transitions = Array(repeating: Self.unknown, count: classCount)
      if state == first { return 0 }
    }
    let number = Int32(states.count)
    states.append(state)
    numbers[state] = number
    transitions.append(contentsOf: repeatElement(Self.unknown, count: classCount))
    return number
  }
}
