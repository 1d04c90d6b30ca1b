import NewsSearch
public import NewsCore

/// Searches items, and adds the query to the search history.
public struct NewsSearchInteractor: Interactor {
  private let news: any ItemReading
  private let filters: FilterResolver
  private let history: (any SearchHistoryKeeping)?
  private let clock: any WallClock
  private let presenter: NewsSearchPresenter

  private static let batchSize = 256

  /// `history` stores the query; nil while the user is still typing it.
  public init(
    news: any ItemReading,
    filters: FilterResolver,
    history: (any SearchHistoryKeeping)?,
    clock: any WallClock,
    presenter: NewsSearchPresenter
  ) {
    self.news = news
    self.filters = filters
    self.history = history
    self.clock = clock
    self.presenter = presenter
  }

  /// Emits the page, or all matches in batches. Saves the query in the search history afterwards, so that results
  /// do not wait for a write.
  public func respond(to route: SearchRoute, emit: @escaping Emit<NewsListViewModel>) async throws {
    let search = try await filters.search(route)
    // `sort:` in the query takes precedence over the option.
    try await self.search(route, search.query, search.order ?? route.list.order, emit)
    await history?.remember(search: route.text, at: clock.now())
  }

  private func search(
    _ route: SearchRoute,
    _ query: Query,
    _ order: ItemOrder,
    _ emit: Emit<NewsListViewModel>
  ) async throws {
    let list = route.list
    guard list.continuing == nil || order != .relevance else {
      let text = "--before has no effect with sort:relevance; use --page"
      return try emit(presenter.present(UserMessage(code: .usage, text: text)))
    }
    var request = list.request(query, order: order, parts: presenter.parts)
    switch list.extent {
    case .page(let number, let size):
      request.offset = (number - 1) * size
      request.limit = size
      let items = try await news.items(request)
      var total = request.offset + items.count
      var isComplete = true
      // Counting visits every hit. Count only if the total is shown, and only after a full page or an empty later
      // one: other pages give the total themselves.
      if presenter.showsTotal, items.count == size || items.isEmpty && request.offset > 0 {
        if items.count == size, query.containsPrefix {
          isComplete = false
        } else {
          total = try await news.count(request)
        }
      }
      if items.isEmpty, try await filters.hasNoFeeds() { return try emit(presenter.noFeeds()) }
      var page = PageInfo(number: number, size: size, total: total, isComplete: isComplete)
      page.isContinued = list.continuing != nil
      page.isByTime = order != .relevance
      try emit(presenter.present(items, page))
    case .all:
      let presenter = presenter
      let seen = Counter()
      try await news.forEachBatch(request, of: Self.batchSize) { items in
        let first = seen.add(items.count) + 1
        try emit(presenter.present(items, first: first, isLast: false))
        return true
      }
      if seen.value == 0, try await filters.hasNoFeeds() { return try emit(presenter.noFeeds()) }
      try emit(presenter.present([], first: seen.value + 1, isLast: true))
    }
  }
}
