public import NewsCore

/// Finds items, and remembers what was looked for.
///
/// Assembled by a configurator:
/// ```
/// NewsSearchInteractor(
///   news: store, feeds: store, history: store, clock: clock,
///   readQuery: { text throws(QueryError) in try QueryParser.parse(text, now: …) },
///   presenter: NewsSearchPresenter(output: output)
/// )
/// Screen(view: NewsSearchView(output: output), output: standardOutput, messages: standardError)
/// ```
public struct NewsSearchInteractor: Sendable {
  /// Turns what was typed into a query.
  public typealias ReadQuery = @Sendable (String) throws(QueryError) -> ParsedQuery

  private let news: any ItemReading
  private let feeds: any FeedReading
  private let history: any SearchHistoryKeeping
  private let clock: any WallClock
  private let readQuery: ReadQuery
  private let presenter: NewsSearchPresenter

  private static let batchSize = 256

  public init(
    news: any ItemReading,
    feeds: any FeedReading,
    history: any SearchHistoryKeeping,
    clock: any WallClock,
    readQuery: @escaping ReadQuery,
    presenter: NewsSearchPresenter
  ) {
    self.news = news
    self.feeds = feeds
    self.history = history
    self.clock = clock
    self.readQuery = readQuery
    self.presenter = presenter
  }

  /// Emits the page or all matches in parts, then remembers the query: what was found does not wait for a write.
  ///
  /// - Throws: What `emit` throws.
  public func run(_ route: SearchRoute, emit: Emit<NewsSearchViewModel>) async throws {
    do {
      let typed = try readQuery(route.text)
      let query = try await route.list.filter.query(and: typed.query, resolving: feeds)
      // `sort:` in the query is nearer to the words than the option is.
      try await search(route, query, typed.order ?? route.list.order, emit)
    } catch let error as StoreError {
      return try emit(.failed(UserMessage(error)))
    } catch let error as QueryError {
      return try emit(.failed(UserMessage(error)))
    }
    await history.remember(search: route.text, at: clock.now())
  }

  private func search(
    _ route: SearchRoute,
    _ query: Query,
    _ order: ItemOrder,
    _ emit: Emit<NewsSearchViewModel>
  ) async throws {
    let list = route.list
    var request = ItemRequest(
      query: query,
      order: order,
      parts: presenter.parts,
      foldsClusters: list.foldsClusters
    )
    switch list.extent {
    case .page(let number, let size):
      request.offset = (number - 1) * size
      request.limit = size
      let items = try await news.items(request)
      var total = request.offset + items.count
      var isComplete = true
      // Counting visits every hit: only people are told the number, and only a full page may have others behind it.
      if presenter.showsTotal, items.count == size || items.isEmpty && request.offset > 0 {
        if items.count == size, query.looksForBeginnings {
          isComplete = false
        } else {
          total = try await news.count(request)
        }
      }
      let page = PageInfo(number: number, size: size, total: total, isComplete: isComplete)
      try emit(.ready(presenter.present(items, first: page.first, page: page)))
    case .all:
      let presenter = presenter
      let seen = Counter()
      try await news.forEachBatch(request, of: Self.batchSize) { items in
        let first = seen.add(items.count) + 1
        let content = presenter.present(items, first: first, page: nil)
        try emit(.loading(Progress(done: seen.value), keeping: content))
        return true
      }
      try emit(.ready(presenter.present([], first: seen.value + 1, page: nil)))
    }
  }
}
