import NewsCore

/// Formats app passwords as lines, and a new one as its only line.
struct WebAppsPresenter: Presenting {
  typealias ViewModel = WebAppsViewModel

  func list(_ apps: [AppPassword]) -> Container<WebAppsViewModel> {
    .ready(
      WebAppsViewModel(
        lines: apps.map { app in
          let used = app.lastUsed.map { "last used \($0.rfc3339)" } ?? "never used"
          return RecordLine(
            record: app,
            text: DisplayText.columns([app.name, "made \(app.made.rfc3339)", used])
          )
        }
      )
    )
  }

  /// Presents a new app password. The password is the only result, so that a script can read it.
  func added(_ app: AppPassword, _ password: String, user: String) -> Container<WebAppsViewModel> {
    let note =
      "The user name is \(user). The password is not shown again; "
      + "'newsd web apps remove \(app.name)' revokes it."
    return .ready(
      WebAppsViewModel(
        lines: [RecordLine(record: app, text: DisplayText(line: password))],
        notes: [DisplayText(line: note)]
      )
    )
  }

  func removed(_ name: String) -> Container<WebAppsViewModel> {
    .ready(WebAppsViewModel(notes: [DisplayText(line: "Revoked the app password '\(name)'.")]))
  }

  func taken(_ name: String) -> Container<WebAppsViewModel> {
    present(
      UserMessage(
        code: .cannotCreate,
        text:
          "there is an app password '\(name)' already; revoke it with 'newsd web apps remove', or take another name"
      )
    )
  }

  func missing(_ name: String) -> Container<WebAppsViewModel> {
    present(
      UserMessage(code: .notFound, text: "there is no app password '\(name)'; 'newsd web apps' lists them")
    )
  }
}
