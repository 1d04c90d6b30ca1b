import NewsHTTP
import NewsCore

// MARK: - Settings of the browser

extension WebPage {
  func showSettings(_ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    let context = await context(request, session)
    let bytes = PageFrame(title: "Settings").render(context) {
      SettingsView(context: context).render(into: &$0)
    }
    return PageReply.html(bytes)
  }

  func changeSettings(_ request: HTTPRequest, _ session: WebSession) -> HTTPReply {
    notices.post(Notice("Saved for this browser."), to: session.id)
    return PageReply.redirect(to: "/settings", on: request.site)
      .with("Set-Cookie", PagePreferences(request.form).field(on: request.site))
  }
}
