import NewsStoresShared
import CSQLite
import Glibc
import NewsCore
import NewsToolbox

extension NewsStore {
  /// The result of a salvage.
  struct Salvage: Sendable {
    /// Descriptions of the losses, one line each.
    var losses: [String] = []
    /// The path of the copy of the damaged file.
    var kept: String
    /// The item total recorded in the damaged file; nil if unreadable.
    var itemsBefore: Int?
    var itemsAfter = 0
  }

  /// Copies all readable rows into a new store, keeps the damaged file as `PATH.damaged`, and copies the new store over
  /// the original page by page, so that processes that have it open see changed content instead of a deleted file.
  func salvage() async throws(StoreError) -> Salvage {
    let kept = path + ".damaged"
    guard access(kept, F_OK) != 0 else {
      throw StoreError(
        code: .unreadable,
        message: "\(kept) exists already, from an earlier repair; move it away before the next one"
      )
    }
    // When a process closes any descriptor of a file, it loses all its locks on that file (POSIX fcntl), including
    // SQLite's. Therefore close all connections first, and close this descriptor after those opened below.
    await close()
    let file = try Self.openFile(path)
    defer { Glibc.close(file) }
    let hasHeader = try rebuildHeader(of: file, keeping: kept)
    for _ in 0..<5 {
      if let salvage = try await salvage(file, keeping: kept, isKept: !hasHeader) { return salvage }
      if hasHeader { Self.removeStore(kept) }
    }
    throw StoreError(
      code: .busy,
      message: "other processes keep writing into \(path); stop them and repair it again"
    )
  }

  /// Keeps a copy of the damaged file and rebuilds the header, without which SQLite cannot read the file. Returns true
  /// if the header is intact; nothing is changed then.
  private func rebuildHeader(of file: Int32, keeping kept: String) throws(StoreError) -> Bool {
    guard let header = StoreHeader(path: path), header.isDamaged else { return true }
    try keepFiles(file, at: kept)
    let writable = open(path, O_WRONLY | O_CLOEXEC)
    defer { if writable >= 0 { Glibc.close(writable) } }
    let bytes = header.rebuilt
    guard writable >= 0, pwrite(writable, bytes, bytes.count, 0) == bytes.count else {
      throw StoreError(code: .unreadable, message: "cannot write \(path): \(SystemError.last.reason)")
    }
    return false
  }

  private func keepFiles(_ file: Int32, at kept: String) throws(StoreError) {
    try Self.copyFile(file, to: kept)
    guard access(path + "-wal", F_OK) == 0 else { return }
    let log = try Self.openFile(path + "-wal")
    defer { Glibc.close(log) }
    try Self.copyFile(log, to: kept + "-wal")
  }

  /// Salvages the store. Returns nil if another process wrote to the store between reading and replacing it: that
  /// change would be lost.
  private func salvage(
    _ file: Int32,
    keeping kept: String,
    isKept: Bool
  ) async throws(StoreError) -> Salvage? {
    let work = try StoreError.workFolder(path + ".rescued")
    defer { work.remove() }
    let scratch = work.file("scratch.db")
    let source = try Connection(
      path: path,
      access: .writing,
      busyTimeout: options.busyTimeout,
      toleratesDamage: true
    )
    let watch = try ChangeWatch(path, file, busyTimeout: options.busyTimeout)
    var salvage = Salvage(kept: kept)
    // Lock out other writers. The transaction ends with ROLLBACK, because SQLite refuses to commit after reading a
    // damaged page.
    try source.execute("BEGIN IMMEDIATE")
    let target = try NewsStore(path: work.file("store.db"))
    let seen: Int64?
    do {
      let readable = try SchemaTransplant.readable(source, copying: watch.connection, scratch: scratch)
      salvage.itemsBefore = (try? readable.value(of: .items)).map { Int($0) }
      (salvage.losses, salvage.itemsAfter) = try await target.maintain {
        (connection) throws(StoreError) -> ([String], Int) in
        let losses = try StoreSalvage.run(from: readable, into: connection)
        return (losses, Int(try connection.value(of: .items)))
      }
      if !isKept { try keepFiles(file, at: kept) }
      seen = try watch.state()
    } catch {
      try? source.execute("ROLLBACK")
      throw error
    }
    try source.execute("ROLLBACK")
    let isWhole = try await target.maintain { (connection) throws(StoreError) in
      try StoreFileRowKeeper(source).write(to: connection, isRestored: false)
      return try Self.copyPages(
        connection,
        to: source,
        if: { () throws(StoreError) in try watch.state() == seen }
      )
    }
    return isWhole ? salvage : nil
  }

  private static func removeStore(_ path: String) {
    for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
  }

  static func openFile(_ path: String) throws(StoreError) -> Int32 {
    // O_NONBLOCK: opening a pipe must not block. It has no effect on regular files.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      throw StoreError(code: .unreadable, message: "cannot read \(path): \(SystemError.last.reason)")
    }
    return file
  }

  private static func copyFile(_ input: Int32, to path: String) throws(StoreError) {
    func fail() -> StoreError {
      StoreError(code: .unreadable, message: "cannot write \(path): \(SystemError.last.reason)")
    }
    var status = stat()
    guard fstat(input, &status) == 0,
      // Root gives the copy to the owner of the damaged file, who could not open it otherwise.
      let output = try? PrivateFile.create(
        path,
        owner: FileTrust.Owner(uid: status.st_uid, gid: status.st_gid)
      )
    else { throw fail() }
    defer { Glibc.close(output) }
    var offset: off_t = 0
    while true {
      let count = sendfile(output, input, &offset, 1 << 24)
      if count == 0 { return }
      guard count > 0 else { throw fail() }
    }
  }
}

/// Tells whether another process has written to a store, also while this one locks it.
struct ChangeWatch {
  let connection: Connection
  private let file: Int32
  private let isLogged: Bool

  /// `file` is an open descriptor of the store's file.
  init(_ path: String, _ file: Int32, busyTimeout: Int32) throws(StoreError) {
    self.file = file
    connection = try Connection(path: path, access: .reading, busyTimeout: busyTimeout, toleratesDamage: true)
    // Header byte 18 is the write format, 2 for WAL; bytes 24–27 are the change counter used without a WAL (SQLite,
    // "Database File Format" 1.3). `PRAGMA journal_mode` would need the schema, which may be damaged.
    var format: UInt8 = 0
    isLogged = pread(file, &format, 1, 18) == 1 && format == 2
  }

  /// Returns a value that differs after every change by another process.
  func state() throws(StoreError) -> Int64? {
    guard !isLogged else { return try connection.number("PRAGMA data_version") }
    var counter: UInt32 = 0
    return pread(file, &counter, 4, 24) == 4 ? Int64(counter) : nil
  }
}
