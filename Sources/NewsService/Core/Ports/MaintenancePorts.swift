/// Something wrong inside the store.
public struct StoreProblem: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    /// Pages or indexes of the file are damaged.
    case integrity
    /// A table or an index is missing.
    case layout
    /// A row refers to a missing row.
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

/// The result of a repair.
public struct StoreRepair: Hashable, Sendable {
  /// The findings before the repair.
  public var found: [StoreProblem]
  /// The findings after the repair.
  public var remaining: [StoreProblem]
  /// The losses of a salvage, and where the damaged file is kept; a line each.
  public var notes: [String]
  /// How many items the damaged file said it held; nil when that could not be read, or the file was not damaged.
  public var itemsBefore: Int?
  /// How many items the store holds now; nil when the file was not damaged.
  public var itemsAfter: Int?
  /// True when rows of a damaged file could not be saved.
  public var hasLosses: Bool

  public init(
    found: [StoreProblem] = [],
    remaining: [StoreProblem] = [],
    notes: [String] = [],
    itemsBefore: Int? = nil,
    itemsAfter: Int? = nil,
    hasLosses: Bool = false
  ) {
    self.found = found
    self.remaining = remaining
    self.notes = notes
    self.itemsBefore = itemsBefore
    self.itemsAfter = itemsAfter
    self.hasLosses = hasLosses
  }
}

/// How far a long operation is. The unit depends on the operation; only the ratio means something.
public struct StoreProgress: Hashable, Sendable {
  public var done: Int
  public var total: Int

  public init(done: Int, total: Int) {
    self.done = done
    self.total = total
  }
}

/// Gets progress several times a second, on any thread.
public typealias StoreProgressHandler = @Sendable (StoreProgress) -> Void

/// Verifying the store.
public protocol StoreChecking: Sendable {
  /// Reads everything and changes nothing; takes minutes for a million items.
  func check() async throws(StoreError) -> [StoreProblem]
  /// Rebuilds what can be rebuilt from the items. Of a damaged file everything that can still be read is put into a new
  /// one, which takes its place; the damaged one is kept beside it. No item is removed.
  func repair() async throws(StoreError) -> StoreRepair
}

/// Copying the store.
public protocol StoreBackingUp: Sendable {
  /// Writes a consistent copy to a file that must not exist yet, while others read and write. An unfinished copy is
  /// removed.
  func backup(to path: String, progress: @escaping StoreProgressHandler) async throws(StoreError)
}

extension StoreBackingUp {
  public func backup(to path: String) async throws(StoreError) { try await backup(to: path) { _ in } }
}

/// What a restore did.
public struct StoreRestore: Hashable, Sendable {
  /// Items in the store now.
  public var items: Int
  /// Where the former file is kept, if it was too damaged to be written.
  public var kept: String?

  public init(items: Int, kept: String? = nil) {
    self.items = items
    self.kept = kept
  }
}

/// Putting a backup in the place of the store.
public protocol StoreRestoring: Sendable {
  /// Verifies the backup, then replaces everything in the store by it in one transaction. The store may be missing or damaged,
  /// and other processes may have it open.
  ///
  /// - Throws: `corrupt` when the file is not a sound store; the store is not changed then.
  func restore(from path: String, progress: @escaping StoreProgressHandler) async throws(StoreError)
    -> StoreRestore
}

/// Giving unused space back to the file system.
public protocol StoreCompacting: Sendable {
  /// Writes all rows into a new file and copies that over the store, while others read; writers wait. Needs room for a second
  /// store.
  ///
  /// - Returns: Bytes of the store's file before and after.
  func compact(progress: @escaping StoreProgressHandler) async throws(StoreError) -> (
    before: Int64, after: Int64
  )
}

/// What became of the file that the store was opened from.
public enum StoreFileState: Hashable, Sendable {
  /// The path still leads to the open file, or nothing is open.
  case intact
  /// The file was removed from the path.
  case deleted
  /// The path leads to another file, or the file was restored from a backup.
  case replaced
}

/// Watching the file under a long-lived process.
public protocol StoreWatching: Sendable {
  /// Compares device, inode and restore number of the path with those of the open file. Cheap enough for every few seconds.
  func fileState() async -> StoreFileState
  /// Closes all connections and opens the file that the path leads to now.
  func reopen() async throws(StoreError)
}
