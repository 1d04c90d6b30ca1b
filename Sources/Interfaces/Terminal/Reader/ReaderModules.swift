public import Modules
public import NewsCore

/// Makes the modules whose results the reader shows; implemented by `ReaderModuleFactory`.
public protocol ReaderModules: Sendable {
  func subscriptions() throws -> any Interactor<SubscriptionsRoute, SubscriptionsViewModel>
  func list() throws -> any Interactor<ListRoute, NewsListViewModel>
  /// The search; with `remembers`, adds the query to the search history.
  func search(remembers: Bool) throws -> any Interactor<SearchRoute, NewsSearchViewModel>
  func searchCount() throws -> any Interactor<SearchRoute, SearchCountViewModel>
  func searchHistory() throws -> any Interactor<Int, RecordList<String>>
  func savedSearches() throws -> any Interactor<SavedSearchesRequest, RecordList<SavedSearch>>
  /// The item; with `marksRead`, marks it read after it was shown.
  func item(marksRead: Bool) throws -> any Interactor<[NewsItem.ID], NewsItemViewModel>
  func versions() throws -> any Interactor<NewsItem.ID, RecordList<VersionRecord>>
  func difference() throws -> any Interactor<NewsItem.ID, ItemDifferenceViewModel>
  func mark() throws -> any Interactor<MarkRoute, MarkViewModel>
  func label() throws -> any Interactor<LabelRequest, MarkViewModel>
  func save() throws -> any Interactor<[NewsItem.ID], MarkViewModel>
  func playback() throws -> any Interactor<PlaybackRequest, Outcome>
  func changes() throws -> any Interactor<ChangesRequest, ChangesViewModel>
  /// The path of the store, or its address on PostgreSQL: the request of the status module.
  var store: String { get }
  func status() throws -> any Interactor<String, StatusViewModel>
  func failures() throws -> any Interactor<Void, RecordList<FailureReport.Entry>>
  func plan() throws -> any Interactor<Int64, RecordList<PollPlan.Entry>>
  func refresh() throws -> any Interactor<RefreshRoute, RefreshViewModel>
  func feedsAdd() throws -> any Interactor<FeedsAddRoute, FeedsAddViewModel>
  /// A number that differs after every change of the store.
  func revision() async throws -> Int64
  /// Makes the waits between two checks of that number.
  func changeWaiter() throws -> any ChangeAwaiting
  /// The place where the reader was left, as JSON; empty: none.
  func lastPlace() -> [UInt8]
  func keep(lastPlace: [UInt8]) throws
  /// The item as a line of JSON, for programs.
  func json(of id: NewsItem.ID) async throws -> [UInt8]
  /// Runs a program without the terminal.
  func run(_ call: ProgramCall) async -> ProgramResult
}
