import Glibc
import Synchronization

/// Checkpoints the write-ahead log on a background thread, so that writers do not wait for its two fsyncs; a writer waits
/// only when the log has reached its bound.
final class WALCheckpointer: Sendable {
  /// Bytes of the log before a commit: beyond that the writer checkpoints itself, so that the log never holds more than this
  /// and one transaction.
  static let maximumBytes = 64 << 20
  /// Pages in the log at which a checkpoint begins.
  private static let worthwhilePages = 2000
  private static let pageSize = 8192
  /// How long the writer waits for readers of the log, in milliseconds.
  private static let patience: Int32 = 2000

  private struct State {
    var isRunning = false
    var connection: Connection?
    /// Pages from which the writer tries again, after a reader outlasted its patience.
    var nextAttempt = 0
  }

  private let path: String
  private let state = Mutex(State())

  init(path: String) { self.path = path }

  /// Starts a checkpoint after a commit.
  ///
  /// - Parameter pages: Pages in the log now.
  func committed(pages: Int) {
    guard pages >= Self.worthwhilePages else { return }
    let mayStart = state.withLock { state in
      guard !state.isRunning else { return false }
      state.isRunning = true
      return true
    }
    if mayStart { Task.detached { self.checkpoint() } }
  }

  /// Empties the log before a commit when three quarters of its bound are reached. After a reader has kept its view for
  /// longer than the patience (a backup does), tries again for each eighth that the log grows.
  func boundLog(before writer: Connection) {
    let bound = Self.maximumBytes / Self.pageSize
    let pages = writer.logPages
    guard pages >= bound / 4 * 3, state.withLock({ pages >= $0.nextAttempt }) else { return }
    // SQLite refuses a second checkpoint at once, whatever the patience.
    var waited: Int32 = 0
    while waited < Self.patience, state.withLock({ $0.isRunning }) {
      usleep(2000)
      waited += 2
    }
    let patience = writer.patience
    writer.patience = Self.patience
    defer { writer.patience = patience }
    // RESTART waits until no reader uses the log, so that the next commit begins it anew.
    let isDone = (try? writer.integer("PRAGMA wal_checkpoint(RESTART)")) == 0
    state.withLock { $0.nextAttempt = isDone ? 0 : pages + bound / 8 }
  }

  /// Closes its connection after the checkpoint in progress.
  func close() async {
    while state.withLock({ $0.isRunning }) { try? await Task.sleep(for: .milliseconds(2)) }
    state.withLock { $0.connection = nil }
  }

  private func checkpoint() {
    // After an error the next commit tries again.
    if let connection = connection() { try? connection.execute("PRAGMA wal_checkpoint(PASSIVE)") }
    state.withLock { $0.isRunning = false }
  }

  /// Used only by the task that has set `isRunning`.
  private func connection() -> Connection? {
    if let open = state.withLock({ $0.connection }) { return open }
    guard let connection = try? Connection(path: path, access: .writing, patience: 0) else { return nil }
    try? connection.execute("PRAGMA synchronous = NORMAL; PRAGMA cache_size = -64")
    state.withLock { $0.connection = connection }
    return connection
  }
}
