package import Modules
package import NewsCore
import NewsFiles
import NewsFormats
import NewsText
import Synchronization

// MARK: - Lists, searches and items

extension Configurator {
  private func makeList(_ output: ItemOutput) throws(StoreError) -> NewsListInteractor {
    try services.makeList(NewsListPresenter(output.needs, times: presentation.times))
  }

  private func makeSearch(_ output: ItemOutput) throws(StoreError) -> NewsSearchInteractor {
    try services.makeSearch(NewsSearchPresenter(output.needs, times: presentation.times), remembers: true)
  }

  func list(_ route: ListRoute) async throws -> ExitStatus {
    let output = try await presentation.itemOutput(
      services,
      try await services.filters().title(nil, route.filter)
    )
    let view = NewsListView(terminal: output.shape.terminal, footer: presentation.footer)
    return try await show(makeList(output), route, as: output.view(text: view))
  }

  func search(_ route: SearchRoute) async throws -> ExitStatus {
    let title = try await services.filters().title(route.text, route.list.filter)
    let output = try await presentation.itemOutput(services, title)
    let view = NewsSearchView(terminal: output.shape.terminal, footer: presentation.footer)
    return try await show(makeSearch(output), route, as: output.view(text: view))
  }

  package func chart(_ route: ListRoute) async throws -> ExitStatus {
    // All days since `--since`, or else the last 30 days.
    let module = NewsListChartInteractor(
      news: try services.store(),
      filters: try services.filters(),
      dayLimit: route.filter.since == nil ? 30 : .max
    )
    let shape = presentation.shape
    let view = try shape.view(Tables.chart, text: NewsListChartView(terminal: shape.terminal))
    return try await show(module, route, as: view)
  }

  package func searchCount(_ route: SearchRoute) async throws -> ExitStatus {
    let module = SearchCountInteractor(news: try services.store(), filters: try services.filters())
    return try await show(module, route, as: SearchCountView())
  }

  package func searchExplanation(_ route: SearchRoute) async throws -> ExitStatus {
    let module = SearchExplanationInteractor(news: try services.store(), filters: try services.filters())
    return try await show(module, route, as: LinesView())
  }

  /// Shows the `ordinal`th item of a list or search, counted from 1 as the list shows it.
  package func item(_ ordinal: Int, in route: Route) async throws -> ExitStatus {
    let output = try await presentation.itemOutput(services)
    let item: Route
    switch route {
    case .list(var list):
      list.extent = extent(ordinal, list)
      item = try NewsListRouter().open(ordinal, in: try await last(of: makeList(output), list))
    case .search(var search):
      search.list.extent = extent(ordinal, search.list)
      item = try NewsSearchRouter().open(ordinal, in: try await last(of: makeSearch(output), search))
    default: throw UserMessage(code: .usage, text: "only a list or a search has items to open")
    }
    return try await open(item)
  }

  /// The extent that contains the item `ordinal`: the list's own page, or for `.all` a page of that item only.
  private func extent(_ ordinal: Int, _ list: ListRoute) -> ListRoute.Extent {
    list.extent == .all ? .page(ordinal, size: 1) : list.extent
  }

  /// Runs a module without a screen and returns the last content it emits.
  private func last<Module: Interactor>(
    of module: Module,
    _ request: Module.Request
  ) async throws -> Module.ViewModel {
    let kept = Mutex<Container<Module.ViewModel>?>(nil)
    try await module.run(request) { container in kept.withLock { $0 = container } }
    let container = kept.withLock { $0 }
    if let failure = container?.failure { throw failure }
    guard let content = container?.content else {
      throw UserMessage(code: .nothingMatched, text: "nothing is shown, so there is nothing to open")
    }
    return content
  }

  /// Shows items in full; with `readsPages`, after their pages were fetched.
  package func items(
    _ ids: [NewsItem.ID],
    marksRead: Bool = false,
    readsPages: Bool = false
  ) async throws -> ExitStatus {
    let output = try await presentation.itemOutput(services)
    let presenter = NewsItemPresenter(output.needs, times: presentation.times)
    let module = try services.makeItem(presenter, marksRead: marksRead, readsPages: readsPages)
    let view = output.view(text: NewsItemView(terminal: output.shape.terminal))
    return try await show(module, ids, as: view)
  }

  package func next(_ request: NextItemRequest) async throws -> ExitStatus {
    let output = try await presentation.itemOutput(services)
    let module = NextItemInteractor(
      news: try services.store(),
      filters: try services.filters(),
      item: try services.makeItem(
        NewsItemPresenter(output.needs, times: presentation.times),
        marksRead: true
      )
    )
    let view = output.view(text: NewsItemView(terminal: output.shape.terminal))
    return try await show(module, request, as: view)
  }

