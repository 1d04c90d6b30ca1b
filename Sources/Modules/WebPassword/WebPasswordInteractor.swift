public import NewsCore

/// Sets and removes the login password.
public struct WebPasswordInteractor: Interactor {
  private let passwords: WebLogin

  public init(passwords: WebLogin) { self.passwords = passwords }

  /// Makes `password` the login password; nil: removes it.
  public func respond(to password: String?, emit: @escaping Emit<Outcome>) async throws {
    if let password {
      if let problem = PasswordRule.problem(password) {
        throw UserMessage(code: .badData, text: "the login password \(problem)")
      }
      guard try await passwords.setLoginPassword(password) else {
        throw UserMessage(
          code: .internalError,
          text: "the password cannot be hashed; libcrypt may be missing"
        )
      }
      return try emit(.outcome("the login password is set. All sessions have ended."))
    }
    guard try await passwords.removeLoginPassword() else {
      throw UserMessage(code: .notFound, text: "there is no login password")
    }
    try emit(.outcome("the login password is removed. All sessions have ended."))
  }
}
