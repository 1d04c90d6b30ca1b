import NewsSearch
import NewsCore
import SeededRandom
import Testing

@Suite struct `Regular expressions` {
  @Test(arguments: [
    ("apple", "An Apple a day", true), ("apple", "appl e", false), ("", "", true), ("", "x", true),
    ("a.c", "xabcx", true), ("a.c", "a\nc", false), ("^b", "a\nb", true), ("^b", "ab", false),
    ("a$", "a\nb", true), ("a\\z", "a\nb", false), ("\\Ab", "a\nb", false), ("^$", "", true),
    ("^$", "x", false),
    ("ab*c", "ac", true), ("ab+c", "ac", false), ("ab?c", "abbc", false), ("ab{2,3}c", "abbc", true),
    ("ab{2,3}c", "abbbbc", false), ("ab{2,}c", "abbbbc", true), ("ab{,1}c", "abbc", false),
    ("a{2}", "aa", true),
    ("x{a}", "x{a}", true), ("(ab|cd)+e", "abcde", true), ("(?:a|b)c", "bc", true), ("(?<n>a)b", "ab", true),
    ("a|", "zzz", true), ("[a-c]x", "BX", true), ("[^a-c]x", "bx", false), ("[]a]", "]", true),
    ("[a-]", "-", true),
    ("[[:digit:]]+%", "35%", true), ("[\\d.]+", "3.5", true), ("\\d{4}-\\d\\d", "on 2026-11", true),
    ("\\bcat\\b", "a cat.", true), ("\\bcat\\b", "concat", false), ("\\bcat\\b", "“cat”", true),
    ("\\bkätzchen\\b", "ein Kätzchen", true), ("\\Bcat", "concat", true), ("\\w+", "…", false),
    ("\\w+", "中", true),
    ("\\W", "中文", false), ("\\s", "a\u{A0}b", true), ("\\S", "  ", false), ("ÄPFEL", "äpfel", true),
    ("[а-я]+ь", "НОЯБРЬ", true), ("(?-i)Apple", "apple", false), ("(?-i)Apple", "Apple", true),
    ("(?-i:A)pple", "APPLE", true), ("(?-i:A)pple", "aPPLE", false), ("(a*)*b", "aaab", true),
    ("(a*)*b", "aaac", false),
    ("(|a)+b", "aab", true), ("\\x41\\u0042", "ab", true), ("\\x{4e2d}", "中", true), ("a\\.b", "axb", false),
    ("C\\+\\+", "c++", true), ("日.語", "日本語", true), ("^日本語$", "日本語", true), ("a.*?b", "a123b", true),
    ("\\/x", "/x", true),
  ])
  func `An expression matches or does not match a text as expected`(
    _ source: String,
    _ text: String,
    _ expected: Bool
  ) throws {
    #expect(try BoundedRegex(source).matches(text) == expected)
  }

  @Test(arguments: [
    "(", ")", "a(b", "[", "[a", "[z-a]", "*a", "+", "a{2,1}", "a{9999}", "(a)\\1", "(?=a)", "(?!a)", "(?<=a)",
    "\\",
    "\\q", "[[:foo:]]", "(?x)a", "a{1000}{1000}", "((a{100}){100}){100}", "((((){1000}){1000}){1000}){1000}",
    "\\xg",
    "{2}",
  ])
  func `An invalid expression is rejected with a message`(_ source: String) {
    let error = #expect(throws: RegexError.self) { try BoundedRegex(source) }
    #expect(error?.message.isEmpty == false)
  }

  @Test func `Groups that are nested too deeply are refused`() {
    let source = String(repeating: "(", count: 2000) + String(repeating: ")", count: 2000)
    #expect(throws: RegexError.self) { try BoundedRegex(source) }
  }

  @Test func `Expressions that make a backtracking engine take exponential time are evaluated`() throws {
    let text = String(repeating: "a", count: 20_000)
    #expect(try !BoundedRegex("(a+)+$b").matches(text))
    #expect(try !BoundedRegex("(a|aa)+c").matches(text))
    #expect(try !BoundedRegex("(.*a){30}b").matches(text))
    #expect(try BoundedRegex("(a?){100}a{100}").matches(text))
  }

  @Test func `The search for places of matches ends after its steps, however many a character takes`() throws
  {
    func found(_ source: String, steps: Int) throws -> Int {
      var text = String(repeating: "a", count: 1000) + "b" + String(repeating: "a", count: 10)
      let regex = try BoundedRegex(source)
      return text.withUTF8 { regex.ranges(in: $0, steps: steps).count }
    }
    #expect(try found("b", steps: 10_000) == 1)
    #expect(try found("b", steps: 500) == 0)
    #expect(try found("(a?){1000}b", steps: 20_000_000) == 1)
    #expect(try found("(a?){1000}b", steps: 100_000) == 0)
  }

  @Test func `A matcher still answers correctly after its state cache was cleared`() throws {
    // The matcher must know which of the last 14 characters were an a: 16,384 states.
    let regex = try BoundedRegex("a.{13}bc")
    let matcher = RegexMatcher(regex)
    var random = SeededRandom(seed: 7)
    for _ in 0..<40 {
      let letters: [UInt8] = (0..<2000).map { _ in [0x61, 0x62, 0x78][Int(random.next() % 3)] }
      #expect(!letters.withUnsafeBufferPointer { matcher.matches($0) })
      let hit = letters + Array("a1234567890123bc".utf8)
      #expect(hit.withUnsafeBufferPointer { matcher.matches($0) })
    }
  }

  @Test(arguments: 0..<20)
  func `Random expressions over random bytes neither trap nor hang`(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let pieces = [
      "a", "b", "(", ")", "[", "]", "^", "-", "*", "+", "?", "{2}", "|", "\\b", "\\w", ".", "$", "é", "\\",
      "1",
    ]
    var compiled = 0
    for _ in 0..<200 {
      let source = (0..<Int(random.next() % 10)).map { _ in pieces[Int(random.next() % UInt64(pieces.count))]
      }.joined()
      guard let regex = try? BoundedRegex(source) else { continue }
      compiled += 1
      let bytes = (0..<50).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      let matcher = RegexMatcher(regex)
      let first = bytes.withUnsafeBufferPointer { matcher.matches($0) }
      #expect(bytes.withUnsafeBufferPointer { matcher.matches($0) } == first)
    }
    #expect(compiled > 20)
  }
}
