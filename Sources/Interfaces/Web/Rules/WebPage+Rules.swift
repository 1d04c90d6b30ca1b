import NewsHTTP
import NewsSearch
import Modules
import NewsCore

// MARK: - Rules

extension WebPage {
  func showRules(
    _ request: HTTPRequest,
    _ session: WebSession,
    draft: RuleDraft = RuleDraft(),
    trial: RulesView.Trial? = nil,
    failure: UserMessage? = nil
  ) async -> HTTPReply {
    var container = await ModuleRun.last({ try modules.rules() }, .list)
    if let failure { container = .failed(failure, keeping: container.content) }
    let context = await context(request, session)
    let view = RulesView(container: container, draft: draft, trial: trial, context: context)
    let bytes = PageFrame(title: Wording.rules).render(context) { view.render(into: &$0) }
    return PageReply.html(bytes, status: Self.status(container.failure))
  }

  /// Adds, tries or removes a rule.
  func changeRules(_ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    switch request.form.first("do") {
    case "remove":
      let number = request.form.first("number").flatMap { Int($0) } ?? 0
      let rules = await ModuleRun.last({ try modules.rules() }, .list).content?.records ?? []
      guard rules.first(where: { $0.number == number })?.query == request.form.first("query") else {
        let text = Wording.theRulesHaveChanged
        return fail(UserMessage(code: .usage, text: text), request, session, to: "/rules")
      }
      return report(
        await ModuleRun.last({ try modules.rules() }, .remove(number)),
        to: "/rules",
        request,
        session
      )
    case "try": return await tryRule(request, session)
    default: return await addRule(request, session)
    }
  }

  private func addRule(_ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    let draft = RuleDraft(request.form)
    do {
      let route = RulesRequest.add(query: draft.query, try draft.actions())
      let answer = await ModuleRun.last({ try modules.rules() }, route)
      if let failure = answer.failure {
        return await showRules(request, session, draft: draft, failure: failure)
      }
      return report(answer, to: "/rules", request, session)
    } catch {
      return await showRules(request, session, draft: draft, failure: error)
    }
  }

  /// Shows the stored items that the query of a rule matches.
  private func tryRule(_ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    let draft = RuleDraft(request.form)
    let search = SearchRoute(text: draft.query, list: ListRoute(order: .newest))
    let count = await ModuleRun.last({ try modules.searchCount() }, search)
    if let failure = count.failure {
      return await showRules(request, session, draft: draft, failure: failure)
    }
    var list = ListRoute()
    do {
      list.filter.query = try QueryParser.parse(draft.query, now: modules.times.now).query
    } catch {
      return await showRules(request, session, draft: draft, failure: UserMessage(error))
    }
    let found = await ModuleRun.last({ try modules.list() }, list)
    let trial = RulesView.Trial(count: count.content?.count ?? 0, found: found)
    return await showRules(request, session, draft: draft, trial: trial)
  }
}
