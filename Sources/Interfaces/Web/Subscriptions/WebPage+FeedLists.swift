import NewsHTTP
import Modules
import NewsCore
import NewsToolbox
import Synchronization

// MARK: - Adding feeds and moving lists of them

extension WebPage {
  /// Subscribes to an address. If it is a web page with several feeds, shows them as a choice.
  func addFeed(_ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    let typed = request.form.first("address") ?? ""
    var draft = FeedDraft(address: typed, folder: request.form.first("folder") ?? "")
    if let problem = Self.addressProblem(typed) {
      draft.problem = UserMessage(code: .usage, text: problem)
      return await showRefused(draft, request, session)
    }
    var options = FeedAdditionOptions()
    options.folder = request.form.first("folder").flatMap { $0.isEmpty ? nil : $0 }
    options.pick = request.form.first("pick").flatMap { Int($0) }
    options.isForced = request.form.first("force") != nil
    options.isPublicOnly = request.form.first("public") != nil
    let route = FeedsAddRoute(typed, options)
    let answer = await ModuleRun.last({ try modules.feedsAdd() }, route)
    if let choices = answer.content?.choices, !choices.isEmpty {
      return await showChoices(choices, route, request, session)
    }
    guard let feed = answer.content?.feed else {
      draft.problem =
        answer.failure ?? UserMessage(code: .badData, text: Wording.wasNotAdded(typed))
      return await showRefused(draft, request, session)
    }
    for warning in answer.content?.warnings ?? [] {
      notices.post(Notice(PageText.sentence(warning.string), kind: .warning), to: session.id)
    }
    notices.post(Notice(Wording.addedTheFeed(DisplayText(line: feed.title).string)), to: session.id)
    navigator.forget()
    let reply = PageReply.redirect(to: ListAddress(.feed(feed.id)).path, on: request.site)
    // The script must not follow a redirection: it would fetch, and discard, the page that shows the notice.
    return PagePart(request) == .adding ? PageReply.json("{\"feed\":\(feed.id.rawValue)}") : reply
  }

  /// The reason why the page refuses an address; nil: it is accepted. A session must be able neither to read
  /// files of the server nor to run programs on it.
  static func addressProblem(_ typed: String) -> String? {
    guard !typed.trimmingBlanks.isEmpty else { return Wording.typeAnAddress }
    guard let url = try? TypedAddress.url(typed) else { return Wording.isNoAddress }
    return WebAddress.isWeb(url) ? nil : Wording.isNoWebURL(typed)
  }

  private func showChoices(
    _ choices: [DiscoveredFeed],
    _ route: FeedsAddRoute,
    _ request: HTTPRequest,
    _ session: WebSession
  ) async -> HTTPReply {
    let context = await context(request, session)
    let bytes = PageFrame(title: Wording.chooseAFeed, place: .feeds).render(context) { html in
      html.element("h1", text: Wording.chooseAFeed)
      html.element(
        "p",
        .autoDirection,
        text: Wording.hasSeveralFeeds(DisplayText(line: route.address).string)
      )
      for (index, choice) in choices.enumerated() {
        FormView.post(&html, "/feeds/add", context.formToken, class: "row") { html in
          FormView.hidden(&html, "address", route.address)
          FormView.hidden(&html, "folder", route.options.folder ?? "")
          FormView.hidden(&html, "pick", String(index + 1))
          html.element("p") { html in
            html.element("bdi", text: DisplayText(line: choice.title ?? choice.url).string)
            html.literal("<br>")
            html.element("span", .class("quiet"), text: DisplayText(line: choice.url).string)
          }
          html.element("button") { html in
            html.text(Wording.add)
            html.element(
              "span",
              .class("hidden"),
              text: " " + DisplayText(line: choice.title ?? choice.url).string
            )
          }
        }
      }
    }
    return PageReply.html(bytes)
  }

  /// Answers with the subscriptions as an OPML file.
  func exportFeeds(_ request: HTTPRequest) async -> HTTPReply {
    let bytes = Mutex<[UInt8]>([])
    let failure = await ModuleRun.all({ try modules.feedsExport() }, false) { content in
      bytes.withLock { $0 += content.bytes }
    }
    if let failure { return PageReply.text(503, failure.text) }
    let reply = HTTPReply(type: "text/x-opml; charset=utf-8", bytes.withLock { $0 })
    return PageReply.guarded(reply).with("Content-Disposition", "attachment; filename=\"newsd.opml\"")
  }

