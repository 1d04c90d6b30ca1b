import NewsHTTP
import Modules
import NewsCore
import NewsToolbox

// MARK: - Feeds

extension WebPage {
  /// Shows the feeds. `draft` is what was typed to add a feed, with the reason why it was not added.
  func showFeeds(
    _ request: HTTPRequest,
    _ session: WebSession,
    draft: FeedDraft = FeedDraft()
  ) async -> HTTPReply {
    let isFailingOnly = request.query.first("show") == "failing"
    let page = min(max(request.query.first("page").flatMap { Int($0) } ?? 1, 1), 1_000_000)
    let size = SubscriptionsView.pageSize
    let window = FeedWindow(isFailingOnly ? .failing : .all, (page - 1) * size..<page * size)
    let selection = FeedSelection(window, namesFolders: true)
    let container = await ModuleRun.last({ try modules.subscriptions() }, .list(selection))
    let shown = container.content?.lines.map(\.id) ?? []
    let context = await context(request, session, feeds: shown)
    let view = SubscriptionsView(
      container: container,
      chart: isFailingOnly || page > 1 ? nil : await chart(ItemFilter()),
      isFailingOnly: isFailingOnly,
      page: page,
      draft: draft,
      context: context
    )
    let bytes =
      PagePart(request) == .rows
      ? PageFrame.renderPart(context) { html in
        if let content = container.content { view.rows(&html, content) }
      } : PageFrame(title: Wording.feeds, place: .feeds).render(context) { view.render(into: &$0) }
    return PageReply.html(bytes, status: Self.status(draft.problem ?? container.failure))
  }

  /// The number of items on each day of the last month.
  private func chart(_ filter: ItemFilter) async -> NewsListChartViewModel? {
    var filter = filter
    filter.since = modules.times.now + -30 * 86_400
    return await ModuleRun.last({ try modules.chart() }, ListRoute(filter: filter)).content
  }

  /// Answers GET requests below `/feed/ID/`.
  func showFeed(_ path: [String], _ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    if path.count == 3, path[2] == "menu" { return await showFeedMenu(path[1], request, session) }
    guard path.count == 3, path[2] == "settings", Int64(path[1]) != nil else {
      return await showMissing(request, session)
    }
    return await showSettings(
      await ModuleRun.last({ try modules.feedDetails() }, FeedDetailsRequest(feed: path[1])),
      request,
      session
    )
  }

  private func showSettings(
    _ container: Container<FeedDetailsViewModel>,
    _ request: HTTPRequest,
    _ session: WebSession
  ) async -> HTTPReply {
    let context = await context(request, session)
    var chart: NewsListChartViewModel?
    if let id = container.content?.feed.id { chart = await self.chart(ItemFilter(feedID: id)) }
    let selection = FeedSelection(FeedWindow(.all), namesFolders: true)
    let list = await ModuleRun.last({ try modules.subscriptions() }, .list(selection)).content
    let view = FeedDetailsView(
      container: container,
      chart: chart,
      folders: list?.folderNames ?? [],
      context: context
    )
    let title = container.content.map { DisplayText(line: $0.feed.title).string } ?? Wording.feed
    let bytes = PageFrame(title: title, place: .feeds).render(context) { view.render(into: &$0) }
    return PageReply.html(bytes, status: Self.status(container.failure))
  }

  /// Performs POST requests below `/feed/ID/`.
  func act(onFeed path: [String], _ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    guard path.count == 3, Int64(path[1]) != nil else {
      return PageReply.text(404, Wording.thereIsNoSuchFeed)
    }
    let feed = path[1]
    let settings = "/feed/\(feed)/settings"
    let named = PagePath.checked(request.form.first("from")) ?? settings
    switch path[2] {
    case "refresh": return startRefresh(RefreshRoute(feeds: [feed]), request, session)
    case "remove":
      let answer = await ModuleRun.last({ try modules.subscriptions() }, .remove(feeds: [feed]))
      // The pages of the removed feed are gone; others stay in view.
      let own = "/feed/\(feed)"
      let isOwn = named == own || named.hasPrefix(bytesOf: own + "/") || named.hasPrefix(bytesOf: own + "?")
      let home = isOwn ? "/feeds" : named
      let path = answer.failure == nil ? home : settings
      return report(answer, saying: Self.removal(answer.content?.feeds ?? []), to: path, request, session)
    case "name": return await rename(feed, to: named, request, session)
    case "flags":
      let changes = Self.flags(request)
      return await set(.change(feed: feed, url: nil, changes), request, session)
    case "article":
      var settings = FeedSettings()
      settings.article = request.form.first("article").flatMap { ArticlePolicy(rawValue: $0) }
      guard settings.article != nil else { return PageReply.text(400, Wording.theFormNamesNoSetting) }
      let change = FeedSettingChange(.article, to: settings)
      return await set(.change(feed: feed, url: nil, [change]), request, session)
    case "settings": return await change(feed, to: named, request, session)
    default: return PageReply.text(404, Wording.thereIsNothingToDo)
    }
  }

