import Glibc

/// Locks on bytes of an open file (fcntl(2), "open file description locks"). A lock belongs to the open file, so
/// closing another descriptor of the same file does not release it. The kernel releases the lock when the process ends.
enum RecordLock {
  /// F_OFD_GETLK and F_OFD_SETLK, which the headers define only with _GNU_SOURCE.
  private static let getLock: Int32 = 36
  private static let setLock: Int32 = 37

  enum Kind { case exclusive, shared }

  /// Locks one byte, which need not exist in the file. Returns 0, or the error code; EAGAIN and EACCES mean
  /// that another process holds the lock.
  static func lock(_ byte: Int64, _ kind: Kind, in file: Int32) -> Int32 {
    set(kind == .exclusive ? F_WRLCK : F_RDLCK, byte, file)
  }

  static func unlock(_ byte: Int64, in file: Int32) { _ = set(F_UNLCK, byte, file) }

  /// Returns true if another open file holds an exclusive or shared lock on the byte.
  static func isLocked(_ byte: Int64, in file: Int32) -> Bool {
    var lock = description(F_WRLCK, byte)
    return fcntl(file, getLock, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
  }

  private static func set(_ type: Int32, _ byte: Int64, _ file: Int32) -> Int32 {
    var lock = description(type, byte)
    return fcntl(file, setLock, &lock) == 0 ? 0 : errno
  }

  private static func description(_ type: Int32, _ byte: Int64) -> flock {
    flock(l_type: Int16(type), l_whence: Int16(SEEK_SET), l_start: off_t(byte), l_len: 1, l_pid: 0)
  }
}
