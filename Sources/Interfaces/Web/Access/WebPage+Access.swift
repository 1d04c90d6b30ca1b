import NewsHTTP
import Modules
import NewsCore

// MARK: - App passwords and sessions

extension WebPage {
  func showAccess(_ request: HTTPRequest, _ session: WebSession) async throws -> HTTPReply {
    let context = await context(request, session)
    let view = AccessView(
      apps: try await account.apps(),
      sessions: try await account.sessions(),
      user: account.user,
      isPasswordFixed: modules.isPasswordFixed,
      takesPassword: logIn.ways.contains(.password),
      context: context
    )
    return PageReply.html(
      PageFrame(title: Wording.passwordsAndSessions).render(context) { view.render(into: &$0) }
    )
  }

  func changeAccess(_ request: HTTPRequest, _ session: WebSession) async throws -> HTTPReply {
    let form = request.form
    if let name = form.first("add") {
      notices.post(try await addApp(DisplayText(line: name).trimmed.string), to: session.id)
    } else if let name = form.first("revoke") {
      let isKnown = try await account.removeApp(named: name)
      notices.post(
        isKnown
          ? Notice(Wording.revokedThePasswordOf(name))
          : Notice(Wording.thereIsNoPassword(name), kind: .failure),
        to: session.id
      )
    } else if let id = form.first("end").flatMap({ Int64($0) }) {
      _ = try await account.removeSession(id)
      guard id != session.id else {
        return PageReply.redirect(to: "/login", on: request.site)
          .with("Set-Cookie", request.site.sessionCookie(""))
      }
      notices.post(Notice(Wording.endedTheSession), to: session.id)
    }
    return PageReply.redirect(to: "/access", on: request.site)
  }

  private func addApp(_ name: String) async throws -> Notice {
    guard AppPassword.isName(name) else {
      return Notice(Wording.passwordName(AppPassword.nameRule), kind: .failure)
    }
    guard let made = try await account.addApp(named: name) else {
      return Notice(Wording.passwordExists(name), kind: .failure)
    }
    return Notice(Wording.passwordIsShownOnce(name), secret: made.password)
  }
}
