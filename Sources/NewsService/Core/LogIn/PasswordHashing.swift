/// Hashes login passwords slowly. Each call takes tens of milliseconds and tens of megabytes.
public protocol PasswordHashing: Sendable {
  /// Makes a hash with a new salt; nil: the password is empty, too long or holds a NUL, or the library is missing.
  func hash(_ password: String) -> String?
  /// True if the hash was made of the password.
  func matches(_ password: String, hash: String) -> Bool
}

/// A wrong password, for the log.
public struct LoginRefusal: Hashable, Sendable {
  /// The name as the client sent it, shortened; untrusted.
  public var user: String
  public var address: String

  public init(user: String, address: String) {
    self.user = user
    self.address = address
  }
}
