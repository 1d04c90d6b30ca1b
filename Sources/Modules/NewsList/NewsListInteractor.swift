public import NewsCore

/// Lists items: a page, or all in batches.
public struct NewsListInteractor: Interactor {
  private let filters: FilterResolver
  private let pages: HeadlinePages

  public init(news: any ItemReading, filters: FilterResolver, presenter: NewsListPresenter) {
    self.filters = filters
    pages = HeadlinePages(news: news, filters: filters, presenter: presenter)
  }

  /// Emits the page, or all items in batches.
  public func respond(to route: ListRoute, emit: @escaping Emit<NewsListViewModel>) async throws {
    let query = try await filters.query(route.filter)
    try await pages.read(route, query, order: route.order, isCounted: true, emit: emit)
  }
}
