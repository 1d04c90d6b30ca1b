import Modules
import NewsCore
import NewsFiles
import NewsFormats
import NewsText
import NewsTerminal

// MARK: - The interactive reader

extension Configurator {
  /// Runs the reader until the user leaves it.
  func runReader(_ start: Route?) async throws -> ExitStatus {
    let host = try self.host.reader()
    // A store that cannot be opened is told of on the command line, not on a screen.
    _ = try services.store()
    let clock = services.clock
    let session = ReaderSession(
      modules: ReaderModuleFactory(services: services, presentation: presentation),
      commands: host.commands,
      options: host.options,
      terminal: presentation.terminal,
      environment: host.environment,
      now: { clock.now() }
    )
    try await session.run(start, signals: host.signals)
    await services.shutdown()
    return .done
  }
}

/// Makes the modules of the reader's screens: the modules of the commands, without totals, which would delay each screen.
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

  func searchHistory() throws -> any Interactor<Int, SearchHistoryViewModel> {
    SearchHistoryInteractor(history: try services.store())
  }

  func savedSearches() throws -> any Interactor<SavedSearchesRoute, SavedSearchesViewModel> {
    SavedSearchesInteractor(searches: try services.store(), clock: services.clock)
  }

  func versions() throws -> any Interactor<NewsItem.ID, ItemVersionsViewModel> {
    let store = try services.store()
    return ItemVersionsInteractor(news: store, versions: store)
  }

  func difference() throws -> any Interactor<NewsItem.ID, ItemDifferenceViewModel> {
    let store = try services.store()
    return ItemDifferenceInteractor(news: store, versions: store)
  }

  var store: String { services.settings.store }

  func status() throws -> any Interactor<String, StatusViewModel> {
    let store = try services.store()
    return StatusInteractor(
      feeds: store,
      changes: store,
      measure: services.storeMeasure,
      clock: services.clock
    )
  }

  func failures() throws -> any Interactor<Void, FailuresViewModel> {
    FailuresInteractor(feeds: try services.store(), clock: services.clock, times: times)
  }

  func plan() throws -> any Interactor<Int64, PollPlanViewModel> {
    PollPlanInteractor(feeds: try services.store(), clock: services.clock, times: times)
  }

  func refresh() throws -> any Interactor<FetchRoute, RefreshViewModel> {
    RefreshInteractor(feeds: try services.store(), refresher: try services.makeRefresher())
  }

  func addition() throws -> any Interactor<FeedAdditionRoute, FeedAdditionViewModel> {
    FeedAdditionInteractor(adder: try services.makeFeedAdder())
  }

  func json(of id: NewsItem.ID) async throws -> [UInt8] {
    var presentation = presentation
    presentation.format = .jsonl
    let output = try presentation.itemOutput(services)
    return try output.line(of: try await services.store().item(id))
  }

  func run(_ call: ProgramCall) async -> ProgramResult { await services.programs.run(call) }

  func revision() async throws -> Int64 { try await services.store().revision() }

  func lastPlace() -> [UInt8] { ReaderPlaceFile(store: services.settings.store).load() }

  func keep(lastPlace: [UInt8]) throws {
    try ReaderPlaceFile(store: services.settings.store).save(lastPlace)
  }

  func changes() throws -> any Interactor<ChangesRoute, ChangesViewModel> {
    ChangesInteractor(changes: try services.store())
  }
}
