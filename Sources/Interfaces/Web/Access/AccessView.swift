import Modules
import NewsCore

/// The app passwords and the browsers that are logged in.
struct AccessView {
  let apps: [AppPassword]
  let sessions: [WebSession]
  let user: String
  /// True: the configuration sets the login password.
  let isPasswordFixed: Bool
  /// True: the login password is a way to log in.
  let takesPassword: Bool
  let context: PageContext

  static let fixedPassword =
    Wording.configurationSetsLoginPassword

  func render(into html: inout HTMLBuilder) {
    html.element("h1", text: Wording.passwordsAndSessions)
    if takesPassword {
      html.element("h2", .id("password"), text: Wording.loginPassword)
      loginPassword(&html)
    }
    html.element("h2", text: Wording.appPasswords)
    html.element("p", .class("quiet")) { html in
      html.text(Wording.eachProgramGetsAPassword)
      html.element("code", text: user)
      html.text(Wording.passwordCanBeRevoked)
    }
    passwords(&html)
    FormView.post(&html, "/access", context.formToken, class: "sheet") { html in
      html.element("div", .class("row")) { html in
        FormView.field(
          &html,
          Wording.nameOfTheProgram,
          name: "add",
          placeholder: Wording.phone,
          isRequired: true
        )
        html.element("button", .class("main"), text: Wording.makeAPassword)
      }
    }
    html.element("h2", text: Wording.sessions)
    browsers(&html)
  }

  private func loginPassword(_ html: inout HTMLBuilder) {
    if isPasswordFixed { return html.element("p", .class("quiet"), text: Self.fixedPassword) }
    FormView.post(&html, "/password", context.formToken, class: "sheet") { html in
      html.element("div", .class("row")) { html in
        FormView.currentPassword(&html)
        FormView.field(
          &html,
          Wording.newPassword(PasswordRule.shortest),
          name: "new",
          type: "password",
          isRequired: true,
          complete: "new-password"
        )
        html.element("button", .class("main"), text: Wording.changeThePassword)
      }
      html.element("p", .class("quiet"), text: Wording.allOtherSessionsEnd)
    }
  }

  private func passwords(_ html: inout HTMLBuilder) {
    guard !apps.isEmpty else { return html.element("p", .class("empty"), text: Wording.thereAreNoneYet) }
    html.element("table", .class("data")) { html in
      html.tableHead([Wording.name, Wording.made, Wording.lastUsed])
      html.element("tbody") { html in
        for app in apps {
          html.element("tr") { html in
            let name = DisplayText(line: app.name).string
            html.element("td", .autoDirection, text: name)
            html.element("td") { html in time(&html, app.made) }
            html.element("td") { html in
              if let used = app.lastUsed { time(&html, used) } else { html.text(Wording.never) }
            }
            html.element("td") { html in
              FormView.post(&html, "/access", context.formToken) { html in
                FormView.hidden(&html, "revoke", app.name)
                html.element("button", .class("plain bad")) { html in
                  html.text(Wording.revoke)
                  html.element("span", .class("hidden"), text: " \(name)")
                }
              }
            }
          }
        }
      }
    }
  }

  private func browsers(_ html: inout HTMLBuilder) {
    html.element("table", .class("data")) { html in
      html.tableHead([Wording.browser, Wording.address, Wording.lastSeen])
      html.element("tbody") { html in
        for session in sessions {
          html.element("tr") { html in
            html.element("td", .value("title", DisplayText(line: session.agent).string)) { html in
              html.text(BrowserName.of(session.agent))
              if session.id == context.session?.id { html.element("strong", text: Wording.thisOne) }
            }
            html.element("td", text: session.address.isEmpty ? Wording.local : session.address)
            html.element("td") { html in time(&html, session.lastSeen) }
            html.element("td") { html in
              FormView.post(&html, "/access", context.formToken) { html in
                FormView.hidden(&html, "end", String(session.id))
                html.element("button", .class("plain bad")) { html in
                  html.text(Wording.end)
                  html.element("span", .class("hidden"), text: Wording.theSessionOf(session.address))
                }
              }
            }
          }
        }
      }
    }
  }

  private func time(_ html: inout HTMLBuilder, _ time: Timestamp) {
    html.element("time", .value("datetime", time.rfc3339), text: context.times.dateAndTime(time))
  }
}
