import Modules
import NewsCore
import NewsHTTP

// MARK: - Menus of feeds and folders

extension WebPage {
  func showFeedMenu(_ feed: String, _ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    guard Int64(feed) != nil else { return await showMissing(request, session) }
    let details = await ModuleRun.last({ try modules.feedDetails() }, FeedDetailsRequest(feed: feed))
    guard let feed = details.content?.feed else { return await showMissing(request, session) }
    return await show(.feed(feed), request, session)
  }

  func showFolderMenu(_ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    guard let name = request.query.first("name"), !name.isEmpty else {
      return await showMissing(request, session)
    }
    let selection = FeedSelection(folders: [name])
    let list = await ModuleRun.last({ try modules.subscriptions() }, .list(selection))
    return await show(.folder(name, list.content?.lines ?? []), request, session)
  }

  private func show(
    _ subject: FeedMenuView.Subject,
    _ request: HTTPRequest,
    _ session: WebSession
  ) async -> HTTPReply {
    let selection = FeedSelection(FeedWindow(.all), namesFolders: true)
    let folders =
      await ModuleRun.last({ try modules.subscriptions() }, .list(selection)).content?.folderNames ?? []
    let home: String
    switch subject {
    case .feed(let feed): home = ListAddress(.feed(feed.id)).path
    case .folder(let name, _):
      guard folders.contains(name) else { return await showMissing(request, session) }
      home = ListAddress(.folder(name)).path
    }
    let context = await context(request, session)
    let isPart = PagePart(request) == .menu
    // The script names the page that shows the menu.
    let origin = isPart ? PagePath.checked(request.query.first("from")) ?? home : home
    let view = FeedMenuView(subject: subject, folders: folders, context: context, origin: origin)
    let bytes =
      isPart
      ? PageFrame.renderPart(context) { view.render(into: &$0) }
      : PageFrame(title: Wording.more, place: .feeds).render(context) { view.render(into: &$0) }
    return PageReply.html(bytes)
  }

  /// The changes of `paused` and `hidden` that a form asks for.
  static func flags(_ request: HTTPRequest) -> [FeedSettingChange] {
    var changes: [FeedSettingChange] = []
    var on = FeedSettings()
    on.isPaused = true
    on.isHidden = true
    for setting in [FeedSetting.paused, .hidden] {
      guard let value = request.form.first(setting.rawValue) else { continue }
      changes.append(FeedSettingChange(setting, to: value == "true" ? on : nil))
    }
    return changes
  }

  /// Moves a feed or folder in the tree: up, down, or before or after another one. Both are named by the paths of their lists.
  func arrange(_ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    func entry(_ name: String) -> TreeEntry? {
      switch request.form.first(name).flatMap({ Self.listAddress($0) })?.selection {
      case .feed(let id): .feed(id)
      case .folder(let path): .folder(path)
      default: nil
      }
    }
    let place: TreePlace? =
      switch request.form.first("to") {
      case "up": .up
      case "down": .down
      case "before": entry("other").map { .before($0) }
      case "after": entry("other").map { .after($0) }
      default: nil
      }
    guard let moved = entry("entry"), let place else {
      return PageReply.text(400, Wording.theFormNamesNoPlace)
    }
    let answer = await ModuleRun.last({ try modules.subscriptions() }, .arrange(moved, place))
    return reply(answer, to: Self.origin(of: request), request, session)
  }

  /// Tells the script whether a feed or folder was moved, and others on the next page.
  func reply(
    _ answer: Container<SubscriptionsViewModel>,
    saying text: String? = nil,
    to path: String,
    _ request: HTTPRequest,
    _ session: WebSession
  ) -> HTTPReply {
    guard Self.wantsJSON(request) else { return report(answer, saying: text, to: path, request, session) }
    navigator.forget()
    if let failure = answer.failure { return PageReply.text(409, PageText.sentence(failure.text)) }
    return PageReply.json("{}")
  }

  func set(_ change: FeedsSetRequest, _ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    let answer = await ModuleRun.last({ try modules.feedsSet() }, change)
    if answer.failure == nil { notices.post(Notice(Wording.saved), to: session.id) }
    return report(answer, to: Self.origin(of: request), request, session)
  }

