import Modules
import NewsCore
import NewsHTTP
import NewsSearch

// MARK: - Less like this

extension WebPage {
  /// Seconds for which a rule applies that is not made for ever.
  private static let week: Int64 = 7 * 86_400

  func showLess(
    _ id: NewsItem.ID,
    _ request: HTTPRequest,
    _ session: WebSession,
    draft: LessDraft = LessDraft(),
    problem: UserMessage? = nil
  ) async -> HTTPReply {
    let item = await ModuleRun.last({ try modules.item() }, [id])
    guard let page = item.content?.page else { return await showMissing(request, session) }
    var count: Int?
    var problem = problem
    if !draft.terms.isEmpty {
      let counted = await ModuleRun.last({ try modules.searchCount() }, SearchRoute(text: draft.query))
      count = counted.content?.count
      problem = problem ?? counted.failure
    }
    let context = await context(request, session)
    let view = LessView(
      page: page,
      draft: draft,
      count: count,
      problem: problem,
      feedTerm: await feedTerm(page),
      context: context
    )
    let bytes =
      PagePart(request) == .menu
      ? PageFrame.renderPart(context) { view.render(into: &$0) }
      : PageFrame(title: Wording.lessLikeThis).render(context) { view.render(into: &$0) }
    return PageReply.html(bytes, status: Self.status(problem))
  }

  /// Names the item's feed in a query: by its URL, unless that contains a secret, else by its title.
  private func feedTerm(_ page: NewsItemPage) async -> String {
    let request = FeedDetailsRequest(feed: String(page.feedID.rawValue))
    let url = await ModuleRun.last({ try modules.feedDetails() }, request).content?.feed.url
    let isOpen = url.map { WebAddress.redacted($0) == $0 } ?? false
    return "feed:" + QueryWord.quoted(isOpen ? url ?? "" : page.feed.string)
  }

  /// Counts the stored items that the chosen terms match, or adds the rule.
  func less(_ item: String, _ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    guard let number = Int64(item) else { return PageReply.text(400, Wording.theFormNamesNoItem) }
    let id = NewsItem.ID(rawValue: number)
    let draft = LessDraft(request.form)
    guard request.form.first("do") == "add" else { return await showLess(id, request, session, draft: draft) }
    do throws(UserMessage) {
      guard !draft.terms.isEmpty else {
        throw UserMessage(code: .usage, text: Wording.chooseWhatItemsShare)
      }
      let action = try draft.ruleAction()
      let until = draft.isForever ? nil : modules.times.now + Self.week
      let added = await ModuleRun.last(
        { try modules.rules() },
        .add(query: draft.query, [action], until: until)
      )
      if let failure = added.failure { throw failure }
    } catch {
      return await showLess(id, request, session, draft: draft, problem: error)
    }
    let rules = await ModuleRun.last({ try modules.rules() }, .list).content?.records
    let rule = rules?.last { $0.query == draft.query }
    let text = draft.isForever ? Wording.addedTheRule : Wording.addedTheRuleForAWeek
    var notice = Notice(text, undo: Notice.Undo(ids: [], mark: .unread, rule: rule))
    if draft.appliesToStored { await applyToStored(draft, &notice, session) }
    notices.post(notice, to: session.id)
    return PageReply.redirect(to: Self.origin(of: request), on: request.site)
  }

  /// Applies the rule to the stored items. The notice then says so, and undoes this, too.
  private func applyToStored(_ draft: LessDraft, _ notice: inout Notice, _ session: WebSession) async {
    let found = MarkRoute.Items.found(SearchRoute(text: draft.query))
    let answer: Container<MarkViewModel>
    if draft.action == .label {
      answer = await ModuleRun.last(
        { try modules.label() },
        LabelRequest(found, label: draft.label, isAdded: true)
      )
    } else {
      answer = await ModuleRun.last({ try modules.mark() }, MarkRoute(found, .read))
    }
    notice.undo?.ids = answer.content?.ids ?? []
    if let failure = answer.failure { return notices.post(Notice(failure), to: session.id) }
    notice.text += " " + (answer.content?.notes.first?.string ?? Wording.noItemsChanged) + "."
  }
}
