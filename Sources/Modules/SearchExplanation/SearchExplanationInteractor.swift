import NewsSearch
public import NewsCore

/// Explains how a query is parsed and which index serves it. Does not run the query.
public struct SearchExplanationInteractor: Interactor {
  private let news: any ItemReading
  private let filters: FilterResolver
  private let presenter = SearchExplanationPresenter()

  public init(news: any ItemReading, filters: FilterResolver) {
    self.news = news
    self.filters = filters
  }

  public func respond(to route: SearchRoute, emit: @escaping Emit<SearchExplanationViewModel>) async throws {
    let search = try await filters.search(route)
    let request = ItemRequest(query: search.query, order: search.order ?? route.list.order)
    try emit(presenter.present(search.query, plan: try await news.plan(of: request)))
  }
}
