/// Something wrong inside the store.
public struct StoreProblem: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    /// Pages or indexes of the file are damaged.
    case integrity
    /// A row belongs to one that is not there.
    case reference
    /// The full-text index does not agree with the items.
    case index
    /// A total is not the sum it should be.
    case total
  }

  public var kind: Kind
  public var message: String
  /// False: only a backup helps.
  public var isRepairable: Bool

  public init(kind: Kind, message: String, isRepairable: Bool) {
    self.kind = kind
    self.message = message
    self.isRepairable = isRepairable
  }
}

/// Verifying the store.
public protocol StoreChecking: Sendable {
  /// Looks at everything and changes nothing; takes minutes for a million items.
  func check() async throws(StoreError) -> [StoreProblem]
  /// Rebuilds what can be rebuilt from the items; returns what is wrong after it.
  func repair() async throws(StoreError) -> [StoreProblem]
}

/// Copying the store.
public protocol StoreBackingUp: Sendable {
  /// Writes a consistent copy to a file that must not exist yet, while others read and write. What could not be
  /// finished is removed.
  func backup(to path: String) async throws(StoreError)
}

/// What the store holds, in numbers.
public struct StoreStatus: Hashable, Sendable {
  public var path: String
  /// Bytes of the file and of its write-ahead log.
  public var fileSize: Int64
  public var feeds: Int
  public var items: Int
  public var unread: Int
  public var starred: Int
  public var tombstones: Int
  public var sequence: Int64
  /// Sort times of the oldest and the newest item.
  public var oldest: Timestamp?
  public var newest: Timestamp?

  public init(
    path: String,
    fileSize: Int64,
    feeds: Int,
    items: Int,
    unread: Int,
    starred: Int,
    tombstones: Int,
    sequence: Int64,
    oldest: Timestamp?,
    newest: Timestamp?
  ) {
    self.path = path
    self.fileSize = fileSize
    self.feeds = feeds
    self.items = items
    self.unread = unread
    self.starred = starred
    self.tombstones = tombstones
    self.sequence = sequence
    self.oldest = oldest
    self.newest = newest
  }
}

/// Reading what the store holds.
public protocol StoreStatusReading: Sendable {
  func status() async throws(StoreError) -> StoreStatus
}
