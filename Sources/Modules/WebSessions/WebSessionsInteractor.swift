public import NewsCore

/// Lists and ends the sessions of browsers.
public struct WebSessionsInteractor: Interactor {
  private let account: any WebAccount
  private let presenter = WebSessionsPresenter()

  public init(account: any WebAccount) {
    self.account = account
  }

  public func respond(to route: WebSessionsRoute, emit: @escaping Emit<WebSessionsViewModel>) async throws {
    switch route {
    case .list:
      try emit(presenter.list(try await account.sessions()))
    case .remove(let id):
      guard try await account.removeSession(id) else { return try emit(presenter.missing(id)) }
      try emit(presenter.removed(id))
    }
  }
}
