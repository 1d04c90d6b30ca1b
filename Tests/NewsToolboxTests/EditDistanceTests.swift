import NewsToolbox
import Testing

@Suite struct `Edit distance` {
  private let commands = ["list", "show", "search", "follow", "feeds", "fetch", "status", "prune", "parse"]

  @Test(arguments: [
    ("serach", "search"), ("lst", "list"), ("Fetsh", "fetch"), ("stat", "status"), ("prun", "prune"),
    ("sho", "show"),
  ])
  func `The nearest name comes first`(_ typed: String, _ expected: String) {
    #expect(EditDistance.suggestions(for: typed, among: commands).first == expected)
  }

  @Test func `Without a similar name there is no suggestion`() {
    #expect(EditDistance.suggestions(for: "xyzzy", among: commands).isEmpty)
    #expect(EditDistance.suggestions(for: "", among: commands).isEmpty)
    #expect(EditDistance.suggestions(for: "a", among: ["b", "c"]).isEmpty)
  }

  @Test func `The question 'Did you mean' lists the suggestions`() {
    #expect(EditDistance.question([]) == "")
    #expect(EditDistance.question(["a"]) == " Did you mean a?")
    #expect(EditDistance.question(["a", "b", "c"]) == " Did you mean a, b or c?")
  }
}
