/// An operation on the app passwords.
public enum WebAppsRoute: Hashable, Sendable {
  case list
  /// Makes an app password under a name.
  case add(name: String)
  /// Revokes the app password with that name.
  case remove(name: String)
}
