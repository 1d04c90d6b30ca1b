public import NewsCore

/// Lists, makes and revokes app passwords.
public struct WebAppsInteractor: Interactor {
  private let account: any WebAccount
  private let presenter = WebAppsPresenter()

  public init(account: any WebAccount) { self.account = account }

  public func respond(to request: WebAppsRequest, emit: @escaping Emit<RecordList<AppPassword>>) async throws
  {
    switch request {
    case .list:
      try emit(presenter.list(try await account.apps()))
    case .add(let name):
      guard let made = try await account.addApp(named: name) else { throw presenter.taken(name) }
      try emit(presenter.added(made.app, made.password, user: account.user))
    case .remove(let name):
      guard try await account.removeApp(named: name) else { throw presenter.missing(name) }
      try emit(.note("revoked the app password '\(name)'"))
    }
  }
}

/// An operation on the app passwords.
public enum WebAppsRequest: Hashable, Sendable {
  case list
  case add(name: String)
  case remove(name: String)
}

/// Formats app passwords as lines, and a new one as its only line.
struct WebAppsPresenter {
  func list(_ apps: [AppPassword]) -> Container<RecordList<AppPassword>> {
    .list(
      apps.map { app in
        let used = app.lastUsed.map { "last used \($0.rfc3339)" } ?? "never used"
        return RecordLine(app, columns: [app.name, "made \(app.made.rfc3339)", used])
      }
    )
  }

  /// Presents a new app password. The password is the only result, so that a script can read it.
  func added(_ app: AppPassword, _ password: String, user: String) -> Container<RecordList<AppPassword>> {
    let note =
      "the user name is \(user). The password is not shown again; "
      + "'newsd web apps remove \(app.name)' revokes it."
    return .list([RecordLine(app, password)], notes: [note])
  }

  func taken(_ name: String) -> UserMessage {
    UserMessage(
      code: .cannotCreate,
      text:
        "there is an app password '\(name)' already; revoke it with 'newsd web apps remove', or take another name"
    )
  }

  func missing(_ name: String) -> UserMessage {
    UserMessage(code: .notFound, text: "there is no app password '\(name)'; 'newsd web apps' lists them")
  }
}
