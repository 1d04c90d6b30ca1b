import Glibc
import NewsCore
import NewsSQLite
import NewsStoresShared

/// Compares the store with plain SQLite: insertion time, index size, and query time.
///
///     store-bench [NEWSD] [--items N] [--directory DIR] [--keep] [--queries-only]
///
/// NEWSD is the built program; without it, queries are measured only in this process. The data is generated
/// from fixed seeds in DIR or a temporary directory; the databases are removed at the end without `--keep`.
/// Most figures are ratios within one run, some are times.

var program: String?
var itemCount = 100_000
var directory: String?
var keeps = false
var measuresInsertion = true
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
  switch argument {
  case "--items": itemCount = arguments.popFirst().flatMap { Int($0) } ?? itemCount
  case "--directory": directory = arguments.popFirst()
  case "--keep": keeps = true
  case "--queries-only": measuresInsertion = false
  default: program = argument
  }
}

func size(_ path: String) -> Int64 {
  var status = stat()
  return stat(path, &status) == 0 ? Int64(status.st_size) : 0
}

func insertion(in directory: String) async throws {
  let generator = Generator(seed: 1, meanLength: 3_000, scripts: .latin)
  var all: [([(id: Int64, feed: Int64, item: ParsedItem)], Int64)] = []
  var bytes = 0
  try await generate(33_000, generator) { items, time in
    bytes += items.reduce(0) {
      $0 + ($1.item.contentText?.utf8.count ?? 0) + ($1.item.title?.utf8.count ?? 0)
    }
    all.append((items, time))
  }
  var plain = Cost()
  var own = Cost()
  var preparing = Double.infinity
  for round in 0..<3 {
    let reference = try Reference(path: "\(directory)/plain\(round).db", layout: .bareIndex)
    var meter = Meter()
    for (items, _) in all { try reference.insert(items) }
    plain.improve(meter)
    let store = try await makeStore("\(directory)/own\(round).db")
    // As in a refresh: the parts of records that depend only on an item's text are prepared on another thread, one
    // batch ahead.
    meter = Meter()
    var spent = 0.0
    func prepare(_ number: Int) -> Task<([RefreshRecord], Double), Never> {
      Task.detached { [all] in
        guard number < all.count else { return ([], 0) }
        let start = threadTime()
        let records = records(all[number].0[...], at: all[number].1).map(store.prepared)
        return (records, threadTime() - start)
      }
    }
    var next = prepare(0)
    for number in all.indices {
      let (records, time) = await next.value
      next = prepare(number + 1)
      spent += time
      _ = try await store.commit(records)
    }
    own.improve(meter)
    preparing = min(preparing, spent)
  }
  print("inserting 33,000 items, \(bytes >> 20) MiB of text")
  print(
    "  a bare FTS5 table    \(rounded(plain.clock / 1000)) s, \(rounded(plain.processor / 1000)) s of processor time"
  )
  print(
    "  the store            \(rounded(own.clock / 1000)) s, \(rounded(own.processor / 1000)) s of processor time"
  )
  print("    of it beside the thread that stores \(rounded(preparing / 1000)) s")
  print(
    "  ratio                \(rounded(own.clock / plain.clock)) by the clock (at most 1.15), "
      + "\(rounded(own.processor / plain.processor)) by processor time"
  )
  // At this point no segments are merged yet. After further transactions, the ratio is between 0.57 and 0.61.
  let index = try Reference.indexSize("\(directory)/own0.db")
  print("  index by text        \(rounded(Double(index) / Double(bytes), 3))   (at most 0.65)")
  try await indexOfChinese(in: directory)
  print("  file by text         \(rounded(Double(size("\(directory)/own0.db")) / Double(bytes)))")
}

/// Measures the index of Chinese text, which is indexed in pairs of characters: more terms than characters, and longer
/// ones.
func indexOfChinese(in directory: String) async throws {
  let path = "\(directory)/chinese.db"
  let store = try await makeStore(path)
  var bytes = 0
  try await generate(20_000, Generator(seed: 4, meanLength: 900, scripts: .han)) { items, time in
    bytes += items.reduce(0) {
      $0 + ($1.item.contentText?.utf8.count ?? 0) + ($1.item.title?.utf8.count ?? 0)
    }
    _ = try await store.commit(records(items[...], at: time))
  }
  let index = try Reference.indexSize(path)
  print("  index by Chinese text \(rounded(Double(index) / Double(bytes), 3))   (at most 2.2)")
}

func queries(in directory: String, items itemCount: Int, program: String?) async throws {
  let generator = Generator(seed: 2, meanLength: 900)
  let path = "\(directory)/news.db"
  let referencePath = "\(directory)/reference.db"
  if access(path, F_OK) != 0 {
    let store = try await makeStore(path)
    let reference = try Reference(path: referencePath, layout: .table)
    try await generate(itemCount, generator) { items, time in
      _ = try await store.commit(records(items[...], at: time))
      try reference.insert(items)
    }
    try reference.run("PRAGMA wal_checkpoint(TRUNCATE)")
  }
  print("\(itemCount) items: store \(size(path) >> 20) MiB, reference \(size(referencePath) >> 20) MiB")
  let common = generator.word(rank: 30)
  let second = generator.word(rank: 40)
  for question in BenchmarkQuery.all(common: common, second: second, total: itemCount) {
    let shell = time(["sqlite3", referencePath, question.sql], runs: 30)
    var line = "  " + question.name + String(repeating: " ", count: max(34 - question.name.count, 1))
    line += "sqlite3 " + (shell.map { rounded($0) + " ms" } ?? "missing")
    let own = try await question.measure(path)
    line += ", in process \(rounded(own)) ms"
    if let program, let whole = time([program, "--db", path] + question.arguments, runs: 30) {
      line += ", newsd \(rounded(whole)) ms"
      if let shell {
        line += " of \(rounded(2 * shell + 8)) allowed" + (whole <= 2 * shell + 8 ? "" : "  MISSED")
      }
    }
    print(line)
  }
}

var made = directory ?? "/tmp/newsd-store-bench-XXXXXX"
if directory == nil {
  var template = Array(made.utf8CString)
  guard mkdtemp(&template) != nil else { exit(73) }
  made = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
do {
  if measuresInsertion {
    try await insertion(in: made)
    try await HookCost.measure(in: made)
  }
  if itemCount > 0 { try await queries(in: made, items: itemCount, program: program) }
  if itemCount > 0, let program { try await Contention.measure(in: made, program: program) }
} catch {
  print("failed: \(error)")
}
if !keeps {
  for name in ["plain0", "plain1", "plain2", "own0", "own1", "own2", "chinese", "news", "reference", "busy"] {
    for suffix in ["", "-wal", "-shm"] { unlink("\(made)/\(name).db\(suffix)") }
  }
  rmdir(made)
}
