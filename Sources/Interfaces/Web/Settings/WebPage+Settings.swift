import Modules
import NewsCore
import NewsHTTP

// MARK: - Settings

extension WebPage {
  /// The settings for all browsers; nil: they cannot be read.
  func settings() async -> PageChoicesViewModel? {
    await ModuleRun.last({ try modules.settings() }, nil).content
  }

  /// The path of the page that is shown first.
  func startPage() async -> String {
    let path = await settings()?.settings.start.flatMap { PagePath.checked($0) } ?? "/unread"
    return Self.listAddress(path) == nil ? "/unread" : path
  }

  func showSettings(_ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    let context = await context(request, session)
    let settings =
      await settings() ?? PageChoicesViewModel(settings: PageChoices(), fixed: RetentionPolicy())
    let bytes = PageFrame(title: "Settings").render(context) {
      SettingsView(settings: settings, context: context).render(into: &$0)
    }
    return PageReply.html(bytes)
  }

  /// Keeps the part of the settings that a form has: `part` is `account`, `retention` or absent for the browser.
  func changeSettings(_ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    guard let part = request.form.first("part") else {
      notices.post(Notice("Saved for this browser."), to: session.id)
      return PageReply.redirect(to: "/settings", on: request.site)
        .with("Set-Cookie", PagePreferences(request.form).field(on: request.site))
    }
    guard let former = await settings() else {
      return PageReply.text(503, "newsd cannot read the settings.")
    }
    var changed = former.settings
    if part == "retention" {
      for (name, limit) in [("days", \RetentionPolicy.days), ("items", \.items)] {
        guard let text = request.form.first(name) else { continue }
        guard let number = text.isEmpty ? 0 : Int(text), number >= 0 else {
          return fail(
            UserMessage(code: .usage, text: "'\(text)' is not a number of \(name)"),
            request,
            session,
            to: "/settings#retention"
          )
        }
        changed.retention[keyPath: limit] = number == 0 ? nil : number
      }
    } else {
      let preferences = PagePreferences(request.form)
      changed.marking = preferences.marking.rawValue
      changed.marksScrolled = preferences.marksScrolled
      changed.showsOldestFirst = preferences.showsOldestFirst
      let zone = DisplayText(line: request.form.first("zone") ?? "").trimmed.string
      changed.zone = zone.isEmpty ? nil : zone
      changed.start = request.form.first("start").flatMap { PagePath.checked($0) }
    }
    let answer = await ModuleRun.last({ try modules.settings() }, changed)
    if let failure = answer.failure { return fail(failure, request, session, to: "/settings") }
    notices.post(Notice("Saved for all browsers."), to: session.id)
    return PageReply.redirect(to: "/settings", on: request.site)
  }
}
