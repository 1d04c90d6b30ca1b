import NewsHTTP
import Modules
import NewsCore

// MARK: - Saved searches

extension WebPage {
  func showSearches(
    _ request: HTTPRequest,
    _ session: WebSession,
    failure: UserMessage? = nil
  ) async -> HTTPReply {
    var container = await ModuleRun.last({ try modules.savedSearches() }, .list)
    if let failure { container = .failed(failure, keeping: container.content) }
    let context = await context(request, session)
    var view = SavedSearchesView(container: container, context: context)
    view.query = request.form.first("query") ?? request.query.first("q") ?? ""
    view.name = request.form.first("name") ?? Self.name(of: view.query)
    if PagePart(request) == .menu {
      let here = PagePath.checked(request.query.first("from"))
      return PageReply.html(PageFrame.renderPart(context) { view.dialog(&$0, here: here) })
    }
    let bytes = PageFrame(title: Wording.savedSearches).render(context) { view.render(into: &$0) }
    return PageReply.html(bytes, status: Self.status(container.failure))
  }

  /// The name that is offered for a query: its text, without the `*` of a word that was not typed to its end.
  private static func name(of query: String) -> String {
    let bytes = query.utf8
    let isOpen = bytes.last == UInt8(ascii: "*")
    let text = String(decoding: isOpen ? bytes.dropLast() : bytes[...], as: UTF8.self)
    return DisplayText(line: text).trimmed.string
  }

  func changeSearches(_ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    if let name = request.form.first("remove") {
      let answer = await ModuleRun.last({ try modules.savedSearches() }, .remove(name: name))
      return report(answer, to: "/searches", request, session)
    }
    let name = DisplayText(line: request.form.first("name") ?? "").trimmed.string
    let query = request.form.first("query") ?? ""
    guard !name.isEmpty, !query.isEmpty else {
      let text = Wording.aSavedSearchNeeds
      return await showSearches(request, session, failure: UserMessage(code: .usage, text: text))
    }
    let answer = await ModuleRun.last({ try modules.savedSearches() }, .save(query: query, name: name))
    if let failure = answer.failure { return await showSearches(request, session, failure: failure) }
    notices.post(Notice(Wording.savedTheSearch(name)), to: session.id)
    let home = PagePath.checked(request.form.first("from")) ?? "/searches"
    return report(answer, to: home, request, session)
  }
}
