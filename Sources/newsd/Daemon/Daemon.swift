import DIContainer
import Glibc
import NewsCore
import Synchronization

/// The configuration that a daemon goes by: the last one that could be read and was meant to be.
private final class SettingsInForce: Sendable {
  private let settings: Mutex<Settings>

  init(_ settings: Settings) { self.settings = Mutex(settings) }

  var value: Settings {
    get { settings.withLock { $0 } }
    set { settings.withLock { $0 = newValue } }
  }
}

/// `newsd run`: polls every feed when it is due, until it is told to stop.
struct Daemon: Sendable {
  let context: CommandContext
  let log: DaemonLog
  /// Where hubs reach this machine; nil: no hub is asked to push.
  let callback: String?
  /// Reads the configuration again, for SIGHUP.
  let reload: @Sendable () throws -> Settings

  /// Runs until SIGTERM or SIGINT; then transfers end, what has arrived is stored, and it returns.
  func run(_ signals: SignalStream) async throws -> ExitStatus {
    let store = try context.services.store()
    // The first look opens the store, creates or migrates it, and fails now if it cannot be used.
    // (Not the feeds themselves: a hundred thousand of them would stay in the heap for months.)
    _ = try await store.feedListVersion()
    let lock = try takeLock()
    defer { withExtendedLifetime(lock) {} }
    let notifier = ServiceNotifier(environment: context.environment)
    try await store.endWaitingForHubs()
    try await store.holdPlans(to: context.settings.poll.intervals)
    let webSub = try openWebSub()
    var refresher = try context.services.makeRefresher()
    if let webSub { refresher = refresher.listening(to: webSub) }
    let scheduler = PollScheduler(refresher: refresher)
    log.line(
      .info,
      "start",
      [
        ("version", .text(Version.number)), ("pid", .number(Int(getpid()))),
        ("store", .text(context.settings.store)),
      ]
    )
    notifier.ready()
    let inForce = SettingsInForce(context.settings)
    let result = await withTaskGroup(of: Result<Void, any Error>?.self) { group in
      group.addTask {
        await self.poll(scheduler)
      }
      group.addTask {
        await self.obey(signals, scheduler, notifier, store, inForce)
      }
      if let webSub {
        group.addTask {
          await self.listen(webSub, scheduler)
          return nil
        }
      }
      group.addTask {
        await self.keepBounds(store, inForce)
        return nil
      }
      if let seconds = notifier.watchdogInterval {
        group.addTask {
          await self.watch(store, notifier, every: seconds)
          return nil
        }
      }
      // Whichever ends first, a stop signal or a scheduler that cannot go on, ends the others; the scheduler is waited
      // for, because it still stores what has arrived.
      var outcome: Result<Void, any Error> = .success(())
      for await ended in group {
        group.cancelAll()
        if case .failure = outcome { continue }
        if let ended { outcome = ended }
      }
      return outcome
    }
    await context.services.shutdown()
    log.line(.info, "stop", [("pid", .number(Int(getpid())))])
    try result.get()
    return .done
  }

  /// The listener for hubs, where one is wanted.
  private func openWebSub() throws -> (any WebSubRunning)? {
    guard let callback, let webSub = try context.services.makeWebSub(callback: callback) else { return nil }
    do {
      try webSub.open()
    } catch {
      throw CommandFailure(.cannotCreate, "--websub: \(error)")
    }
    log.line(.info, "websub", [("callback", .text(callback))])
    return webSub
  }

  private func listen(_ webSub: any WebSubRunning, _ scheduler: PollScheduler) async {
    do {
      try await webSub.run { scheduler.take($0) }
    } catch {
      // Without it feeds are polled as ever.
      log.line(.error, "websub", [("error", .text("\(error)"))])
    }
    // Its end alone is no reason to stop.
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
  }

  private func poll(_ scheduler: PollScheduler) async -> Result<Void, any Error> {
    do {
      try await scheduler.run { log.line(for: $0) }
      return .success(())
    } catch {
      return .failure(error)
    }
  }

  private func takeLock() throws -> InstanceLock {
    do {
      return try InstanceLock(store: context.settings.store)
    } catch {
      switch error {
      case .held(let pid):
        let other = pid.map { "process \($0)" } ?? "another process"
        throw CommandFailure(
          .cannotCreate,
          "newsd runs on \(context.settings.store) already, as \(other). Stop that one, or name another store with --db"
        )
      case .file(let path, let reason):
        throw CommandFailure(.cannotCreate, "cannot lock \(path): \(reason)")
      }
    }
  }

