/// A check of the store.
public struct CheckRoute: Hashable, Sendable {
  /// Path of the store's file, or address of a store on PostgreSQL without its password; for messages.
  public var store: String
  /// True: repair the store where possible.
  public var repairs: Bool
  /// True: the store's content was restored by other means than newsd's.
  public var isAfterRestore: Bool

  public init(store: String, repairs: Bool, isAfterRestore: Bool = false) {
    self.store = store
    self.repairs = repairs
    self.isAfterRestore = isAfterRestore
  }
}
