public import NewsHTTP
import Modules
public import NewsCore
public import NewsToolbox
import Synchronization

/// The web page: reads requests, runs the same modules as the other interfaces, and answers with their view models
/// as HTML.
///
/// A GET changes nothing. Every POST but the log-in has the session's token. A POST is answered with a
/// redirection, with JSON for the page's script, or, if it is refused, with a page or text.
public final class WebPage: HTTPHandling {
  let modules: any WebModules
  let account: any WebAccount
  let notices = NoticeBoard()
  let navigator: Navigator
  let refreshes: RefreshBoard
  let uploads = UploadDesk()
  /// One backup is made and sent at a time, because it is as large as the store.
  let backups = HandlerSlots(limit: 1)
  let imports: ImportBoard
  /// Fetches the pictures, recordings and chapters of items; nil: none of them.
  let media: MediaRelay?
  /// True: pictures and recordings come through `media`. False: browsers fetch them from the publishers.
  let relaysMedia: Bool
  /// The ways to log in.
  let logIn: PageLogIn
  /// Opens sessions for browsers that a reverse proxy names; nil: it names none.
  let proxySessions: ProxySessions?
  /// The files that the page loads.
  let files: WebAssets
  /// Number of event streams.
  let streams = Mutex(0)

  /// `turns` are those in which the requests of the account are answered; nil: it is alone.
  public init(
    modules: any WebModules,
    account: any WebAccount,
    clock: any WallClock,
    turns: TaskTurns? = nil,
    media: MediaRelay? = nil,
    relaysMedia: Bool = false,
    ownStyle: [UInt8]? = nil,
    logIn: PageLogIn = PageLogIn(),
    openSession: (
      @Sendable (_ address: String, _ agent: String) async throws(StoreError) -> (
        session: WebSession, cookie: String
      )
    )? = nil
  ) {
    self.logIn = logIn
    proxySessions = openSession.map { ProxySessions($0) }
    files = WebAssets(ownStyle: ownStyle)
    self.media = media
    self.relaysMedia = relaysMedia
    self.modules = modules
    self.account = account
    navigator = Navigator(modules: modules, clock: clock, turns: turns)
    refreshes = RefreshBoard(modules: modules)
    imports = ImportBoard(modules: modules, clock: clock)
  }

  /// The routes of the page and of its files.
  public var routes: [WebRoute] {
    [
      route([], [.get, .post], bodyLimit: 1 << 20),
      route(["feeds", "import"], [.post], bodyLimit: Self.uploadLimit),
      Self.assets(files),
      WebRoute(
        api: "media",
        path: [MediaAddress.folder],
        methods: [.get],
        access: .head { await self.admission(of: $0) },
        servesParts: true,
        owner: .cookie,
        handler: self
      ),
    ]
  }

  /// The files of the page, which the set-up page needs, too.
  public static var assets: WebRoute { assets(WebAssets(ownStyle: nil)) }

  private static func assets(_ files: WebAssets) -> WebRoute {
    var route = WebRoute(api: "static", path: ["static"], isExact: false, instant: files.instantReply)
    route.servesParts = true
    route.acceptsAnyHost = true
    return route
  }

  private func route(_ path: [String], _ methods: [HTTPMethod], bodyLimit: Int) -> WebRoute {
    WebRoute(
      api: "page",
      path: path,
      isExact: !path.isEmpty,
      methods: methods,
      bodyLimit: bodyLimit,
      readsForm: true,
      access: .head { await self.admission(of: $0) },
      owner: .session,
      handler: self
    )
  }

  /// Ends the refresh and the import that were started on the page, when newsd stops.
  public func close() async {
    await refreshes.close()
    await imports.close()
  }

  public func reply(to request: HTTPRequest) async -> HTTPReply {
    do {
      var reply = try await answer(request)
      if relaysMedia, reply.fields.first("Content-Security-Policy") == PageReply.policy {
        reply.fields.set("Content-Security-Policy", PageReply.closedPolicy)
      }
      if request.session != nil, request.path.first != MediaAddress.folder,
        let shelf = shelf(try? await media?.secret())
      {
        reply.fields.set(Self.shelfField, shelf)
      }
      if let cookie = request.session?.newCookie, reply.fields.first("Set-Cookie") == nil {
        reply.fields.append("Set-Cookie", request.site.sessionCookie(cookie))
      }
      return reply
    } catch let error as StoreError {
      return PageReply.text(503, error.clientMessage)
    } catch {
      return PageReply.text(500, Wording.newsdCouldNotAnswer)
    }
  }

  /// The field of an answer that names the account it is for, to the page's worker.
  static let shelfField = "Newsd-Account"