  /// Returns at the first signal to stop; a failure when signals cannot be heard.
  private func obey(
    _ signals: SignalStream,
    _ scheduler: PollScheduler,
    _ notifier: ServiceNotifier,
    _ store: any ServiceContainer.Store,
    _ inForce: SettingsInForce
  ) async -> Result<Void, any Error> {
    for await signal in signals.signals {
      switch signal {
      case SIGHUP:
        notifier.reloading()
        await reloadConfiguration(scheduler, store, inForce)
        notifier.ready()
      case SIGUSR1:
        log.line(.info, "poll-now")
        scheduler.pollNow()
      default:
        notifier.stopping()
        log.line(.info, "stopping", [("signal", .number(Int(signal)))])
        return .success(())
      }
    }
    guard !Task.isCancelled else { return .success(()) }
    return .failure(
      CommandFailure(.internalError, "signals cannot be heard, so that nothing could stop newsd run")
    )
  }

  /// A configuration that cannot be read is reported, and the old one stays.
  private func reloadConfiguration(
    _ scheduler: PollScheduler,
    _ store: any ServiceContainer.Store,
    _ inForce: SettingsInForce
  ) async {
    do {
      var settings = try reload()
      settings.store = context.settings.store
      var overrides = ServiceContainer.Overrides()
      overrides.store = store
      let services = ServiceContainer(
        settings: settings,
        environment: context.environment,
        program: Version.program,
        overrides: overrides
      )
      let refresher = try services.makeRefresher()
      try await store.holdPlans(to: settings.poll.intervals)
      scheduler.reload(refresher)
      inForce.value = settings
      log.line(.info, "reload")
    } catch {
      log.line(.error, "reload", [("error", .text(ErrorReport.describe(error).1))])
    }
  }

  /// Removes once an hour what the configuration and the feeds' own bounds let go.
  ///
  /// What is removed by a wrong date is gone. So the clock has ten minutes after the start to be set right, as machines
  /// without one of their own do, and nothing is removed in the hour after it was set.
  private func keepBounds(_ store: any ServiceContainer.Store, _ inForce: SettingsInForce) async {
    let clock = context.services.clock
    var watch = ClockWatch(wall: clock.now())
    try? await Task.sleep(for: .seconds(600))
    while !Task.isCancelled {
      let now = clock.now()
      if let jump = watch.jump(wall: now) {
        log.line(.warning, "clock", [("set_by_seconds", .number(Int(jump)))])
      } else {
        do {
          let report = try await store.prune(inForce.value.retention.rules, at: now, dryRun: false)
          if report.total > 0 { log.line(.info, "prune", [("items", .number(report.total))]) }
        } catch {
          log.line(.error, "prune", [("error", .text(error.message))])
        }
      }
      try? await Task.sleep(for: .seconds(3600))
    }
  }

  /// Tells the service manager that all is well as long as the store answers.
  private func watch(_ store: any ServiceContainer.Store, _ notifier: ServiceNotifier, every seconds: Double)
    async
  {
    while !Task.isCancelled {
      do {
        _ = try await store.latestSequence()
        notifier.watchdog()
      } catch {
        log.line(.error, "watchdog", [("error", .text("\(error)"))])
      }
      try? await Task.sleep(for: .seconds(seconds))
    }
  }
}

extension DaemonLog {
  /// One line for each refresh, and for what concerns all of them.
  func line(for event: RefreshEvent) {
    switch event {
    case .began(let total): line(.info, "schedule", [("feeds", .number(total))])
    case .started(let id): line(.debug, "fetch", [("feed_id", .number(Int(id.rawValue)))])
    case .networkDown(let isDown): line(.warning, isDown ? "network-down" : "network-up")
    case .storeFailed(let error): line(.error, "store", [("error", .text(error.message))])
    case .finished(let outcome): line(for: outcome)
    }
  }

  private func line(for outcome: RefreshOutcome) {
    var fields: [(String, Value)] = [("feed_id", .number(Int(outcome.feedID.rawValue)))]
    if let feed = outcome.feed { fields.append(("url", .text(WebAddress.redacted(feed.url)))) }
    if let status = outcome.status { fields.append(("status", .number(status))) }
    var level = Level.info
    switch outcome.result {
    case .unchanged:
      fields.append(("result", .text("unchanged")))
    case .updated(let new, let changed):
      fields.append(("result", .text("updated")))
      fields.append(("new", .number(new.count)))
      fields.append(("changed", .number(changed.count)))
    case .failed(let failure):
      level = .warning
      fields.append(("result", .text("failed")))
      fields.append(("error", .text(failure.message)))
    case .skipped(let reason):
      fields.append(("result", .text("skipped")))
      fields.append(("reason", .text(reason.description)))
    }
    fields.append(("bytes", .number(outcome.bytes)))
    fields.append(("ms", .number(Int(outcome.duration))))
    if let due = outcome.state?.nextDue { fields.append(("next_due", .text(due.rfc3339))) }
    if let reason = outcome.state?.nextDueReason { fields.append(("why", .text(reason.description))) }
    line(level, "refresh", fields)
    for notice in outcome.notices {
      line(
        .warning,
        "notice",
        [("feed_id", .number(Int(outcome.feedID.rawValue))), ("text", .text(notice))]
      )
    }
    for note in outcome.notes {
      line(.info, "note", [("feed_id", .number(Int(outcome.feedID.rawValue))), ("text", .text(note))])
    }
  }
}
