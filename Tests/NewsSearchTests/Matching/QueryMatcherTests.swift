import NewsSearch
import NewsCore
import SearchCases
import SeededRandom
import Testing

@Suite struct `Matching single items` {
  private static let subjects: [(id: String, subject: @Sendable () -> MatchSubject)] = {
    var subjects: [(String, @Sendable () -> MatchSubject)] = []
    for (number, feed) in SearchFixture.feeds.enumerated() {
      let stored = Feed(
        id: Feed.ID(rawValue: Int64(number + 1)),
        url: feed.url,
        title: feed.title,
        folder: feed.folder,
        position: number + 1
      )
      for item in feed.items {
        let id = item.id ?? ""
        subjects.append(
          (
            id,
            {
              let subject = MatchSubject(item, of: stored, at: SearchFixture.now)
              subject.isRead = SearchFixture.read.contains(id)
              subject.isStarred = SearchFixture.starred.contains(id)
              return subject
            }
          )
        )
      }
    }
    return subjects
  }()

  @Test(arguments: SearchCase.all)
  func `A query selects exactly the expected items`(_ example: SearchCase) throws {
    let parsed = try QueryParser.parse(example.query, now: SearchFixture.now)
    let matcher = try QueryMatcher(parsed.query)
    let found = Self.subjects.filter { matcher.matches($0.subject()) }.map(\.id)
    #expect(Set(found) == example.expected)
  }

  @Test func `The table of searches has enough queries and items, and expects only known items`() {
    #expect(SearchCase.all.count >= 60)
    #expect(SearchFixture.allIDs.count >= 20)
    #expect(SearchCase.all.allSatisfy { $0.expected.isSubset(of: SearchFixture.allIDs) })
  }

  @Test func `A saved search is resolved; cycles and exponential references are rejected`() throws {
    let saved: [String: Query] = [
      "linux": .text(TextMatch(text: "linux")), "a": .saved("b"), "b": .saved("a"),
    ]
    let matcher = try QueryMatcher(.saved("linux")) { saved[$0] }
    #expect(Self.subjects.filter { matcher.matches($0.subject()) }.map(\.id) == ["en-kernel"])
    #expect(throws: QueryError.self) { try QueryMatcher(.saved("a")) { saved[$0] } }
    #expect(throws: QueryError.self) { try QueryMatcher(.saved("none")) { saved[$0] } }
    // Each search refers twice to the next one.
    #expect(throws: QueryError.self) {
      try QueryMatcher(.saved("1")) { name in
        let next = Query.saved(String((Int(name) ?? 0) + 1))
        return name == "50" ? .all : .and([next, next])
      }
    }
  }

  @Test(arguments: 0..<20)
  func `Random runs of words of a text match the text as phrases`(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var phrases = 0
    for (id, make) in Self.subjects {
      let subject = make()
      let scalars = Array(subject.text.unicodeScalars)
      for _ in 0..<5 {
        // Drop the words at both ends, which the random range may have cut.
        let from = Int(random.next() % UInt64(scalars.count))
        let to = from + Int(random.next() % UInt64(scalars.count - from))
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars[from..<to])
        let words = String(view).split(separator: " ").dropFirst().dropLast().joined(separator: " ")
        let pattern = TermPattern(TextMatch(kind: .phrase, text: words))
        guard !pattern.isEmpty else { continue }
        phrases += 1
        #expect(subject.textWords.contains(CompiledPattern(pattern)), "\(id): \(words)")
      }
    }
    #expect(phrases >= Self.subjects.count)
  }
}
