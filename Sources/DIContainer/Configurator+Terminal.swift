package import Modules
import NewsCore
import NewsFiles
import NewsFormats
import NewsText
package import NewsTerminal

// MARK: - The interactive reader

extension Configurator {
  /// Runs the reader until the user leaves it. It starts at a route, or with the subscriptions or at the last place.
  package func read(_ start: Route?, host: ReaderHost) async throws -> ExitStatus {
    // Report a store that cannot be opened on the command line, not on a screen.
    _ = try services.store()
    let clock = services.clock
    let session = ReaderSession(
      modules: ReaderModuleFactory(services: services, presentation: presentation),
      commands: host.commands,
      options: host.options,
      terminal: presentation.shape.terminal,
      environment: host.environment,
      credentials: await services.credentialNames(),
      now: { clock.now() }
    )
    try await session.run(start, signals: host.signals)
    return .done
  }
}

/// The process's services for the reader.
package struct ReaderHost: Sendable {
  /// Reads lines of the command prompt.
  var commands: any ReaderCommands
  var options: ReaderOptions
  /// The environment, whose variables identify the terminal.
  var environment: [String: String]
  var signals: AsyncStream<Int32>

  package init(
    commands: any ReaderCommands,
    options: ReaderOptions,
    environment: [String: String],
    signals: AsyncStream<Int32>
  ) {
    self.commands = commands
    self.options = options
    self.environment = environment
    self.signals = signals
  }
}

/// Makes the modules of the screens of `newsd read`. They are the modules of the commands, except that lists and
/// searches do not count their items: counting would delay each screen.
struct ReaderModuleFactory: ReaderModules, LiveModuleFactory {
  let services: ServiceContainer
  let presentation: Presentation

  /// Computed at each access: `now` is the time of the access, so that ages stay current.
  var times: TimeDisplay {
    var terminal = presentation.shape.terminal
    terminal.now = services.clock.now()
    return terminal.times
  }

  func search(remembers: Bool) throws -> any Interactor<SearchRoute, NewsSearchViewModel> {
    let presenter = NewsSearchPresenter(.headlines, times: times, counts: false)
    return try services.makeSearch(presenter, remembers: remembers)
  }

  func item(marksRead: Bool) throws -> any Interactor<[NewsItem.ID], NewsItemViewModel> {
    try services.makeItem(NewsItemPresenter(.headlines, times: times), marksRead: marksRead)
  }

  func searchHistory() throws -> any Interactor<Int, RecordList<String>> {
    SearchHistoryInteractor(history: try services.store())
  }

  var store: String { services.settings.storeName }

  func status() throws -> any Interactor<String, StatusViewModel> { try services.makeStatus() }

  func plan() throws -> any Interactor<Int64, RecordList<PollPlan.Entry>> {
    PollPlanInteractor(feeds: try services.store(), times: times)
  }

  func json(of id: NewsItem.ID) async throws -> [UInt8] {
    var shape = presentation.shape
    shape.format = .jsonl
    let output = try ItemOutput(shape)
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
