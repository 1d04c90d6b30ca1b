public import NewsCore

/// Shows the addresses of the web server and who may log in.
public struct WebStatusInteractor: Interactor {
  private let account: any WebAccount
  private let presenter = WebStatusPresenter()

  public init(account: any WebAccount) {
    self.account = account
  }

  public func respond(to route: WebStatusRoute, emit: @escaping Emit<WebStatusViewModel>) async throws {
    try emit(
      presenter.present(
        route,
        user: account.user,
        hasPassword: try await account.hasLoginPassword(),
        apps: try await account.apps().count,
        sessions: try await account.sessions().count
      )
    )
  }
}
