import Glibc
import NewsCore
import NewsToolbox
import Synchronization

/// The directory of a store, which must have room for its temporary files.
enum StoreDirectory {
  /// Returns which right to a store or its directory this process lacks, and whose they are; nil if it lacks none.
  /// SQLite reports the error of its second attempt, to open the file for reading: that a new file does not exist.
  static func denial(ofStore path: String) -> String? {
    for (place, rights) in [(self.path(ofStore: path), W_OK | X_OK), (path, R_OK | W_OK)] {
      var status = stat()
      guard access(place, rights) != 0, errno == EACCES || errno == EPERM, stat(place, &status) == 0 else {
        continue
      }
      return
        "cannot use the store \(path): uid \(geteuid()), as which newsd runs, may not write to \(place), which "
        + "belongs to uid \(status.st_uid) (mode \(String(status.st_mode & 0o7777, radix: 8))). "
        + "Change the owner, or name another file with --db"
    }
    return nil
  }

  /// Returns a name of the store that no other user can redirect to another folder, if root uses a store whose folder
  /// another user can exchange; otherwise nil.
  /// With `always`, root gets a name for every store.
  static func heldName(ofStore path: String, always: Bool = false) throws(StoreError) -> String? {
    // A held name stays one when root has taken another user's rights.
    if path.hasPrefix(bytesOf: HeldFolders.start) { return path }
    do throws(HeldFolders.Failure) {
      guard let name = try HeldFolders.name(of: path, always: always) else { return nil }
      guard StoreVFS.registered != nil else { throw .system(SystemError(code: ENOMEM)) }
      return name
    } catch {
      switch error {
      case .foreignLink(let link, let uid): throw .foreignLink(link, uid, to: path)
      case .danglingLink:
        throw StoreError(code: .unreadable, message: "\(path) is a link to a missing file; remove the link")
      case .system(let error):
        throw StoreError(
          code: .unreadable,
          message: "cannot open the folder of the store \(path): \(error.reason)"
        )
      }
    }
  }

  static func path(ofStore path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.utf8.startIndex ? "/" : String(path[..<slash])
  }
}

/// The free space of a store's file system.
enum FreeSpace {
  /// With less free space than this, `probeWriting` throws `full`, so that a refresh on demand and the
  /// addition of a feed fetch nothing: 256 KiB can hardly store a feed.
  static let least: Int64 = 256 << 10
  /// With less free space than this, the WAL must not grow, because a checkpoint needs space for the pages in the WAL. Nor is
  /// a picture kept, which can be fetched again.
  static let little: Int64 = 64 << 20

  /// If a reader has blocked a checkpoint while space is short, the checkpoint is tried again when the WAL has grown by
  /// an eighth of this.
  static let leastLog = 4 << 20

  /// Returns the number of bytes that this process may still allocate; nil if unknown.
  static func bytes(besides path: String) -> Int64? {
    var system = statvfs()
    guard statvfs(StoreDirectory.path(ofStore: path), &system) == 0 else { return nil }
    // Count the reserved blocks for root, which may use them.
    let blocks = geteuid() == 0 ? system.f_bfree : system.f_bavail
    return Int64(clamping: blocks.multipliedReportingOverflow(by: system.f_frsize).partialValue)
  }
}

/// Device and inode, which identify a file independently of its path.
struct FileIdentity: Hashable, Sendable {
  var device: UInt64
  var inode: UInt64

  /// Reads the identity of the file at `path`. Returns nil if there is none.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Reads the identity of an open file.
  init?(_ descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }
}

/// The database files that this process has open. A process that closes any descriptor of a file loses all its locks on
/// the file, including SQLite's (POSIX fcntl). Therefore no other code may open a file in this list.
enum OpenFiles {
  private static let counts = Mutex<[FileIdentity: Int]>([:])

  /// Runs `open`, which has SQLite open the file at `path`, and adds the file to the list. Returns the file and its owner; nil
  /// for a store in memory, which has no path.
  static func add(
    _ path: String?,
    _ open: () throws(StoreError) -> Void
  ) throws(StoreError) -> (file: FileIdentity, owner: FileTrust.Owner)? {
    try counts.withLock { counts throws(StoreError) in
      var status = stat()
      if let opened = try StoreVFS.status(open) {
        status = opened
      } else {
        // SQLite has used again a descriptor that it had kept, for the file at this path.
        guard let path, stat(path, &status) == 0 else { return nil }
      }
      let file = FileIdentity(status)
      counts[file, default: 0] += 1
      return (file, FileTrust.Owner(uid: status.st_uid, gid: status.st_gid))
    }
  }

  /// Runs `examine`, which may open the file at `path` and the files beside it without SQLite. Until it returns, no
  /// other thread opens a database. Returns nil without running it if this process has the file open, or if there is
  /// no file.
  static func examine<Result: Sendable>(
    _ path: String,
    _ examine: () throws(StoreError) -> Result?
  ) throws(StoreError) -> Result? {
    try counts.withLock { counts throws(StoreError) in
      guard let file = FileIdentity(path: path), counts[file] == nil else { return nil }
      return try examine()
    }
  }

  static func closed(_ file: FileIdentity) {
    counts.withLock { counts in
      guard let count = counts[file] else { return }
      counts[file] = count > 1 ? count - 1 : nil
    }
  }

  static func contains(_ file: FileIdentity) -> Bool { counts.withLock { $0[file] != nil } }
}

/// Detects stores that cannot be written: on a read-only file system or snapshot, or in another user's directory.
enum ReadOnlyFile {
  /// `ST_RDONLY` of statvfs(3).
  private static let readOnlyFlag: UInt = 1

  /// Returns true if the file can be read without locks and WAL: its WAL is empty, and this process cannot create one.
  static func isImmutable(_ path: String) -> Bool {
    guard access(path, R_OK) == 0, !canWrite(beside: path) else { return false }
    var log = stat()
    return stat(path + "-wal", &log) != 0 || log.st_size == 0
  }

  /// Returns why a store on a read-only file system cannot be changed, or cannot be used at all; nil if the file system
  /// is writable.
  static func readOnlyReason(_ path: String) -> String? {
    var system = statvfs()
    guard statvfs(path, &system) == 0, system.f_flag & readOnlyFlag != 0 else { return nil }
    guard isImmutable(path) else {
      return
        "the store \(path) is on a read-only file system, and its log \(path)-wal cannot be applied there. "
        + "Copy both files to a directory that can be written, and name the copy with --db"
    }
    return "the store \(path) is on a read-only file system: it can be read and not changed"
  }

  private static func canWrite(beside path: String) -> Bool {
    access(StoreDirectory.path(ofStore: path), W_OK) == 0
  }
}
