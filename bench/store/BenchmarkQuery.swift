import NewsCore
import NewsSQLite

/// A query to the store, and the best SQL for the same answer from the reference database.
struct BenchmarkQuery {
  var name: String
  var arguments: [String]
  var request: ItemRequest
  var isCount = false
  var sql: String

  private static let columns = "i.id, i.published, i.feed, i.title, i.url"

  private static func search(_ match: String, limit: Int) -> String {
    // The reference's ids are also in time order, so index order is its best plan too.
    """
    SELECT \(columns) FROM search JOIN items AS i ON i.id = search.rowid WHERE search MATCH '\(match)'
    ORDER BY search.rowid DESC LIMIT \(limit)
    """
  }

  static func all(common: String, second: String, total: Int) -> [BenchmarkQuery] {
    func word(_ text: String, _ kind: TextMatch.Kind = .word, _ field: TextMatch.Field = .any) -> Query {
      .text(TextMatch(field: field, kind: kind, text: text))
    }
    func page(_ query: Query, _ offset: Int = 0, _ order: ItemOrder = .newest) -> ItemRequest {
      ItemRequest(query: query, order: order, offset: offset, limit: 20, parts: [])
    }
    let tsv = ["--format", "tsv", "-n", "20"]
    let last = min(999 * 20, max(total - 20, 0))
    return [
      BenchmarkQuery(
        name: "rare word",
        arguments: ["search"] + tsv + [Generator.rareWord],
        request: page(word(Generator.rareWord)),
        sql: search(Generator.rareWord, limit: 20)
      ),
      BenchmarkQuery(
        name: "common word, newest",
        arguments: ["search"] + tsv + [common],
        request: page(word(common)),
        sql: search(common, limit: 20)
      ),
      BenchmarkQuery(
        name: "phrase",
        arguments: ["search"] + tsv + ["\"\(common) \(second)\""],
        request: page(word("\(common) \(second)", .phrase)),
        sql: search("\"\(common) \(second)\"", limit: 20)
      ),
      BenchmarkQuery(
        name: "two Chinese characters",
        arguments: ["search"] + tsv + [Generator.hanPair],
        request: page(word(Generator.hanPair)),
        sql: search("\(Generator.hanPair)*", limit: 20)
      ),
      BenchmarkQuery(
        name: "field filter",
        arguments: ["search"] + tsv + ["title:\(common)"],
        request: page(word(common, .word, .title)),
        sql: search("title : \(common)", limit: 20)
      ),
      BenchmarkQuery(
        name: "one feed",
        arguments: ["list"] + tsv + ["--feed", "7"],
        request: page(.feedID(Feed.ID(rawValue: 7))),
        sql: "SELECT \(columns) FROM items AS i WHERE feed = 7 ORDER BY published DESC LIMIT 20"
      ),
      BenchmarkQuery(
        name: "list, page 1",
        arguments: ["list"] + tsv,
        request: page(.all),
        sql: "SELECT \(columns) FROM items AS i ORDER BY published DESC, id DESC LIMIT 20"
      ),
      BenchmarkQuery(
        name: "list, page 1,000",
        arguments: ["list"] + tsv + ["--page", "1000"],
        request: page(.all, last),
        sql: """
          SELECT \(columns) FROM (SELECT id FROM items ORDER BY published DESC, id DESC LIMIT 20 OFFSET \(last)) AS p
          JOIN items AS i ON i.id = p.id
          """
      ),
      BenchmarkQuery(
        name: "common word, count",
        arguments: ["search", "--count", common],
        request: ItemRequest(query: word(common)),
        isCount: true,
        sql: "SELECT count(*) FROM search WHERE search MATCH '\(common)'"
      ),
      BenchmarkQuery(
        name: "common word, relevance",
        arguments: ["search"] + tsv + ["--sort", "relevance", common],
        request: page(word(common), 0, .relevance),
        sql: """
          SELECT \(columns) FROM search JOIN items AS i ON i.id = search.rowid WHERE search MATCH '\(common)'
          ORDER BY rank LIMIT 20
          """
      ),
    ]
  }

  /// Returns the milliseconds to open the store and answer, the best of several runs.
  func measure(_ path: String) async throws -> Double {
    let clock = ContinuousClock()
    var shortest = Double.infinity
    for _ in 0..<7 {
      let start = clock.now
      let store = try NewsStore(path: path)
      if isCount {
        _ = try await store.count(request)
      } else {
        _ = try await store.items(request)
      }
      shortest = min(shortest, milliseconds(clock.now - start))
    }
    return shortest
  }
}
