import DIContainer
import Glibc
import Modules
import NewsCore
import NewsHTTP
import NewsText

/// Implements `newsd run`: polls every feed when it is due, until it is stopped.
struct Daemon: Sendable {
  let context: CommandContext
  let log: DaemonLog
  /// Writes the log's lines on its own thread.
  let writer: LogWriter
  /// The URL at which hubs reach this machine; nil: newsd subscribes at no hub.
  let callback: String?
  /// True: prints the URL of the page on standard output.
  let printsAddress: Bool
  /// The counters for `/metrics`.
  let metrics = ServiceMetrics()
  /// Reloads the configuration, for SIGHUP.
  let reload: @Sendable () throws -> Settings

  /// Milliseconds after the web server has stopped on SIGTERM, at which the process ends even if work is
  /// unfinished.
  private static let stopDeadline: UInt32 = 4500
  /// Seconds between two checks for `/ready`, if systemd's watchdog sets no interval.
  private static let heartbeat = 10.0
  /// Seconds between two summaries in the log.
  private static let summaryInterval = 60

  /// Runs until SIGTERM or SIGINT. Then ends all transfers, stores what has arrived, and returns.
  func run(_ signals: SignalStream) async throws -> ExitStatus {
    let notifier = ServiceNotifier(environment: context.environment)
    let newStore = try context.accounts == nil ? context.settings.pathOfNewStore() : nil
    let work: any DaemonWork =
      if let accounts = context.accounts {
        try AccountStores(accounts, context, log, metrics, notifier, feedSettings: FeedSettingWords())
      } else {
        try await SingleStore(context, log, metrics, notifier, callback: callback)
      }
    if let newStore {
      let text = "there was no store; made a new, empty one"
      log.line(.warning, "store", [("created", .text(newStore)), ("message", .text(text))])
    }
    let web = try await openWeb(work, every: notifier.watchdogInterval)
    log.line(
      .info,
      "start",
      [
        ("version", .text(Version.number)), ("pid", .number(Int(getpid()))),
        ("store", .text(context.accounts?.place ?? context.settings.storeName)),
      ]
    )
    notifier.ready()
    let ending = await withTaskGroup(of: StoreService.Ending?.self) { group in
      func add(_ work: @escaping @Sendable () async -> Void) {
        group.addTask {
          await work()
          return nil
        }
      }
      group.addTask { await work.run() }
      group.addTask { await self.handleSignals(signals, work, notifier, web) }
      if let web { add { await web.run() } }
      add { await self.summarize(work, notifier) }
      if let seconds = notifier.watchdogInterval {
        add { await self.watch(work, notifier, every: seconds) }
      }
      // The first part to end cancels the others: a stop signal or a failed scheduler. Wait for the scheduler,
      // because it still stores what has arrived.
      var first: StoreService.Ending = .stopped
      for await ended in group {
        group.cancelAll()
        if case .failed = first { continue }
        if let ended { first = ended }
      }
      return first
    }
    await web?.stop()
    await work.shutdown()
    log.line(.info, "stop", [("pid", .number(Int(getpid())))])
    if case .failed(let error) = ending { throw error }
    return .done
  }

  /// Starts the web server if an address is configured.
  private func openWeb(_ work: any DaemonWork, every interval: Double?) async throws -> WebService? {
    let web = WebService(work.parts, every: interval ?? Self.heartbeat)
    var hooks = WebHooks(metrics: metrics)
    hooks.droppedLines = { [writer] in writer.droppedLines }
    hooks.feedSettings = FeedSettingWords()
    hooks.refreshed = { event in
      // The page of one store; those of several accounts have hooks of their own.
      work.services.first?.refreshes.takeFromPage(event)
    }
    let (limit, clock) = (RefusalLimit(), context.services.clock)
    hooks.refused = { [log, metrics] refusal in
      metrics.countLoginFailure()
      // Wrong passwords are limited where they are checked.
      guard refusal.reason == nil || limit.admits(refusal.address, now: clock.now()) else { return }
      let text = "log-in refused for \(refusal.user) from \(refusal.address)"
      let reason: [(String, DaemonLog.Value)] = refusal.reason.map { [("reason", .text($0))] } ?? []
      log.line(.warning, "web", [("message", .text(text))] + reason)
    }
    hooks.providerFailed = { [log] in
      guard limit.admits("provider", now: clock.now()) else { return }
      log.line(.warning, "oidc", [("error", .text($0))])
    }
    hooks.misdirected = { [log] host in
      log.line(
        .warning,
        "web",
        [("message", .text("request for an unknown host; see web.url")), ("host", .text(host))]
      )
    }
    hooks.reachable = { [log, printsAddress] url, isSetUp in
      if isSetUp { log.line(.warning, "setup", [("url", .text(url))]) }
      if printsAddress { try? DescriptorWriter(descriptor: STDOUT_FILENO).write(Array("\(url)\n".utf8)) }
    }
    guard try await web.open(hooks, work.openServer) else { return nil }
    let (wanted, served) = (context.settings.web.connections, context.settings.servedConnections)
    if served < wanted {
      let text =
        "only \(served) of \(wanted) connections (web.connections), because few open files are allowed (ulimit -n)"
      log.line(.warning, "web", [("message", .text(text))])
    }
    let port: [(String, DaemonLog.Value)] = web.port.map { [("port", .number(Int($0)))] } ?? []
    log.line(.info, "web", [("listen", .text(context.settings.web.listen ?? ""))] + port)
    return web
  }