  /// Shows the items of a list or search stored since the cursor in the file; all items if the file has no cursor
  /// yet.
  package func arrivals(in route: Route, cursor path: String) async throws -> ExitStatus {
    let cursor = try CursorFile(path: path)
    let arrivals = try await CursorRange(cursor: cursor, changes: try services.store()).read()
    let status: ExitStatus
    switch route {
    case .list(var list):
      list.arrivals = arrivals
      status = try await self.list(list)
    case .search(var search):
      search.list.arrivals = arrivals
      status = try await self.search(search)
    default: throw UserMessage(code: .usage, text: "only a list or a search has a cursor")
    }
    let isWritten = status == .done || status == .nothingMatched
    if isWritten { try cursor.save(FollowCursor(sequence: arrivals.through)) }
    return status
  }

  /// Opens the pages of items. `open` opens a link in the browser, which must not inherit the variables `credentials`.
  package func browse(
    _ ids: [NewsItem.ID],
    marksRead: Bool,
    open: @escaping @Sendable (_ link: String, _ credentials: Set<String>) throws -> Void
  ) async throws -> ExitStatus {
    let store = try services.store()
    let credentials = await services.credentialNames()
    let status = try await tell(BrowseInteractor(news: store) { try open($0, credentials) }, ids)
    guard marksRead, status == .done else { return status }
    return try await mark(MarkRoute(ids, .read))
  }

  package func completions(_ request: CompletionsRequest) async throws -> ExitStatus {
    try await show(makeCompletion(), request, as: CompletionsView())
  }

  /// The words that can replace the last word of a command line.
  package func candidates(_ request: CompletionsRequest) async throws -> CompletionsViewModel {
    try await last(of: makeCompletion(), request)
  }

  private func makeCompletion() -> CompletionsInteractor {
    CompletionsInteractor { [services] () throws(StoreError) in try services.store() }
  }

  func versions(of id: NewsItem.ID) async throws -> ExitStatus {
    try await list(ItemVersionsInteractor(store: try services.store()), id, Tables.versions)
  }

  func difference(of id: NewsItem.ID) async throws -> ExitStatus {
    let view = ItemDifferenceView(terminal: presentation.shape.terminal)
    return try await show(ItemDifferenceInteractor(store: try services.store()), id, as: view)
  }

  func mark(_ route: MarkRoute) async throws -> ExitStatus {
    let store = try services.store()
    return try await tell(MarkInteractor(marking: store, news: store, filters: try services.filters()), route)
  }

  package func label(_ request: LabelRequest) async throws -> ExitStatus {
    let store = try services.store()
    let module = LabelInteractor(marking: store, news: store, feeds: store, filters: try services.filters())
    return try await tell(module, request)
  }

  package func labels() async throws -> ExitStatus {
    try await list(LabelListInteractor(news: try services.store()), (), Tables.labels)
  }

  /// Passes items to the hooks that save them, and first tells the store of the configuration's hooks.
  package func save(_ ids: [NewsItem.ID]) async throws -> ExitStatus {
    try await services.registerHooks()
    return try await tell(SaveInteractor(marking: try services.store()), ids)
  }

  package func searchHistory(limit: Int) async throws -> ExitStatus {
    try await list(SearchHistoryInteractor(history: try services.store()), limit, Tables.searchHistory)
  }

  package func savedSearches(_ request: SavedSearchesRequest) async throws -> ExitStatus {
    let module = SavedSearchesInteractor(searches: try services.store(), clock: services.clock)
    return try await list(module, request, Tables.savedSearches)
  }

  package func changes(_ request: ChangesRequest) async throws -> ExitStatus {
    let shape = presentation.shape
    let view = try shape.view(Tables.changes, text: ChangesView(terminal: shape.terminal))
    return try await show(ChangesInteractor(changes: try services.store()), request, as: view)
  }

  /// Follows the store until the task is cancelled.
  package func follow(_ request: FollowRequest) async throws -> ExitStatus {
    let store = try services.store()
    let cursor = try request.cursor.map { path throws(FileError) in try CursorFile(path: path) }
    let waiter = store.changeWaiter(for: .log, every: .milliseconds(400))
    guard let program = request.program else {
      let output = try await presentation.itemOutput(services)
      let module = FollowInteractor(
        changes: store,
        news: store,
        filters: try services.filters(),
        cursor: cursor,
        pause: waiter.wait,
        presenter: FollowPresenter(output.needs, times: presentation.times)
      )
      let view = output.view(
        text: FollowView(terminal: output.shape.terminal, width: presentation.currentWidth)
      )
      return try await show(module, request, on: presentation.screen(view, flushesAlways: true))
    }
    var shape = presentation.shape
    shape.format = .jsonl
    let output = try ItemOutput(shape)
    let module = FollowProgramInteractor(
      changes: store,
      news: store,
      filters: try services.filters(),
      cursor: cursor,
      programs: services.programs,
      program: program,
      input: ProgramInput(parts: output.parts) { try output.line(of: $0) },
      pause: waiter.wait
    )
    return try await tell(module, request)
  }
}
