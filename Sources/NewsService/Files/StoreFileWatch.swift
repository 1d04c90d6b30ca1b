import Glibc
public import NewsCore

/// Compares the file that is at the store's path now with the file that was there first.
public struct StoreFileWatch: StoreFileWatching {
  private struct Identity: Hashable {
    var device: dev_t
    var inode: ino_t
  }

  private let path: String
  private let first: Identity?

  /// - Parameter path: Path of an open store.
  public init(path: String) {
    self.path = path
    first = Self.identity(path)
  }

  public func state() -> StoreFilePresence {
    guard let now = Self.identity(path) else { return errno == ENOENT ? .missing : .present }
    return now == first ? .present : .replaced
  }

  /// Returns nil, with `errno` set, when the file is missing or cannot be examined.
  private static func identity(_ path: String) -> Identity? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Identity(device: status.st_dev, inode: status.st_ino)
  }
}
