/// A change of the login password.
public enum WebPasswordRoute: Hashable, Sendable {
  case set(String)
  case remove
}
