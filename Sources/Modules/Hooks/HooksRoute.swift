/// An operation on the hooks.
public enum HooksRoute: Hashable, Sendable {
  case list
  /// Sends a sample.
  case test(String)
  /// Retries the failed deliveries of one hook, or of all.
  case retry(String?)
  /// Removes the deliveries that a hook has not made.
  case drop(String, onlyFailed: Bool)
}
