import NewsToolbox

/// Formats the state of the web server as named values.
struct WebStatusPresenter: Presenting {
  typealias ViewModel = WebStatusViewModel

  func present(
    _ route: WebStatusRoute,
    user: String,
    hasPassword: Bool,
    apps: Int,
    sessions: Int
  ) -> Container<WebStatusViewModel> {
    let figures = [
      WebStatusFigure(name: "listen", value: route.listen ?? "off"),
      WebStatusFigure(name: "url", value: route.url ?? route.listen.map { "http://\($0)/" } ?? "none"),
      WebStatusFigure(name: "user", value: user),
      WebStatusFigure(name: "login_password", value: hasPassword ? "set" : "not set"),
      WebStatusFigure(name: "app_passwords", value: String(apps)),
      WebStatusFigure(name: "sessions", value: String(sessions)),
    ]
    var notes: [DisplayText] = []
    if route.listen == nil {
      notes.append(
        DisplayText(
          "Set web.listen in the configuration, for example 127.0.0.1:8788, to have newsd run serve."
        )
      )
    }
    if !hasPassword { notes.append(DisplayText("'newsd web password' sets the password for the page.")) }
    let width = figures.map(\.name.utf8.count).max() ?? 0
    return .ready(
      WebStatusViewModel(
        lines: figures.map { figure in
          let label = figure.name.replacing(ascii: "_", with: " ").padded(to: width)
          return RecordLine(record: figure, text: DisplayText(line: "\(label)  \(figure.value)"))
        },
        notes: notes
      )
    )
  }
}
