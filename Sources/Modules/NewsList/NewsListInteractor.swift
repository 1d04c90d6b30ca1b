public import NewsCore

/// Lists items: asks the store for what the presenter shows and hands it over.
///
/// Assembled by a configurator:
/// ```
/// let output = try ItemOutput(format: format, fields: fields, terminal: terminal)
/// let interactor = NewsListInteractor(news: store, feeds: store, presenter: NewsListPresenter(output: output))
/// let screen = Screen(view: NewsListView(output: output), output: standardOutput, messages: standardError)
/// try await interactor.run(route, emit: screen.emit)
/// return screen.exitStatus
/// ```
/// With `NewsListChartPresenter` and `NewsListChartView` in their places, the same interactor draws a chart.
public struct NewsListInteractor<Presenter: NewsListPresenting>: Sendable {
  private let news: any ItemReading
  private let feeds: any FeedReading
  private let presenter: Presenter

  /// Items read at a time when all of them are wanted.
  private static var batchSize: Int { 256 }

  public init(news: any ItemReading, feeds: any FeedReading, presenter: Presenter) {
    self.news = news
    self.feeds = feeds
    self.presenter = presenter
  }

  /// Emits the page or all items in parts; ends after the first container that is ready or failed.
  ///
  /// - Throws: What `emit` throws.
  public func run(_ route: ListRoute, emit: Emit<Presenter.ViewModel>) async throws {
    do {
      let query = try await route.filter.query(resolving: feeds)
      switch presenter.interest {
      case .activity:
        try emit(presenter.present(.activity(try await news.activity(query))))
      case .items(let parts):
        try await list(route, query, parts, emit)
      }
    } catch let error as StoreError {
      try emit(presenter.present(error))
    }
  }

  private func list(
    _ route: ListRoute,
    _ query: Query,
    _ parts: ItemParts,
    _ emit: Emit<Presenter.ViewModel>
  ) async throws {
    var request = ItemRequest(
      query: query,
      order: route.order,
      parts: parts,
      foldsClusters: route.foldsClusters
    )
    switch route.extent {
    case .page(let number, let size):
      request.offset = (number - 1) * size
      request.limit = size
      // Counting visits every hit of a query, and every item where clusters are folded.
      let counted = presenter.showsTotal ? try await news.count(request) : nil
      let items = counted ?? .max > request.offset ? try await news.items(request) : []
      let total = counted ?? request.offset + items.count
      try emit(presenter.present(.page(items, PageInfo(number: number, size: size, total: total))))
    case .all:
      let presenter = presenter
      let seen = Counter()
      try await news.forEachBatch(request, of: Self.batchSize) { items in
        try emit(presenter.present(.part(items, first: seen.add(items.count) + 1, isLast: false)))
        return true
      }
      try emit(presenter.present(.part([], first: seen.value + 1, isLast: true)))
    }
  }
}

/// What the interactor hands to its presenter.
public enum NewsListResponse: Sendable {
  case page([ItemMatch], PageInfo)
  /// The next items of a list without pages; `first` is the ordinal of the first of them.
  case part([ItemMatch], first: Int, isLast: Bool)
  case activity([DayCount])
}

/// What a presenter makes use of, so that the store is asked for nothing else.
public enum NewsListInterest: Hashable, Sendable {
  case items(ItemParts)
  case activity
}

/// Makes a list's view model. There are two: lines and bars.
public protocol NewsListPresenting<ViewModel>: Sendable {
  associatedtype ViewModel: ScreenContent
  var interest: NewsListInterest { get }
  /// True: the reader is told how many items there are in all.
  var showsTotal: Bool { get }
  func present(_ response: NewsListResponse) -> Container<ViewModel>
  func present(_ error: StoreError) -> Container<ViewModel>
}
