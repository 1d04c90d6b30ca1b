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
  public func subscriptions() throws -> any Interactor<SubscriptionsRoute, SubscriptionsViewModel> {
    let store = try services.store()
    return SubscriptionsInteractor(
      feeds: store,
      searches: store,
      presenter: SubscriptionsPresenter(showsLines: true, times: times)
    )
  }

  public func list() throws -> any Interactor<ListRoute, NewsListViewModel> {
    try services.makeList(NewsListPresenter(.headlines, times: times, counts: false))
  }

  public func searchCount() throws -> any Interactor<SearchRoute, SearchCountViewModel> {
    SearchCountInteractor(news: try services.store(), filters: try services.filters())
  }

  public func mark() throws -> any Interactor<MarkRoute, MarkViewModel> {
    let store = try services.store()
    return MarkInteractor(marking: store, news: store, filters: try services.filters())
  }

  public func label() throws -> any Interactor<LabelRequest, MarkViewModel> {
    let store = try services.store()
    return LabelInteractor(marking: store, news: store, feeds: store, filters: try services.filters())
  }

  public func save() throws -> any Interactor<[NewsItem.ID], MarkViewModel> {
    SaveInteractor(marking: try services.store())
  }

  public func playback() throws -> any Interactor<PlaybackRequest, Outcome> {
    PlaybackInteractor(enclosures: try services.store(), clock: services.clock)
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

/// Modules that commands, the reader and the page make alike, except for the presenter.
extension ServiceContainer {
  func filters() throws(StoreError) -> FilterResolver {
    let store = try store()
    return FilterResolver(feeds: store, searches: store, clock: clock)
  }

  func makeList(_ presenter: NewsListPresenter) throws(StoreError) -> NewsListInteractor {
    NewsListInteractor(news: try store(), filters: try filters(), presenter: presenter)
  }

  /// With `remembers`, searches are added to the search history.
  func makeSearch(
    _ presenter: NewsSearchPresenter,
    remembers: Bool
  ) throws(StoreError) -> NewsSearchInteractor {
    let store = try store()
    return NewsSearchInteractor(
      news: store,
      filters: try filters(),
      history: remembers ? store : nil,
      clock: clock,
      presenter: presenter
    )
  }

  /// With `readsPages`, the pages of the items are fetched first.
  func makeItem(
    _ presenter: NewsItemPresenter,
    marksRead: Bool = false,
    readsPages: Bool = false
  ) throws(StoreError) -> NewsItemInteractor {
    let store = try store()
    return NewsItemInteractor(
      news: store,
      richText: richText,
      marking: marksRead ? store : nil,
      articles: readsPages ? try makeArticleQueue() : nil,
      presenter: presenter
    )
  }

  func makeStatus() throws(StoreError) -> StatusInteractor {
    let store = try store()
    return StatusInteractor(feeds: store, changes: store, measure: storeMeasure, clock: clock)
  }
}
