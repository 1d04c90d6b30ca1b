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
    var draft = draft
    if request.method != .post, let number = request.query.first("edit").flatMap({ Int($0) }),
      let rule = container.content?.records.first(where: { $0.number == number })
    {
      draft = RuleDraft(rule)
    }
    if let failure { container = .failed(failure, keeping: container.content) }
    let context = await context(request, session)
    let view = RulesView(container: container, draft: draft, trial: trial, context: context)
    let bytes = PageFrame(title: Wording.rules).render(context) { view.render(into: &$0) }
    return PageReply.html(bytes, status: Self.status(container.failure))
  }

  /// Adds, tries, changes, moves or removes a rule.
  func changeRules(_ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    let action = request.form.first("do") ?? "add"
    if action == "try" { return await tryRule(request, session) }
    guard ["edit", "up", "down", "remove"].contains(action) else { return await addRule(request, session) }
    let number = request.form.first("number").flatMap { Int($0) } ?? 0
    let rules = await ModuleRun.last({ try modules.rules() }, .list).content?.records ?? []
    guard let rule = rules.first(where: { $0.number == number }), rule.query == request.form.first("former")
    else {
      let failure = UserMessage(code: .usage, text: Wording.theRulesHaveChanged)
      return fail(failure, request, session, to: "/rules")
    }
    let route: RulesRequest
    let text: String
    switch action {
    case "remove": (route, text) = (.remove(number), Wording.removedTheRule(number))
    case "up":
      (route, text) = (.change(number, RuleChange(place: max(number - 1, 1))), Wording.movedTheRuleUp(number))
    case "down":
      (route, text) = (.change(number, RuleChange(place: number + 1)), Wording.movedTheRuleDown(number))
    default: return await edit(rule, request, session)
    }
    let answer = await ModuleRun.last({ try modules.rules() }, route)
    if let failure = answer.failure { return fail(failure, request, session, to: "/rules") }
    return showList(saying: text, request, session)
  }

  /// Leads to the list of rules, which says what was done.
  private func showList(saying text: String, _ request: HTTPRequest, _ session: WebSession) -> HTTPReply {
    notices.post(Notice(text), to: session.id)
    return PageReply.redirect(to: "/rules", on: request.site)
  }

  /// Changes what the form has changed of a rule.
  private func edit(_ rule: Rule, _ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    let draft = RuleDraft(request.form)
    do {
      var change = RuleChange()
      if draft.query != rule.query { change.query = draft.query }
      let actions = try draft.actions()
      // The form does not show the order of the actions.
      if Set(actions) != Set(rule.actions) { change.actions = actions }
      if draft.until != RuleDraft(rule).until {
        change.until = try draft.end(now: modules.times.now).map { RuleChange.Limit.until($0) } ?? .always
      }
      guard change != RuleChange() else { return PageReply.redirect(to: "/rules", on: request.site) }
      return await store(
        .change(rule.number, change),
        Wording.changedTheRule(rule.number),
        draft,
        request,
        session
      )
    } catch {
      return await showRules(request, session, draft: draft, failure: error)
    }
  }

  private func addRule(_ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    let draft = RuleDraft(request.form)
    do {
      let end = try draft.end(now: modules.times.now)
      let route = RulesRequest.add(query: draft.query, try draft.actions(), until: end)
      return await store(route, Wording.addedTheRule, draft, request, session)
    } catch {
      return await showRules(request, session, draft: draft, failure: error)
    }
  }

  private func store(
    _ route: RulesRequest,
    _ text: String,
    _ draft: RuleDraft,
    _ request: HTTPRequest,
    _ session: WebSession
  ) async -> HTTPReply {
    let answer = await ModuleRun.last({ try modules.rules() }, route)
    if let failure = answer.failure {
      return await showRules(request, session, draft: draft, failure: failure)
    }
    return showList(saying: text, request, session)
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
