public import NewsCore
import NewsToolbox

/// Shows the addresses of the web server and who may log in.
public struct WebStatusInteractor: Interactor {
  private let account: any WebAccount
  private let takesPassword: Bool

  /// `takesPassword`: the login password is a way to log in.
  public init(account: any WebAccount, takesPassword: Bool = true) {
    self.account = account
    self.takesPassword = takesPassword
  }

  /// Shows the state of the server that listens at `listen` (`web.listen`; nil: off) and that clients reach at `url`.
  public func respond(
    to request: (listen: String?, url: String?),
    emit: @escaping Emit<RecordList<WebStatusFigure>>
  ) async throws {
    let hasPassword = try await account.hasLoginPassword()
    let figures = [
      WebStatusFigure(name: "listen", value: request.listen ?? "off"),
      WebStatusFigure(name: "url", value: request.url ?? "none"),
      WebStatusFigure(name: "user", value: account.user),
      WebStatusFigure(name: "login_password", value: hasPassword ? "set" : "not set"),
      WebStatusFigure(name: "app_passwords", value: String(try await account.apps().count)),
      WebStatusFigure(name: "sessions", value: String(try await account.sessions().count)),
    ]
    let presenter = WebStatusPresenter()
    try emit(
      presenter.list(figures, isOff: request.listen == nil, lacksPassword: takesPassword && !hasPassword)
    )
  }
}

/// A named value of the web server's state.
public struct WebStatusFigure: Hashable, Sendable {
  public var name: String
  public var value: String
}

/// Formats the state of the web server as named values, and says what to do next.
struct WebStatusPresenter {
  func list(
    _ figures: [WebStatusFigure],
    isOff: Bool,
    lacksPassword: Bool
  ) -> Container<RecordList<WebStatusFigure>> {
    var notes: [String] = []
    if isOff {
      notes.append(
        "set web.listen in the configuration, for example 127.0.0.1:8788, to have newsd run serve"
      )
    }
    if lacksPassword { notes.append("'newsd web password' sets the password for the page") }
    let width = figures.map(\.name.utf8.count).max() ?? 0
    return .list(
      figures.map { figure in
        let label = figure.name.replacing(ascii: "_", with: " ").padded(to: width)
        return RecordLine(figure, "\(label)  \(figure.value)")
      },
      notes: notes
    )
  }
}
