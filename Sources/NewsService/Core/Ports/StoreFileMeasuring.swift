/// The room that a store takes and has.
public struct StoreFigures: Hashable, Sendable {
  /// Bytes of the store's file.
  public var storeBytes: Int64
  /// Bytes of its write-ahead log; 0: there is none.
  public var logBytes: Int64
  /// Bytes of the file's pages that hold nothing (`newsd compact` gives them back); as of the last checkpoint.
  public var unusedBytes: Int64
  /// Bytes of the file system that this user may still fill.
  public var diskFree: Int64
  /// Bytes of the file system.
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
  /// Nil: there is no file, or it cannot be looked at.
  func figures() -> StoreFigures?
  /// The daemon that runs on the store now; nil: none.
  func runningDaemon() -> DaemonPresence?
}
