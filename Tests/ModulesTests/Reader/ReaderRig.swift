import NewsCore
import Synchronization

@testable import Modules
@testable import NewsTerminal
@testable import NewsText

/// Runs the reader without a terminal: takes keys and gives the screen as text, with the real modules over a
/// store in memory.
final class ReaderRig {
  let store: FakeStore
  private(set) var state: ReaderState
  /// The effects that need a terminal: programs, the clipboard.
  private(set) var external: [ReaderEffect] = []
  private let worker: ReaderWorker
  private let inbox: ReaderInbox

  init(
    _ store: FakeStore,
    columns: Int = 72,
    rows: Int = 16,
    options: ReaderOptions = ReaderOptions(),
    saved: [SavedSearch] = []
  ) throws {
    self.store = store
    let terminal = Terminal.plain(width: columns)
    inbox = try ReaderInbox()
    worker = ReaderWorker(
      modules: FakeModules(news: store, times: terminal.times, saved: saved),
      commands: FakeCommands(),
      options: options,
      inbox: inbox
    )
    state = ReaderState(
      options: options,
      size: ScreenSize(rows: rows, columns: columns),
      terminal: terminal
    )
  }

  func start(_ route: Route? = nil) async { await perform(state.start(route)) }

  func start(at place: ReaderPlace) async { await perform(state.start(at: place)) }

  /// Presses keys, named as in the configuration, and waits until the effects of each have been performed.
  func press(_ keys: String...) async {
    for name in keys {
      for key in Key.sequence(name) ?? [] { await take(.input(.key(key))) }
    }
  }

  func type(_ text: String) async {
    for scalar in text.unicodeScalars { await take(.input(.key(Key(typing: scalar)))) }
  }

  /// Adds a feed whose server does not answer.
  func add(_ route: FeedsAddRoute) { _ = state.take(.command(.route(.feedsAdd(route)))) }

  func take(_ event: ReaderEvent) async { await perform(state.take(event)) }

  private func perform(_ effects: [ReaderEffect]) async {
    var effects = effects
    while !effects.isEmpty {
      let effect = effects.removeFirst()
      switch effect {
      case .mark(let request): await worker.write(request)
      case .run, .copy, .redraw, .suspend, .wake: external.append(effect)
      default: await worker.perform(effect)
      }
      for event in inbox.take() { effects += state.take(event) }
    }
  }

  /// The screen without colours.
  var text: String { state.grid().lines.joined(separator: "\n") + "\n" }

  var lines: [String] { state.grid().lines }

  /// The text of the selected line.
  var selected: String {
    let grid = state.grid()
    let row = (0..<grid.size.rows).first { row in grid.row(row).contains { $0.style.isSelected } }
    return row.map { grid.lines[$0] } ?? ""
  }
}

/// The modules of the reader over a store in memory.
struct FakeModules: ReaderModules {
  let news: FakeStore
  let times: TimeDisplay
  let saved: [SavedSearch]

  private struct Missing: Error {}

  func subscriptions() throws -> any Interactor<SubscriptionsRoute, SubscriptionsViewModel> {
    SubscriptionsInteractor(
      feeds: news,
      searches: FakeSearches(saved: saved),
      presenter: SubscriptionsPresenter(showsLines: true, times: times)
    )
  }

  func list() throws -> any Interactor<ListRoute, NewsListViewModel> {
    NewsListInteractor(
      news: news,
      filters: .plain(news),
      presenter: NewsListPresenter(.headlines, times: times, counts: false)
    )
  }

  func search(remembers: Bool) throws -> any Interactor<SearchRoute, NewsSearchViewModel> {
    NewsSearchInteractor(
      news: news,
      filters: .plain(news),
      history: remembers ? news : nil,
      clock: FixedClock(time: .noon),
      presenter: NewsSearchPresenter(.headlines, times: times, counts: false)
    )
  }

  func searchCount() throws -> any Interactor<SearchRoute, SearchCountViewModel> {
    SearchCountInteractor(news: news, filters: .plain(news))
  }

  func searchHistory() throws -> any Interactor<Int, RecordList<String>> {
    SearchHistoryInteractor(history: news)
  }

  func savedSearches() throws -> any Interactor<SavedSearchesRequest, RecordList<SavedSearch>> {
    SavedSearchesInteractor(searches: FakeSearches(saved: saved), clock: FixedClock(time: .noon))
  }

  func item(marksRead: Bool) throws -> any Interactor<[NewsItem.ID], NewsItemViewModel> {
    NewsItemInteractor(
      news: news,
      richText: FakeRichText.article,
      marking: marksRead ? news : nil,
      presenter: NewsItemPresenter(.headlines, times: times)
    )
  }

  func mark() throws -> any Interactor<MarkRoute, MarkViewModel> {
    MarkInteractor(marking: news, news: news, filters: .plain(news))
  }

  func label() throws -> any Interactor<LabelRequest, MarkViewModel> {
    LabelInteractor(marking: news, news: news, feeds: news, filters: .plain(news))
  }

  func save() throws -> any Interactor<[NewsItem.ID], MarkViewModel> { SaveInteractor(marking: news) }

  func playback() throws -> any Interactor<PlaybackRequest, Outcome> { throw Missing() }

  func failures() throws -> any Interactor<Void, RecordList<FailureReport.Entry>> {
    FailuresInteractor(feeds: news, times: times)
  }

  func plan() throws -> any Interactor<Int64, RecordList<PollPlan.Entry>> {
    PollPlanInteractor(feeds: news, times: times)
  }

  var store: String { "news.db" }
  func versions() throws -> any Interactor<NewsItem.ID, RecordList<VersionRecord>> { throw Missing() }
  func difference() throws -> any Interactor<NewsItem.ID, ItemDifferenceViewModel> { throw Missing() }
  func changes() throws -> any Interactor<ChangesRequest, ChangesViewModel> { throw Missing() }
  func status() throws -> any Interactor<String, StatusViewModel> { throw Missing() }
  func refresh() throws -> any Interactor<RefreshRoute, RefreshViewModel> { throw Missing() }
  func feedsAdd() throws -> any Interactor<FeedsAddRoute, FeedsAddViewModel> { throw Missing() }
  func revision() async throws -> Int64 { 0 }
  func changeWaiter() throws -> any ChangeAwaiting { throw Missing() }
  func lastPlace() -> [UInt8] { [] }
  func keep(lastPlace: [UInt8]) throws {}
  func json(of id: NewsItem.ID) async throws -> [UInt8] { throw Missing() }
  func run(_ call: ProgramCall) async -> ProgramResult { ProgramResult(end: .cancelled) }
}

/// Saved searches that cannot be changed.
struct FakeSearches: DefinitionKeeping, PartialFake {
  let saved: [SavedSearch]

  func savedSearches() async throws(StoreError) -> [SavedSearch] { saved }
  func savedSearch(named name: String) async throws(StoreError) -> SavedSearch? {
    saved.first { $0.name == name }
  }
  func save(_ search: SavedSearch, at time: Timestamp) async throws(StoreError) {}
  func removeSavedSearch(named name: String) async throws(StoreError) -> Bool { true }
}

/// A command line with one route and one completion.
struct FakeCommands: ReaderCommands {
  func read(_ line: String) async throws -> ReaderCommand {
    switch line {
    case "starred": return .route(SubscriptionsRouter().starred)
    case "status --plan 2d": return .route(.plan(horizon: 2 * 86400))
    default: throw UserMessage(code: .usage, text: "unknown command \(line)")
    }
  }

  func completions(of line: String) async -> [String] {
    ["starred", "status"].filter { $0.utf8.starts(with: line.utf8) }
  }
}
