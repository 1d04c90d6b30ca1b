import NewsSearch
public import NewsCore

/// Explains how a query is parsed and which index serves it. Does not run the query.
public struct SearchExplanationInteractor: Interactor {
  private let news: any ItemReading
  private let filters: FilterResolver

  public init(news: any ItemReading, filters: FilterResolver) {
    self.news = news
    self.filters = filters
  }

  public func respond(to route: SearchRoute, emit: @escaping Emit<TextLines>) async throws {
    let search = try await filters.search(route)
    let request = ItemRequest(query: search.query, order: search.order ?? route.list.order)
    // The parsed query, then the query plan.
    let lines = QueryPrinter.explanation(search.query) + (try await news.plan(of: request))
    try emit(.ready(TextLines(lines: lines.map { DisplayText(line: $0) })))
  }
}
