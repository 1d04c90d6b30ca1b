public import Modules
public import NewsCore
public import NewsWeb

/// Makes the modules of the web page: the modules of the commands, without totals, which would delay each page.
public struct WebModuleFactory: WebModules {
  private let services: ServiceContainer
  private let zone: Zone
  private let words: any FeedSettingWording

  /// - Parameters:
  ///   - services: The store and the network.
  ///   - zone: The zone in which the page shows times.
  ///   - words: Reads settings of feeds as words.
  public init(services: ServiceContainer, zone: Zone, words: any FeedSettingWording) {
    self.services = services
    self.zone = zone
    self.words = words
  }

  public var times: TimeDisplay { TimeDisplay(now: services.clock.now(), zone: zone) }

  private func filters() throws -> FilterResolver {
    let store = try services.store()
    return FilterResolver(feeds: store, searches: store, clock: services.clock)
  }

  public func subscriptions() throws -> any Interactor<SubscriptionsRoute, SubscriptionsViewModel> {
    let store = try services.store()
    return SubscriptionsInteractor(
      feeds: store,
      editing: store,
      searches: store,
      presenter: SubscriptionsPresenter(showsLines: true, times: times)
    )
  }

  public func list() throws -> any Interactor<ListRoute, NewsListViewModel> {
    NewsListInteractor(
      news: try services.store(),
      filters: try filters(),
      presenter: NewsListPresenter(.headlines, times: times, counts: false)
    )
  }

  public func search() throws -> any Interactor<SearchRoute, NewsSearchViewModel> {
    let store = try services.store()
    return NewsSearchInteractor(
      news: store,
      filters: try filters(),
      history: nil,
      clock: services.clock,
      presenter: NewsSearchPresenter(.headlines, times: times, counts: false)
    )
  }

  public func item() throws -> any Interactor<[NewsItem.ID], NewsItemViewModel> {
    NewsItemInteractor(
      news: try services.store(),
      richText: services.richText,
      presenter: NewsItemPresenter(.headlines, times: times)
    )
  }

  public func stories() throws -> any Interactor<NewsItem.ID, StoriesViewModel> {
    StoriesInteractor(stories: try services.store(), presenter: StoriesPresenter(times: times))
  }

  public func versions() throws -> any Interactor<NewsItem.ID, ItemVersionsViewModel> {
    let store = try services.store()
    return ItemVersionsInteractor(news: store, versions: store)
  }

  public func difference() throws -> any Interactor<NewsItem.ID, ItemDifferenceViewModel> {
    let store = try services.store()
    return ItemDifferenceInteractor(news: store, versions: store)
  }

  public func mark() throws -> any Interactor<MarkRoute, MarkViewModel> {
    let store = try services.store()
    return MarkInteractor(marking: store, news: store, filters: try filters())
  }

  public func changes() throws -> any Interactor<ChangesRoute, ChangesViewModel> {
    ChangesInteractor(changes: try services.store())
  }

  public func latestChange() async throws -> Int64 { try await services.store().latestSequence() }

  public func chart() throws -> any Interactor<ListRoute, NewsListChartViewModel> {
    NewsListInteractor(
      news: try services.store(),
      filters: try filters(),
      presenter: NewsListChartPresenter()
    )
  }

  public func searchCount() throws -> any Interactor<SearchRoute, SearchCountViewModel> {
    SearchCountInteractor(news: try services.store(), filters: try filters())
  }

  public func failures() throws -> any Interactor<Void, FailuresViewModel> {
    FailuresInteractor(feeds: try services.store(), clock: services.clock, times: times)
  }

  public func feedSettings() throws -> any Interactor<FeedDetailsRoute, FeedDetailsViewModel> {
    let store = try services.store()
    return FeedDetailsInteractor(
      feeds: store,
      editing: store,
      moves: try services.makeMoveEditor(),
      words: words,
      intervals: services.settings.poll.intervals,
      clock: services.clock,
      times: times
    )
  }

  public func addition() throws -> any Interactor<FeedAdditionRoute, FeedAdditionViewModel> {
    FeedAdditionInteractor(adder: try services.makeFeedAdder())
  }

  public func feedListImport() throws -> any Interactor<FeedListImportRoute, FeedListImportViewModel> {
    FeedListImportInteractor(transfer: try services.makeSubscriptionTransfer())
  }

  public func feedListExport() throws -> any Interactor<Bool, DocumentContent> {
    FeedListExportInteractor(transfer: try services.makeSubscriptionTransfer())
  }

  public func refresh() throws -> any Interactor<FetchRoute, RefreshViewModel> {
    RefreshInteractor(feeds: try services.store(), refresher: try services.makeRefresher())
  }

  public func rules() throws -> any Interactor<RulesRoute, RulesViewModel> {
    RulesInteractor(rules: try services.store(), clock: services.clock)
  }

  public func savedSearches() throws -> any Interactor<SavedSearchesRoute, SavedSearchesViewModel> {
    SavedSearchesInteractor(searches: try services.store(), clock: services.clock)
  }
}
