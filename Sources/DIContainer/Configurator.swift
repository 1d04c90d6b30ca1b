public import Modules
import NewsCore
import NewsFormats
import NewsText
import Synchronization

/// Builds the module of a `Route` and runs it. Factories build the modules of the reader, the web page and
/// the sync protocols.
public struct Configurator: Sendable {
  let services: ServiceContainer
  public let presentation: Presentation
  let host: any CommandHost

  public init(services: ServiceContainer, presentation: Presentation, host: any CommandHost) {
    self.services = services
    self.presentation = presentation
    self.host = host
  }

  /// Runs a route's module until it ends. The exit status is 1 if a search found nothing. Throws
  /// `OutputError`, and errors that prevent the module from starting.
  public func run(_ route: Route) async throws -> ExitStatus {
    switch route {
    case .list(let list): try await runList(list)
    case .chart(let list): try await runChart(list)
    case .items(let ids): try await runItems(ids)
    case .articles(let ids, let marksRead): try await runItems(ids, marksRead: marksRead, readsPages: true)
    case .read(let ids): try await runItems(ids, marksRead: true)
    case .next(let route): try await runNext(route)
    case .search(let search): try await runSearch(search)
    case .open(let ordinal, let list): try await run(try await selection(ordinal, in: list))
    case .arrivals(let list, let path): try await runArrivals(in: list, path)
    case .count(let search): try await runCount(search)
    case .explanation(let search): try await runExplanation(search)
    case .searchHistory(let limit): try await runSearchHistory(limit)
    case .savedSearches(let route): try await runSavedSearches(route)
    case .mark(let route): try await runMark(route)
    case .versions(let id): try await runVersions(id)
    case .difference(let id): try await runDifference(id)
    case .follow(let route): try await runFollow(route)
    case .changes(let route): try await runChanges(route)
    case .subscriptions(let route): try await runSubscriptions(route)
    case .folders: try await runFolders()
    case .addition(let route): try await runAddition(route)
    case .feedListImport(let route): try await runFeedListImport(route)
    case .feedListExport(let includesSecrets): try await runFeedListExport(includesSecrets)
    case .moves(let route): try await runMoves(route)
    case .feedIdentity(let route): try await runFeedIdentity(route)
    case .feedSettings(let route): try await runFeedSettings(route)
    case .articlePreview(let route): try await runArticlePreview(route)
    case .rules(let route): try await runRules(route)
    case .hooks(let route): try await runHooks(route)
    case .nodes: try await runNodes()
    case .hookFailures: try await runHookFailures()
    case .fetch(let route): try await runFetch(route)
    case .replay(let route): try await runReplay(route)
    case .status: try await runStatus()
    case .health(let answersVerdict): try await runHealth(answersVerdict)
    case .plan(let horizon): try await runPlan(horizon)
    case .failures: try await runFailures()
    case .prune(let route): try await runPrune(route)
    case .check(let route): try await runCheck(route)
    case .backup(let path): try await runBackup(path)
    case .restore(let route): try await runRestore(route)
    case .copy(let route): try await runCopy(route)
    case .compact(let path): try await runCompact(path)
    case .ingest(let feed): try await runIngest(feed)
    case .mcp(let writes): try await runMCP(writes: writes)
    case .webStatus(let route): try await runWebStatus(route)
    case .webApps(let route): try await runWebApps(route)
    case .webSessions(let route): try await runWebSessions(route)
    case .webPassword(let route): try await runWebPassword(route)
    case .parsedFeed(let source): try await runParsedFeed(source)
    case .publisherCheck(let source): try await runPublisherCheck(source)
    case .pageArticle(let route): try await runPageArticle(route)
    case .export: try await runExport()
    case .storeImport(let route): try await runStoreImport(route)
    case .browse(let ids, let marksRead): try await runBrowse(ids, marksRead: marksRead)
    case .reader(let start): try await runReader(start)
    case .daemon(let route): try await host.run(route)
    case .completion(let route): try await show(makeCompletion(), route, as: CompletionView())
    case .reference(let route):
      try await show(ReferenceInteractor(reference: host), route, as: BytesView())
    case .tokens(let route): try await show(TokensInteractor(), route, as: LinesView<TokensViewModel>())
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

  /// Runs a module without a screen and returns the last content it emits.
  func last<Module: Interactor>(
    of module: Module,
    _ request: Module.Request
  ) async throws -> Module.ViewModel {
    let kept = Mutex<Container<Module.ViewModel>?>(nil)
    try await module.run(request) { container in kept.withLock { $0 = container } }
    let container = kept.withLock { $0 }
    if let failure = container?.failure { throw failure }
    guard let content = container?.content else {
      throw UserMessage(code: .nothingMatched, text: "Nothing is shown, so there is nothing to open.")
    }
    return content
  }
}
