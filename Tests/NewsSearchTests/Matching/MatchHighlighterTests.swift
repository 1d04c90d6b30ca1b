import NewsSearch
import NewsCore
import Testing

/// Renders the text with matches in brackets.
private func spelled(_ marked: MarkedText?) -> String? {
  marked.map { text in text.runs.map { $0.isMatch ? "[\($0.text)]" : $0.text }.joined() }
}

private func highlighter(_ query: String) throws -> MatchHighlighter {
  MatchHighlighter(try QueryParser.parse(query, now: Timestamp(seconds: 0)).query)
}

@Suite struct `Marking matches` {
  @Test func `The expressions of one query share the steps that marking may take`() throws {
    let text = String(repeating: "b", count: 200_000) + "z"
    #expect(try highlighter("/z/").excerpt(text) != nil)
    let others = (0..<40).map { " OR /y\($0)/" }.joined()
    #expect(try highlighter("/z/" + others).excerpt(text) == nil)
    #expect(try highlighter("/b/" + others).excerpt(text) != nil)
  }

  @Test func `Of a title as long as a book, the beginning is marked`() throws {
    let title = String(repeating: "a ", count: 30_000) + "z"
    let marked = try #require(try highlighter("a").title(title))
    #expect(marked.runs.count { $0.isMatch } == 500)
    #expect(marked.runs.map(\.text).joined() == title)
    #expect(try highlighter("z").title(title) == nil)
    #expect(try highlighter("z").excerpt(String(repeating: title, count: 20)) == nil)
  }

  @Test func `Words of long texts are found, also beside others with the same beginning`() {
    let text = (0..<200_000).map { "word\($0)" }.joined(separator: " ")
    let words = TokenizedText(text)
    for number in [0, 7, 123_456, 199_999] {
      let ranges = words.ranges(of: CompiledPattern(TermPattern("word\(number)")))
      #expect(
        ranges.map { String(decoding: text.utf8.dropFirst($0.lowerBound).prefix($0.count), as: UTF8.self) }
          == ["word\(number)"]
      )
    }
    #expect(!words.contains(CompiledPattern(TermPattern("word200000"))))
  }

  @Test(arguments: [
    ("apple", "An Apple a day", "An [Apple] a day"),
    ("app*", "An Apple a day", "An [Apple] a day"),
    ("\"a day\"", "An Apple a day", "An Apple [a day]"),
    ("muller", "Jörg Müller zieht", "Jörg [Müller] zieht"),
    ("京大", "北京大学的报告", "北[京大]学的报告"),
    ("京", "北京大学", "北[京]大学"),
    ("C++", "On C++: more", "On [C++]: more"),
    ("6.3", "Linux 6.3.1 out", "Linux [6.3].1 out"),
    ("an day -apple", "An Apple a day", "[An] Apple a [day]"),
    ("title:day OR author:apple", "An Apple a day", "An Apple a [day]"),
    ("/a[pn]+/", "An Apple a day", "[An] [App]le a day"),
    ("/\\bd\\w+/ an", "An Apple a day", "[An] Apple a [day]"),
  ])
  func `Matches in a title are marked`(_ query: String, _ title: String, _ expected: String) throws {
    #expect(spelled(try highlighter(query).title(title)) == expected)
  }

  @Test func `Without a match the result is nil`() throws {
    let none = try highlighter("pear title:worm")
    #expect(none.title("An Apple a day") == nil)
    #expect(none.excerpt("An Apple a worm") == nil)
    #expect(try highlighter("is:read -apple").title("An apple") == nil)
  }

  @Test func `An excerpt shows the part with the most terms of the query`() throws {
    let filler = String(repeating: "lorem ipsum dolor sit amet ", count: 30)
    let text = "One apple here. \(filler)Then apple and pear meet\n\nin the   garden. \(filler)pear."
    let excerpt = try #require(try highlighter("apple pear").excerpt(text, length: 80))
    let shown = try #require(spelled(excerpt))
    #expect(shown.contains("Then [apple] and [pear] meet in the garden."))
    #expect(shown.hasPrefix("…"))
    #expect(shown.hasSuffix("…"))
    #expect(!shown.contains("  "))
    #expect(excerpt.plain.unicodeScalars.count <= 82)
    // The excerpt is cut between words.
    #expect(text.contains(excerpt.plain.dropFirst().prefix(5)))
    let first = try #require(excerpt.plain.dropFirst().split(separator: " ").first)
    #expect(["lorem", "ipsum", "dolor", "sit", "amet", "Then"].contains(first))
  }

  @Test func `The excerpt of a short text is the full text`() throws {
    #expect(spelled(try highlighter("pear").excerpt("A pear.\n")) == "A [pear].")
    #expect(spelled(try highlighter("/r\\s$/").excerpt("A pear ")) == "A pea[r ]")
  }

  @Test func `A text without spaces is cut between characters`() throws {
    let text = String(repeating: "東京都内", count: 200) + "タワー" + String(repeating: "の話題が", count: 200)
    let excerpt = try #require(try highlighter("タワー").excerpt(text, length: 40))
    #expect(spelled(excerpt)?.contains("[タワー]") == true)
    #expect(excerpt.plain.unicodeScalars.count <= 42)
    #expect(!excerpt.plain.contains("\u{FFFD}"))
  }

  @Test func `A text with many matches gives an excerpt of normal length`() throws {
    let text = String(repeating: "apple ", count: 50_000)
    let excerpt = try #require(try highlighter("apple app* /a.*e/").excerpt(text))
    #expect(excerpt.plain.unicodeScalars.count <= 162)
  }
}
