public import Modules
import NewsCore
import NewsFormats
import NewsText
import Synchronization

/// Turns a `Route` into the module that it names and runs it; nobody else builds one.
public struct Configurator: Sendable {
  let services: ServiceContainer
  let presentation: Presentation

  public init(services: ServiceContainer, presentation: Presentation) {
    self.services = services
    self.presentation = presentation
  }

  /// Runs the destination to its end.
  ///
  /// - Parameter route: Where to go.
  /// - Returns: The exit status: 0, 1 when nothing was shown, else what failed.
  /// - Throws: `UserMessage` for a presentation that the destination does not have, `StoreError`, `OutputError`.
  public func run(_ route: Route) async throws -> Int32 {
    switch route {
    case .list(let list): try await runList(try await resolved(list), try await title(nil, list.filter))
    case .chart(let list): try await runChart(try await resolved(list))
    case .item(let id): try await runItems([id])
    case .items(let ids): try await runItems(ids)
    case .search(let search):
      try await runSearch(try await resolved(search), try await title(search.text, search.list.filter))
    case .searchHistory(let limit): try await runSearchHistory(limit: limit)
    case .mark(let ids, let mark): try await runMark(ids, mark)
    case .subscriptions(let route): try await runSubscriptions { try await $0.list(route, emit: $1) }
    case .folders: try await runFolders()
    case .fetch(let fetch): try await runFetch(fetch, detail: .failures, isLive: false)
    case .follow(let follow): try await runFollow(follow, cursor: nil)
    case .changes(let sequence, let limit): try await runChanges(after: sequence, limit: limit)
    case .status: try await runStatus()
    case .plan(let horizon): try await runPlan(horizon: horizon)
    case .failures: try await runFailures()
    case .rules: try await runRules { try await $0.list(emit: $1) }
    case .savedSearches: try await runSavedSearches { try await $0.list(emit: $1) }
    case .versions(let id): try await runVersions(id)
    case .difference(let id): try await runDifference(id)
    }
  }

  /// Where the `ordinal`th item of a list or search leads.
  ///
  /// - Parameters:
  ///   - ordinal: Counted from 1, as the list prints it.
  ///   - route: A list or a search.
  /// - Returns: The item's route.
  /// - Throws: `UserMessage` when there is no such item.
  public func open(_ ordinal: Int, of route: Route) async throws -> Route {
    switch route {
    case .search(let search): try await open(ordinal, of: try await resolved(search))
    case .list(let list): try await open(ordinal, of: try await resolved(list))
    default: throw UserMessage(code: .usage, text: "Only a list or a search has items to open.")
    }
  }

  private func open(_ ordinal: Int, of search: SearchRoute) async throws -> Route {
    let interactor = try makeSearch(presentation.itemOutput(services))
    var search = search
    search.list.extent = extent(ordinal, search.list)
    let content = try await last { [search] in try await interactor.run(search, emit: $0) }
    return try NewsSearchRouter().open(ordinal, in: content)
  }

  private func open(_ ordinal: Int, of list: ListRoute) async throws -> Route {
    let interactor = try makeList(try listPresenter(presentation.itemOutput(services)))
    var list = list
    list.extent = extent(ordinal, list)
    let content = try await last { [list] in try await interactor.run(list, emit: $0) }
    return try NewsListRouter().open(ordinal, in: content)
  }

  /// How a search is read and served.
  ///
  /// - Parameter route: The search.
  /// - Returns: Lines for people.
  /// - Throws: `QueryError`, `StoreError`.
  public func explanation(_ route: SearchRoute) async throws -> [String] {
    let (query, order) = try await query(of: route)
    let request = ItemRequest(query: query, order: order ?? route.list.order)
    return QueryPrinter.explanation(query) + (try await services.store().plan(of: request))
  }

  private func query(of route: SearchRoute) async throws -> (query: Query, order: ItemOrder?) {
    let store = try services.store()
    let parsed = try QueryParser.parse(route.text, now: services.clock.now())
    return (
      try await resolved(route.list.filter).query(and: parsed.query, resolving: store), parsed.order
    )
  }

  /// A list without pages comes in parts: of that, just the item.
  private func extent(_ ordinal: Int, _ list: ListRoute) -> ListRoute.Extent {
    list.extent == .all ? .page(ordinal, size: 1) : list.extent
  }

  /// How many items a search finds.
  ///
  /// - Parameter route: The search; its page does not matter.
  /// - Returns: The number of matches.
  /// - Throws: `QueryError`, `StoreError`.
  public func count(_ route: SearchRoute) async throws -> Int {
    let (query, _) = try await query(of: route)
    return try await services.store().count(
      ItemRequest(query: query, foldsClusters: route.list.foldsClusters)
    )
  }

  /// Runs a change of the subscriptions, and says what was done.
  ///
  /// - Parameter change: What to do with the module's interactor.
  /// - Returns: The exit status.
  /// - Throws: As `run`.
  public func runSubscriptions(
    _ change: (SubscriptionsInteractor, @escaping Emit<SubscriptionsViewModel>) async throws -> Void
  ) async throws -> Int32 {
    let store = try services.store()
    let output = try presentation.feedOutput(services)
    let interactor = SubscriptionsInteractor(
      feeds: store,
      editing: store,
      searches: store,
      presenter: SubscriptionsPresenter(showsLines: output.format == .text, times: output.terminal.times)
    )
    let screen = presentation.screen(output.view(text: SubscriptionsView(terminal: output.terminal)))
    try await change(interactor, screen.emit)
    return screen.exitStatus
  }

