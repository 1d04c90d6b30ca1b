import Glibc
public import NewsCore
import NewsToolbox
import Synchronization

/// Measures a store's files on disk.
public struct StoreFileMeasure: StoreFileMeasuring {
  private let path: String

  public init(path: String) {
    self.path = path
  }

  public func figures() -> StoreFigures? {
    guard let size = Self.size(path) else { return nil }
    var figures = StoreFigures(
      storeBytes: size,
      logBytes: Self.size(StorePath.beside(path, "-wal")) ?? 0,
      unusedBytes: unusedBytes(of: size)
    )
    var disk = statvfs()
    if statvfs(path, &disk) == 0 {
      figures.diskFree = Self.product(UInt64(disk.f_bavail), UInt64(disk.f_frsize))
      figures.diskSize = Self.product(UInt64(disk.f_blocks), UInt64(disk.f_frsize))
    }
    return figures
  }

  public func runningDaemon() -> DaemonPresence? { InstanceLock.holder(of: path) }

  private static func size(_ path: String) -> Int64? {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : nil
  }

  private static func product(_ count: UInt64, _ size: UInt64) -> Int64 {
    Int64(clamping: count.multipliedReportingOverflow(by: size).partialValue)
  }

  /// Returns the size of the free pages, from the file's header (https://sqlite.org/fileformat2.html section 1.3). Nil: the header
  /// is damaged, because they would be larger than the file.
  private func unusedBytes(of size: Int64) -> Int64? {
    guard let descriptor = Self.descriptor(of: path), let header = FileBytes.read(descriptor, upTo: 40),
      header.count == 40
    else { return 0 }
    let pageSize = Int64(header[16]) << 8 | Int64(header[17])
    let freePages = header[36..<40].reduce(Int64(0)) { $0 << 8 | Int64($1) }
    // The header value 1 means a page size of 65,536.
    let unused = freePages * (pageSize == 1 ? 65_536 : pageSize)
    return unused <= size ? unused : nil
  }

  private struct File: Hashable {
    var device: UInt64
    var inode: UInt64
  }

  /// Descriptors of the stores that were measured. They stay open, because a process that closes any descriptor of a
  /// file loses all its locks on the file, including SQLite's (POSIX fcntl). The next process to close the store would
  /// then remove the write-ahead log, and later commits of this process would be lost.
  private static let descriptors = Mutex<[File: Int32]>([:])

  private static func descriptor(of path: String) -> Int32? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    let file = File(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    return descriptors.withLock { descriptors in
      if let known = descriptors[file] { return known }
      let made = try? FileBytes.open(path, flags: O_NONBLOCK)
      descriptors[file] = made
      return made
    }
  }
}
