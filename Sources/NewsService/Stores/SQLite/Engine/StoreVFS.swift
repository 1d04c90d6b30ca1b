import CSQLite
import Glibc
import NewsCore
import NewsToolbox
import Synchronization

/// SQLite's access to files, stricter where other users can put files beside a store.
///
/// - A name of `HeldFolders` stays as it is. SQLite's own access resolves the link in `/proc/self/fd` to a path, and then
///   finds the write-ahead log, its index and the journal by this path, which another user may have changed.
/// - A journal, a write-ahead log or its index is used only if it belongs to a user who may change the store. The file is
///   examined after it was opened: another user may replace a name between two system calls.
/// - A journal deletes nothing but itself. It can name a super-journal, which SQLite deletes after playing it back (SQLite,
///   "Database File Format" 3.1): in a forged journal, that is any file. newsd makes no transaction over several files.
enum StoreVFS {
  /// The name for `sqlite3_open_v2`, registered once; nil if SQLite cannot.
  static let registered: String? = {
    let name = "newsd"
    guard let system = sqlite3_vfs_find(nil) else { return nil }
    // SQLite keeps the pointers, so they are never freed.
    let copy = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    copy.initialize(to: system.pointee)
    copy.pointee.pNext = nil
    copy.pointee.zName = UnsafePointer(strdup(name))
    copy.pointee.xFullPathname = { _, path, size, result in
      guard let path, let result else { return SQLITE_CANTOPEN }
      guard strncmp(path, HeldFolders.start, HeldFolders.start.utf8.count) == 0 else {
        let system = sqlite3_vfs_find(nil)
        return system?.pointee.xFullPathname(system, path, size, result) ?? SQLITE_CANTOPEN
      }
      guard strlen(path) < Int(size) else { return SQLITE_CANTOPEN }
      strcpy(result, path)
      return SQLITE_OK
    }
    copy.pointee.xOpen = { _, name, file, flags, result in
      let system = sqlite3_vfs_find(nil)
      guard flags & SQLITE_OPEN_SUPER_JOURNAL == 0 else {
        file?.pointee.pMethods = nil
        return SQLITE_CANTOPEN
      }
      return system?.pointee.xOpen(system, name, file, flags, result) ?? SQLITE_CANTOPEN
    }
    copy.pointee.xDelete = { _, name, isSynced in
      guard let name, StoreVFS.store(ofLog: String(cString: name)) != nil else { return SQLITE_OK }
      let system = sqlite3_vfs_find(nil)
      return system?.pointee.xDelete(system, name, isSynced) ?? SQLITE_OK
    }
    let open: @convention(c) (UnsafePointer<CChar>, Int32, Int32) -> Int32 = { StoreVFS.open($0, $1, $2) }
    let replaced = system.pointee.xSetSystemCall(
      system,
      "open",
      unsafeBitCast(open, to: sqlite3_syscall_ptr.self)
    )
    return replaced == SQLITE_OK && sqlite3_vfs_register(copy, 0) == SQLITE_OK ? name : nil
  }()

  /// The threads that open a database, with the status of the file that SQLite has opened.
  private static let opening = Mutex<[pthread_t: stat?]>([:])

  /// Runs `open`, and returns the status of the database file that SQLite has opened in it, by its descriptor: a name may
  /// lead to another file by now. Nil: SQLite has opened none, but perhaps uses again a descriptor of the same file, which it had
  /// kept because closing it would have ended the locks of others (unix.c, "findReusableFd").
  static func status(_ open: () throws(StoreError) -> Void) throws(StoreError) -> stat? {
    _ = registered
    let thread = pthread_self()
    opening.withLock { _ = $0.updateValue(nil, forKey: thread) }
    do throws(StoreError) {
      try open()
    } catch {
      opening.withLock { _ = $0.removeValue(forKey: thread) }
      throw error
    }
    return opening.withLock { $0.removeValue(forKey: thread) ?? nil }
  }

  private static func note(_ descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    let thread = pthread_self()
    opening.withLock { if $0[thread] != nil { $0[thread] = status } }
  }

  /// Returns the path of the store to which a journal, a write-ahead log or its index belongs; nil for other files.
  private static func store(ofLog path: String) -> String? {
    for end in ["-journal", "-wal", "-shm"] where path.hasSuffix(bytesOf: end) {
      return String(path.utf8.dropLast(end.utf8.count))
    }
    return nil
  }

  /// Opens a file for SQLite, as open(2).
  private static func open(_ name: UnsafePointer<CChar>, _ flags: Int32, _ mode: Int32) -> Int32 {
    guard let store = store(ofLog: String(cString: name)) else {
      let descriptor = Glibc.open(name, flags | O_NONBLOCK, mode_t(mode))
      note(descriptor)
      return descriptor
    }
    // O_NONBLOCK, here and above: a pipe must not block.
    let descriptor = Glibc.open(name, flags | O_NONBLOCK, mode_t(mode))
    guard descriptor >= 0 else { return descriptor }
    var (log, main) = (stat(), stat())
    let exists = stat(store, &main) == 0
    let isShared =
      exists && FileTrust.isWritableByOthers(mode: main.st_mode, uid: main.st_uid, gid: main.st_gid)
    let users = [0, geteuid(), exists ? main.st_uid : 0]
    guard fstat(descriptor, &log) == 0, log.st_mode & S_IFMT == S_IFREG, log.st_nlink <= 1,
      isShared || users.contains(log.st_uid)
    else {
      close(descriptor)
      errno = EACCES
      return -1
    }
    return descriptor
  }
}
