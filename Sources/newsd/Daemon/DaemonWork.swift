import DIContainer
import NewsCore
import NewsHTTP

/// The stores that the daemon works on.
protocol DaemonWork: Sendable {
  /// The stores that are open now.
  var services: [StoreService] { get }
  /// The parts whose answers `/ready` and the watchdog await, besides the network.
  var parts: [Watchdog.Part] { get }
  /// Starts the web server; nil if no address is configured. The requests of `hooks` are those of the process.
  func openServer(_ hooks: WebHooks) async throws -> (any WebServing)?
  /// Works until the task is cancelled or nothing can be done any more.
  func run() async -> StoreService.Ending
  /// Continues with other settings.
  func reload(_ settings: Settings) async throws
  /// Ends the network clients.
  func shutdown() async
}

/// The work of a daemon on its only store, whose failure ends the daemon.
final class SingleStore: DaemonWork {
  private let service: StoreService
  private let context: CommandContext

  init(
    _ context: CommandContext,
    _ log: DaemonLog,
    _ metrics: ServiceMetrics,
    _ notifier: ServiceNotifier,
    callback: String?
  ) async throws {
    self.context = context
    service = try await StoreService(
      context.services,
      log,
      metrics,
      DaemonUpgrade(
        services: context.services,
        log: log,
        notifier: notifier,
        probes: { try? context.services.openProbes(environment: context.environment) }
      ),
      callback: callback
    )
  }

  var services: [StoreService] { [service] }

  var parts: [Watchdog.Part] {
    [
      Watchdog.Part("store") { [service] in
        _ = try await service.store.latestSequence()
        try service.first.checkWrites()
        if let error = service.refreshes.storeError { throw error }
      },
      Watchdog.Part("scheduler") { [service] in await service.scheduler.current.ping() },
    ]
  }

  func openServer(_ hooks: WebHooks) async throws -> (any WebServing)? {
    try await context.services.openWebServer(environment: context.environment, hooks: hooks)
  }

  func run() async -> StoreService.Ending { await service.run() }

  func reload(_ loaded: Settings) async throws {
    var settings = loaded
    settings.store = context.settings.store
    var overrides = ServiceContainer.Overrides()
    overrides.former = context.services
    let new = ServiceContainer(
      settings: settings,
      environment: context.environment,
      program: Version.program,
      overrides: overrides
    )
    try await service.reload(new)
  }

  func shutdown() async { await context.services.shutdown() }
}
