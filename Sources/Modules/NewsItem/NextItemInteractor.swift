public import NewsCore

/// Shows the first unread item of a list and marks it read.
public struct NextItemInteractor: Interactor {
  private let news: any ItemReading
  private let filters: FilterResolver
  private let item: NewsItemInteractor
  private let presenter: NewsItemPresenter

  public init(
    news: any ItemReading,
    filters: FilterResolver,
    item: NewsItemInteractor,
    presenter: NewsItemPresenter
  ) {
    self.news = news
    self.filters = filters
    self.item = item
    self.presenter = presenter
  }

  /// Emits the item; fails with `nothingMatched` if no item is unread.
  public func respond(to route: NextItemRoute, emit: @escaping Emit<NewsItemViewModel>) async throws {
    let query = try await filters.query(route.filter, and: .isRead(false))
    let found = try await news.items(ItemRequest(query: query, order: route.order, limit: 1, parts: []))
    guard let id = found.first?.item.id else { return try emit(presenter.noneUnread()) }
    try await item.run([id], emit: emit)
  }
}
