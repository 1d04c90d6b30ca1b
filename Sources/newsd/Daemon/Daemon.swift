import NewsHTTP
import DIContainer
import Glibc
import Modules
import NewsCore
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
  private let outage = StoreOutage()
  /// Reloads the configuration, for SIGHUP.
  let reload: @Sendable () throws -> Settings

  /// Milliseconds after the web server has stopped on SIGTERM, at which the process ends even if work is
  /// unfinished.
  private static let stopDeadline: UInt32 = 4500
  /// Seconds between two checks of the store's file.
  private static let storeCheck = 5
  /// Shortest time between two readings of the list of feeds, in seconds.
  private static let feedListPause = 1
  /// Seconds between two checks for pages to fetch.
  private static let articleCheck = 3
  /// Seconds between two checks for icons to look up, if the list of feeds has changed, and if it has not.
  /// Seconds between two checks for new starred and labelled items.
  private static let pictureCheck = 20
  private static let iconCheck: (changed: Int, unchanged: Int) = (60, 3600)
  /// Seconds between two checks for `/ready`, if systemd's watchdog sets no interval.
  private static let heartbeat = 10.0
  /// Seconds between two summaries in the log.
  private static let summaryInterval = 60

  /// The reason why a part of the daemon ended.
  private enum Ending: Sendable {
    case stopped
    case failed(any Error)
    /// The store's file was replaced: polling restarts with the new one.
    case storeReplaced
  }

  /// Runs until SIGTERM or SIGINT. Then ends all transfers, stores what has arrived, and returns.
  func run(_ signals: SignalStream) async throws -> ExitStatus {
    let notifier = ServiceNotifier(environment: context.environment)
    try await upgradeStore(notifier)
    let store = try context.services.store()
    // This first read opens the store, creating it if it is missing, and throws if the store is unusable. It does
    // not read the feeds: a hundred thousand of them would stay in the heap for months.
    _ = try await store.feedListVersion()
    // Record which file this is before the feeds are read, so that a restore during the first seconds is noticed.
    _ = await store.fileState()
    let lock = try takeLock()
    defer { withExtendedLifetime(lock) {} }
    let refreshes = RefreshLog(log) { [metrics, clock = context.services.clock] event in
      metrics.count(event, at: clock.now())
    }
    let alarms = HookAlarms(node: context.services.sharedNodeName)
    let report = { @Sendable (event: RefreshEvent, witness: StoreOutage.Witness) in
      take(event, witness, refreshes, alarms)
    }
    try await adapt(store, report)
    let webSub = try openWebSub()
    let scheduler = Replaceable(try makeScheduler(webSub))
    let services = Replaceable(context.services)
    let web = try await openWeb(store, scheduler, refreshes, every: notifier.watchdogInterval)
    log.line(
      .info,
      "start",
      [
        ("version", .text(Version.number)), ("pid", .number(Int(getpid()))),
        ("store", .text(context.settings.storeName)),
      ]
    )
    notifier.ready()
    let active = Replaceable(context.settings)
    let ending = await withTaskGroup(of: Ending?.self) { group in
      func add(_ work: @escaping @Sendable () async -> Void) {
        group.addTask {
          await work()
          return nil
        }
      }
      group.addTask { await self.pollUntilStopped(store, scheduler, webSub, report) }
      group.addTask { await self.handleSignals(signals, scheduler, notifier, store, active, services, web) }
      if let webSub { add { await self.listen(webSub, scheduler) } }
      if let web { add { await web.run() } }
      if let waiter = context.services.feedListWaiter() {
        add { await self.watchFeedList(waiter, scheduler) }
      }
      add { await DaemonUpgrade(context: self.context, log: self.log, notifier: notifier).finish() }
      add { await self.prune(store, active) }
      add { await self.fetchArticles(services) }
      add { await self.lookUpIcons(store, services) }
      add { await self.keepPictures(store, services) }
      add { await self.deliverHooks(active, alarms, services) }
      add { await self.summarize(refreshes, notifier) }
      if let seconds = notifier.watchdogInterval {
        add { await self.watch(store, scheduler, notifier, every: seconds) }
      }
      // The first part to end cancels the others: a stop signal or a failed scheduler. Wait for the scheduler,
      // because it still stores what has arrived.
      var first: Ending = .stopped
      for await ended in group {
        group.cancelAll()
        if case .failed = first { continue }
        if let ended { first = ended }
      }
      return first
    }
    await web?.stop()
    await context.services.shutdown()
    log.line(.info, "stop", [("pid", .number(Int(getpid())))])
    if case .failed(let error) = ending { throw error }
    return .done
  }

  /// Upgrades a store of an earlier layout, if the configuration lets the daemon do it.
  private func upgradeStore(_ notifier: ServiceNotifier) async throws {
    guard context.settings.storeUpgrade == .auto else { return }
    do {
      guard let lock = try await context.services.upgradeTurn().take() else { return }
      defer { withExtendedLifetime(lock) {} }
      try await DaemonUpgrade(context: context, log: log, notifier: notifier).run()
    } catch let error as InstanceLockError {
      throw refusal(error)
    }
  }

  /// Joins the processes on the store, ends the reduced polling of pushed feeds, and adapts the schedules and
  /// hooks in the store to this run's configuration.
  private func adapt(_ store: any StorePorts, _ report: @escaping Report) async throws {
    try await context.services.joinNodes(
      reportingClock: { [log] difference in
        log.line(.warning, "clock", [("server_ahead_by_seconds", .number(Int(difference)))])
      },
      reportingFailures: { error in
        report(error.map { .storeFailed($0) } ?? .storeRecovered, .lease)
      }
    )
    try await store.resumePolling()
    try await store.rescheduleAll(within: context.settings.poll.intervals)
    try await store.register(context.settings.hooks, isComplete: true)
  }

  /// Takes an event, and who noticed it.
  private typealias Report = @Sendable (RefreshEvent, StoreOutage.Witness) -> Void

  private func take(
    _ event: RefreshEvent,
    _ witness: StoreOutage.Witness,
    _ refreshes: RefreshLog,
    _ alarms: HookAlarms
  ) {
    guard outage.isNews(event, from: witness) else { return }
    refreshes.take(event)
    let now = context.services.clock.now()
    let over = alarms.take(event, at: now, outage: context.services.nextOutage)
    if let over { Task { await context.services.endOutage(over) } }
  }

  private func makeScheduler(_ webSub: (any WebSubSubscribing)?) throws -> PollScheduler {
    var refresher = try context.services.makeRefresher()
    if let webSub { refresher = refresher.listening(to: webSub) }
    return PollScheduler(refresher: refresher)
  }

  /// Opens the listener for hubs if a callback URL is configured.
  private func openWebSub() throws -> (any WebSubSubscribing)? {
    let report = { @Sendable [log] (news: String) in log.line(.warning, "websub", [("message", .text(news))])
    }
    guard let callback, let webSub = try context.services.makeWebSub(callback: callback, report: report)
    else {
      return nil
    }
    do {
      try webSub.open()
    } catch {
      throw UserMessage(code: .cannotCreate, text: "hubs cannot push feeds: \(error)")
    }
    log.line(.info, "websub", [("callback", .text(callback))])
    return webSub
  }

  /// Starts the web server if an address is configured.
  private func openWeb(
    _ store: any StorePorts,
    _ scheduler: Replaceable<PollScheduler>,
    _ refreshes: RefreshLog,
    every interval: Double?
  ) async throws -> WebService? {
    let parts = [
      Watchdog.Part("store") { _ = try await store.latestSequence() },
      Watchdog.Part("scheduler") { await scheduler.current.ping() },
    ]
    let web = WebService(parts, every: interval ?? Self.heartbeat)
    var hooks = WebHooks(metrics: metrics)
    hooks.droppedLines = { [writer] in writer.droppedLines }
    hooks.feedSettings = FeedSettingWords()
    hooks.refreshed = { refreshes.takeFromPage($0) }
    hooks.refused = { [log, metrics] refusal in
      metrics.countLoginFailure()
      let text = "log-in refused for \(refusal.user) from \(refusal.address)"
      log.line(.warning, "web", [("message", .text(text))])
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
    guard try await web.open(context.services, environment: context.environment, hooks) else { return nil }
    let port: [(String, DaemonLog.Value)] = web.port.map { [("port", .number(Int($0)))] } ?? []
    log.line(.info, "web", [("listen", .text(context.settings.web.listen ?? ""))] + port)
    return web
  }

  private func listen(_ webSub: any WebSubSubscribing, _ scheduler: Replaceable<PollScheduler>) async {
    do {
      try await webSub.run { scheduler.current.take($0) }
    } catch {
      // Without hubs, feeds are polled as usual.
      log.line(.error, "websub", [("error", .text("\(error)"))])
    }
    // The daemon continues without hubs, so this task must not end.
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
  }

  private func takeLock() throws -> any InstanceHolding {
    do {
      return try context.services.takeInstanceLock()
    } catch {
      throw refusal(error)
    }
  }

  private func refusal(_ error: InstanceLockError) -> UserMessage {
    switch error {
    case .held(let daemon):
      let other = daemon.pid.map { "process \($0)" } ?? "another process"
      let store = context.settings.storeName
      return UserMessage(
        code: .cannotCreate,
        text: daemon.isUpgrading
          ? "newsd (\(other)) is upgrading the store \(store); try again when the upgrade has ended"
          : "newsd run is already active on \(store) as \(other). Stop it, or name another store with --db"
      )
    case .file(let error): return UserMessage(code: .cannotCreate, text: error.message)
    }
  }
}

