import NewsHTTP
import Modules
import NewsCore
import NewsToolbox

// MARK: - Marks

extension WebPage {
  /// Maximum number of items in one form.
  private static let idLimit = 10_000

  /// Marks one item; the script gets the item's marks and the number of unread items.
  func mark(item: String, _ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    guard let number = Int64(item), let mark = request.form.first("as").flatMap({ ItemMark(rawValue: $0) })
    else {
      return PageReply.text(400, Wording.theFormNamesNoItemOrMark)
    }
    let id = NewsItem.ID(rawValue: number)
    let answer = await ModuleRun.last({ try modules.mark() }, MarkRoute([id], mark))
    if let failure = answer.failure { return fail(Self.ofItems(1, failure), request, session) }
    guard Self.wantsJSON(request) else {
      return PageReply.redirect(to: Self.origin(of: request), on: request.site)
    }
    guard let page = await ModuleRun.last({ try modules.item() }, [id]).content?.page else {
      return PageReply.text(404, Wording.itemsWereRemoved(1))
    }
    let unread = await navigator.navigation(hasFeeds: false).unread
    return PageReply.json(
      "{\"id\":\(id.rawValue),\"read\":\(page.isRead),\"starred\":\(page.isStarred),\"unread\":\(unread)}"
    )
  }

  /// Gives an item the label in the field `add`, or removes the one in `remove`.
  func label(item: String, _ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    let removed = request.form.first("remove")
    guard let number = Int64(item), let label = removed ?? request.form.first("add") else {
      return PageReply.text(400, Wording.theFormNamesNoItemOrLabel)
    }
    let ids = [NewsItem.ID(rawValue: number)]
    let change = LabelRequest(ids, label: label, isAdded: removed == nil)
    return report(await ModuleRun.last({ try modules.label() }, change), request, session)
  }

  /// Passes an item to the hooks that save items.
  func save(item: String, _ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    guard let number = Int64(item) else { return PageReply.text(400, Wording.theFormNamesNoItem) }
    let ids = [NewsItem.ID(rawValue: number)]
    let answer = await ModuleRun.last({ try modules.save() }, ids)
    guard answer.failure?.code == .configuration else { return report(answer, request, session) }
    var notice = Notice(Wording.noHookSavesItems, kind: .failure)
    notice.leadsToHooks = true
    notices.post(notice, to: session.id)
    return PageReply.redirect(to: Self.origin(of: request), on: request.site)
  }

  /// Shows the outcome for a number of items on the page to which the form returns.
  private func report(
    _ answer: Container<MarkViewModel>,
    of count: Int = 1,
    _ request: HTTPRequest,
    _ session: WebSession
  ) -> HTTPReply {
    if let failure = answer.failure { return fail(Self.ofItems(count, failure), request, session) }
    if let note = answer.content?.notes.first {
      notices.post(Notice(PageText.sentence(note.string + ".")), to: session.id)
    }
    return PageReply.redirect(to: Self.origin(of: request), on: request.site)
  }

  /// Marks the items that a form lists, or those of a list that are older than a number of seconds.
  func mark(_ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    guard let mark = request.form.first("as").flatMap({ ItemMark(rawValue: $0) }) else {
      return PageReply.text(400, Wording.theFormNamesNoMark)
    }
    guard let items = markedItems(request) else {
      return PageReply.text(400, Wording.theFormNamesNoItems(Self.idLimit))
    }
    return await self.mark(items, mark, to: Self.origin(of: request), request, session)
  }

  /// Marks items, with a notice that offers to undo this.
  func mark(
    _ items: MarkRoute.Items,
    _ mark: ItemMark,
    to path: String,
    _ request: HTTPRequest,
    _ session: WebSession
  ) async -> HTTPReply {
    let answer = await ModuleRun.last({ try modules.mark() }, MarkRoute(items, mark))
    let ids = answer.content?.ids ?? []
    if let failure = answer.failure, ids.isEmpty {
      guard case .ids(let named) = items else { return fail(failure, request, session) }
      return fail(Self.ofItems(named.count, failure), request, session)
    }
    if Self.wantsJSON(request) { return await list(ids, mark) }
    var notice = Notice(Wording.marked(ids.count, mark.rawValue))
    if !ids.isEmpty { notice.undo = Notice.Undo(ids: ids, mark: mark.opposite) }
    notices.post(notice, to: session.id)
    return PageReply.redirect(to: path, on: request.site)
  }

