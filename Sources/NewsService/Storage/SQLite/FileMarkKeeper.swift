import NewsCore

/// Keeps the identity of a file while all its pages are replaced by those of another one.
///
/// The log must name the file at any moment (see `LeftoverLog`). The commit made here writes that name, and an open reader
/// keeps SQLite from restarting the log until the copied identity is replaced by the file's own.
struct FileMarkKeeper {
  private let target: Connection
  private let mark: (id: String, commits: Int64, restored: Int64)?
  private let reader: Connection?

  /// - Parameter target: A connection that may write, outside of a transaction. What cannot be read is not kept.
  init(_ target: Connection) {
    self.target = target
    mark = try? Self.read(target)
    // Without a log a reader would keep the copy from being committed.
    if mark != nil, (try? target.text("PRAGMA journal_mode")) == "wal" {
      reader = try? Connection(path: target.path, access: .reading, patience: target.patience)
    } else {
      reader = nil
    }
    if let reader {
      try? target.transaction { () throws(StoreError) in try target.countCommit() }
      try? reader.execute("BEGIN; SELECT count(*) FROM file")
    }
  }

  private static func read(
    _ connection: Connection
  ) throws(StoreError) -> (id: String, commits: Int64, restored: Int64)? {
    let row = try connection.prepare("SELECT id, commits, restored FROM file")
    return try row.step() ? (row.string(0), row.int64(1), row.int64(2)) : nil
  }

  /// Writes the identity after the copy.
  ///
  /// - Parameter isRestored: True: running processes shall notice that the content is another.
  /// - Throws: When the row cannot be written.
  func finish(isRestored: Bool) throws(StoreError) {
    defer { try? reader?.execute("ROLLBACK") }
    guard let mark else {
      // Another identity, so that running processes notice.
      return try target.execute("UPDATE file SET restored = abs(random() % 1000000) + 1")
    }
    let update = try target.prepare("UPDATE file SET id = ?, commits = ?, restored = ?")
    try update.bind(1, mark.id)
    try update.bind(2, mark.commits + 2)
    try update.bind(3, mark.restored + (isRestored ? 1 : 0))
    try update.run()
  }
}
