import NewsHTTP
import Modules
import NewsCore

// MARK: - Lists and items

extension WebPage {
  func showList(_ address: ListAddress, _ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    switch address.route {
    case .search(let route):
      // A page of another site may not make newsd search: it could do so again and again. It gets the form with its text.
      guard !route.text.isEmpty, !request.isForeign else {
        return await show(.ready(NewsListViewModel()), address, request, session)
      }
      let found = await ModuleRun.last({ try modules.search() }, route)
      return await show(found.map(\.list), address, request, session)
    case .list(let route):
      return await show(await ModuleRun.last({ try modules.list() }, route), address, request, session)
    default:
      return PageReply.text(404, Wording.thereIsNoSuchList)
    }
  }

  private func show(
    _ container: Container<NewsListViewModel>,
    _ address: ListAddress,
    _ request: HTTPRequest,
    _ session: WebSession
  ) async -> HTTPReply {
    var shown = container.content?.lines.map(\.feedID) ?? []
    if case .feed(let id) = address.selection { shown.append(id) }
    let context = await context(request, session, feeds: shown)
    var feed: SubscriptionLine?
    if case .feed(let id) = address.selection {
      feed = await self.feed(id)
      if feed == nil, container.content?.lines.isEmpty == true { return await showMissing(request, session) }
    }
    let heading = Self.heading(address, feed)
    var view = NewsListView(container: container, address: address, heading: heading, context: context)
    view.feed = feed
    let frame = PageFrame(
      title: heading,
      place: Self.place(address),
      list: address,
      next: view.next?.path
    )
    return Self.reply(.list, frame, context, request, container.failure) { view.render(into: &$0) }
  }

  /// Answers with a list or item: with the whole page, or with its part if the request is one of the script.
  private static func reply(
    _ part: PagePart,
    _ frame: PageFrame,
    _ context: PageContext,
    _ request: HTTPRequest,
    _ failure: UserMessage?,
    content: (inout HTMLBuilder) -> Void
  ) -> HTTPReply {
    let bytes =
      PagePart(request) == part
      ? PageFrame.renderPart(context, content: content) : frame.render(part, context, content: content)
    return PageReply.html(bytes, status: status(failure))
  }

  /// A feed for its title and home page; nil if there is none.
  private func feed(_ id: Feed.ID) async -> SubscriptionLine? {
    let selection = FeedSelection(FeedWindow(.feed(id)))
    return await ModuleRun.last({ try modules.subscriptions() }, .list(selection)).content?.lines.first
  }

  static func status(_ failure: UserMessage?) -> Int {
    switch failure?.code {
    case nil, .nothingMatched, .someFailed: 200
    case .notFound: 404
    case .usage, .badData: 400
    case .cannotCreate: 403
    default: 503
    }
  }

  private static func place(_ address: ListAddress) -> PagePlace {
    switch address.selection {
    case .unread: .unread
    case .starred: .starred
    case .all: .all
    case .search: .search
    case .feed, .folder, .saved: .elsewhere
    }
  }

  private static func heading(_ address: ListAddress, _ feed: SubscriptionLine?) -> String {
    switch address.selection {
    case .unread: Wording.unreadTitle
    case .starred: Wording.starred
    case .all: Wording.all
    case .feed(let id): feed?.title.string ?? Wording.feedNumbered(id.rawValue)
    case .folder(let name), .saved(let name): DisplayText(line: name).string
    case .search(let text): text.isEmpty ? Wording.search : DisplayText(line: text).string
    }
  }

  func showItem(_ path: [String], _ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    guard (2...3).contains(path.count), let number = Int64(path[1]) else {
      return PageReply.text(404, Wording.thereIsNoSuchItem)
    }
    let id = NewsItem.ID(rawValue: number)
    if path.count == 3, path[2] == "less" { return await showLess(id, request, session) }
    if path.count == 3 {
      guard path[2] == "versions" else { return PageReply.text(404, Wording.thereIsNoSuchPage) }
      return await showVersions(id, request, session)
    }
    let container = await ModuleRun.last({ try modules.item() }, [id])
    let page = container.content?.page
    let stories = page?.isInStory == true ? await ModuleRun.last({ try modules.stories() }, id).content : nil
    let context = await context(request, session, feeds: page.map { [$0.feedID] } ?? [])
    let view = NewsItemView(
      container: container,
      stories: stories,
      newer: page == nil ? nil : await neighbour(of: id, isOlder: false),
      older: page == nil ? nil : await neighbour(of: id, isOlder: true),
      hasVersions: page == nil ? false : await hasVersions(id),
      context: context
    )
    let frame = PageFrame(title: view.title, list: page.map { ListAddress(.feed($0.feedID)) })
    return Self.reply(.article, frame, context, request, container.failure) { view.render(into: &$0) }
  }

  /// True if the feed has edited the item.
  private func hasVersions(_ id: NewsItem.ID) async -> Bool {
    let versions = await ModuleRun.last({ try modules.versions() }, id)
    return versions.content.map { $0.records.count > 1 } ?? false
  }

  /// The unread item before or after an item.
  private func neighbour(of id: NewsItem.ID, isOlder: Bool) async -> NewsItem.ID? {
    let unread = ListAddress(.unread).list
    let route = isOlder ? unread.following(id, size: 1) : unread.preceding(id, size: 1)
    return await ModuleRun.last({ try modules.list() }, route).content?.lines.first?.id
  }

  private func showVersions(
    _ id: NewsItem.ID,
    _ request: HTTPRequest,
    _ session: WebSession
  ) async -> HTTPReply {
    let versions = await ModuleRun.last({ try modules.versions() }, id)
    let difference = await ModuleRun.last({ try modules.difference() }, id)
    let context = await context(request, session)
    let view = ItemVersionsView(id: id, versions: versions, difference: difference, context: context)
    let bytes = PageFrame(title: Wording.versions).render(context) { view.render(into: &$0) }
    return PageReply.html(bytes, status: Self.status(versions.failure))
  }
}
