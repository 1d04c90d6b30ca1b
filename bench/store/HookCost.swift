import Glibc
import NewsCore
import NewsSQLite
import NewsStoresShared

/// Measures what hooks cost while items are stored: without hooks each transaction reads one empty table; with them each
/// item is compared with each query, and those selected are written to the outbox in the same transaction.
enum HookCost {
  private static let items = 10_000

  private static func hook(_ number: Int, _ query: String) -> Hook {
    var hook = Hook(name: "h\(number)", target: .exec(["true"]))
    hook.query = query
    return hook
  }

  static func measure(in directory: String) async throws {
    var all: [([(id: Int64, feed: Int64, item: ParsedItem)], Int64)] = []
    let generator = Generator(seed: 6, meanLength: 3_000, scripts: .latin)
    try await generate(items, generator) { items, time in all.append((items, time)) }
    // Ten hooks as users have them: most select little.
    let ten =
      (1...7).map { hook($0, "title:\(generator.word(rank: 100 * $0)) OR title:\"two words\"") }
      + [hook(8, "feed:\"Feed 7\""), hook(9, "has:enclosure"), hook(10, generator.word(rank: 2_000))]
    let cases: [(name: String, hooks: [Hook])] = [
      ("no hook", []), ("one hook for every item", [hook(1, "")]), ("ten hooks", ten),
    ]
    var costs = cases.map { _ in Cost() }
    for round in 0..<3 {
      for (place, entry) in cases.enumerated() {
        let path = "\(directory)/hooks\(round)-\(place).db"
        let store = try await makeStore(path)
        try await store.register(entry.hooks, isComplete: true)
        // The first document of a feed is its backlog, for which hooks do not fire.
        var item = ParsedItem()
        item.id = "first"
        item.title = "The first item"
        let first = (1...100).map { (id: Int64(-$0), feed: Int64($0), item: item) }
        _ = try await store.commit(records(first[...], at: firstTime - 1))
        let meter = Meter()
        for (items, time) in all { _ = try await store.commit(records(items[...], at: time)) }
        costs[place].improve(meter)
        await store.close()
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
      }
    }
    print("inserting \(items) items with hooks, by processor time")
    for (place, entry) in cases.enumerated() {
      let name = entry.name + String(repeating: " ", count: 28 - entry.name.count)
      print("  \(name)\(rounded(costs[place].processor / costs[0].processor, 3))")
    }
  }
}
