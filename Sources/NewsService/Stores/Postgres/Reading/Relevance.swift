import NewsStoresShared
import NewsSearch
import Glibc
import NewsCore

/// Scores hits like the SQLite store: bm25 with k1 = 1.2 and b = 0.75. A hit in the title counts as much as 10,000 hits
/// in the text, a hit in the author as 500.
struct Relevance {
  /// Number of newest hits to score.
  static let candidates = 10_000
  /// How many of these are read at once at most, and how many bytes of text end that before.
  private static let (portion, portionBytes) = (500, 4 << 20)
  private static let weights = (text: 1.0, title: 10_000.0, author: 500.0)

  private struct Phrase {
    var field: TextMatch.Field
    var pattern: CompiledPattern
    var frequency: Double
  }

  /// The parts of a query that are scored.
  private indirect enum Node {
    case phrase(Phrase)
    case all([Node])
    case any([Node])
  }

  private let connection: Connection
  private let root: Node
  private let averageLength: Double

  init(_ query: Query, _ connection: Connection) throws(StoreError) {
    self.connection = connection
    let row = try connection.query("SELECT items, tokens FROM \(try connection.countersRow())").first
    let total = Double(row?.int64(0) ?? 0)
    averageLength = total > 0 ? Double(row?.int64(1) ?? 0) / total : 1
    root = try Self.node(query, of: total, connection)
  }

  private static func node(
    _ query: Query,
    of total: Double,
    _ connection: Connection
  ) throws(StoreError) -> Node {
    var nodes: [Node] = []
    switch query {
    case .text(let match):
      for spelling in match.spellings {
        if let phrase = try phrase(match, spelling, of: total, connection) { nodes.append(.phrase(phrase)) }
      }
      return .any(nodes)
    case .and(let parts):
      for part in parts {
        // Skip excluded words: no hit contains them.
        if case .not = part { continue }
        nodes.append(try node(part, of: total, connection))
      }
      return .all(nodes)
    case .or(let parts):
      for part in parts { nodes.append(try node(part, of: total, connection)) }
      return .any(nodes)
    default: return .all([])
    }
  }

  private static func phrase(
    _ match: TextMatch,
    _ spelling: String,
    of total: Double,
    _ connection: Connection
  ) throws(StoreError) -> Phrase? {
    let kind: TextMatch.Kind = match.kind == .prefix ? .prefix : .phrase
    let one = TextMatch(field: match.field, kind: kind, text: spelling)
    guard let words = WordQuery(.text(one)) else { return nil }
    let hits = Double(
      try connection.number("SELECT count(*) FROM words WHERE words @@ $1::tsquery", words.text) ?? 0
    )
    let frequency = log((total - hits + 0.5) / (hits + 0.5))
    return Phrase(
      field: match.field,
      pattern: CompiledPattern(TermPattern(one)),
      frequency: frequency <= 0 ? 1e-6 : frequency
    )
  }

  /// Sorts the places by score; equal scores keep the given order.
  func ranked(_ places: [Selection.Place]) throws(StoreError) -> [Selection.Place] {
    var scores: [Int64: Double] = [:]
    var start = 0
    while start < places.count {
      var part = places[start..<min(start + Self.portion, places.count)]
      part = part.prefix(try connection.fitting(part.map(\.id), Self.portionBytes))
      start += part.count
      for row in try connection.query(
        """
        SELECT i.id, i.title, c.author, c.text, w.length FROM items AS i JOIN contents AS c ON c.id = i.id
        JOIN words AS w ON w.id = i.id WHERE i.id = ANY($1::bigint[])
        """,
        StoreValue.array(part.map(\.id))
      ) {
        let texts = Texts(
          title: TokenizedText(row.string(1)),
          author: TokenizedText(row.string(2)),
          text: TokenizedText(row.string(3)),
          length: Double(row.int64(4))
        )
        scores[row.int64(0)] = score(root, texts)
      }
    }
    return places.enumerated().sorted { a, b in
      let (one, other) = (scores[a.element.id] ?? 0, scores[b.element.id] ?? 0)
      return one == other ? a.offset < b.offset : one > other
    }.map(\.element)
  }

  /// An item's words.
  private struct Texts {
    var title: TokenizedText
    var author: TokenizedText
    var text: TokenizedText
    /// The number of words of title, author and text together.
    var length: Double
  }

  /// Returns nil if the node does not match the item. The words of an alternative count only if the whole
  /// alternative matches, as in FTS5.
  private func score(_ node: Node, _ texts: Texts) -> Double? {
    switch node {
    case .phrase(let phrase): return score(phrase, texts)
    case .all(let nodes):
      var sum = 0.0
      for node in nodes {
        guard let score = score(node, texts) else { return nil }
        sum += score
      }
      return sum
    case .any(let nodes):
      let scores = nodes.compactMap { score($0, texts) }
      return scores.isEmpty ? nil : scores.reduce(0, +)
    }
  }

  private func score(_ phrase: Phrase, _ texts: Texts) -> Double? {
    let (k, b) = (1.2, 0.75)
    var count = 0.0
    if phrase.field != .author {
      count += Self.weights.title * Double(texts.title.ranges(of: phrase.pattern).count)
    }
    if phrase.field != .title {
      count += Self.weights.author * Double(texts.author.ranges(of: phrase.pattern).count)
    }
    if phrase.field == .any {
      count += Self.weights.text * Double(texts.text.ranges(of: phrase.pattern).count)
    }
    guard count > 0 else { return nil }
    return phrase.frequency * (count * (k + 1)) / (count + k * (1 - b + b * texts.length / averageLength))
  }
}
