public import NewsCore

/// Lists items: reads what the presenter needs from the store.
///
/// With `NewsListChartPresenter` instead of `NewsListPresenter`, it produces a chart.
public struct NewsListInteractor<Presenter: NewsListPresenting>: Interactor {
  private let news: any ItemReading
  private let filters: FilterResolver
  private let presenter: Presenter

  /// Items per batch when a route asks for all.
  private static var batchSize: Int { 256 }

  public init(news: any ItemReading, filters: FilterResolver, presenter: Presenter) {
    self.news = news
    self.filters = filters
    self.presenter = presenter
  }

  /// Emits the page, or all items in batches.
  public func respond(to route: ListRoute, emit: @escaping Emit<Presenter.ViewModel>) async throws {
    let query = try await filters.query(route.filter)
    switch presenter.needs {
    case .activity:
      let days = try await news.activity(query)
      if days.isEmpty, try await filters.hasNoFeeds() { return try emit(presenter.present(.noFeeds)) }
      try emit(presenter.present(.activity(days)))
    case .items(let parts):
      try await list(route, query, parts, emit)
    }
  }

  private func list(
    _ route: ListRoute,
    _ query: Query,
    _ parts: ItemParts,
    _ emit: Emit<Presenter.ViewModel>
  ) async throws {
    var request = route.request(query, order: route.order, parts: parts)
    switch route.extent {
    case .page(let number, let size):
      request.offset = (number - 1) * size
      request.limit = size
      // Count only when the total is shown: counting visits every hit, and with folded clusters every item.
      let counted = presenter.showsTotal ? try await news.count(request) : nil
      let items = counted ?? .max > request.offset ? try await news.items(request) : []
      let total = counted ?? request.offset + items.count
      if items.isEmpty, try await filters.hasNoFeeds() { return try emit(presenter.present(.noFeeds)) }
      var page = PageInfo(number: number, size: size, total: total)
      page.isContinued = route.continuing != nil
      page.isByTime = route.order != .relevance
      try emit(presenter.present(.page(items, page)))
    case .all:
      let presenter = presenter
      let seen = Counter()
      try await news.forEachBatch(request, of: Self.batchSize) { items in
        try emit(presenter.present(.part(items, first: seen.add(items.count) + 1, isLast: false)))
        return true
      }
      if seen.value == 0, try await filters.hasNoFeeds() { return try emit(presenter.present(.noFeeds)) }
      try emit(presenter.present(.part([], first: seen.value + 1, isLast: true)))
    }
  }
}
