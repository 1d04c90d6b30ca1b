/// Sizes of the store and of the file system of its files. Unknown sizes are nil; of a store on a server,
/// only `storeBytes` is known.
public struct StoreFigures: Hashable, Sendable {
  /// Bytes of the store's file, or of its tables and indexes.
  public var storeBytes: Int64
  /// Bytes of the write-ahead log; 0 without a log.
  public var logBytes: Int64?
  /// Bytes of unused pages in the file, as of the last checkpoint; `newsd compact` returns them.
  public var unusedBytes: Int64?
  /// Bytes of the file system available to this user.
  public var diskFree: Int64?
  /// Total bytes of the file system.
  public var diskSize: Int64?
  /// Seconds for which the oldest transaction of the store's database has been open, as far as this role can see.
  public var oldestTransaction: Int64?
  /// Number of transactions since the oldest snapshot, of a session, replication slot or prepared transaction: the server
  /// cannot remove rows that were changed or deleted since then.
  public var snapshotAge: Int64?
  /// Number of changed and deleted rows that the server has not removed.
  public var deadRows: Int64?
  /// The quota of an account's store; nil: there is none.
  public var quota: StoreQuota?

  public init(
    storeBytes: Int64,
    logBytes: Int64? = nil,
    unusedBytes: Int64? = nil,
    diskFree: Int64? = nil,
    diskSize: Int64? = nil
  ) {
    self.storeBytes = storeBytes
    self.logBytes = logBytes
    self.unusedBytes = unusedBytes
    self.diskFree = diskFree
    self.diskSize = diskSize
  }
}

/// Measures the store. A store in a file is not opened for this.
public protocol StoreFileMeasuring: Sendable {
  /// Measures the store; returns nil when it is missing or cannot be examined.
  func figures() async -> StoreFigures?
  /// Returns the daemon that runs on the store now; nil if there is none.
  func runningDaemon() async -> DaemonPresence?
}
