public import Modules
public import NewsCore
public import NewsWeb

/// Makes the modules of the web page. They are the modules of the commands, except that lists and searches do not
/// count their items, which would delay each page, and that searches are not added to the search history.
public struct WebModuleFactory: WebModules, LiveModuleFactory {
  public let services: ServiceContainer
  private let zone: Zone
  private let words: any FeedSettingWording
  private let refreshed: @Sendable (RefreshEvent) -> Void

  /// `refreshed` is called for the events of each refresh.
  public init(
    services: ServiceContainer,
    zone: Zone,
    words: any FeedSettingWording,
    refreshed: @escaping @Sendable (RefreshEvent) -> Void = { _ in }
  ) {
    self.services = services
    self.zone = zone
    self.words = words
    self.refreshed = refreshed
  }

  public var times: TimeDisplay { TimeDisplay(now: services.clock.now(), zone: zone) }

  public func list() throws -> any Interactor<ListRoute, NewsListViewModel> {
    try services.makeList(NewsListPresenter(.headlines, times: times, counts: false, previews: true))
  }

  public func search() throws -> any Interactor<SearchRoute, NewsSearchViewModel> {
    let presenter = NewsSearchPresenter(.headlines, times: times, counts: false, previews: true)
    return try services.makeSearch(presenter, remembers: false)
  }

  public func item() throws -> any Interactor<[NewsItem.ID], NewsItemViewModel> {
    try services.makeItem(NewsItemPresenter(.headlines, times: times))
  }

  public func lateMarks() throws -> any Interactor<[LateMark], LateMarksViewModel> {
    let store = try services.store()
    return LateMarksInteractor(marking: store, news: store, clock: services.clock)
  }

  public func wholeItem() throws -> any Interactor<[NewsItem.ID], NewsItemViewModel> {
    try services.makeItem(NewsItemPresenter(.headlines, times: times), readsPages: true)
  }

  public func stories() throws -> any Interactor<NewsItem.ID, NewsListViewModel> {
    StoriesInteractor(stories: try services.store(), times: times)
  }

  public func latestChange() async throws -> Int64 { try await services.store().latestSequence() }

  public func changeWaiter() throws -> any ChangeAwaiting {
    try services.store().changeWaiter(for: .log, every: .seconds(1))
  }

  public func chart() throws -> any Interactor<ListRoute, NewsListChartViewModel> {
    NewsListChartInteractor(news: try services.store(), filters: try services.filters())
  }

  public func feedDetails() throws -> any Interactor<FeedDetailsRequest, FeedDetailsViewModel> {
    let store = try services.store()
    return FeedDetailsInteractor(
      feeds: store,
      moves: try services.makeMoveEditor(),
      words: words,
      intervals: services.settings.poll.intervals,
      times: times
    )
  }

  public func feedsSet() throws -> any Interactor<FeedsSetRequest, TextLines> {
    FeedsSetInteractor(editor: try services.makeSettingsEditor())
  }

  public func refresh() throws -> any Interactor<RefreshRoute, RefreshViewModel> {
    RefreshInteractor(
      feeds: try services.store(),
      refresher: try services.makeRefresher(),
      observer: refreshed
    )
  }

  public func importFile(_ bytes: [UInt8], named name: String) throws
    -> any Interactor<(path: String, feed: String?, isTrusted: Bool), Outcome>
  {
    // What an upload unpacks to must not take the memory of the daemon.
    ImportInteractor(items: services.makeItemImport(longestDocument: 48 << 20)) { _ in ReadLines(bytes) }
  }

  public func importFrom(
    _ address: String,
    _ api: ServerAPI,
    _ credentials: ServerCredentials,
    emit: @escaping Emit<Outcome>
  ) async throws {
    let module = ImportFromInteractor(items: try services.makeServerImport())
    let server = api.server(at: address, credentials, services.makeServerRequests(to: nil))
    try await module.run((server, api.source(at: address, credentials)), emit: emit)
  }

  public func importPlaces() throws -> any ImportPlaceKeeping { try services.store() }

  public func feedsImport() throws -> any Interactor<FeedsImportRequest, FeedsImportViewModel> {
    FeedsImportInteractor(transfer: try services.makeSubscriptionTransfer())
  }

  public func feedsExport() throws -> any Interactor<Bool, DocumentContent> {
    FeedsExportInteractor(transfer: try services.makeSubscriptionTransfer())
  }

  public func icons(of feeds: [Feed.ID]) async -> [Feed.ID: String] {
    // A page without icons is better than no page.
    (try? await services.makeFeedIcons().paths(of: feeds)) ?? [:]
  }

  public func feedsFind() throws -> any Interactor<String, FeedsFindViewModel> {
    FeedsFindInteractor(adder: try services.makeFeedAdder(), times: times)
  }

  public func suggestions() throws -> any Interactor<String, SuggestionsViewModel> {
    SuggestionsInteractor(store: try services.store())
  }

  public func remember(search query: String) async {
    await (try? services.store())?.remember(search: query, at: services.clock.now())
  }

  public func statistics() throws -> any Interactor<Void, FeedStatisticsViewModel> {
    FeedStatisticsInteractor(store: try services.store(), times: times)
  }

  public func settings() throws -> any Interactor<PageChoices?, PageChoicesViewModel> {
    let retention = services.settings.retention
    var fixed = services.settings.web.choices
    fixed.retention = RetentionPolicy(days: retention.keepDays, items: retention.keepItems)
    return PageChoicesInteractor(keeper: try services.store(), fixed: fixed)
  }

  public func hooks() throws -> any Interactor<HooksRequest, RecordList<HookSummary>> {
    try services.makeHooks(services.filters(), times)
  }

  public var hookPresets: [HookPreset] { services.hooks.presets }

  public var isPasswordFixed: Bool { services.settings.web.passwordFile != nil }

  public func webPassword() async throws -> any Interactor<String?, Outcome> {
    WebPasswordInteractor(passwords: try await services.makeWebLogin())
  }

  public func backup() throws -> any Interactor<String, Outcome> {
    BackupInteractor(store: try services.store())
  }

  public func rules() throws -> any Interactor<RulesRequest, RecordList<Rule>> {
    RulesInteractor(rules: try services.store(), clock: services.clock)
  }
}
