import Glibc
public import NewsCore

/// Compares the file that has the store's name now with the one that had it at first.
public struct StoreFileWatch: StoreFileWatching {
  private struct Identity: Hashable {
    var device: dev_t
    var inode: ino_t
  }

  private let path: String
  private let first: Identity?

  /// - Parameter path: Path of a store that is open.
  public init(path: String) {
    self.path = path
    first = Self.identity(path)
  }

  public func state() -> StoreFilePresence {
    guard let now = Self.identity(path) else { return errno == ENOENT ? .missing : .present }
    return now == first ? .present : .replaced
  }

  /// Nil, with `errno` set, when there is no such file or it cannot be looked at.
  private static func identity(_ path: String) -> Identity? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Identity(device: status.st_dev, inode: status.st_ino)
  }
}
