import Synchronization

/// Writes the write-ahead log back into the store beside the one that writes: it waits for the disk, twice, and nobody
/// who stores items should.
final class LogFolding: Sendable {
  /// Pages in the log from which on it is written back.
  private static let worthwhile = 2000
  /// Pages beyond which the writer helps: it has been faster than the disk for too long.
  private static let pressing = 16_000

  private struct State {
    var isFolding = false
    var connection: Connection?
  }

  private let path: String
  private let state = Mutex(State())

  init(path: String) { self.path = path }

  /// After each commit. `pages` are those in the log now.
  func committed(pages: Int, by writer: Connection) {
    guard pages >= Self.worthwhile else { return }
    let mayStart = state.withLock { state in
      guard !state.isFolding else { return false }
      state.isFolding = true
      return true
    }
    guard mayStart else {
      // One is at work. What it does not get done in time is done here; errors come back at the next commit.
      if pages >= Self.pressing { try? writer.execute("PRAGMA wal_checkpoint(PASSIVE)") }
      return
    }
    Task.detached { self.fold() }
  }

  /// Closes what is open, after the work in hand.
  func close() async {
    while state.withLock({ $0.isFolding }) { try? await Task.sleep(for: .milliseconds(2)) }
    state.withLock { $0.connection = nil }
  }

  private func fold() {
    // A log that cannot be written back now is longer at the next commit.
    if let connection = connection() { try? connection.execute("PRAGMA wal_checkpoint(PASSIVE)") }
    state.withLock { $0.isFolding = false }
  }

  /// Used by one task at a time: whoever set `isFolding`.
  private func connection() -> Connection? {
    if let open = state.withLock({ $0.connection }) { return open }
    guard let connection = try? Connection(path: path, access: .writing, patience: 0) else { return nil }
    try? connection.execute("PRAGMA synchronous = NORMAL; PRAGMA cache_size = -64")
    state.withLock { $0.connection = connection }
    return connection
  }
}
