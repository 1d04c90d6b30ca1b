import Modules
import NewsCore
import NewsHTTP
import NewsToolbox

// MARK: - Hooks of the page

extension WebPage {
  /// Shows the form of a new hook for the service `preset`, or that of the hook `name`.
  func showHook(_ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    if let name = request.query.first("name") {
      guard let hook = await addedHook(name) else { return await showMissing(request, session) }
      return await showHook(hook, isNew: false, nil, request, session)
    }
    guard let preset = request.query.first("preset") else {
      return PageReply.redirect(to: "/settings#hooks", on: request.site)
    }
    let hook = PageHook(name: await freeName(preset), preset: preset)
    return await showHook(hook, isNew: true, nil, request, session)
  }

  /// A name for a new hook that no other one has.
  private func freeName(_ preset: String) async -> String {
    let list = await ModuleRun.last({ try modules.hooks() }, .list).content
    let names = Set((list?.records ?? []).map { $0.state.name.lowercased() })
    let numbered = (2...100).lazy.map { "\(preset)-\($0)" }
    return names.contains(preset) ? numbered.first { !names.contains($0) } ?? preset : preset
  }

  /// Adds, changes, tries or removes a hook of the page, if the login password is right.
  func changeHooks(_ request: HTTPRequest, _ session: WebSession) async throws -> HTTPReply {
    let form = request.form
    let action = form.first("do") ?? ""
    guard ["add", "change", "test", "remove"].contains(action) else {
      return PageReply.text(400, Wording.theFormNamesNoAction)
    }
    let name = DisplayText(line: form.first("name") ?? "").trimmed.string
    let query = DisplayText(line: form.first("query") ?? "").trimmed.string
    var hook = PageHook(name: name, preset: form.first("preset") ?? "", query: query.isEmpty ? nil : query)
    if action != "add" {
      guard let former = await addedHook(name) else { return await showMissing(request, session) }
      hook.preset = former.preset
    }
    for field in modules.hookPresets.first(where: { $0.name == hook.preset })?.fields ?? [] {
      let text = form.first(HookFormView.name(of: field)) ?? ""
      // A token may have been copied with blanks around it.
      hook.values[field.name] = field.name == "password" ? text : String(text.trimmingBlanks)
    }
    if let notice = try await refusal(request) {
      let problem = UserMessage(code: .cannotCreate, text: notice.text)
      return await showHook(hook, isNew: action == "add", problem, request, session)
    }
    let change: HooksRequest =
      switch action {
      case "add": .add(hook)
      case "change": .change(hook)
      case "test": .test(name)
      default: .remove(name)
      }
    let answer = await ModuleRun.last({ try modules.hooks() }, change)
    if let failure = answer.failure {
      return await showHook(hook, isNew: action == "add", failure, request, session)
    }
    let note = answer.content?.notes.first.map { PageText.sentence($0.string + ".") }
    notices.post(Notice(note ?? Wording.done), to: session.id)
    let path = action == "test" ? "/hooks?name=" + PagePath.segment(name) : "/settings#hooks"
    return PageReply.redirect(to: path, on: request.site)
  }

  /// What was added on the page under a name.
  private func addedHook(_ name: String) async -> PageHook? {
    let list = await ModuleRun.last({ try modules.hooks() }, .list).content
    return list?.records.first { $0.state.name == name }?.added
  }

  private func showHook(
    _ hook: PageHook,
    isNew: Bool,
    _ problem: UserMessage?,
    _ request: HTTPRequest,
    _ session: WebSession
  ) async -> HTTPReply {
    let offered = modules.hookPresets.first { $0.name == hook.preset }
    guard offered != nil || !isNew else {
      // Also for a preset that runs a program.
      let text = Wording.thePageHasNoHookFor(DisplayText(line: hook.preset).string)
      return fail(UserMessage(code: .usage, text: text), request, session, to: "/settings#hooks")
    }
    let context = await context(request, session)
    let view = HookFormView(
      preset: offered ?? Self.unknown(hook.preset),
      isOffered: offered != nil,
      draft: hook,
      isNew: isNew,
      problem: problem,
      context: context
    )
    let bytes = PageFrame(title: view.title).render(context) { view.render(into: &$0) }
    return PageReply.html(bytes, status: Self.status(problem))
  }

  /// Stands for a preset that a later newsd has, or that the account may not use any more.
  private static func unknown(_ name: String) -> HookPreset {
    let advice = Wording.thisServiceIsNotOffered
    let hook = Hook(name: name, target: .exec([]))
    return HookPreset(name: name, summary: name, advice: advice, hook: hook, secrets: [:])
  }
}
