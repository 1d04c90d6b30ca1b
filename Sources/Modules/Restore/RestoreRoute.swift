/// The store to replace, and the backup to replace it with.
public struct RestoreRoute: Hashable, Sendable {
  /// Path of the store's file; `backup` is the path of the backup.
  public var store: String
  public var backup: String

  public init(store: String, backup: String) {
    self.store = store
    self.backup = backup
  }
}
