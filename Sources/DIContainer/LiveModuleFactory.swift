public import Modules
public import NewsCore

/// Makes the modules that `newsd read` and the web page share. They are the modules of the commands, except that
/// lists do not count their items: counting would delay each screen.
public protocol LiveModuleFactory: Sendable {
  var services: ServiceContainer { get }
  /// How screens show times. Computed at each access: `now` is the time of the access, so that ages stay current.
  var times: TimeDisplay { get }
}

extension LiveModuleFactory {
  func filters() throws -> FilterResolver {
    let store = try services.store()
    return FilterResolver(feeds: store, searches: store, clock: services.clock)
  }

  public func subscriptions() throws -> any Interactor<SubscriptionsRoute, SubscriptionsViewModel> {
    let store = try services.store()
    return SubscriptionsInteractor(
      feeds: store,
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

  public func searchCount() throws -> any Interactor<SearchRoute, SearchCountViewModel> {
    SearchCountInteractor(news: try services.store(), filters: try filters())
  }

  public func mark() throws -> any Interactor<MarkRoute, MarkViewModel> {
    let store = try services.store()
    return MarkInteractor(marking: store, news: store, filters: try filters())
  }

  public func label() throws -> any Interactor<LabelRequest, MarkViewModel> {
    let store = try services.store()
    return LabelInteractor(marking: store, news: store, feeds: store, filters: try filters())
  }

  public func save() throws -> any Interactor<[NewsItem.ID], MarkViewModel> {
    SaveInteractor(marking: try services.store())
  }

  public func savedSearches() throws -> any Interactor<SavedSearchesRequest, RecordList<SavedSearch>> {
    SavedSearchesInteractor(searches: try services.store(), clock: services.clock)
  }

  public func versions() throws -> any Interactor<NewsItem.ID, RecordList<VersionRecord>> {
    ItemVersionsInteractor(store: try services.store())
  }

  public func difference() throws -> any Interactor<NewsItem.ID, ItemDifferenceViewModel> {
    ItemDifferenceInteractor(store: try services.store())
  }

  public func failures() throws -> any Interactor<Void, RecordList<FailureReport.Entry>> {
    FailuresInteractor(feeds: try services.store(), times: times)
  }

  public func refresh() throws -> any Interactor<RefreshRoute, RefreshViewModel> {
    RefreshInteractor(feeds: try services.store(), refresher: try services.makeRefresher())
  }

  public func feedsAdd() throws -> any Interactor<FeedsAddRoute, FeedsAddViewModel> {
    FeedsAddInteractor(adder: try services.makeFeedAdder())
  }

  public func changes() throws -> any Interactor<ChangesRequest, ChangesViewModel> {
    ChangesInteractor(changes: try services.store())
  }
}
