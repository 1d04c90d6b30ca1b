import NewsSearch
public import NewsCore

/// Counts the items that a search finds, on all pages.
public struct SearchCountInteractor: Interactor {
  private let news: any ItemReading
  private let filters: FilterResolver

  public init(news: any ItemReading, filters: FilterResolver) {
    self.news = news
    self.filters = filters
  }

  public func respond(to route: SearchRoute, emit: @escaping Emit<SearchCountViewModel>) async throws {
    let query = try await filters.search(route).query
    let request = ItemRequest(query: query, foldsStories: route.list.foldsStories)
    try emit(.ready(SearchCountViewModel(count: try await news.count(request))))
  }
}

/// The number of items that a search finds.
public struct SearchCountViewModel: ScreenContent {
  public var failsIfEmpty: Bool { true }
  public var count: Int
  public var rowCount: Int { count }
}