  /// The name under which a browser keeps pages of this account for the time without newsd, made with the store's secret;
  /// nil: it keeps none. Tells nothing of the account.
  private func shelf(_ secret: [UInt8]?) -> String? {
    guard let secret else { return nil }
    let name = SecureHash.sha256.authenticate("kept pages of \(account.user)".utf8, key: secret)
    return Hex.encode(name.prefix(12))
  }

  private func answer(_ request: HTTPRequest) async throws -> HTTPReply {
    if request.method == .post, request.path == ["login"] { return try await enter(request) }
    guard let session = request.session else { return try await answerStranger(request) }
    switch request.method {
    case .get, .head: return try await show(request, session)
    case .post:
      guard RequestGuard.hasToken(request, session) else {
        return PageReply.text(403, Wording.theFormIsTooOld)
      }
      return try await act(request, session)
    default: return PageReply.text(405, Wording.thePageKnowsOnlyGetAndPost)
    }
  }

  /// Answers a request without a session: only the log-in page is available.
  private func answerStranger(_ request: HTTPRequest) async throws -> HTTPReply {
    if request.path == ["login"] { return try await showLogIn(request) }
    if request.path == ["events"] { return PageReply.text(401, Wording.logInFirst) }
    // A program must not take the log-in page for an answer.
    if request.path.first == "api" { return PageReply.text(404, Wording.noAPIHasThisAddress) }
    // The script asks for parts of pages, too. A page that the service worker asks for has the destination "empty".
    let isPage = request.method == .get && PagePart(request) == nil && !request.path.isEmpty
    let wanted = isPage && (request.fields.first("Sec-Fetch-Mode") ?? "navigate") == "navigate"
    let next = wanted ? PagePath.afterLogIn(Self.here(request)) : nil
    return PageReply.redirect(to: PagePath.logIn(to: next), on: request.site)
  }

  /// Finds the session of a request. Without one, only the log-in is read.
  private func admission(of request: HTTPRequest) async -> Admission {
    do {
      return try await admit(request)
    } catch {
      return .refused(PageReply.text(503, error.clientMessage))
    }
  }

  /// Answers a GET with a page.
  private func show(_ request: HTTPRequest, _ session: WebSession) async throws -> HTTPReply {
    let path = request.path.last == "" ? Array(request.path.dropLast()) : request.path
    if PagePart(request) == .tree { return await showTree(request, session) }
    if var address = ListAddress(path: path, query: request.query) {
      if !address.namesOrder, address.order == .newest,
        preferences(of: request, await settings()?.settings).showsOldestFirst
      {
        address.order = .oldest
      }
      return await showList(address, request, session)
    }
    switch path.first {
    case nil: return PageReply.redirect(to: await startPage(), on: request.site)
    case "login":
      return PageReply.redirect(to: await pageAfterLogIn(request.query.first("to")), on: request.site)
    case "item": return await showItem(path, request, session)
    case "feeds" where path.count == 1: return await showFeeds(request, session)
    case "feeds" where path == ["feeds", "add"]: return await showAdding(request, session)
    case "suggestions" where path.count == 1: return await suggest(request)
    case "feeds" where path == ["feeds", "export"]: return await exportFeeds(request)
    case "feed": return await showFeed(path, request, session)
    case "folders" where path.count == 1: return await showFolderMenu(request, session)
    case "import" where path.count == 1: return await showImport(request, session)
    case "rules" where path.count == 1: return await showRules(request, session)
    case "searches" where path.count == 1: return await showSearches(request, session)
    case "settings" where path.count == 1: return await showSettings(request, session)
    case "hooks" where path.count == 1: return await showHook(request, session)
    case "statistics" where path.count == 1: return await showStatistics(request, session)
    case "access" where path.count == 1: return try await showAccess(request, session)
    case "media": return try await showMedia(request)
    case "events" where path.count == 1: return showEvents(request)
    case "keys": return await showKeys(request, session)
    default: return await showMissing(request, session)
    }
  }