// MARK: - Polling

extension Daemon {
  /// Polls until the task is cancelled. Restarts with a new scheduler when the store's file was replaced.
  private func pollUntilStopped(
    _ store: any StorePorts,
    _ scheduler: Replaceable<PollScheduler>,
    _ webSub: (any WebSubSubscribing)?,
    _ report: @escaping Report
  ) async -> Ending {
    while true {
      let ending = await pollWatching(scheduler.current, store, report)
      guard case .storeReplaced = ending, !Task.isCancelled else { return ending }
      if let failure = await reopen(store, scheduler, webSub, report) { return failure }
      // The scheduler that reported a failure of the former file has ended.
      report(.storeRecovered, .polling)
    }
  }

  /// Opens the file that replaced the store's file, and schedules its feeds. Returns the failure; nil on success.
  private func reopen(
    _ store: any StorePorts,
    _ scheduler: Replaceable<PollScheduler>,
    _ webSub: (any WebSubSubscribing)?,
    _ report: @escaping Report
  ) async -> Ending? {
    do {
      try await store.reopen()
      try await adapt(store, report)
      scheduler.current = try makeScheduler(webSub)
    } catch {
      return .failed(error)
    }
    log.line(.warning, "store", [("reopened", .text(context.settings.storeName))])
    return nil
  }

