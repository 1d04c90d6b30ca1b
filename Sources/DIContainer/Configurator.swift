public import Modules
import NewsFormats
import NewsText

/// Builds modules and runs them: the module of a `Route`, and those of commands that no screen opens, each with a
/// function of its own. Factories build the modules of the reader and the web page.
///
/// The functions return the exit status. They throw `OutputError`, and errors that prevent the module from starting.
public struct Configurator: Sendable {
  let services: ServiceContainer
  public var presentation: Presentation
  /// The accounts; nil: there is one store.
  let accounts: AccountSet?
  /// True: a command that can do so works on each account, not on the store of `services`.
  let isForAllAccounts: Bool

  public init(
    services: ServiceContainer,
    presentation: Presentation,
    accounts: AccountSet? = nil,
    isForAllAccounts: Bool = false
  ) {
    self.services = services
    self.presentation = presentation
    self.accounts = accounts
    self.isForAllAccounts = isForAllAccounts
  }

  /// Opens the screen of a route.
  public func open(_ route: Route) async throws -> ExitStatus {
    switch route {
    case .list(let list): try await self.list(list)
    case .search(let search): try await self.search(search)
    case .items(let ids): try await items(ids)
    case .read(let ids): try await items(ids, marksRead: true)
    case .versions(let id): try await versions(of: id)
    case .difference(let id): try await difference(of: id)
    case .mark(let route): try await mark(route)
    case .subscriptions(let route): try await subscriptions(route)
    case .feedsFolders: try await feedsFolders()
    case .feedsAdd(let route): try await feedsAdd(route)
    case .refresh(let route): try await refresh(route)
    case .status: try await status()
    case .plan(let horizon): try await plan(horizon)
    case .failures: try await failures()
    }
  }

  /// Runs a module on a new screen with that view.
  func show<Module: Interactor>(
    _ module: Module,
    _ request: Module.Request,
    as view: any ContentView<Module.ViewModel>
  ) async throws -> ExitStatus {
    try await show(module, request, on: presentation.screen(view))
  }

  func show<Module: Interactor>(
    _ module: Module,
    _ request: Module.Request,
    on screen: Screen<Module.ViewModel>
  ) async throws -> ExitStatus {
    try await module.run(request, emit: screen.emit)
    return screen.exitStatus
  }

  /// Runs a module that lists records with these columns.
  func list<Module: Interactor, Record>(
    _ module: Module,
    _ request: Module.Request,
    _ columns: Columns<Record>,
    writesAtEnd: Bool = false
  ) async throws -> ExitStatus where Module.ViewModel == RecordList<Record> {
    let view = try presentation.shape.view(columns)
    return try await show(module, request, on: presentation.screen(view, writesAtEnd: writesAtEnd))
  }

  /// Runs a module that only reports what it has done.
  func tell<Module: Interactor>(_ module: Module, _ request: Module.Request) async throws -> ExitStatus {
    let view = SilentView<Module.ViewModel>()
    return try await show(module, request, on: presentation.screen(view, writesAtEnd: true))
  }
}
