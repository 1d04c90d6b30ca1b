/// An operation on the sessions of browsers.
public enum WebSessionsRoute: Hashable, Sendable {
  case list
  /// Ends the session of that number.
  case remove(Int64)
}
