import Glibc
import NewsCore
import NewsSQLite
import Synchronization

/// Measures searches by other processes while this process stores items as fast as it can.
enum Contention {
  private static let runs = 200

  /// Returns the wall times of `newsd search`, sorted, and the number of failed searches.
  private static func search(_ program: String, _ path: String, _ word: String, while running: () -> Bool)
    -> (times: [Double], failures: Int)
  {
    var times: [Double] = []
    var failures = 0
    for _ in 0..<runs where running() {
      if let time = time([program, "--db", path, "search", "--format", "tsv", "-n", "20", word], runs: 1) {
        times.append(time)
      } else {
        failures += 1
      }
    }
    return (times.sorted(), failures)
  }

  private static func percentile(_ times: [Double], _ part: Double) -> Double {
    times.isEmpty ? .nan : times[min(Int(Double(times.count) * part), times.count - 1)]
  }

  static func measure(in directory: String, program: String) async throws {
    let path = "\(directory)/busy.db"
    let generator = Generator(seed: 3, meanLength: 900)
    let word = generator.word(rank: 300)
    let store = try await makeStore(path)
    // Items for the searches to find before writing begins.
    try await generate(20_000, generator) { items, time in
      _ = try await store.commit(records(items[...], at: time))
    }
    // Baseline: the same searches while nothing is written.
    let idle = search(program, path, word) { true }
    let isStoring = Mutex(true)
    let stored = Mutex(0)
    let writer = Task.detached {
      // Write until the searches have ended, but at least 100,000 items.
      while isStoring.withLock({ $0 }) || stored.withLock({ $0 }) < 100_000 {
        try await generate(100_000, generator) { items, time in
          let fresh = items.map { entry in
            var entry = entry
            let number = stored.withLock {
              $0 += 1; return $0
            }
            entry.item.id = "https://busy.example/\(number)"
            entry.item.url = entry.item.id
            return entry
          }
          if !isStoring.withLock({ $0 }), stored.withLock({ $0 }) >= 100_000 { return }
          _ = try await store.commit(records(fresh[...], at: time))
        }
      }
    }
    let busy = await Task.detached { search(program, path, word) { true } }.value
    isStoring.withLock { $0 = false }
    try await writer.value
    print("\(runs) searches by other processes, while this one stores \(stored.withLock { $0 }) items")
    print(
      "  idle                 p50 \(rounded(percentile(idle.times, 0.5))) ms, p99 "
        + "\(rounded(percentile(idle.times, 0.99))) ms, failed \(idle.failures)"
    )
    print(
      "  while storing        p50 \(rounded(percentile(busy.times, 0.5))) ms, p99 "
        + "\(rounded(percentile(busy.times, 0.99))) ms, failed \(busy.failures)   p99 ratio "
        + "\(rounded(percentile(busy.times, 0.99) / percentile(idle.times, 0.99)))   (at most 5)"
    )
  }
}
