public import Modules
public import NewsCore

/// Makes the modules whose results the page shows; implemented by `WebModuleFactory`.
public protocol WebModules: Sendable {
  /// How the page shows times: ages are relative to now, dates in the server's time zone.
  var times: TimeDisplay { get }
  func subscriptions() throws -> any Interactor<SubscriptionsRoute, SubscriptionsViewModel>
  func list() throws -> any Interactor<ListRoute, NewsListViewModel>
  func search() throws -> any Interactor<SearchRoute, NewsSearchViewModel>
  func item() throws -> any Interactor<[NewsItem.ID], NewsItemViewModel>
  /// Shows items after their pages were fetched, with the articles found there.
  func wholeItem() throws -> any Interactor<[NewsItem.ID], NewsItemViewModel>
  func stories() throws -> any Interactor<NewsItem.ID, NewsListViewModel>
  func versions() throws -> any Interactor<NewsItem.ID, RecordList<VersionRecord>>
  func difference() throws -> any Interactor<NewsItem.ID, ItemDifferenceViewModel>
  func mark() throws -> any Interactor<MarkRoute, MarkViewModel>
  func lateMarks() throws -> any Interactor<[LateMark], LateMarksViewModel>
  func label() throws -> any Interactor<LabelRequest, MarkViewModel>
  func save() throws -> any Interactor<[NewsItem.ID], MarkViewModel>
  func playback() throws -> any Interactor<PlaybackRequest, Outcome>
  func changes() throws -> any Interactor<ChangesRequest, ChangesViewModel>
  /// The number at the end of the change log.
  func latestChange() async throws -> Int64
  /// Makes the waits between two checks of that number.
  func changeWaiter() throws -> any ChangeAwaiting
  func chart() throws -> any Interactor<ListRoute, NewsListChartViewModel>
  /// Suggests feeds, folders, labels and searches for a typed query.
  func suggestions() throws -> any Interactor<String, SuggestionsViewModel>
  /// Adds a query to the search history.
  func remember(search query: String) async
  func searchCount() throws -> any Interactor<SearchRoute, SearchCountViewModel>
  func feedDetails() throws -> any Interactor<FeedDetailsRequest, FeedDetailsViewModel>
  func feedsSet() throws -> any Interactor<FeedsSetRequest, TextLines>
  func feedsAdd() throws -> any Interactor<FeedsAddRoute, FeedsAddViewModel>
  /// Looks up the feeds at an address.
  func feedsFind() throws -> any Interactor<String, FeedsFindViewModel>
  /// Imports the bytes of a file. The request has its name, which is also for messages.
  func importFile(_ bytes: [UInt8], named name: String) throws
    -> any Interactor<(path: String, feed: String?, isTrusted: Bool), Outcome>
  /// Imports from another reader's server at a public address, or at an address of `network.allow`.
  func importFrom(
    _ address: String,
    _ api: ServerAPI,
    _ credentials: ServerCredentials,
    emit: @escaping Emit<Outcome>
  ) async throws
  /// Where the store keeps the state of imports.
  func importPlaces() throws -> any ImportPlaceKeeping
  func feedsImport() throws -> any Interactor<FeedsImportRequest, FeedsImportViewModel>
  func feedsExport() throws -> any Interactor<Bool, DocumentContent>
  func refresh() throws -> any Interactor<RefreshRoute, RefreshViewModel>
  func rules() throws -> any Interactor<RulesRequest, RecordList<Rule>>
  /// The paths of the icons of feeds, below newsd's prefix.
  func icons(of feeds: [Feed.ID]) async -> [Feed.ID: String]
  func savedSearches() throws -> any Interactor<SavedSearchesRequest, RecordList<SavedSearch>>
  func statistics() throws -> any Interactor<Void, FeedStatisticsViewModel>
  /// Reads or keeps the settings of the page.
  func settings() throws -> any Interactor<PageChoices?, PageChoicesViewModel>
  /// Lists and changes hooks.
  func hooks() throws -> any Interactor<HooksRequest, RecordList<HookSummary>>
  /// The hooks for services that can be added on the page.
  var hookPresets: [HookPreset] { get }
  /// True: the configuration sets the login password, so that the page cannot change it.
  var isPasswordFixed: Bool { get }
  /// Sets the login password.
  func webPassword() async throws -> any Interactor<String?, Outcome>
  /// Copies the store to a path.
  func backup() throws -> any Interactor<String, Outcome>
}
