public import NewsCore

/// Sets and removes the login password.
public struct WebPasswordInteractor: Interactor {
  private let passwords: WebLogin
  private let presenter = WebPasswordPresenter()

  public init(passwords: WebLogin) {
    self.passwords = passwords
  }

  public func respond(to route: WebPasswordRoute, emit: @escaping Emit<WebPasswordViewModel>) async throws {
    switch route {
    case .set(let password):
      try emit(try await passwords.setLoginPassword(password) ? presenter.set() : presenter.unfit())
    case .remove:
      try emit(try await passwords.removeLoginPassword() ? presenter.removed() : presenter.missing())
    }
  }
}
