public import Modules
import NewsCore
import NewsFiles
import NewsFormats
import NewsText

// MARK: - Screens of items

extension Configurator {
  func filters() throws(StoreError) -> FilterResolver {
    let store = try services.store()
    return FilterResolver(feeds: store, searches: store, clock: services.clock)
  }

  private func makeList<Presenter: NewsListPresenting>(
    _ presenter: Presenter
  ) throws(StoreError) -> NewsListInteractor<Presenter> {
    NewsListInteractor(news: try services.store(), filters: try filters(), presenter: presenter)
  }

  private func makeList(_ output: ItemOutput) throws(StoreError) -> NewsListInteractor<NewsListPresenter> {
    try makeList(NewsListPresenter(output.needs, times: output.terminal.times))
  }

  private func makeSearch(_ output: ItemOutput) throws(StoreError) -> NewsSearchInteractor {
    let store = try services.store()
    return NewsSearchInteractor(
      news: store,
      filters: try filters(),
      history: store,
      clock: services.clock,
      presenter: NewsSearchPresenter(output.needs, times: output.terminal.times)
    )
  }

  func runList(_ route: ListRoute) async throws -> ExitStatus {
    let title = try await filters().title(nil, route.filter)
    let output = try presentation.itemOutput(services, title)
    let view = output.view(
      text: NewsListView<NewsListViewModel>(terminal: output.terminal, footer: presentation.footer)
    )
    return try await show(makeList(output), route, as: view)
  }

  func runChart(_ route: ListRoute) async throws -> ExitStatus {
    // All days since `--since`, or else the last 30 days.
    let presenter = NewsListChartPresenter(dayLimit: route.filter.since == nil ? 30 : .max)
    return try await show(makeList(presenter), route, as: presentation.recordShape.chart())
  }

  func runSearch(_ route: SearchRoute) async throws -> ExitStatus {
    let title = try await filters().title(route.text, route.list.filter)
    let output = try presentation.itemOutput(services, title)
    let view = output.view(
      text: NewsListView<NewsListViewModel>(terminal: output.terminal, footer: presentation.footer)
    )
    return try await show(makeSearch(output), route, as: view)
  }

  func runCount(_ route: SearchRoute) async throws -> ExitStatus {
    let module = SearchCountInteractor(news: try services.store(), filters: try filters())
    return try await show(module, route, as: SearchCountView())
  }

  func runExplanation(_ route: SearchRoute) async throws -> ExitStatus {
    let module = SearchExplanationInteractor(news: try services.store(), filters: try filters())
    return try await show(module, route, as: LinesView<SearchExplanationViewModel>())
  }

  /// The route to the `ordinal`th item of a list or search.
  func selection(_ ordinal: Int, in route: Route) async throws -> Route {
    let output = try presentation.itemOutput(services)
    switch route {
    case .list(var list):
      list.extent = extent(ordinal, list)
      return try NewsListRouter().open(ordinal, in: try await last(of: makeList(output), list))
    case .search(var search):
      search.list.extent = extent(ordinal, search.list)
      return try NewsSearchRouter().open(ordinal, in: try await last(of: makeSearch(output), search))
    default: throw UserMessage(code: .usage, text: "Only a list or a search has items to open.")
    }
  }

  /// The extent that contains the item `ordinal`: the list's own page, or for `.all` a page of that item only.
  private func extent(_ ordinal: Int, _ list: ListRoute) -> ListRoute.Extent {
    list.extent == .all ? .page(ordinal, size: 1) : list.extent
  }

  private func makeItem(
    _ output: ItemOutput,
    marksRead: Bool,
    readsPages: Bool = false
  ) throws(StoreError) -> NewsItemInteractor {
    let store = try services.store()
    return NewsItemInteractor(
      news: store,
      richText: services.richText,
      marking: marksRead ? store : nil,
      articles: readsPages ? try services.makeArticleQueue() : nil,
      presenter: NewsItemPresenter(output.needs, times: output.terminal.times)
    )
  }

  func runItems(
    _ ids: [NewsItem.ID],
    marksRead: Bool = false,
    readsPages: Bool = false
  ) async throws -> ExitStatus {
    let output = try presentation.itemOutput(services)
    let module = try makeItem(output, marksRead: marksRead, readsPages: readsPages)
    let view = output.view(text: NewsItemView(terminal: output.terminal))
    let status = try await show(module, ids, as: view)
    if readsPages { await services.shutdown() }
    return status
  }

