/// An inconsistency in the store.
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
    /// A stored total differs from the sum of its parts.
    case total
  }

  public var kind: Kind
  public var message: String
  /// True if a repair can fix the problem. False: some data is lost, and only a backup contains it.
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
  /// One line for each loss of a salvage, and for the place where the damaged file is kept.
  public var notes: [String] = []
  /// The number of items that the damaged file recorded; nil when it could not be read, or when the file was not
  /// damaged.
  public var itemsBefore: Int?
  /// The number of items in the store now; nil when the file was not damaged.
  public var itemsAfter: Int?
  /// True when rows of a damaged file could not be recovered.
  public var hasLosses = false

  public init(found: [StoreProblem] = [], remaining: [StoreProblem] = []) {
    self.found = found
    self.remaining = remaining
  }
}

/// Progress of a long operation. The unit depends on the operation; only the ratio is meaningful.
public struct StoreProgress: Hashable, Sendable {
  public var done: Int
  public var total: Int

  public init(done: Int, total: Int) {
    self.done = done
    self.total = total
  }
}

/// Receives progress from time to time, on any thread.
public typealias StoreProgressHandler = @Sendable (StoreProgress) -> Void

/// A folder with backups.
public protocol BackupFolding: Sendable {
  /// Returns the path of a file in the folder.
  func path(of name: String) -> String
  /// Returns the names of all files in the folder.
  func names() throws(FileError) -> [String]
  /// Makes the folder in which a copy with this name will be made. Returns false if the name is taken, also by a copy that
  /// another process makes. True for any other problem, which making the copy reports.
  func reserve(_ name: String) -> Bool
  /// Removes the folder of `reserve` if it is empty.
  func release(_ name: String)
  /// Removes a file, or a folder in which a copy was made.
  func remove(_ name: String) throws(FileError)
}

/// Checks and repairs the store, and removes what is not needed.
public protocol StoreMaintaining: Sendable {
  /// Reads the whole store and changes nothing; takes minutes for a million items.
  func check(progress: @escaping StoreProgressHandler) async throws(StoreError) -> [StoreProblem]
  /// Rebuilds derived data from the items. If the file is damaged, everything readable is copied into a new file that
  /// replaces it; the damaged file is kept beside it. No item is removed.
  func repair(progress: @escaping StoreProgressHandler) async throws(StoreError) -> StoreRepair
  /// Skips the numbers that may have been assigned after a backup was made, which other tools than newsd have restored, or which
  /// is the first content of a new store. Returns what was done, for the user.
  func noteRestore() async throws(StoreError) -> String

  /// Writes a consistent copy to a file that must not exist yet, while other processes read and write. An incomplete
  /// copy is removed.
  func backup(to path: String, progress: @escaping StoreProgressHandler) async throws(StoreError)

  /// Verifies the backup, then replaces the whole content of the store with it in one transaction. The store may be
  /// missing or damaged, and other processes may have it open. `account` owns the store; nil if newsd has no accounts.
  ///
  /// - Throws: `corrupt` when the file is not an intact store; the store is unchanged then.
  func restore(
    from path: String,
    into account: RestoredAccount?,
    progress: @escaping StoreProgressHandler
  ) async throws(StoreError) -> StoreRestore

  /// Writes all rows into a new file and copies it over the store. Readers continue, writers wait. Needs free space for
  /// a second store.
  ///
  /// - Returns: Bytes of the store's file before and after.
  func compact(progress: @escaping StoreProgressHandler) async throws(StoreError) -> (
    before: Int64, after: Int64
  )

  /// Removes items in small transactions, so that other writers need not wait. Each item leaves a tombstone and is not
  /// stored again. With `dryRun` nothing is changed.
  /// Calls `progress` with the number of items so far.
  func prune(
    _ rules: RetentionRules,
    at now: Timestamp,
    dryRun: Bool,
    progress: @escaping @Sendable (Int) -> Void
  ) async throws(StoreError) -> PruneReport

  /// Notes the time of the clock. Returns nil if items may be removed by it; otherwise, when they may: the clock is far from
  /// the last time that the store knows, and may be wrong. See `KnownTime`.
  func noteTime(_ now: Timestamp) async throws(StoreError) -> Timestamp?
}

extension StoreMaintaining {
  public func restore(
    from path: String,
    progress: @escaping StoreProgressHandler
  ) async throws(StoreError) -> StoreRestore {
    try await restore(from: path, into: nil, progress: progress)
  }

  public func prune(
    _ rules: RetentionRules,
    at now: Timestamp,
    dryRun: Bool
  ) async throws(StoreError) -> PruneReport {
    try await prune(rules, at: now, dryRun: dryRun) { _ in }
  }
}

/// The result of a restore.
public struct StoreRestore: Hashable, Sendable {
  /// Items in the store now.
  public var items: Int
  /// The path where the former file is kept if it was too damaged to be overwritten in place.
  public var kept: String?

  public init(items: Int, kept: String? = nil) {
    self.items = items
    self.kept = kept
  }
}

/// Whether the path still refers to the open store file.
public enum StoreFileState: Hashable, Sendable {
  /// The path still refers to the open file, or no file is open.
  case intact
  /// The file was removed from the path.
  case deleted
  /// The path refers to another file, or the file was restored from a backup.
  case replaced
  /// The store has another layout now, so that this version can never use it again.
  case unusable(StoreError)
  /// The file was overwritten with other content, or was truncated. The result may be wrong while a process writes the file, so
  /// check again a second later.
  case damaged(StoreError)
}
