import Glibc
import NewsCore

/// Scores hits as a store in a file does: bm25 with k1 = 1.2 and b = 0.75, a hit in the title weighs more than any number
/// of hits in the text, the author is in between.
struct Relevance {
  /// Number of newest hits to score.
  static let candidates = 10_000
  private static let portion = 500
  private static let weights = (text: 1.0, title: 10_000.0, author: 500.0)

  private struct Phrase {
    var field: TextMatch.Field
    var pattern: CompiledPattern
    var frequency: Double
  }

  private let connection: Connection
  private var phrases: [Phrase] = []
  private let averageLength: Double

  init(_ query: Query, _ connection: Connection) throws(StoreError) {
    self.connection = connection
    let row = try connection.query("SELECT items, tokens FROM store").first
    let total = Double(row?.int64(0) ?? 0)
    averageLength = total > 0 ? Double(row?.int64(1) ?? 0) / total : 1
    var matches: [TextMatch] = []
    Self.collect(query, &matches)
    for match in matches {
      for spelling in match.spellings {
        let one = TextMatch(
          field: match.field,
          kind: match.kind == .prefix ? .prefix : .phrase,
          text: spelling
        )
        guard let words = WordQuery(.text(one)) else { continue }
        let hits = Double(
          try connection.integer("SELECT count(*) FROM words WHERE words @@ $1::tsquery", words.text) ?? 0
        )
        let frequency = log((total - hits + 0.5) / (hits + 0.5))
        phrases.append(
          Phrase(
            field: match.field,
            pattern: CompiledPattern(TermPattern(one)),
            frequency: frequency <= 0 ? 1e-6 : frequency
          )
        )
      }
    }
  }

  private static func collect(_ query: Query, _ matches: inout [TextMatch]) {
    switch query {
    case .text(let match): matches.append(match)
    case .and(let parts), .or(let parts): for part in parts { collect(part, &matches) }
    default: break
    }
  }

  /// The places by score; equal ones in the given order.
  func ranked(_ places: [Selection.Place]) throws(StoreError) -> [Selection.Place] {
    var scores: [Int64: Double] = [:]
    var start = 0
    while start < places.count {
      let part = places[start..<min(start + Self.portion, places.count)]
      start += part.count
      for row in try connection.query(
        """
        SELECT i.id, i.title, c.author, c.text, w.length FROM items AS i JOIN contents AS c ON c.id = i.id
        JOIN words AS w ON w.id = i.id WHERE i.id = ANY($1::bigint[])
        """,
        Parameter.array(part.map(\.id))
      ) {
        scores[row.int64(0)] = score(
          title: TokenizedText(row.string(1)),
          author: TokenizedText(row.string(2)),
          text: TokenizedText(row.string(3)),
          length: Double(row.int64(4))
        )
      }
    }
    return places.enumerated().sorted { a, b in
      let (one, other) = (scores[a.element.id] ?? 0, scores[b.element.id] ?? 0)
      return one == other ? a.offset < b.offset : one > other
    }.map(\.element)
  }

  private func score(title: TokenizedText, author: TokenizedText, text: TokenizedText, length: Double)
    -> Double
  {
    let (k, b) = (1.2, 0.75)
    var score = 0.0
    for phrase in phrases {
      var count = 0.0
      if phrase.field != .author {
        count += Self.weights.title * Double(title.ranges(of: phrase.pattern).count)
      }
      if phrase.field != .title {
        count += Self.weights.author * Double(author.ranges(of: phrase.pattern).count)
      }
      if phrase.field == .any { count += Self.weights.text * Double(text.ranges(of: phrase.pattern).count) }
      score += phrase.frequency * (count * (k + 1)) / (count + k * (1 - b + b * length / averageLength))
    }
    return score
  }
}
