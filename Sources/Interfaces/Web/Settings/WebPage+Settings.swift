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
    return Self.isList(path) ? path : "/unread"
  }

  func showSettings(_ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    let context = await context(request, session)
    let settings = await settings() ?? PageChoicesViewModel()
    let hooks = HooksView(
      hooks: await ModuleRun.last({ try modules.hooks() }, .list),
      presets: modules.hookPresets,
      context: context
    )
    let bytes = PageFrame(title: Wording.settings).render(context) {
      SettingsView(settings: settings, hooks: hooks, context: context).render(into: &$0)
    }
    return PageReply.html(bytes)
  }

  /// Keeps the part of the settings that a form has: `part` is `account`, `retention` or absent for the browser.
  func changeSettings(_ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    guard let part = request.form.first("part") else {
      notices.post(Notice(Wording.savedForThisBrowser), to: session.id)
      return PageReply.redirect(to: "/settings", on: request.site)
        .with("Set-Cookie", PagePreferences(request.form).field(on: request.site))
    }
    guard let former = await settings() else {
      return PageReply.text(503, Wording.newsdCannotReadTheSettings)
    }
    var changed = former.own
    if part == "retention" {
      for (name, limit) in [("days", \RetentionPolicy.days), ("items", \.items)] {
        guard let text = request.form.first(name) else { continue }
        guard let number = text.isEmpty ? 0 : Int(text), number >= 0 else {
          return fail(
            UserMessage(code: .usage, text: Wording.isNoNumberOf(text, name)),
            request,
            session,
            to: "/settings#retention"
          )
        }
        changed.retention[keyPath: limit] = number == 0 ? nil : number
      }
    } else {
      read(request.form, into: &changed, fixed: former.fixed)
    }
    let answer = await ModuleRun.last({ try modules.settings() }, changed)
    if let failure = answer.failure { return fail(failure, request, session, to: "/settings") }
    notices.post(Notice(Wording.savedForAllBrowsers), to: session.id)
    return PageReply.redirect(to: "/settings", on: request.site)
  }

  /// Reads how items are read. A form does not have what the configuration fixes; if it does, the change is refused.
  private func read(_ form: HTTPParameters, into choices: inout PageChoices, fixed: PageChoices) {
    let preferences = PagePreferences(form)
    func has(_ name: String, _ isFixed: Bool) -> Bool { !isFixed || form.first(name) != nil }
    if has("mark", fixed.marking != nil) { choices.marking = preferences.marking }
    if has("scrolled", fixed.marksScrolled != nil) { choices.marksScrolled = preferences.marksScrolled }
    if has("oldest", fixed.showsOldestFirst != nil) {
      choices.showsOldestFirst = preferences.showsOldestFirst
    }
    if has("tree", fixed.sortsTree != nil) { choices.sortsTree = preferences.sortsTree }
    if has("zone", fixed.zone != nil) {
      let zone = DisplayText(line: form.first("zone") ?? "").trimmed.string
      choices.zone = zone.isEmpty ? nil : zone
    }
    if has("start", fixed.start != nil) {
      choices.start = form.first("start").flatMap { PagePath.checked($0) }
    }
  }
}