  /// Polls until the task is cancelled, the scheduler fails, or the store's file is deleted or replaced.
  private func pollWatching(
    _ scheduler: PollScheduler,
    _ store: any ChangeReading,
    _ report: @escaping Report
  ) async -> Ending {
    await withTaskGroup(of: Ending?.self) { group in
      group.addTask {
        do {
          try await scheduler.run { report($0, .polling) }
          return .stopped
        } catch {
          return .failed(error)
        }
      }
      group.addTask { await self.storeFileEnding(store) }
      var result = Ending.stopped
      for await ending in group {
        group.cancelAll()
        guard let ending else { continue }
        switch (result, ending) {
        case (.stopped, _): result = ending
        default: break
        }
      }
      return result
    }
  }

  /// Makes the scheduler read the list of feeds again as soon as another process has changed it.
  private func watchFeedList(_ waiter: any ChangeAwaiting, _ scheduler: Replaceable<PollScheduler>) async {
    while (try? await waiter.wait()) != nil {
      scheduler.current.checkFeedList()
      // Pause: another process may edit many feeds one by one, and each reading takes the whole list.
      guard (try? await Task.sleep(for: .seconds(Self.feedListPause))) != nil else { return }
    }
  }

  /// Waits until the store's file is deleted or replaced; nil if the task is cancelled first.
  private func storeFileEnding(_ store: any ChangeReading) async -> Ending? {
    while (try? await Task.sleep(for: .seconds(Self.storeCheck))) != nil {
      switch await store.fileState() {
      case .intact: continue
      case .replaced: return .storeReplaced
      case .unusable(let error):
        log.line(.error, "store", [("error", .text(error.message))])
        return .failed(error)
      case .deleted:
        // Check again after a second: a restore removes the old file shortly before it renames the new one.
        guard (try? await Task.sleep(for: .seconds(1))) != nil else { return nil }
        guard await store.fileState() == .deleted else { continue }
        let message =
          "the store \(context.settings.storeName) was deleted while newsd was running; newsd stops"
        log.line(.error, "store", [("error", .text(message))])
        return .failed(UserMessage(code: .io, text: message))
      }
    }
    return nil
  }
}

