import Glibc

/// The free space of a store's file system.
enum FreeSpace {
  /// With less free space, nothing is fetched: 256 KiB hold hardly any feed.
  static let least: Int64 = 256 << 10
  /// With less free space, the WAL must not grow, because a checkpoint needs space for the pages that it contains.
  static let little: Int64 = 64 << 20

  /// With little space, a checkpoint that a reader blocked is tried again when the WAL has grown by an eighth of this.
  static let leastLog = 4 << 20

  /// Returns the bytes that this process may still allocate; nil if unknown.
  static func bytes(besides path: String) -> Int64? {
    var system = statvfs()
    guard statvfs(StoreDirectory.path(ofStore: path), &system) == 0 else { return nil }
    // Root may use the blocks that are reserved for it.
    let blocks = geteuid() == 0 ? system.f_bfree : system.f_bavail
    return Int64(clamping: blocks.multipliedReportingOverflow(by: system.f_frsize).partialValue)
  }
}