  /// Refreshes, sets, renames or removes a folder.
  func actOnFolder(_ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    guard let name = request.form.first("name"), !name.isEmpty else {
      return PageReply.text(400, Wording.theFormNamesNoFolder)
    }
    switch request.form.first("do") {
    case "refresh":
      let selection = FeedSelection(folders: [name])
      let list = await ModuleRun.last({ try modules.subscriptions() }, .list(selection))
      guard let lines = list.content?.lines, !lines.isEmpty else {
        return report(list, to: Self.origin(of: request), request, session)
      }
      let feeds = lines.filter { $0.health != .paused && $0.nextPoll != .ingested }
      guard !feeds.isEmpty else {
        return fail(UserMessage(code: .usage, text: Wording.theFolderHasNoFeedToRefresh), request, session)
      }
      return startRefresh(RefreshRoute(feeds: feeds.map { String($0.id.rawValue) }), request, session)
    case "set": return await set(.changeFolder(name, Self.flags(request)), request, session)
    case "rename": return await move(name, to: request.form.first("to") ?? name, request, session)
    case "remove": return await move(name, to: "", request, session)
    default: return PageReply.text(404, Wording.thereIsNothingToDo)
    }
  }

  /// Moves, pauses, resumes, marks or removes the chosen feeds, at most those of one page of the table. Leaves
  /// out feeds that were removed since the table was shown.
  func actOnSeveral(_ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    let named = request.form.all("feed")
    let chosen = named.compactMap { Int64($0) }.map(Feed.ID.init(rawValue:))
    guard chosen.count == named.count, chosen.count <= SubscriptionsView.pageSize else {
      return PageReply.text(400, Wording.theFormNamesNoFeeds(SubscriptionsView.pageSize))
    }
    let home = PagePath.checked(request.form.first("from")) ?? "/feeds"
    guard !chosen.isEmpty else {
      return fail(UserMessage(code: .usage, text: Wording.noFeedIsChosen), request, session, to: home)
    }
    let list = await ModuleRun.last({ try modules.subscriptions() }, .list(FeedSelection()))
    guard let present = list.content.map({ Set($0.lines.map(\.id)) }) else {
      return report(list, to: home, request, session)
    }
    let ids = chosen.filter { present.contains($0) }
    if ids.count < chosen.count {
      let text = Wording.feedsRemovedMeanwhile(chosen.count - ids.count)
      notices.post(Notice(text, kind: .warning), to: session.id)
    }
    guard !ids.isEmpty else { return PageReply.redirect(to: home, on: request.site) }
    let names = ids.map { String($0.rawValue) }
    let what = request.form.first("do")
    switch what {
    case "move":
      let folder = request.form.first("folder") ?? ""
      let route = SubscriptionsRoute.moveFeeds(ids, toFolder: folder)
      let answer = await ModuleRun.last({ try modules.subscriptions() }, route)
      let text = Wording.feedsMoved(ids.count, to: Self.line(folder))
      return report(answer, saying: text, to: home, request, session)
    case "remove":
      let answer = await ModuleRun.last({ try modules.subscriptions() }, .remove(feeds: names))
      return report(answer, saying: Self.removal(answer.content?.feeds ?? []), to: home, request, session)
    case "pause", "resume":
      var paused = FeedSettings()
      paused.isPaused = true
      let change = FeedSettingChange(.paused, to: what == "pause" ? paused : nil)
      for name in names {
        let answer = await ModuleRun.last({ try modules.feedsSet() }, .change(feed: name, url: nil, [change]))
        guard answer.failure == nil else { return report(answer, to: home, request, session) }
      }
      let text = what == "pause" ? Wording.feedsPaused(ids.count) : Wording.feedsResumed(ids.count)
      notices.post(Notice(text), to: session.id)
      navigator.forget()
      return PageReply.redirect(to: home, on: request.site)
    case "read":
      var filter = ItemFilter(query: .or(ids.map { .feedID($0) }))
      filter.until = modules.times.now + 1
      return await mark(.selected(filter), .read, to: home, request, session)
    default: return PageReply.text(404, Wording.thereIsNothingToDo)
    }
  }

  private func move(
    _ folder: String,
    to name: String,
    _ request: HTTPRequest,
    _ session: WebSession
  ) async -> HTTPReply {
    let name = Self.line(name)
    let answer = await ModuleRun.last({ try modules.subscriptions() }, .moveFolder(folder, to: name))
    guard answer.failure == nil else { return report(answer, to: Self.origin(of: request), request, session) }
    // The folder's own page is gone.
    let from = Self.origin(of: request)
    let isOwn = Self.listAddress(from)?.selection == .folder(folder)
    let path = !isOwn ? from : name.isEmpty ? "/feeds" : ListAddress(.folder(name)).path
    let former = Self.line(folder)
    let text = name.isEmpty ? Wording.removedTheFolder(former) : Wording.renamed(former, to: name)
    return report(answer, saying: text, to: path, request, session)
  }
}