  // MARK: - Signals

  /// Handles signals until a signal stops the daemon. Fails if signals cannot be received.
  private func handleSignals(
    _ signals: SignalStream,
    _ work: any DaemonWork,
    _ notifier: ServiceNotifier,
    _ web: WebService?
  ) async -> StoreService.Ending {
    for await signal in signals.signals {
      switch signal {
      case SIGHUP:
        notifier.reloading()
        await reloadConfiguration(work)
        notifier.ready()
      case SIGUSR1:
        log.line(.info, "poll-now")
        for service in work.services { service.scheduler.current.pollNow() }
      default:
        notifier.stopping()
        log.line(.info, "stopping", [("signal", .number(Int(signal)))])
        // Stop the web server first, while the services that requests in flight need still work.
        await web?.stop()
        StopDeadline.start(milliseconds: Self.stopDeadline) { [log, writer] in
          log.line(.warning, "stop", [("error", .text("stopped before everything fetched was stored"))])
          writer.flush(milliseconds: 200)
        }
        return .stopped
      }
    }
    guard !Task.isCancelled else { return .stopped }
    return .failed(
      UserMessage(
        code: .internalError,
        text: "cannot install signal handlers: no pipe or thread can be created"
      )
    )
  }

  /// Reloads the configuration. Logs an error in it and keeps the active one.
  private func reloadConfiguration(_ work: any DaemonWork) async {
    do {
      let loaded = try reload()
      try await work.reload(loaded)
      if !context.isQuiet, !context.isVerbose { log.level = loaded.log.level }
      let waiting = loaded.keysThatNeedRestart(since: context.settings)
      let fields: [(String, DaemonLog.Value)] =
        waiting.isEmpty ? [] : [("needs_restart", .text(waiting.joined(separator: ",")))]
      log.line(waiting.isEmpty ? .info : .warning, "reload", fields)
    } catch {
      log.line(.error, "reload", [("error", .text(ErrorReport.describe(error).1))])
    }
  }

  // MARK: - Health

  /// Logs a summary of all polls each minute, and shows it in `systemctl status`.
  private func summarize(_ work: any DaemonWork, _ notifier: ServiceNotifier) async {
    notifier.status("Polling has begun")
    while (try? await Task.sleep(for: .seconds(Self.summaryInterval))) != nil {
      var status = work.services.map { $0.refreshes.summarize(seconds: Self.summaryInterval) }.first ?? ""
      if work.services.count > 1 { status = "\(work.services.count) accounts" }
      if !writer.isIdle { status += "; the log is not being read" }
      notifier.status(status)
    }
  }

  /// Pings the service manager's watchdog as long as the store, the scheduler and the network loop respond. A
  /// stalled reader of the log does not count: polling continues without it, and a restart would not help.
  /// `seconds` is half of the service manager's timeout.
  private func watch(
    _ work: any DaemonWork,
    _ notifier: ServiceNotifier,
    every seconds: Double
  ) async {
    let network = Watchdog.Part("network") { await work.services.first?.first.awaitNetwork() }
    let watchdog = Watchdog(work.parts + [network])
    watchdog.ask()
    while (try? await Task.sleep(for: .seconds(seconds / 2))) != nil {
      let problems = watchdog.problems
      if problems.isEmpty { notifier.watchdog() }
      for part in problems {
        log.line(.error, "watchdog", [("part", .text(part)), ("error", .text("does not answer"))])
      }
      watchdog.ask()
    }
  }
}
