public import NewsCore

/// Lists, makes and revokes app passwords.
public struct WebAppsInteractor: Interactor {
  private let account: any WebAccount
  private let presenter = WebAppsPresenter()

  public init(account: any WebAccount) {
    self.account = account
  }

  public func respond(to route: WebAppsRoute, emit: @escaping Emit<WebAppsViewModel>) async throws {
    switch route {
    case .list:
      try emit(presenter.list(try await account.apps()))
    case .add(let name):
      guard let made = try await account.addApp(named: name) else { return try emit(presenter.taken(name)) }
      try emit(presenter.added(made.app, made.password, user: account.user))
    case .remove(let name):
      guard try await account.removeApp(named: name) else { return try emit(presenter.missing(name)) }
      try emit(presenter.removed(name))
    }
  }
}