  /// A saved search may stand wherever a feed can: the filter with the query instead of the name.
  func resolved(_ filter: ItemFilter) async throws -> ItemFilter {
    let store = try services.store()
    var named: [Query] = []
    for name in filter.feeds {
      // A search has its name in full, where a part of a feed's title is enough; no search is saved under a feed's name.
      if let search = try await store.savedSearch(named: name) {
        named.append(try QueryParser.parse(search.query, now: services.clock.now()).query)
      } else {
        named.append(.feedID(try await store.feed(named: name).id))
      }
    }
    guard let selected = Query.any(of: named) else { return filter }
    var resolved = filter
    resolved.feeds = []
    resolved.query = filter.query == .all ? selected : .and([selected, filter.query])
    return resolved
  }

  private func resolved(_ list: ListRoute) async throws -> ListRoute {
    var list = list
    list.filter = try await resolved(list.filter)
    return list
  }

  private func resolved(_ search: SearchRoute) async throws -> SearchRoute {
    var search = search
    search.list = try await resolved(search.list)
    return search
  }

  /// The last content that a module emits.
  private func last<Content: Sendable>(
    of run: (@escaping Emit<Content>) async throws -> Void
  ) async throws -> Content {
    let kept = Mutex<Container<Content>?>(nil)
    try await run { container in kept.withLock { $0 = container } }
    let container = kept.withLock { $0 }
    if let failure = container?.failure { throw failure }
    guard let content = container?.content else {
      throw UserMessage(code: .nothingMatched, text: "Nothing is shown, so there is nothing to open.")
    }
    return content
  }
}

// MARK: - Modules

extension Configurator {
  private func makeList<Presenter: NewsListPresenting>(
    _ presenter: Presenter
  ) throws(StoreError) -> NewsListInteractor<Presenter> {
    let store = try services.store()
    return NewsListInteractor(news: store, feeds: store, presenter: presenter)
  }

  private func listPresenter(_ output: ItemOutput) -> NewsListPresenter {
    NewsListPresenter(output.interest, times: output.terminal.times)
  }

  private func makeSearch(_ output: ItemOutput) throws(StoreError) -> NewsSearchInteractor {
    let store = try services.store()
    let clock = services.clock
    return NewsSearchInteractor(
      news: store,
      feeds: store,
      history: store,
      clock: clock,
      readQuery: { text throws(QueryError) in try QueryParser.parse(text, now: clock.now()) },
      presenter: NewsSearchPresenter(output.interest, times: output.terminal.times)
    )
  }

  /// What a document of this list or search calls itself.
  private func title(_ text: String?, _ filter: ItemFilter) async throws -> RouteTitle {
    let store = try services.store()
    var filter = filter
    var titles = filter.feeds
    for (index, name) in filter.feeds.enumerated() where try await store.savedSearch(named: name) == nil {
      let feed = try await store.feed(named: name)
      // However it was named, it is the same feed.
      filter.feeds[index] = feed.url
      titles[index] = feed.title
    }
    return RouteTitle(text: text, filter: filter, feedTitles: titles)
  }

  private func runList(_ route: ListRoute, _ title: RouteTitle) async throws -> Int32 {
    let output = try presentation.itemOutput(services, title)
    let screen = presentation.screen(
      output.view(text: NewsListView(terminal: output.terminal, footer: presentation.footer))
    )
    try await makeList(listPresenter(output)).run(route, emit: screen.emit)
    return screen.exitStatus
  }

  private func runChart(_ route: ListRoute) async throws -> Int32 {
    let screen = presentation.screen(try presentation.recordShape.chart())
    try await makeList(
      // All of the time that was asked for; else the last month.
      NewsListChartPresenter(dayLimit: route.filter.since == nil ? 30 : .max)
    ).run(route, emit: screen.emit)
    return screen.exitStatus
  }

  private func runItems(_ ids: [NewsItem.ID]) async throws -> Int32 {
    let output = try presentation.itemOutput(services)
    let screen = presentation.screen(output.view(text: NewsItemView(terminal: output.terminal)))
    let interactor = NewsItemInteractor(
      news: try services.store(),
      richText: services.richText,
      presenter: NewsItemPresenter(output.interest, times: output.terminal.times)
    )
    try await interactor.run(ids, emit: screen.emit)
    return screen.exitStatus
  }

  private func runSearch(_ route: SearchRoute, _ title: RouteTitle) async throws -> Int32 {
    let output = try presentation.itemOutput(services, title)
    let screen = presentation.screen(
      output.view(text: NewsSearchView(terminal: output.terminal, footer: presentation.footer))
    )
    try await makeSearch(output).run(route, emit: screen.emit)
    return screen.exitStatus
  }

  private func runFolders() async throws -> Int32 {
    let screen = presentation.screen(try presentation.recordShape.folders())
    try await FoldersInteractor(feeds: try services.store()).list(emit: screen.emit)
    return screen.exitStatus
  }

  private func runSearchHistory(limit: Int) async throws -> Int32 {
    let screen = presentation.screen(try presentation.recordShape.searchHistory())
    try await SearchHistoryInteractor(history: try services.store()).run(limit: limit, emit: screen.emit)
    return screen.exitStatus
  }

  private func runMark(_ ids: [NewsItem.ID], _ mark: ItemMark) async throws -> Int32 {
    let screen = presentation.screen(MarkView(terminal: presentation.terminal))
    try await MarkInteractor(marking: try services.store()).run(ids, mark, emit: screen.emit)
    return screen.exitStatus
  }
}