  func runNext(_ route: NextItemRoute) async throws -> ExitStatus {
    let output = try presentation.itemOutput(services)
    let module = NextItemInteractor(
      news: try services.store(),
      filters: try filters(),
      item: try makeItem(output, marksRead: true),
      presenter: NewsItemPresenter(output.needs, times: output.terminal.times)
    )
    return try await show(module, route, as: output.view(text: NewsItemView(terminal: output.terminal)))
  }

  /// Shows the items of a list or search stored since the cursor in the file; all items if the file has no cursor
  /// yet.
  func runArrivals(in route: Route, _ path: String) async throws -> ExitStatus {
    let cursor = try CursorFile(path: path)
    let arrivals = try await CursorRange(cursor: cursor, changes: try services.store()).read()
    let status: ExitStatus
    switch route {
    case .list(var list):
      list.arrivals = arrivals
      status = try await runList(list)
    case .search(var search):
      search.list.arrivals = arrivals
      status = try await runSearch(search)
    default: throw UserMessage(code: .usage, text: "Only a list or a search has a cursor.")
    }
    let isWritten = status == .done || status == .nothingMatched
    if isWritten { try cursor.save(FollowCursor(sequence: arrivals.through)) }
    return status
  }

  func runBrowse(_ ids: [NewsItem.ID], marksRead: Bool) async throws -> ExitStatus {
    let module = BrowseInteractor(news: try services.store(), open: { [host] in try host.open($0) })
    let status = try await show(module, ids, as: SilentView<BrowseViewModel>())
    guard marksRead, status == .done else { return status }
    return try await runMark(MarkRoute(ids, .read))
  }

  func makeCompletion() -> CompletionInteractor {
    CompletionInteractor { [services] () throws(StoreError) in try services.store() }
  }

  /// The words that can replace the last word of a command line.
  public func completions(_ route: CompletionRoute) async throws -> CompletionViewModel {
    try await last(of: makeCompletion(), route)
  }

  func runVersions(_ id: NewsItem.ID) async throws -> ExitStatus {
    let store = try services.store()
    let module = ItemVersionsInteractor(news: store, versions: store)
    return try await show(module, id, as: presentation.recordShape.versions())
  }

  func runDifference(_ id: NewsItem.ID) async throws -> ExitStatus {
    let store = try services.store()
    let module = ItemDifferenceInteractor(news: store, versions: store)
    return try await show(module, id, as: ItemDifferenceView(terminal: presentation.terminal))
  }

  func runMark(_ route: MarkRoute) async throws -> ExitStatus {
    let store = try services.store()
    let module = MarkInteractor(marking: store, news: store, filters: try filters())
    return try await show(module, route, as: SilentView<MarkViewModel>())
  }

  func runSearchHistory(_ limit: Int) async throws -> ExitStatus {
    let module = SearchHistoryInteractor(history: try services.store())
    return try await show(module, limit, as: presentation.recordShape.searchHistory())
  }

  func runSavedSearches(_ route: SavedSearchesRoute) async throws -> ExitStatus {
    let module = SavedSearchesInteractor(searches: try services.store(), clock: services.clock)
    return try await show(module, route, as: presentation.recordShape.savedSearches())
  }

  func runChanges(_ route: ChangesRoute) async throws -> ExitStatus {
    let module = ChangesInteractor(changes: try services.store())
    return try await show(module, route, as: presentation.recordShape.changes())
  }

  /// Follows the store until the task is cancelled.
  func runFollow(_ route: FollowRoute) async throws -> ExitStatus {
    let store = try services.store()
    let cursor = try route.cursor.map { path throws(FileError) in try CursorFile(path: path) }
    let waiter = store.changeWaiter(for: .log, every: .milliseconds(400))
    guard let program = route.program else {
      let output = try presentation.itemOutput(services)
      let module = FollowInteractor(
        changes: store,
        news: store,
        filters: try filters(),
        cursor: cursor,
        pause: waiter.wait,
        presenter: FollowPresenter(output.needs, times: output.terminal.times)
      )
      let view = output.view(
        text: FollowView(terminal: output.terminal, width: presentation.currentWidth)
      )
      return try await show(module, route, on: presentation.screen(view, flushesAlways: true))
    }
    var presentation = presentation
    presentation.format = .jsonl
    let output = try presentation.itemOutput(services)
    let module = FollowProgramInteractor(
      changes: store,
      news: store,
      filters: try filters(),
      cursor: cursor,
      programs: services.programs,
      program: program,
      input: ProgramInput(parts: output.parts) { try output.line(of: $0) },
      pause: waiter.wait
    )
    return try await show(module, route, as: SilentView<ProgramReportViewModel>())
  }
}
