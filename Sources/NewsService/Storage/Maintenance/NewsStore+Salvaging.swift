import CSQLite
import Glibc
import NewsService

extension NewsStore {
  static func directory(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.utf8.startIndex ? "/" : String(path[..<slash])
  }

  /// Puts what can be read of the damaged file into a new one, keeps the damaged one as `PATH.damaged`, and copies the new
  /// one over it page by page, so that processes that have it open see it change and not vanish.
  func salvage() async throws(StoreError) -> [String] {
    let rescued = path + ".rescued"
    let kept = path + ".damaged"
    guard access(kept, F_OK) != 0 else {
      throw StoreError(
        code: .unreadable,
        message: "\(kept) exists already, from an earlier repair; move it away before the next one"
      )
    }
    Self.removeStore(rescued)
    defer { Self.removeStore(rescued) }
    let source = try Connection(path: path, access: .reading, patience: options.patience)
    let target = try NewsStore(path: rescued)
    let losses = try await target.maintain { (connection) throws(StoreError) in
      // One view; ended by taking back, because SQLite refuses to commit after it met a damaged page.
      try source.execute("BEGIN")
      defer { try? source.execute("ROLLBACK") }
      return try StoreSalvage.run(from: source, into: connection)
    }
    try Self.copyFile(path, to: kept)
    if access(path + "-wal", F_OK) == 0 { try Self.copyFile(path + "-wal", to: kept + "-wal") }
    try await target.maintain { (connection) throws(StoreError) in
      let damaged = try Connection(path: self.path, access: .writing, patience: self.options.patience)
      try Self.copyPages(connection, to: damaged)
    }
    return losses + ["the damaged file is kept as \(kept)"]
  }

  private static func removeStore(_ path: String) {
    for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
  }

  private static func copyFile(_ from: String, to: String) throws(StoreError) {
    func fail() -> StoreError {
      StoreError(
        code: .unreadable,
        message: "cannot copy \(from) to \(to): \(String(cString: strerror(errno)))"
      )
    }
    let input = open(from, O_RDONLY | O_CLOEXEC)
    guard input >= 0 else { throw fail() }
    defer { Glibc.close(input) }
    let output = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard output >= 0 else { throw fail() }
    defer { Glibc.close(output) }
    while true {
      let count = sendfile(output, input, nil, 1 << 24)
      if count == 0 { return }
      guard count > 0 else { throw fail() }
    }
  }
}
