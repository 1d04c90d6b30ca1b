import Glibc
import NewsService
import Synchronization

/// Claims by locks on single bytes of `STORE.claims`, one byte for each feed: the kernel drops them with the process, however
/// it ends, and a feed that is only asked for costs the store no transaction.
final class FeedClaims: FeedClaiming {
  private let path: String
  /// Nil: not opened yet.
  private let descriptor = Mutex<Int32?>(nil)

  init(store: String) {
    path = store + ".claims"
  }

  deinit {
    if let file = descriptor.withLock({ $0 }) { close(file) }
  }

  func claim(_ id: Feed.ID) -> Bool {
    // Where files cannot be locked or opened (one that root made), feeds are asked all the same.
    guard let file = file(), set(F_WRLCK, id, file) != 0 else { return true }
    return errno != EAGAIN && errno != EACCES
  }

  func release(_ id: Feed.ID) {
    if let file = file() { _ = set(F_UNLCK, id, file) }
  }

  private func file() -> Int32? {
    descriptor.withLock { descriptor in
      if descriptor == nil {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if file >= 0 { descriptor = file }
      }
      return descriptor
    }
  }

  private func set(_ type: Int32, _ id: Feed.ID, _ file: Int32) -> Int32 {
    var lock = flock(
      l_type: Int16(type),
      l_whence: Int16(SEEK_SET),
      l_start: off_t(id.rawValue),
      l_len: 1,
      l_pid: 0
    )
    return fcntl(file, Self.setLock, &lock)
  }

  /// F_OFD_SETLK, which the headers hide: the lock is the open file's, so that closing another descriptor of the same
  /// file does not drop it.
  private static let setLock: Int32 = 37
}
