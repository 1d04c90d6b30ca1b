import Glibc

/// The free space of a store's file system.
enum FreeSpace {
  /// With less free space than this, `probeWriting` throws `full`, so that a refresh on demand and the
  /// addition of a feed fetch nothing: 256 KiB can hardly store a feed.
  static let least: Int64 = 256 << 10
  /// With less free space than this, the WAL must not grow, because a checkpoint needs space for the pages in the WAL.
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
