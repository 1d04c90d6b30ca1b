import DIContainer
import Glibc
import Modules
import NewsCore
import NewsHTTP
import Synchronization

/// The daemon's work on one store: polling, pruning, pages, icons and hooks.
final class StoreService: Sendable {
  /// The reason why the work ended.
  enum Ending: Sendable {
    case stopped
    case failed(any Error)
    /// The store's file was replaced: polling restarts with the new one.
    case storeReplaced
  }

  let store: any StorePorts
  /// The container at the start, whose store and clock stay.
  let first: ServiceContainer
  /// The container of the configuration that was loaded last.
  let services: Replaceable<ServiceContainer>
  let scheduler: Replaceable<PollScheduler>
  let log: DaemonLog
  private let upgrade: DaemonUpgrade
  private let reports: Reports
  private let webSub: (any WebSubSubscribing)?
  /// Held until the work ends, so that no second daemon uses the store. Requests in flight may keep the service longer.
  private let lock: Mutex<(any InstanceHolding)?>
  /// Tells the parts when to look at the store again.
  let pulse: StorePulse

  /// Seconds between two checks of the store's file.
  private static let storeCheck = 5
  /// Shortest time between two readings of the list of feeds, in seconds.
  private static let feedListPause = 1

  /// Opens the store: upgrades it, locks it, and adapts it to the configuration. `callback` is the URL at which hubs reach
  /// this machine; nil: newsd subscribes at no hub.
  init(
    _ services: ServiceContainer,
    _ log: DaemonLog,
    _ metrics: ServiceMetrics,
    _ upgrade: DaemonUpgrade,
    callback: String?
  ) async throws {
    try await upgrade.runIfNeeded()
    store = try services.store()
    // This first read opens the store, creating it if it is missing, and throws if the store is unusable. It does
    // not read the feeds: a hundred thousand of them would stay in the heap for months.
    _ = try await store.feedListVersion()
    // Record which file this is before the feeds are read, so that a restore during the first seconds is noticed.
    let state = await store.fileState()
    if case .damaged(let error) = state, services.settings.account != nil { throw error }
    lock = Mutex(try upgrade.takeLock())
    pulse = StorePulse(hasBeats: services.settings.account != nil) { services.storeStamp }
    reports = Reports(services, log, metrics)
    first = services
    self.services = Replaceable(services)
    self.log = log
    self.upgrade = upgrade
    try await Self.adapt(store, services, log, reports)
    webSub = try callback.flatMap { try Self.openWebSub(services, log, callback: $0) }
    scheduler = Replaceable(try Self.makeScheduler(services, webSub))
  }

  /// Lets another service use the store. Called when the work has ended or cannot begin.
  func unlock() { lock.withLock { $0 = nil } }

  /// Works until the task is cancelled, the scheduler fails, or the store is lost.
  func run() async -> Ending {
    defer { unlock() }
    return await withTaskGroup(of: Ending?.self) { group in
      func add(_ work: @escaping @Sendable () async -> Void) {
        group.addTask {
          await work()
          return nil
        }
      }
      group.addTask { await self.pollUntilStopped() }
      if let webSub { add { await self.listen(webSub) } }
      if first.settings.account == nil, let waiter = first.feedListWaiter() {
        add { await self.watchFeedList(waiter) }
      }
      add { await self.upgrade.finish() }
      add { await self.prune() }
      if self.first.settings.account != nil {
        add { await self.keepQuota() }
        add { await self.followFeedList() }
      }
      add { await self.fetchArticles() }
      add { await self.lookUpIcons() }
      add { await self.keepPictures() }
      add { await self.deliverHooks() }
      add { await self.followHooks() }
      // The first part to end cancels the others: a cancelled or failed scheduler. Wait for the scheduler, because it
      // still stores what has arrived.
      var first: Ending = .stopped
      for await ended in group {
        group.cancelAll()
        if case .failed = first { continue }
        if let ended { first = ended }
      }
      return first
    }
  }

  /// Continues with the settings of another container on the same store.
  func reload(_ new: ServiceContainer) async throws {
    let refresher = try new.makeRefresher()
    try await store.rescheduleAll(within: new.settings.poll.intervals)
    try await new.replaceHooks()
    scheduler.current.reload(refresher)
    services.current = new
    // There may be hooks now.
    pulse.beat(isChanged: true)
  }

  /// Joins the processes on the store, ends the reduced polling of pushed feeds, and adapts the schedules and
  /// hooks in the store to the settings.
  private static func adapt(
    _ store: any StorePorts,
    _ services: ServiceContainer,
    _ log: DaemonLog,
    _ reports: Reports
  ) async throws {
    try await services.joinNodes(
      reportingClock: { difference in
        log.line(.warning, "clock", [("server_ahead_by_seconds", .number(Int(difference)))])
      },
      reportingFailures: { error in
        reports.take(error.map { .storeFailed($0) } ?? .storeRecovered, .lease)
      },
      ofStore: { error in
        reports.take(error.map { .storeFailed($0) } ?? .storeRecovered, .claims)
      }
    )
    try await store.resumePolling(after: services.settings.poll.intervals.lowerBound)
    try await store.rescheduleAll(within: services.settings.poll.intervals)
    try await services.replaceHooks()
  }

  private static func makeScheduler(
    _ services: ServiceContainer,
    _ webSub: (any WebSubSubscribing)?
  ) throws -> PollScheduler {
    var refresher = try services.makeRefresher()
    if let webSub { refresher = refresher.listening(to: webSub) }
    var configuration = PollScheduler.Configuration()
    // The schedulers of many accounts wake up less often. `followFeedList` tells them about changes.
    if services.settings.account != nil {
      configuration.longestSleep = 60_000
      configuration.feedListCheck = 600
    }
    return PollScheduler(refresher: refresher, configuration: configuration)
  }

