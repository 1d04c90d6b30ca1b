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
