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
    // Report a store that cannot be opened on the command line, not on a screen.
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

/// Makes the modules of the screens of `newsd read`. They are the modules of the commands, except that lists and
/// searches do not count their items: counting would delay each screen.
struct ReaderModuleFactory: ReaderModules, LiveModuleFactory {
  let services: ServiceContainer
  let presentation: Presentation

  /// Computed at each access: `now` is the time of the access, so that ages stay current.
  var times: TimeDisplay {
    var terminal = presentation.terminal
    terminal.now = services.clock.now()
    return terminal.times
  }

  func search(remembers: Bool) throws -> any Interactor<SearchRoute, NewsListViewModel> {
    let store = try services.store()
    return NewsSearchInteractor(
      news: store,
      filters: try filters(),
      history: remembers ? store : nil,
      clock: services.clock,
      presenter: NewsSearchPresenter(.headlines, times: times, counts: false)
    )
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

  func searchHistory() throws -> any Interactor<Int, SearchHistoryViewModel> {
    SearchHistoryInteractor(history: try services.store())
  }

  var store: String { services.settings.storeName }

  func status() throws -> any Interactor<String, StatusViewModel> {
    let store = try services.store()
    return StatusInteractor(
      feeds: store,
      changes: store,
      measure: services.storeMeasure,
      clock: services.clock
    )
  }

  func plan() throws -> any Interactor<Int64, PollPlanViewModel> {
    PollPlanInteractor(
      feeds: try services.store(),
      clock: services.clock,
      presenter: PollPlanPresenter(times: times)
    )
  }

  func json(of id: NewsItem.ID) async throws -> [UInt8] {
    var presentation = presentation
    presentation.format = .jsonl
    let output = try presentation.itemOutput(services)
    return try output.line(of: try await services.store().item(id))
  }

  func run(_ call: ProgramCall) async -> ProgramResult { await services.programs.run(call) }

  func revision() async throws -> Int64 { try await services.store().revision() }

  func changeWaiter() throws -> any ChangeAwaiting {
    try services.store().changeWaiter(for: .commits, every: .milliseconds(400))
  }

  func lastPlace() -> [UInt8] { ReaderPlaceFile(store: services.lockPath).load() }

  func keep(lastPlace: [UInt8]) throws {
    try ReaderPlaceFile(store: services.lockPath).save(lastPlace)
  }
}
