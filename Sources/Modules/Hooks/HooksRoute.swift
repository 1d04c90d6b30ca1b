/// An operation on the hooks.
public enum HooksRoute: Hashable, Sendable {
  case list
  /// Sends a sample.
  case test(String)
  /// Has failed deliveries tried again, of one hook or of all.
  case retry(String?)
  /// Removes what a hook has not delivered.
  case drop(String, onlyFailed: Bool)
}