  /// Answers the script with the ids that were marked and the number of unread items.
  private func list(_ ids: [NewsItem.ID], _ mark: ItemMark) async -> HTTPReply {
    let list = ids.map { String($0.rawValue) }.joined(separator: ",")
    let unread = await navigator.navigation(hasFeeds: false).unread
    return PageReply.json("{\"ids\":[\(list)],\"as\":\"\(mark.rawValue)\",\"unread\":\(unread)}")
  }

  /// Makes the marks that waited in a browser: each field `mark` has an id, a mark and a time in seconds. The answer
  /// has the present states of the items, and the marks that were refused.
  func markLate(_ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    let fields = request.form.all("mark")
    let marks = fields.compactMap(Self.lateMark)
    guard marks.count == fields.count, (1...Self.idLimit).contains(marks.count) else {
      return PageReply.text(400, Wording.theFormNamesNoMarks(Self.idLimit))
    }
    let answer = await ModuleRun.last({ try modules.lateMarks() }, marks)
    if let failure = answer.failure { return fail(failure, request, session) }
    guard let content = answer.content else { return PageReply.text(503, Wording.newsdMadeNoMarks) }
    let unread = await navigator.navigation(hasFeeds: false).unread
    var json = JSONWriter()
    json.beginObject()
    json.objects("items", content.states, writesEmpty: true) { json, state in
      json.field("id", state.id.rawValue)
      json.field("read", state.isRead)
      json.field("starred", state.isStarred)
    }
    json.key("refused")
    json.beginArray()
    for (mark, refusal) in content.refused {
      json.beginObject()
      json.field("id", mark.item.rawValue)
      json.field("as", mark.mark.rawValue)
      json.field("why", refusal == .overtaken ? Wording.itWasMarkedLaterElsewhere : Wording.itWasRemoved)
      json.field("title", content.titles[mark.item]?.string ?? Wording.itemNumbered(mark.item.rawValue))
      json.endObject()
    }
    json.endArray()
    json.field("unread", unread)
    json.endObject()
    return PageReply.json(json.string)
  }

  private static func lateMark(_ text: String) -> LateMark? {
    let words = text.split(ascii: " ")
    guard words.count == 3, let id = Int64(words[0]), let mark = ItemMark(rawValue: String(words[1])),
      let time = Int64(words[2]), time >= 0
    else { return nil }
    return LateMark(NewsItem.ID(rawValue: id), mark, at: Timestamp(seconds: time))
  }

  /// Fetches the page that an item links to, and shows the article that it contains.
  func loadArticle(item: String, _ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    guard let number = Int64(item) else { return PageReply.text(400, Wording.theFormNamesNoItem) }
    let id = NewsItem.ID(rawValue: number)
    let answer = await ModuleRun.last({ try modules.wholeItem() }, [id])
    if let failure = answer.failure { return fail(failure, request, session) }
    if let refusal = answer.content?.refusal {
      let reason = PageText.withoutCommands(refusal.string)
      notices.post(Notice(Wording.noWholeArticle(reason), kind: .warning), to: session.id)
    }
    if let page = answer.content?.page, answer.content?.refusal == nil {
      await askAboutArticles(of: page, session)
    }
    return PageReply.redirect(to: PagePath.item(id), on: request.site)
  }

  /// Asks whether newsd shall fetch all articles of an item's feed, until the feed has a setting for this.
  private func askAboutArticles(of page: NewsItemPage, _ session: WebSession) async {
    let feed = FeedDetailsRequest(feed: String(page.feedID.rawValue))
    let details = await ModuleRun.last({ try modules.feedDetails() }, feed).content
    guard let details, details.feed.settings.article == nil else { return }
    var question = Notice(Wording.askForWholeArticles(page.feed.string))
    question.asksAbout = page.feedID
    notices.post(question, to: session.id)
  }

