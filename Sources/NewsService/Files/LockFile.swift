import Glibc
public import NewsCore
import Synchronization

/// The lock file `STORE.claims`. Processes on one store lock its bytes before they fetch a feed or contact a site. The
/// kernel releases the locks when the process ends, and locking needs no transaction of the store.
public final class LockFile: Sendable {
  private let store: String
  /// The open file; nil if it is not open yet.
  private let descriptor = Mutex<Int32?>(nil)

  /// The lock file is opened at its first use.
  public init(store: String) {
    self.store = store
  }

  deinit {
    if let file = descriptor.withLock({ $0 }) { close(file) }
  }

  /// Opens the file now, so that an unsafe file is reported instead of ignored. A file that cannot be opened
  /// for another reason, such as a read-only folder, is not an error: feeds are then fetched without locks.
  public func open() throws(FileError) {
    do {
      _ = try file()
    } catch  where error.code == .cannotOpen {
      return
    }
  }

  enum Lock: Hashable {
    case taken
    /// Another process holds a conflicting lock.
    case refused
    /// The lock file cannot be opened or locked.
    case unknown
  }

  /// Locks one byte, which need not exist in the file. Locking a byte again with the same object succeeds.
  func lock(_ byte: Int64) -> Lock {
    guard let file = try? file() else { return .unknown }
    return switch RecordLock.lock(byte, .exclusive, in: file) {
    case 0: .taken
    case EAGAIN, EACCES: .refused
    default: .unknown
    }
  }

  /// Takes a shared lock on one byte.
  func share(_ byte: Int64) {
    if let file = try? file() { _ = RecordLock.lock(byte, .shared, in: file) }
  }

  /// Returns true if another process holds an exclusive or shared lock on the byte.
  func isLocked(_ byte: Int64) -> Bool {
    guard let file = try? file() else { return false }
    return RecordLock.isLocked(byte, in: file)
  }

  func unlock(_ byte: Int64) {
    if let file = try? file() { RecordLock.unlock(byte, in: file) }
  }

  /// Returns the two numbers that a process wrote last at `offset`; nil if there are none.
  func read(at offset: Int64) -> (UInt64, Int64)? {
    guard let file = try? file() else { return nil }
    var pair: (UInt64, Int64) = (0, 0)
    let count = withUnsafeMutableBytes(of: &pair) { pread(file, $0.baseAddress, $0.count, off_t(offset)) }
    return count == 16 ? pair : nil
  }

  func write(_ pair: (UInt64, Int64), at offset: Int64) {
    guard let file = try? file() else { return }
    // Ignore a failed write, such as on a full disk: no lock depends on the numbers.
    _ = withUnsafeBytes(of: pair) { pwrite(file, $0.baseAddress, $0.count, off_t(offset)) }
  }

  /// True if the open file has been deleted.
  private static func isRemoved(_ file: Int32) -> Bool {
    var status = stat()
    return fstat(file, &status) == 0 && status.st_nlink == 0
  }

  private func file() throws(FileError) -> Int32 {
    try descriptor.withLock { descriptor throws(FileError) in
      if let opened = descriptor {
        if !Self.isRemoved(opened) { return opened }
        // Close this file: other processes lock the new file at this path.
        close(opened)
        descriptor = nil
      }
      let file = try SafeFile.open(StorePath.beside(store, ".claims"), "lock file", beside: store)
      descriptor = file
      return file
    }
  }
}

/// Locks on feeds: each feed has one byte of the lock file.
public struct FeedLocks: FeedClaiming {
  private let file: LockFile

  public init(file: LockFile) {
    self.file = file
  }

  public func claim(_ id: Feed.ID) -> FeedClaim {
    // If the lock file is unusable, fetch without locks.
    file.lock(Int64(id.rawValue)) == .refused ? .busy : .claimed(secondsSinceRequest: nil)
  }

  public func release(_ id: Feed.ID) { file.unlock(Int64(id.rawValue)) }
}
