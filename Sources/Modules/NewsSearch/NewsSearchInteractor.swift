import NewsSearch
public import NewsCore

/// Searches items, and adds the query to the search history.
public struct NewsSearchInteractor: Interactor {
  private let filters: FilterResolver
  private let history: (any DefinitionKeeping)?
  private let clock: any WallClock
  private let pages: HeadlinePages
  private let presenter: NewsSearchPresenter

  /// `history` stores the query; nil while the user is still typing it.
  public init(
    news: any ItemReading,
    filters: FilterResolver,
    history: (any DefinitionKeeping)?,
    clock: any WallClock,
    presenter: NewsSearchPresenter
  ) {
    self.filters = filters
    self.history = history
    self.clock = clock
    self.presenter = presenter
    pages = HeadlinePages(news: news, filters: filters, presenter: presenter.list)
  }

  /// Emits the page, or all matches in batches. Saves the query in the search history afterwards, so that results
  /// do not wait for a write.
  public func respond(to route: SearchRoute, emit: @escaping Emit<NewsSearchViewModel>) async throws {
    let search = try await filters.search(route)
    // `sort:` in the query takes precedence over the option.
    let order = search.order ?? route.list.order
    guard route.list.continuing == nil || order != .relevance else {
      let text = "--before has no effect with sort:relevance; use --page"
      throw UserMessage(code: .usage, text: text)
    }
    // A word's beginning may have very many matches: they are not counted.
    let isCounted = !search.query.containsPrefix
    try await pages.read(route.list, search.query, order: order, isCounted: isCounted) { part in
      try emit(presenter.present(part, isCounted: isCounted))
    }
    await history?.remember(search: route.text, at: clock.now())
  }
}
