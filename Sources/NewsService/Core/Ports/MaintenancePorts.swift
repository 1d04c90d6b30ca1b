/// Something wrong inside the store.
public struct StoreProblem: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    /// Pages or indexes of the file are damaged.
    case integrity
    /// A table or an index is missing.
    case layout
    /// A row belongs to one that is not there.
    case reference
    /// The full-text index does not agree with the items.
    case index
    /// A total is not the sum it should be.
    case total
  }

  public var kind: Kind
  public var message: String
  /// False: some of what was stored is lost, and only a backup has it.
  public var isRepairable: Bool

  public init(kind: Kind, message: String, isRepairable: Bool) {
    self.kind = kind
    self.message = message
    self.isRepairable = isRepairable
  }
}

/// What a repair did.
public struct StoreRepair: Hashable, Sendable {
  /// What was wrong before it.
  public var found: [StoreProblem]
  /// What is still wrong.
  public var remaining: [StoreProblem]
  /// What could not be saved of a damaged file, and where that file is kept; a line each.
  public var notes: [String]

  public init(found: [StoreProblem] = [], remaining: [StoreProblem] = [], notes: [String] = []) {
    self.found = found
    self.remaining = remaining
    self.notes = notes
  }
}

/// Verifying the store.
public protocol StoreChecking: Sendable {
  /// Looks at everything and changes nothing; takes minutes for a million items.
  func check() async throws(StoreError) -> [StoreProblem]
  /// Rebuilds what can be rebuilt from the items. Of a damaged file everything that can still be read is put into a new
  /// one, which takes its place; the damaged one is kept beside it. No item is removed.
  func repair() async throws(StoreError) -> StoreRepair
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
