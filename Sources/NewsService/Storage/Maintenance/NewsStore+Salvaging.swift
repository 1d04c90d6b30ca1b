import CSQLite
import Glibc
import NewsCore

extension NewsStore {
  static func directory(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.utf8.startIndex ? "/" : String(path[..<slash])
  }

  /// Puts what can be read of the damaged file into a new one, keeps the damaged one as `PATH.damaged`, and copies the new
  /// one over it page by page, so that processes that have it open see it change and not vanish.
  func salvage() async throws(StoreError) -> [String] {
    let kept = path + ".damaged"
    guard access(kept, F_OK) != 0 else {
      throw StoreError(
        code: .unreadable,
        message: "\(kept) exists already, from an earlier repair; move it away before the next one"
      )
    }
    // The first descriptor of a file that a process closes ends all its locks on it (POSIX, fcntl): SQLite's as well. So
    // no connection is left open, and what the damaged file is copied from is closed after all others.
    await close()
    let file = try Self.openFile(path)
    defer { Glibc.close(file) }
    for _ in 0..<5 {
      if let losses = try await salvage(file, keeping: kept) {
        return losses + ["the damaged file is kept as \(kept)"]
      }
      Self.removeStore(kept)
    }
    throw StoreError(
      code: .busy,
      message: "other processes keep writing into \(path); stop them and repair it again"
    )
  }

  /// What is lost; nil where another process stored something between the reading and the writing: it would be lost, too.
  private func salvage(_ file: Int32, keeping kept: String) async throws(StoreError) -> [String]? {
    let rescued = path + ".rescued"
    Self.removeStore(rescued)
    defer { Self.removeStore(rescued) }
    let source = try Connection(
      path: path,
      access: .writing,
      patience: options.patience,
      toleratesDamage: true
    )
    let watch = try Connection(
      path: path,
      access: .reading,
      patience: options.patience,
      toleratesDamage: true
    )
    let isLogged = try watch.text("PRAGMA journal_mode") == "wal"
    /// Another one after each change by others.
    @Sendable func state() throws(StoreError) -> Int64? {
      guard !isLogged else { return try watch.integer("PRAGMA data_version") }
      // Without a log nobody can read beside the one that writes; the file itself counts its changes (File Format, 1.3.7).
      var counter: UInt32 = 0
      return pread(file, &counter, 4, 24) == 4 ? Int64(counter) : nil
    }
    // Nobody else writes while it is read. Ended by taking back: SQLite refuses to commit after it met a damaged page.
    try source.execute("BEGIN IMMEDIATE")
    let target = try NewsStore(path: rescued)
    let losses: [String]
    let seen: Int64?
    do {
      losses = try await target.maintain { (connection) throws(StoreError) in
        try StoreSalvage.run(from: source, into: connection)
      }
      try Self.copyFile(file, to: kept)
      if access(path + "-wal", F_OK) == 0 {
        let log = try Self.openFile(path + "-wal")
        defer { Glibc.close(log) }
        try Self.copyFile(log, to: kept + "-wal")
      }
      seen = try state()
    } catch {
      try? source.execute("ROLLBACK")
      throw error
    }
    try source.execute("ROLLBACK")
    let isWhole = try await target.maintain { (connection) throws(StoreError) in
      try Self.copyPages(connection, to: source) { () throws(StoreError) in
        try state() == seen
      }
    }
    return isWhole ? losses : nil
  }

  private static func removeStore(_ path: String) {
    for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
  }

  private static func openFile(_ path: String) throws(StoreError) -> Int32 {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      throw StoreError(code: .unreadable, message: "cannot read \(path): \(String(cString: strerror(errno)))")
    }
    return file
  }

  private static func copyFile(_ input: Int32, to path: String) throws(StoreError) {
    func fail() -> StoreError {
      StoreError(code: .unreadable, message: "cannot write \(path): \(String(cString: strerror(errno)))")
    }
    let output = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard output >= 0 else { throw fail() }
    defer { Glibc.close(output) }
    var offset: off_t = 0
    while true {
      let count = sendfile(output, input, &offset, 1 << 24)
      if count == 0 { return }
      guard count > 0 else { throw fail() }
    }
  }
}