  /// Opens the listener for hubs.
  private static func openWebSub(
    _ services: ServiceContainer,
    _ log: DaemonLog,
    callback: String
  ) throws -> (any WebSubSubscribing)? {
    let report = { @Sendable (news: String) in log.line(.warning, "websub", [("message", .text(news))]) }
    guard let webSub = try services.makeWebSub(callback: callback, report: report) else { return nil }
    do {
      try webSub.open()
    } catch {
      throw UserMessage(code: .cannotCreate, text: "hubs cannot push feeds: \(error)")
    }
    log.line(.info, "websub", [("callback", .text(callback))])
    return webSub
  }

  private func listen(_ webSub: any WebSubSubscribing) async {
    do {
      try await webSub.run { self.scheduler.current.take($0) }
    } catch {
      // Without hubs, feeds are polled as usual.
      log.line(.error, "websub", [("error", .text("\(error)"))])
    }
    // The daemon continues without hubs, so this task must not end.
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
  }
}

// MARK: - Events

extension StoreService {
  var refreshes: RefreshLog { reports.refreshes }
  var alarms: HookAlarms { reports.alarms }

  /// Takes the events of the work on one store: logs and counts them, and sends alarms.
  private struct Reports: Sendable {
    let refreshes: RefreshLog
    let alarms: HookAlarms
    private let outage = StoreOutage()
    private let services: ServiceContainer

    init(_ services: ServiceContainer, _ log: DaemonLog, _ metrics: ServiceMetrics) {
      self.services = services
      refreshes = RefreshLog(log) { [clock = services.clock] event in metrics.count(event, at: clock.now()) }
      alarms = HookAlarms(node: services.sharedNodeName)
    }

    /// Takes an event, and who noticed it.
    func take(_ event: RefreshEvent, _ witness: StoreOutage.Witness) {
      guard outage.isNews(event, from: witness) else { return }
      refreshes.take(event)
      let over = alarms.take(event, at: services.clock.now(), outage: services.nextOutage)
      if let over { Task { [services] in await services.endOutage(over) } }
    }
  }
}

// MARK: - Polling

extension StoreService {
  /// Polls until the task is cancelled. Restarts with a new scheduler when the store's file was replaced.
  private func pollUntilStopped() async -> Ending {
    while true {
      let ending = await pollWatching(scheduler.current)
      guard case .storeReplaced = ending, !Task.isCancelled else { return ending }
      if let failure = await reopen() { return failure }
      // The scheduler that reported a failure of the former file has ended.
      reports.take(.storeRecovered, .polling)
    }
  }

  /// Opens the file that replaced the store's file, and schedules its feeds. Returns the failure; nil on success.
  private func reopen() async -> Ending? {
    do {
      try await store.reopen()
      try await Self.adapt(store, services.current, log, reports)
      scheduler.current = try Self.makeScheduler(services.current, webSub)
    } catch {
      return .failed(error)
    }
    log.line(.warning, "store", [("reopened", .text(first.settings.storeName))])
    return nil
  }

  /// Polls until the task is cancelled, the scheduler fails, or the store's file is deleted or replaced.
  private func pollWatching(_ scheduler: PollScheduler) async -> Ending {
    await withTaskGroup(of: Ending?.self) { group in
      group.addTask {
        do {
          try await scheduler.run { self.reports.take($0, .polling) }
          return .stopped
        } catch {
          return .failed(error)
        }
      }
      group.addTask { await self.storeFileEnding() }
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
  private func watchFeedList(_ waiter: any ChangeAwaiting) async {
    while (try? await waiter.wait()) != nil {
      scheduler.current.checkFeedList()
      // Pause: another process may edit many feeds one by one, and each reading takes the whole list.
      guard (try? await Task.sleep(for: .seconds(Self.feedListPause))) != nil else { return }
    }
  }

  /// Makes the scheduler of an account read the list of feeds again after the store was written.
  private func followFeedList() async {
    var seen = -1
    while await pulse.wait(.seconds(Self.storeCheck), atMost: .seconds(600), &seen) {
      scheduler.current.checkFeedList()
    }
  }

  /// Waits until the store's file is deleted or replaced; nil if the task is cancelled first.
  private func storeFileEnding() async -> Ending? {
    var seen = -1
    while await pulse.wait(.seconds(Self.storeCheck), atMost: .seconds(60), &seen) {
      switch await store.fileState() {
      case .intact: continue
      case .replaced: return .storeReplaced
      case .unusable(let error):
        log.line(.error, "store", [("error", .text(error.message))])
        return .failed(error)
      case .damaged:
        // A single store stays open: its reads and writes report the damage, and 'newsd restore' mends it meanwhile.
        guard first.settings.account != nil else { continue }
        guard (try? await Task.sleep(for: .seconds(1))) != nil else { return nil }
        guard case .damaged(let error) = await store.fileState() else { continue }
        return .failed(error)
      case .deleted:
        // Check again after a second: a restore removes the old file shortly before it renames the new one.
        guard (try? await Task.sleep(for: .seconds(1))) != nil else { return nil }
        guard await store.fileState() == .deleted else { continue }
        // Without the store of one account, newsd serves the others.
        let end = first.settings.account == nil ? "; newsd stops" : ""
        let message = "the store \(first.settings.storeName) was deleted while newsd was running\(end)"
        log.line(.error, "store", [("error", .text(message))])
        return .failed(UserMessage(code: .io, text: message))
      }
    }
    return nil
  }
}