  private func rename(
    _ feed: String,
    to path: String,
    _ request: HTTPRequest,
    _ session: WebSession
  ) async -> HTTPReply {
    let old = await ModuleRun.last({ try modules.feedDetails() }, FeedDetailsRequest(feed: feed)).content?
      .feed
    let title = request.form.first("title") ?? old?.title ?? ""
    if title != old?.title {
      let answer = await ModuleRun.last({ try modules.subscriptions() }, .rename(feed: feed, title: title))
      guard answer.failure == nil else { return report(answer, to: path, request, session) }
      note(answer, saying: Wording.renamed(Self.line(old?.title ?? ""), to: Self.line(title)), session)
    }
    let folder = request.form.first("folder") ?? old?.folder ?? ""
    if folder != old?.folder ?? "" {
      let route = SubscriptionsRoute.move(feed: feed, folder: folder, position: nil)
      let answer = await ModuleRun.last({ try modules.subscriptions() }, route)
      let text = Wording.moved(Self.line(title), to: Self.line(folder))
      return reply(answer, saying: text, to: path, request, session)
    }
    return Self.wantsJSON(request) ? PageReply.json("{}") : PageReply.redirect(to: path, on: request.site)
  }

  private func change(
    _ feed: String,
    to path: String,
    _ request: HTTPRequest,
    _ session: WebSession
  ) async -> HTTPReply {
    let present = await ModuleRun.last({ try modules.feedDetails() }, FeedDetailsRequest(feed: feed))
    guard let content = present.content else { return report(present, to: "/feeds", request, session) }
    var route = FeedDetailsRequest(feed: feed)
    for setting in content.settings where PageSettings.names.contains(setting.name) {
      guard let value = request.form.all("set-\(setting.name)").last, value != setting.value ?? "" else {
        continue
      }
      route.values[setting.name] = value
    }
    // The form shows the URL without its password, so the same text is not a change.
    if let url = request.form.first("url"), !url.isEmpty, url != WebAddress.redacted(content.feed.url) {
      route.url = url
    }
    guard route.url != nil || !route.values.isEmpty else {
      return PageReply.redirect(to: path, on: request.site)
    }
    let answer = await ModuleRun.last({ try modules.feedDetails() }, route)
    if let failure = answer.failure {
      let message = UserMessage(code: failure.code, text: PageSettings.plain(failure.text))
      return fail(message, request, session, to: path)
    }
    return report(answer, to: path, request, session)
  }

  /// A name in one line of a text, as the modules store it.
  static func line(_ name: String) -> String { DisplayText(line: name).trimmed.string }

  /// What the page says of removed feeds.
  static func removal(_ feeds: [Feed]) -> String {
    let items = feeds.reduce(0) { $0 + $1.itemCount }
    guard let feed = feeds.first, feeds.count == 1 else { return Wording.feedsRemoved(feeds.count, items) }
    return Wording.removed(line(feed.title), items)
  }

  /// Stores the notice of an action and redirects to a page that shows it. `text` is the page's own sentence about an
  /// action that succeeds, in place of the module's notes.
  func report<Content: ScreenContent>(
    _ answer: Container<Content>,
    saying text: String? = nil,
    to path: String,
    _ request: HTTPRequest,
    _ session: WebSession
  ) -> HTTPReply {
    note(answer, saying: text, session)
    navigator.forget()
    return PageReply.redirect(to: path, on: request.site)
  }

  private func note<Content: ScreenContent>(
    _ answer: Container<Content>,
    saying text: String?,
    _ session: WebSession
  ) {
    for warning in answer.content?.warnings ?? [] {
      notices.post(Notice(PageText.sentence(warning.string), kind: .warning), to: session.id)
    }
    if let content = answer.content {
      let notes = text.map { [$0] } ?? content.notes.compactMap { PageText.note($0.string) }
      for note in notes { notices.post(Notice(note), to: session.id) }
    }
    if let failure = answer.failure { notices.post(Notice(failure), to: session.id) }
  }

  func startRefresh(_ route: RefreshRoute, _ request: HTTPRequest, _ session: WebSession) -> HTTPReply {
    if !refreshes.start(route) {
      notices.post(Notice(Wording.aRefreshIsRunningAlready, kind: .warning), to: session.id)
    }
    return PageReply.redirect(to: Self.origin(of: request), on: request.site)
  }
}
