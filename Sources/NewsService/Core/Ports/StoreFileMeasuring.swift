/// Sizes of the store's files and of their file system.
public struct StoreFigures: Hashable, Sendable {
  /// Bytes of the store's file.
  public var storeBytes: Int64
  /// Bytes of the write-ahead log; 0 without a log.
  public var logBytes: Int64
  /// Bytes of unused pages in the file, as of the last checkpoint; `newsd compact` returns them.
  public var unusedBytes: Int64
  /// Bytes of the file system available to this user.
  public var diskFree: Int64
  /// Total bytes of the file system.
  public var diskSize: Int64

  public init(
    storeBytes: Int64 = 0,
    logBytes: Int64 = 0,
    unusedBytes: Int64 = 0,
    diskFree: Int64 = 0,
    diskSize: Int64 = 0
  ) {
    self.storeBytes = storeBytes
    self.logBytes = logBytes
    self.unusedBytes = unusedBytes
    self.diskFree = diskFree
    self.diskSize = diskSize
  }
}

/// Measures the store's files without opening the store.
public protocol StoreFileMeasuring: Sendable {
  /// Returns nil when the file is missing or cannot be examined.
  func figures() -> StoreFigures?
  /// The daemon that is running on the store; nil: none.
  func runningDaemon() -> DaemonPresence?
}
