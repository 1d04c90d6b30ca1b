import Glibc
import Synchronization

/// `STORE.claims`, on whose bytes the processes on one store lock what they are about to ask for. The kernel drops the locks
/// with the process, however it ends, and they cost the store no transaction.
final class ClaimFile: Sendable {
  private let store: String
  /// Nil: not opened yet.
  private let descriptor = Mutex<Int32?>(nil)

  init(store: String) {
    self.store = store
  }

  deinit {
    if let file = descriptor.withLock({ $0 }) { close(file) }
  }

  enum Lock: Hashable {
    case taken
    /// Another process has it.
    case refused
    /// The file cannot be locked or opened (one that root made, say).
    case unknown
  }

  /// Locks one byte, whether the file reaches that far or not. What this process has it may lock again.
  func lock(_ byte: Int64) -> Lock {
    guard let file = file() else { return .unknown }
    if set(F_WRLCK, byte, file) == 0 { return .taken }
    return errno == EAGAIN || errno == EACCES ? .refused : .unknown
  }

  /// Locks one byte together with whoever locks it like this.
  func share(_ byte: Int64) {
    if let file = file() { _ = set(F_RDLCK, byte, file) }
  }

  /// True: another process has the byte, alone or together with others.
  func isLocked(_ byte: Int64) -> Bool {
    guard let file = file() else { return false }
    var lock = Self.description(F_WRLCK, byte)
    return fcntl(file, Self.getLock, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
  }

  func unlock(_ byte: Int64) {
    if let file = file() { _ = set(F_UNLCK, byte, file) }
  }

  /// Two numbers written there by whichever process; nil: none.
  func read(at offset: Int64) -> (UInt64, Int64)? {
    guard let file = file() else { return nil }
    var pair: (UInt64, Int64) = (0, 0)
    let count = withUnsafeMutableBytes(of: &pair) { pread(file, $0.baseAddress, $0.count, off_t(offset)) }
    return count == 16 ? pair : nil
  }

  func write(_ pair: (UInt64, Int64), at offset: Int64) {
    guard let file = file() else { return }
    // Where the disk is full the others do without.
    _ = withUnsafeBytes(of: pair) { pwrite(file, $0.baseAddress, $0.count, off_t(offset)) }
  }

  private func file() -> Int32? {
    descriptor.withLock { descriptor in
      if descriptor == nil {
        let path = StoreFiles.path(beside: store, ".claims")
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if file >= 0 { descriptor = file }
      }
      return descriptor
    }
  }

  private func set(_ type: Int32, _ byte: Int64, _ file: Int32) -> Int32 {
    var lock = Self.description(type, byte)
    return fcntl(file, Self.setLock, &lock)
  }

  private static func description(_ type: Int32, _ byte: Int64) -> flock {
    flock(l_type: Int16(type), l_whence: Int16(SEEK_SET), l_start: off_t(byte), l_len: 1, l_pid: 0)
  }

  /// F_OFD_GETLK and F_OFD_SETLK, which the headers hide: the lock is the open file's, so that closing another descriptor
  /// of the same file does not drop it.
  private static let getLock: Int32 = 36
  private static let setLock: Int32 = 37
}
