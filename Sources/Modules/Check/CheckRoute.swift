/// How the store is verified.
public struct CheckRoute: Hashable, Sendable {
  /// Path of the store's file, for messages.
  public var store: String
  /// True: what can be rebuilt is rebuilt.
  public var repairs: Bool

  public init(store: String, repairs: Bool) {
    self.store = store
    self.repairs = repairs
  }
}
