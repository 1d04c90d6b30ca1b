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
    "The configuration sets the login password (web.password_file); it is changed there."

  func render(into html: inout HTMLBuilder) {
    html.element("h1", text: "Passwords and sessions")
    if takesPassword {
      html.element("h2", .id("password"), text: "Login password")
      loginPassword(&html)
    }
    html.element("h2", text: "App passwords")
    html.element("p", .class("quiet")) { html in
      html.text("Each program that reads newsd gets a password of its own. Its name there is ")
      html.element("code", text: user)
      html.text(". A password can be revoked without changing the others.")
    }
    passwords(&html)
    FormView.post(&html, "/access", context.formToken, class: "sheet") { html in
      html.element("div", .class("row")) { html in
        FormView.field(&html, "Name of the program", name: "add", placeholder: "Phone", isRequired: true)
        html.element("button", .class("main"), text: "Make a password")
      }
    }
    html.element("h2", text: "Sessions")
    browsers(&html)
  }

  private func loginPassword(_ html: inout HTMLBuilder) {
    if isPasswordFixed { return html.element("p", .class("quiet"), text: Self.fixedPassword) }
    FormView.post(&html, "/password", context.formToken, class: "sheet") { html in
      html.element("div", .class("row")) { html in
        FormView.currentPassword(&html)
        FormView.field(
          &html,
          "New password (at least \(PasswordRule.shortest) characters)",
          name: "new",
          type: "password",
          isRequired: true,
          complete: "new-password"
        )
        html.element("button", .class("main"), text: "Change the password")
      }
      html.element("p", .class("quiet"), text: "All other sessions end.")
    }
  }

  private func passwords(_ html: inout HTMLBuilder) {
    guard !apps.isEmpty else { return html.element("p", .class("empty"), text: "There are none yet.") }
    html.element("table", .class("data")) { html in
      html.tableHead(["Name", "Made", "Last used"])
      html.element("tbody") { html in
        for app in apps {
          html.element("tr") { html in
            let name = DisplayText(line: app.name).string
            html.element("td", .autoDirection, text: name)
            html.element("td") { html in time(&html, app.made) }
            html.element("td") { html in
              if let used = app.lastUsed { time(&html, used) } else { html.text("never") }
            }
            html.element("td") { html in
              FormView.post(&html, "/access", context.formToken) { html in
                FormView.hidden(&html, "revoke", app.name)
                html.element("button", .class("bad")) { html in
                  html.text("Revoke")
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
      html.tableHead(["Browser", "Address", "Last seen"])
      html.element("tbody") { html in
        for session in sessions {
          html.element("tr") { html in
            html.element("td") { html in
              html.text(session.agent.isEmpty ? "unknown" : DisplayText(line: session.agent).string)
              if session.id == context.session?.id { html.element("strong", text: " (this one)") }
            }
            html.element("td", text: session.address.isEmpty ? "local" : session.address)
            html.element("td") { html in time(&html, session.lastSeen) }
            html.element("td") { html in
              FormView.post(&html, "/access", context.formToken) { html in
                FormView.hidden(&html, "end", String(session.id))
                html.element("button", .class("bad")) { html in
                  html.text("End")
                  html.element("span", .class("hidden"), text: " the session of \(session.address)")
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
