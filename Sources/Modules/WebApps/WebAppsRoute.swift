/// An operation on the app passwords.
public enum WebAppsRoute: Hashable, Sendable {
  case list
  case add(name: String)
  case remove(name: String)
}