// MARK: - Signals

extension Daemon {
  /// Handles signals until a signal stops the daemon. Fails if signals cannot be received.
  private func handleSignals(
    _ signals: SignalStream,
    _ scheduler: Replaceable<PollScheduler>,
    _ notifier: ServiceNotifier,
    _ store: any StorePorts,
    _ active: Replaceable<Settings>,
    _ services: Replaceable<ServiceContainer>,
    _ web: WebService?
  ) async -> Ending {
    for await signal in signals.signals {
      switch signal {
      case SIGHUP:
        notifier.reloading()
        await reloadConfiguration(scheduler.current, store, active, services)
        notifier.ready()
      case SIGUSR1:
        log.line(.info, "poll-now")
        scheduler.current.pollNow()
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
  private func reloadConfiguration(
    _ scheduler: PollScheduler,
    _ store: any StorePorts,
    _ active: Replaceable<Settings>,
    _ replaced: Replaceable<ServiceContainer>
  ) async {
    do {
      let loaded = try reload()
      var settings = loaded
      settings.store = context.settings.store
      var overrides = ServiceContainer.Overrides()
      overrides.former = context.services
      let services = ServiceContainer(
        settings: settings,
        environment: context.environment,
        program: Version.program,
        overrides: overrides
      )
      let refresher = try services.makeRefresher()
      try await store.rescheduleAll(within: settings.poll.intervals)
      try await store.register(settings.hooks, isComplete: true)
      scheduler.reload(refresher)
      replaced.current = services
      active.current = settings
      if !context.isQuiet, !context.isVerbose { log.level = settings.log.level }
      let waiting = loaded.keysThatNeedRestart(since: context.settings)
      let fields: [(String, DaemonLog.Value)] =
        waiting.isEmpty ? [] : [("needs_restart", .text(waiting.joined(separator: ",")))]
      log.line(waiting.isEmpty ? .info : .warning, "reload", fields)
    } catch {
      log.line(.error, "reload", [("error", .text(ErrorReport.describe(error).1))])
    }
  }
}

// MARK: - Maintenance

extension Daemon {
  /// Removes, once an hour, the items beyond the limits of the configuration and the feeds.
  ///
  /// Items removed because of a wrong date are lost. So the first removal waits ten minutes for machines without a
  /// real-time clock to set theirs, and a removal is skipped if the clock was set since the last one.
  private func prune(_ store: any StorePorts, _ active: Replaceable<Settings>) async {
    let clock = context.services.clock
    var watch = ClockWatch(wall: clock.now())
    try? await Task.sleep(for: .seconds(600))
    while !Task.isCancelled {
      let now = clock.now()
      if let jump = watch.jump(wall: now) {
        log.line(.warning, "clock", [("set_by_seconds", .number(Int(jump)))])
      } else {
        do {
          let rules = active.current.retention.rules.completed(by: try await store.pageChoices())
          let report = try await store.prune(rules, at: now, dryRun: false)
          if report.total > 0 { log.line(.info, "prune", [("items", .number(report.total))]) }
        } catch {
          log.line(.error, "prune", [("error", .text(error.message))])
        }
      }
      try? await Task.sleep(for: .seconds(3600))
    }
  }

  /// The key of the fetching of pages in a `FailureCounter`.
  private static let articles = Feed.ID(rawValue: NodeDuty.articles.rawValue)

  /// Fetches the queued pages of items, some seconds after their feeds are stored.
  private func fetchArticles(_ services: Replaceable<ServiceContainer>) async {
    var failures = FailureCounter()
    while (try? await Task.sleep(for: .seconds(Self.articleCheck))) != nil {
      guard await services.current.holds(.articles), let queue = try? services.current.makeArticleQueue()
      else { continue }
      do {
        let summary = try await queue.drain { event in
          if case .refused(let reason) = event.outcome {
            log.line(
              .debug,
              "article",
              [("item", .number(Int(event.job.itemID.rawValue))), ("refused", .text(reason))]
            )
          }
        }
        _ = failures.succeeded(Self.articles)
        let total = summary.fetched + summary.refused
        if total > 0 {
          log.line(
            .info,
            "articles",
            [("fetched", .number(summary.fetched)), ("refused", .number(summary.refused))]
          )
        }
      } catch {
        guard let times = failures.failed(Self.articles, error.message) else { continue }
        let count: [(String, DaemonLog.Value)] = times > 1 ? [("times", .number(times))] : []
        log.line(.error, "articles", [("error", .text(error.message))] + count)
      }
    }
  }

  /// Keeps the pictures of starred and labelled items, within a minute after a change of the store. Pictures that cannot
  /// be fetched are tried again after a day.
  private func keepPictures(_ store: any StorePorts, _ services: Replaceable<ServiceContainer>) async {
    var last: Int64?
    var failed: (addresses: Set<String>, since: ContinuousClock.Instant) = ([], .now)
    var failure: String?
    while (try? await Task.sleep(for: .seconds(Self.pictureCheck))) != nil {
      do throws(StoreError) {
        guard await services.current.holds(.icons), let cache = try services.current.makePictureCache() else {
          continue
        }
        let place = try await store.latestSequence()
        if ContinuousClock.now - failed.since > .seconds(86_400) {
          failed = ([], .now)
          last = nil
        }
        guard place != last else { continue }
        let summary = try await cache.run(skipping: &failed.addresses)
        last = place
        failure = nil
        guard summary != PictureCache.Summary() else { continue }
        log.line(
          .info,
          "pictures",
          [
            ("kept", .number(summary.kept)), ("removed", .number(summary.removed)),
            ("failed", .number(summary.failed)),
          ]
        )
      } catch {
        if failure != error.message { log.line(.error, "pictures", [("error", .text(error.message))]) }
        failure = error.message
      }
    }
  }

  /// Looks up the icons of feeds: all that are due once an hour, those of new feeds within a minute.
  private func lookUpIcons(_ store: any StorePorts, _ services: Replaceable<ServiceContainer>) async {
    var last: (version: Int64?, time: ContinuousClock.Instant)?
    var failure: String?
    while (try? await Task.sleep(for: .seconds(Self.articleCheck))) != nil {
      do throws(StoreError) {
        let version = try await store.feedListVersion()
        let now = ContinuousClock.now
        if let last {
          let pause = last.version == version ? Self.iconCheck.unchanged : Self.iconCheck.changed
          guard now - last.time >= .seconds(pause) else { continue }
        }
        guard await services.current.holds(.icons), let lookup = try services.current.makeIconLookup() else {
          continue
        }
        last = (version, now)
        let summary = try await lookup.run()
        failure = nil
        guard summary != IconLookup.Summary() else { continue }
        log.line(
          .info,
          "icons",
          [
            ("found", .number(summary.found)), ("unchanged", .number(summary.unchanged)),
            ("missing", .number(summary.missing)),
          ]
        )
      } catch {
        // The same failure is logged once.
        if failure != error.message { log.line(.error, "icons", [("error", .text(error.message))]) }
        failure = error.message
      }
    }
  }

  /// Delivers the outboxes of hooks.
  private func deliverHooks(
    _ active: Replaceable<Settings>,
    _ alarms: HookAlarms,
    _ services: Replaceable<ServiceContainer>
  ) async {
    let service = HookService(log: log, clock: context.services.clock, alarms: alarms)
    await service.run(
      active,
      { try? services.current.makeHookRunner() },
      mayDeliver: { await services.current.holds(.hooks) }
    )
  }

  /// Logs a summary of all polls each minute, and shows it in `systemctl status`.
  private func summarize(_ refreshes: RefreshLog, _ notifier: ServiceNotifier) async {
    notifier.status("Polling has begun")
    while (try? await Task.sleep(for: .seconds(Self.summaryInterval))) != nil {
      var status = refreshes.summarize(seconds: Self.summaryInterval)
      if !writer.isIdle { status += "; the log is not being read" }
      notifier.status(status)
    }
  }

  /// Pings the service manager's watchdog as long as the store, the scheduler and the network loop respond. A
  /// stalled reader of the log does not count: polling continues without it, and a restart would not help.
  /// `seconds` is half of the service manager's timeout.
  private func watch(
    _ store: any StorePorts,
    _ scheduler: Replaceable<PollScheduler>,
    _ notifier: ServiceNotifier,
    every seconds: Double
  ) async {
    let watchdog = Watchdog([
      .init("store") { _ = try await store.latestSequence() },
      .init("scheduler") { await scheduler.current.ping() },
      .init("network") { [services = context.services] in await services.awaitNetwork() },
    ])
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
