public import Modules
import NewsCore
import NewsText
public import NewsTerminal

// MARK: - The interactive reader

extension Configurator {
  /// Runs the reader until the user leaves it.
  ///
  /// - Parameters:
  ///   - route: Where to begin; nil: the subscriptions.
  ///   - options: From the configuration.
  ///   - environment: Names the terminal.
  ///   - signals: Signals that the process gets.
  /// - Throws: A usage error where there is no terminal that can be drawn on; `StoreError`.
  public func read(
    _ route: Route?,
    options: ReaderOptions,
    environment: [String: String],
    signals: AsyncStream<Int32>
  ) async throws {
    // A store that cannot be opened is told of on the command line, not on a screen.
    _ = try services.store()
    let clock = services.clock
    let session = ReaderSession(
      modules: ReaderModuleFactory(services: services, presentation: presentation),
      options: options,
      terminal: presentation.terminal,
      environment: environment,
      now: { clock.now() }
    )
    try await session.run(route, signals: signals)
    await services.shutdown()
  }
}

/// Makes the modules of the reader's screens: the ones that commands run, without totals that nobody waits for.
struct ReaderModuleFactory: ReaderModules {
  let services: ServiceContainer
  let presentation: Presentation

  /// Ages count from the time of each reading.
  private var times: TimeDisplay {
    var terminal = presentation.terminal
    terminal.now = services.clock.now()
    return terminal.times
  }

  private func filters() throws -> FilterResolver {
    let store = try services.store()
    return FilterResolver(feeds: store, searches: store, clock: services.clock)
  }

  func subscriptions() throws -> any Interactor<SubscriptionsRoute, SubscriptionsViewModel> {
    let store = try services.store()
    return SubscriptionsInteractor(
      feeds: store,
      editing: store,
      searches: store,
      presenter: SubscriptionsPresenter(showsLines: true, times: times)
    )
  }

  func list() throws -> any Interactor<ListRoute, NewsListViewModel> {
    NewsListInteractor(
      news: try services.store(),
      filters: try filters(),
      presenter: NewsListPresenter(.headlines, times: times, counts: false)
    )
  }

  func search(remembers: Bool) throws -> any Interactor<SearchRoute, NewsSearchViewModel> {
    let store = try services.store()
    return NewsSearchInteractor(
      news: store,
      filters: try filters(),
      history: remembers ? store : nil,
      clock: services.clock,
      presenter: NewsSearchPresenter(.headlines, times: times, counts: false)
    )
  }

  func searchCount() throws -> any Interactor<SearchRoute, SearchCountViewModel> {
    SearchCountInteractor(news: try services.store(), filters: try filters())
  }

  func item(marksRead: Bool) throws -> any Interactor<[NewsItem.ID], NewsItemViewModel> {
    let store = try services.store()
    return NewsItemInteractor(
      news: store,
      richText: services.richText,
      marking: marksRead ? store : nil,
      presenter: NewsItemPresenter(.headlines, times: times)
    )
  }

  func mark() throws -> any Interactor<MarkRoute, MarkViewModel> {
    let store = try services.store()
    return MarkInteractor(marking: store, news: store, filters: try filters())
  }

  func changes() throws -> any Interactor<ChangesRoute, ChangesViewModel> {
    ChangesInteractor(changes: try services.store())
  }
}
