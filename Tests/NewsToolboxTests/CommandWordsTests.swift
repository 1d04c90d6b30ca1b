import NewsToolbox
import Testing

@Suite struct `Command lines` {
  @Test(arguments: [
    ("mail -s 'a b' you@example.org", ["mail", "-s", "a b", "you@example.org"]),
    ("  a\tb\nc  ", ["a", "b", "c"]),
    (#"a\ b "c \"d\" \x" ''"#, ["a b", #"c "d" \x"#, ""]),
    (#"x'y'"z""#, ["xyz"]),
    ("$(id) `id` *.c ; | > f", ["$(id)", "`id`", "*.c", ";", "|", ">", "f"]),
  ])
  func `Words are split as a shell splits them, and nothing is expanded`(_ line: String, _ words: [String])
    throws
  {
    #expect(try CommandWords.split(line) == words)
  }

  @Test(arguments: ["", "  ", "'a", "\"a", "a\\", "''"])
  func `A command line with an open quote, a final backslash or no program is refused`(_ line: String) {
    #expect(throws: CommandWords.Problem.self) { try CommandWords.split(line) }
  }
}
