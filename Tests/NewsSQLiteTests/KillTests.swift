import NewsStoresShared
import Glibc
import NewsCore
import NewsSQLite
import SearchCases
import Testing

/// Opens copies of a store and its WAL as a killed writer would leave them.
@Suite struct `A process killed while writing` {
  /// Copies the file and its WAL in their current state while the store is in use.
  private func snapshot(_ path: String, to target: String) throws {
    for suffix in ["", "-wal"] {
      let source = open(path + suffix, O_RDONLY)
      guard source >= 0 else { continue }
      defer { close(source) }
      let copy = open(target + suffix, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
      #expect(copy >= 0)
      defer { close(copy) }
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = buffer.withUnsafeMutableBytes { read(source, $0.baseAddress, $0.count) }
        guard count > 0 else { break }
        #expect(buffer.withUnsafeBytes { Glibc.write(copy, $0.baseAddress, count) } == count)
      }
    }
  }

  private func document(_ round: Int) -> [ParsedItem] {
    (0..<20).map {
      ParsedItem("\(round)-\($0)", title: "T\(round)", text: String(repeating: "round\(round) ", count: 40))
    }
  }

  @Test func `The store passes check and holds whole commits; repeating all commits completes it`()
    async throws
  {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    let undisturbed = try TemporaryStore()
    let other = try await undisturbed.subscribe()
    for round in 0..<8 {
      try await temporary.refresh(feed, document(round), at: Int64(1000 + round))
      try await undisturbed.refresh(other, document(round), at: Int64(1000 + round))
      // As after SIGKILL, the WAL holds commits that were not checkpointed. In every second round, truncate it.
      let target = temporary.directory + "/killed\(round).db"
      try snapshot(temporary.path, to: target)
      var status = stat()
      if round % 2 == 1, stat(target + "-wal", &status) == 0, status.st_size > 40_000 {
        #expect(truncate(target + "-wal", status.st_size - off_t(1 + round * 4001)) == 0)
      }
      let killed = try NewsStore(path: target)
      #expect(try await killed.check().isEmpty)
      let count = try await killed.count(ItemRequest())
      #expect(count % 20 == 0)
      #expect(round % 2 == 1 || count == (round + 1) * 20)
      guard let stored = try await killed.feeds().first else { continue }
      for again in 0...round {
        var parsed = ParsedFeed(format: "rss20")
        parsed.title = "Example"
        parsed.items = document(again)
        let time = Timestamp(seconds: Int64(1000 + again))
        _ = try await killed.commit([
          RefreshRecord(feedID: stored.id, state: FetchState.unfetched, parsed: parsed, time: time)
        ])
      }
      #expect(
        try await killed.items(ItemRequest()).map(\.item.guid)
          == undisturbed.store.items(ItemRequest()).map(\.item.guid)
      )
    }
  }
}
