import NewsStoresShared
import Glibc
import NewsToolbox
import Synchronization

/// Checkpoints the WAL on a background thread, so that writers do not wait for its two fsyncs.
///
/// A writer waits only when the WAL has reached three quarters of its size limit, or when the disk is nearly
/// full. A checkpoint needs space for the pages in the WAL, so a WAL that fills the disk could never be
/// checkpointed.
final class WALCheckpointer: Sendable {
  /// Size limit of the WAL in bytes. Near the limit, the writer checkpoints before its commit, so that the
  /// WAL holds at most this much plus one transaction, unless a reader blocks the checkpoints.
  static let maximumBytes = 64 << 20
  /// Number of WAL pages that starts a checkpoint.
  private static let checkpointPages = 2000
  private static let pageSize = 8192
  /// How long the writer waits for readers of the WAL, in milliseconds.
  private static let busyTimeout: Int32 = 2000

  private struct State {
    var isRunning = false
    var connection: Connection?
    /// Number of pages at which the writer tries again after a reader blocked its checkpoint.
    var nextAttempt = 0
  }

  private let path: String
  private let known: KnownMark
  private let freeSpace: @Sendable () -> Int64?
  private let state = Mutex(State())

  /// `known`, which all connections to the store share, detects that the store's file was overwritten.
  /// `freeSpace` returns the free bytes of the disk.
  init(path: String, known: KnownMark, freeSpace: @escaping @Sendable () -> Int64?) {
    self.path = path
    self.known = known
    self.freeSpace = freeSpace
  }

  /// Starts a checkpoint if the WAL is large enough. Called after each commit. `pages` is the current number
  /// of pages in the WAL.
  func committed(pages: Int) {
    guard pages >= Self.checkpointPages else { return }
    let mayStart = state.withLock { state in
      guard !state.isRunning else { return false }
      state.isRunning = true
      return true
    }
    guard mayStart else { return }
    // Use a separate thread: waiting for the disk must not block a thread that parses or stores.
    do throws(SystemError) {
      try DetachedThread.start { self.checkpoint() }
    } catch {
      // The next commit tries again.
      state.withLock { $0.isRunning = false }
    }
  }

  /// Checkpoints before a commit if the WAL has reached three quarters of its limit, or if it is not empty while the
  /// disk is nearly full. If a reader, such as a backup, blocks this for longer than `busyTimeout`, tries again each
  /// time the WAL has grown by an eighth of the limit.
  func checkpointIfNeeded(before writer: Connection) {
    let hasLittleSpace = freeSpace().map { $0 < FreeSpace.little } ?? false
    let bound = (hasLittleSpace ? FreeSpace.leastLog : Self.maximumBytes) / Self.pageSize
    let pages = writer.walPages
    guard pages >= (hasLittleSpace ? 1 : bound / 4 * 3) else { return }
    guard state.withLock({ pages >= $0.nextAttempt }) else { return }
    // Wait for the background checkpoint: a second one would fail immediately, whatever the busy timeout.
    var waited: Int32 = 0
    while waited < Self.busyTimeout, state.withLock({ $0.isRunning }) {
      usleep(2000)
      waited += 2
    }
    let busyTimeout = writer.busyTimeout
    writer.busyTimeout = Self.busyTimeout
    defer { writer.busyTimeout = busyTimeout }
    // RESTART waits until no reader uses the WAL, so that the next commit overwrites it from the start.
    let isDone = (try? writer.number("PRAGMA wal_checkpoint(RESTART)")) == 0
    state.withLock { $0.nextAttempt = isDone ? 0 : pages + bound / 8 }
  }

  /// Truncates the WAL to free its disk space. Called after a transaction failed for lack of space.
  func truncateLog(_ writer: Connection) {
    let busyTimeout = writer.busyTimeout
    writer.busyTimeout = Self.busyTimeout
    defer { writer.busyTimeout = busyTimeout }
    _ = try? writer.number("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// Waits for a checkpoint in progress, then closes the connection.
  func close() async {
    while state.withLock({ $0.isRunning }) { try? await Task.sleep(for: .milliseconds(2)) }
    state.withLock { $0.connection = nil }
  }

  private func checkpoint() {
    // Ignore errors: the next commit retries.
    if let connection = connection(), connection.mayCheckpoint {
      try? connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
    }
    state.withLock { $0.isRunning = false }
  }

  /// Returns the connection for checkpoints. Called only by the task that set `isRunning`.
  private func connection() -> Connection? {
    if let open = state.withLock({ $0.connection }) { return open }
    guard let connection = try? Connection(path: path, access: .writing, busyTimeout: 0, known: known) else {
      return nil
    }
    try? connection.execute("PRAGMA synchronous = NORMAL; PRAGMA cache_size = -64")
    state.withLock { $0.connection = connection }
    return connection
  }
}
