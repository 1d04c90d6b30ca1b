/// A backup that takes the place of a store.
public struct RestoreRoute: Hashable, Sendable {
  /// Paths of the store and of the backup.
  public var store: String
  public var backup: String

  public init(store: String, backup: String) {
    self.store = store
    self.backup = backup
  }
}