  private func markedItems(_ request: HTTPRequest) -> MarkRoute.Items? {
    if let path = PagePath.checked(request.form.first("list")) {
      guard let address = Self.listAddress(path),
        let age = request.form.first("older").flatMap({ Int64($0) }),
        (0...1_000_000_000).contains(age)
      else { return nil }
      var filter = address.filter
      // `until` is exclusive: without an age, include all items stored so far.
      filter.until = modules.times.now + (age == 0 ? 1 : -age)
      guard case .search(let text) = address.selection else { return .selected(filter) }
      return text.isEmpty
        ? nil : .found(SearchRoute(text: TypedQuery.completing(text), list: ListRoute(filter: filter)))
    }
    let ids = request.form.all("id").compactMap { Int64($0) }.map { NewsItem.ID(rawValue: $0) }
    return (1...Self.idLimit).contains(ids.count) ? .ids(ids) : nil
  }

  /// True for the path of a list, such as `/unread`.
  public static func isList(_ path: String) -> Bool {
    PagePath.checked(path).flatMap { listAddress($0) } != nil
  }

  /// Reads a path that the page itself wrote into a form.
  static func listAddress(_ path: String) -> ListAddress? {
    let (before, query) = path.cut(atFirst: "?") ?? (Substring(path), "")
    let segments = before.split(ascii: "/").map { PercentCoding.decodeLeniently($0.utf8) }
    return ListAddress(path: segments, query: HTTPParameters(encoded: query.utf8))
  }

  /// Takes back the session's last action.
  func undo(_ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    guard let undo = notices.takeUndo(for: session.id) else {
      notices.post(Notice(Wording.thereIsNothingLeftToUndo, kind: .failure), to: session.id)
      return PageReply.redirect(to: Self.origin(of: request), on: request.site)
    }
    if let rule = undo.rule {
      let rules = await ModuleRun.last({ try modules.rules() }, .list).content?.records ?? []
      // Other rules may have been removed or moved since.
      if let number = rules.last(where: { $0.query == rule.query && $0.actions == rule.actions })?.number {
        let removed = await ModuleRun.last({ try modules.rules() }, .remove(number))
        if let failure = removed.failure { return fail(failure, request, session) }
      }
      notices.post(Notice(Wording.removedTheNewRule), to: session.id)
      if undo.ids.isEmpty { return PageReply.redirect(to: Self.origin(of: request), on: request.site) }
    }
    if case .label(let label)? = undo.rule?.actions.first {
      let change = LabelRequest(undo.ids, label: label, isAdded: false)
      let answer = await ModuleRun.last({ try modules.label() }, change)
      return report(answer, of: undo.ids.count, request, session)
    }
    let answer = await ModuleRun.last({ try modules.mark() }, MarkRoute(undo.ids, undo.mark))
    if let failure = answer.failure, answer.content?.ids.isEmpty ?? true {
      return fail(Self.ofItems(undo.ids.count, failure), request, session)
    }
    let count = answer.content?.ids.count ?? 0
    notices.post(Notice(Wording.markedAgain(count, undo.mark.rawValue)), to: session.id)
    return PageReply.redirect(to: Self.origin(of: request), on: request.site)
  }

  /// The failure of a form that names items, without their ids.
  private static func ofItems(_ count: Int, _ failure: UserMessage) -> UserMessage {
    failure.code == .notFound ? UserMessage(code: .notFound, text: Wording.itemsWereRemoved(count)) : failure
  }

  /// Reports a failed action: to the script at once, otherwise on the next page.
  func fail(_ failure: UserMessage, _ request: HTTPRequest, _ session: WebSession) -> HTTPReply {
    if Self.wantsJSON(request) {
      return PageReply.text(Self.status(failure), PageText.sentence(failure.text))
    }
    notices.post(Notice(failure), to: session.id)
    return PageReply.redirect(to: Self.origin(of: request), on: request.site)
  }

  /// True for requests of the page's script.
  static func wantsJSON(_ request: HTTPRequest) -> Bool {
    request.fields.first("Accept") == "application/json"
  }
}
