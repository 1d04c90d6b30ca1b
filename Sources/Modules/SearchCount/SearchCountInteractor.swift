import NewsSearch
public import NewsCore

/// Counts the items that a search finds, on all pages.
public struct SearchCountInteractor: Interactor {
  private let news: any ItemReading
  private let filters: FilterResolver
  private let presenter = SearchCountPresenter()

  public init(news: any ItemReading, filters: FilterResolver) {
    self.news = news
    self.filters = filters
  }

  public func respond(to route: SearchRoute, emit: @escaping Emit<SearchCountViewModel>) async throws {
    let query = try await filters.search(route).query
    let request = ItemRequest(query: query, foldsClusters: route.list.foldsClusters)
    try emit(presenter.present(try await news.count(request)))
  }
}