  /// Imports an uploaded file with items. Shows what an uploaded list would add, and keeps it until the user confirms.
  func importFeeds(_ request: HTTPRequest, _ session: WebSession) async throws -> HTTPReply {
    if request.form.first("confirm") != nil {
      guard let list = uploads.take(for: session.id) else {
        let text = Wording.thatListIsNotKept
        return fail(UserMessage(code: .notFound, text: text), request, session, to: "/feeds#import")
      }
      let answer = await ModuleRun.last({ try modules.feedsImport() }, FeedsImportRequest(list))
      // The new feeds are fetched at once; pages show how far that is.
      let added = (answer.content?.feeds ?? []).filter { !$0.isIngested && $0.settings.isPaused != true }
      if !added.isEmpty { _ = refreshes.start(RefreshRoute(feeds: added.map { String($0.id.rawValue) })) }
      let content = answer.content
      // The last note counts the feeds.
      for note in content?.notes.dropLast().compactMap({ PageText.note($0.string) }) ?? [] {
        notices.post(Notice(note), to: session.id)
      }
      let text = Wording.addedFeeds(content?.feeds.count ?? 0, known: content?.known ?? 0)
      return report(answer, saying: text, to: "/feeds", request, session)
    }
    let file = request.files.first { $0.name == "list" }
    if let file, ImportKind.holdsItems(file.bytes) { return try await importItems(file, request, session) }
    guard let list = file?.bytes, !list.isEmpty else {
      return fail(
        UserMessage(code: .usage, text: Wording.chooseAFileFirst),
        request,
        session,
        to: "/feeds#import"
      )
    }
    var route = FeedsImportRequest(list)
    route.isDryRun = true
    let answer = await ModuleRun.last({ try modules.feedsImport() }, route)
    guard let content = answer.content else { return report(answer, to: "/feeds#import", request, session) }
    uploads.keep(list, for: session.id)
    let context = await context(request, session)
    // The page counts the feeds itself.
    var shown = content
    shown.notes = Array(content.notes.dropLast())
    let view = FeedsImportView(container: answer, content: shown, context: context)
    let bytes = PageFrame(title: Wording.importTitle, place: .feeds).render(context) { html in
      view.render(into: &html)
    }
    return PageReply.html(bytes)
  }

  /// Reports a failed action on a page.
  func fail(_ failure: UserMessage, _ request: HTTPRequest, _ session: WebSession, to path: String)
    -> HTTPReply
  {
    notices.post(Notice(failure), to: session.id)
    return PageReply.redirect(to: path, on: request.site)
  }
}

/// What was typed to add a feed, and the reason why it was not added.
struct FeedDraft: Sendable {
  var address = ""
  var folder = ""
  var problem: UserMessage?
}

/// Shows what a list would add before it is imported.
struct FeedsImportView {
  let container: Container<FeedsImportViewModel>
  let content: FeedsImportViewModel
  let context: PageContext

  /// Maximum number of titles shown.
  private static let limit = 500

  func render(into html: inout HTMLBuilder) {
    html.element("h1", text: Wording.importAList)
    if let failure = container.failure { NoticeView.failure(failure, into: &html) }
    html.element("p", text: Wording.theListHas(content.feeds.count, known: content.known))
    NoticeView.notes(of: content, into: &html)
    if content.feeds.isEmpty {
      html.element("p", text: Wording.theListHasNothingNew)
    } else {
      FormView.post(&html, "/feeds/import", context.formToken) { html in
        FormView.hidden(&html, "confirm", "1")
        html.element("button", .class("main"), text: Wording.addFeeds(content.feeds.count))
      }
    }
    html.element("ul") { html in
      for feed in content.feeds.prefix(Self.limit) {
        html.element("li") { html in
          html.element("bdi", text: DisplayText(line: feed.title).string)
          if let folder = feed.folder {
            html.element("span", .class("quiet"), text: Wording.inFolder(DisplayText(line: folder).string))
          }
        }
      }
    }
    html.element("p") { html in html.element("a", .href("/feeds"), text: Wording.backWithoutAddingAnything) }
  }
}