  /// Performs the action of a POST.
  private func act(_ request: HTTPRequest, _ session: WebSession) async throws -> HTTPReply {
    switch (request.path.first, request.path.count) {
    case ("items", 2): return await mark(item: request.path[1], request, session)
    case ("items", 3) where request.path[2] == "labels":
      return await label(item: request.path[1], request, session)
    case ("items", 3) where request.path[2] == "save":
      return await save(item: request.path[1], request, session)
    case ("items", 4) where request.path[2] == "enclosures": return await play(request, session)
    case ("item", 3) where request.path[2] == "less":
      return await less(request.path[1], request, session)
    case ("items", 3) where request.path[2] == "article":
      return await loadArticle(item: request.path[1], request, session)
    case ("marks", 1): return await mark(request, session)
    case ("marks", 2) where request.path[1] == "late": return await markLate(request, session)
    case ("undo", 1): return await undo(request, session)
    case ("refresh", 1): return startRefresh(RefreshRoute(), request, session)
    case ("dismiss", 1):
      refreshes.dismiss()
      return PageReply.redirect(to: Self.origin(of: request), on: request.site)
    case ("feeds", 2) where request.path[1] == "add": return await addFeed(request, session)
    case ("feeds", 2) where request.path[1] == "several": return await actOnSeveral(request, session)
    case ("feeds", 2) where request.path[1] == "find": return await findFeeds(request, session)
    case ("searches", 2) where request.path[1] == "recent": return await rememberSearch(request)
    case ("feeds", 2) where request.path[1] == "import": return try await importFeeds(request, session)
    case ("import", 1), ("import", 2): return try await actOnImport(request, session)
    case ("tree", 1): return await arrange(request, session)
    case ("folders", 1): return await actOnFolder(request, session)
    case ("feed", _): return await act(onFeed: request.path, request, session)
    case ("rules", 1): return await changeRules(request, session)
    case ("searches", 1): return await changeSearches(request, session)
    case ("settings", 1): return await changeSettings(request, session)
    case ("hooks", 1): return try await changeHooks(request, session)
    case ("access", 1): return try await changeAccess(request, session)
    case ("password", 1): return try await changePassword(request, session)
    case ("backup", 1): return try await sendBackup(request, session)
    case ("logout", 1): return try await logOut(request, session)
    default: return PageReply.text(404, Wording.thereIsNothingToDo)
    }
  }

  /// Collects the data that a page shows besides its content. `feeds` are those of the content. A part of a page shows
  /// no notices, and leaves them to the next page.
  func context(
    _ request: HTTPRequest,
    _ session: WebSession,
    feeds: [Feed.ID] = []
  ) async -> PageContext {
    var context = PageContext(site: request.site, session: session, times: modules.times)
    let part = PagePart(request)
    let isPart = part != nil
    let hasTree = !isPart || part == .kept || part == .tree
    let item = request.path.first == "item" ? feeds.first.map { ListAddress(.feed($0)) } : nil
    let list = ListAddress(path: request.path, query: request.query) ?? item
    context.navigation = await navigator.navigation(of: list, hasFeeds: hasTree)
    context.icons = await modules.icons(of: hasTree ? context.navigation.feeds + feeds : feeds)
    context.notices = isPart ? [] : notices.take(for: session.id)
    context.refresh = refreshes.shown
    context.here = Self.here(request)
    context.mediaSecret = try? await media?.secret()
    context.relaysMedia = relaysMedia
    let settings = await settings()
    context.preferences = preferences(of: request, settings?.settings)
    if context.preferences.sortsTree { context.navigation.sortByName() }
    if !isPart, let problem = settings?.quota.problem {
      context.notices.append(Notice(PageText.sentence("\(problem)."), kind: .warning))
    }
    context.ownStyle = files.ownStyle?.path
    context.shelf = shelf(context.mediaSecret)
    return context
  }

  /// The preferences of the browser, with those of the account.
  private func preferences(of request: HTTPRequest, _ settings: PageChoices?) -> PagePreferences {
    var preferences = PagePreferences(cookie: RequestGuard.cookie(PagePreferences.cookieName, of: request))
    if let settings { preferences.apply(settings) }
    return preferences
  }

  /// The path of a request with its query, below the prefix.
  private static func here(_ request: HTTPRequest) -> String {
    let path = "/" + request.path.map(PagePath.segment).joined(separator: "/")
    let query = request.query.pairs.filter { $0.name != PagePart.parameter }.map {
      "\(PagePath.segment($0.name))=\(PagePath.segment($0.value))"
    }
    return query.isEmpty ? path : path + "?" + query.joined(separator: "&")
  }

  /// The page to which a form returns.
  static func origin(of request: HTTPRequest) -> String {
    PagePath.checked(request.form.first("from")) ?? "/unread"
  }

  func showMissing(_ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    let frame = PageFrame(title: Wording.notFound)
    let bytes = frame.render(await context(request, session)) { html in
      html.element("h1", text: Wording.notFound)
      html.element("p", text: Wording.newsdHasNoPageAtThisAddress)
      html.element("p") { html in
        html.element("a", .href("/unread"), text: Wording.unreadItems)
        html.text(" · ")
        html.element("a", .href("/search"), text: Wording.search)
      }
    }
    return PageReply.html(bytes, status: 404)
  }

  /// Shows the script the tree beside a page.
  private func showTree(_ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    let context = await context(request, session)
    let list = ListAddress(path: request.path, query: request.query)
    let tree = NavigationView(current: list, context: context)
    return PageReply.html(PageFrame.renderPart(context) { tree.render(into: &$0) })
  }

  private func showKeys(_ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    let context = await context(request, session)
    let bytes = PageFrame(title: Wording.keys).render(context) { html in
      html.element("h1", text: Wording.keys)
      KeysView().list(&html)
    }
    return PageReply.html(bytes)
  }
}
