import DIContainer
import Modules
import NewsCore
import NewsHTTP
import NewsToolbox
import Synchronization

/// The work of a daemon on the stores of several accounts. Each account is opened, served and closed on its own: the
/// failure of one does not concern the others.
final class AccountStores: DaemonWork {
  private struct State {
    var set: AccountSet
    var network: SharedNetwork
    /// Number of reloads of the configuration.
    var reloads = 0
    /// The accounts whose stores are open, by name.
    var open: [String: StoreService] = [:]
    /// The failure of each account that was logged last.
    var failures: [String: String] = [:]
    /// The accounts that were read last; nil: they have not been read yet.
    var present: [Account]?
    /// The warnings about hooks that were logged last.
    var warnings: Set<String> = []
    /// Number of accounts that shall be open; nil: it is not known yet.
    var expected: Int?
  }

  private let context: CommandContext
  private let log: DaemonLog
  private let metrics: ServiceMetrics
  private let notifier: ServiceNotifier
  private let feedSettings: any FeedSettingWording
  private let web: AccountWeb
  /// Keeps a second daemon from the folder; nil for accounts on a server, and while the folder is missing.
  private let lock: Mutex<(any InstanceHolding)?>
  private let state: Mutex<State>
  /// The hooks of the web server that concern the process.
  private let hooks = Mutex<WebHooks?>(nil)

  /// Number of accounts whose stores may be open at a time.
  private let mostOpen: Int

  /// Seconds between two looks at the accounts. A folder is read if a file was made, removed or renamed there, or after a
  /// minute; a server is asked each time.
  private static let scan = (changed: 5, unchanged: 60)
  /// Seconds between two looks at the files of each store.
  private static let beat = 2
  /// Seconds between two times at which all stores free their caches. Of hundreds of accounts, most are idle.
  private static let memoryPause = 60
  /// Seconds until a store that has failed is opened again.
  private static let retry = 10
  /// Seconds after the start until accounts poll, even if the stores of others are not open.
  private static let patience = 10

  init(
    _ set: AccountSet,
    _ context: CommandContext,
    _ log: DaemonLog,
    _ metrics: ServiceMetrics,
    _ notifier: ServiceNotifier,
    feedSettings: any FeedSettingWording
  ) throws {
    self.context = context
    self.log = log
    self.metrics = metrics
    self.notifier = notifier
    self.feedSettings = feedSettings
    if context.settings.accounts.server != nil {
      try StartLimits.check(StartLimits.sharing, for: "newsd run", reason: " for accounts on a server")
    }
    web = AccountWeb(process: context.services, accounts: set)
    lock = Mutex(try Self.takeLock(of: set))
    mostOpen = set.raiseLimit()
    set.reportClock { difference in
      log.line(.warning, "clock", [("server_ahead_by_seconds", .number(Int(difference)))])
    }
    state = Mutex(State(set: set, network: set.makeNetwork(context.services.clock)))
  }

  var services: [StoreService] {
    state.withLock { $0.open.sorted { $0.key < $1.key }.map(\.value) }
  }

  var parts: [Watchdog.Part] {
    [
      Watchdog.Part("accounts") { [self] in
        if let failure = state.withLock({ $0.failures[""] }) { throw UserMessage(code: .io, text: failure) }
        // Not the server itself: the watchdog must not end newsd because the server does not answer.
        try state.withLock { $0.set }.checkServer()
        let (expected, open) = state.withLock { ($0.expected, $0.open.count) }
        // One account more or less does not matter; without any, all clients get 503.
        guard open > 0 || expected == 0 else {
          let text = expected == nil ? "the accounts have not been read yet" : "no account is open"
          throw UserMessage(code: .io, text: text)
        }
        for service in services { await service.scheduler.current.ping() }
      }
    ]
  }

  func openServer(_ hooks: WebHooks) async throws -> (any WebServing)? {
    self.hooks.withLock { $0 = hooks }
    return try await web.open(environment: context.environment, hooks: hooks)
  }

  func shutdown() async {
    await state.withLock { $0.network }.shutdown()
    await state.withLock { $0.set }.close()
  }

  // MARK: - Accounts

  private static func takeLock(of set: AccountSet) throws -> (any InstanceHolding)? {
    try DaemonLock.take(of: set.place, offersOther: false) { () throws(InstanceLockError) in
      try set.takeLock()
    }
  }

  /// Takes the lock of a folder that was missing when newsd began.
  private func takeMissingLock(of set: AccountSet) throws {
    guard lock.withLock({ $0 == nil }) else { return }
    let taken = try Self.takeLock(of: set)
    lock.withLock { $0 = taken }
  }

  func run() async -> StoreService.Ending {
    await withDiscardingTaskGroup { group in
      group.addTask {
        while (try? await Task.sleep(for: .seconds(Self.beat))) != nil {
          let now = self.context.services.clock.now()
          for service in self.services { service.pulse.beat(wall: now) }
        }
      }
      group.addTask {
        while (try? await Task.sleep(for: .seconds(Self.memoryPause))) != nil {
          for service in self.services where !Task.isCancelled { await service.first.freeStoreMemory() }
          Allocator.returnUnusedPages()
        }
      }
      var running: [String: Task<Void, Never>] = [:]
      // Accounts that end: others do not wait for them, only one of the same name does.
      var ending: [String: Task<Void, Never>] = [:]
      var folder = FolderWatch(settled: Self.scan.unchanged)
      var isFirst = true
      while !Task.isCancelled {
        if folder.mustRead(state.withLock { $0.set }.folderStamp), let accounts = await read(&folder) {
          expect(accounts)
          for (name, task) in running where accounts[name]?.state != .active {
            running[name] = nil
            log.with(name).line(.warning, "account", [("message", .text("removed, disabled or unusable"))])
            task.cancel()
            ending[name] = Task { [web, isGone = accounts[name] == nil] in
              // Twice, because the account may just be opening. Each takes as long as the requests in flight.
              await web.end(name, forGood: isGone)
              await task.value
              await web.end(name, forGood: isGone)
            }
          }
          let active = accounts.values.filter { $0.state == .active }.sorted { $0.name < $1.name }
          if isFirst {
            isFirst = false
            let start = state.withLock { $0.network }.pollStart
            start?.hold(for: active.prefix(mostOpen).map(\.name))
            group.addTask {
              try? await Task.sleep(for: .seconds(Self.patience))
              start?.begin()
            }
          }
          for account in active where running[account.name] == nil {
            guard running.count < mostOpen else {
              note(state.withLock { $0.set }.limitNotice(active.count), of: account.name)
              continue
            }
            let task = Task { [former = ending.removeValue(forKey: account.name)] in
              await former?.value
              await self.serve(account)
            }
            running[account.name] = task
            group.addTask {
              await withTaskCancellationHandler {
                await task.value
              } onCancel: {
                task.cancel()
              }
            }
          }
        }
        try? await Task.sleep(for: .seconds(Self.scan.changed))
      }
    }
    return .stopped
  }

  /// Reads the accounts that are not disabled, by name. Logs each failure once. Nil: they cannot be read, so all stay
  /// as they are.
  private func read(_ folder: inout FolderWatch) async -> [String: Account]? {
    do {
      let set = state.withLock { $0.set }
      try await set.join()
      try takeMissingLock(of: set)
      let accounts = try await set.presentAccounts()
      folder.isCertain = accounts.allSatisfy { if case .unusable = $0.state { false } else { true } }
      note(accounts.isEmpty ? set.emptyNotice : nil, of: "")
      state.withLock { $0.present = accounts }
      warnOfHooks()
      for account in accounts {
        if case .unusable(let reason) = account.state { note(reason, of: account.name) }
      }
      let wanted = accounts.filter { $0.state != .disabled }
      return Dictionary(wanted.map { ($0.name, $0) }) { first, _ in first }
    } catch {
      folder.isCertain = false
      web.expect(nil)
      note(ErrorReport.describe(error).1, of: "")
      return nil
    }
  }

  /// Tells the web server which accounts shall be served.
  private func expect(_ accounts: [String: Account]) {
    let unusable = accounts.values.filter { if case .unusable = $0.state { true } else { false } }.map(\.name)
    state.withLock { $0.expected = accounts.count }
    web.expect(Set(accounts.keys), foreign: Set(accounts.values.filter(\.isForeign).map(\.name)))
    for name in unusable { web.fail(name) }
  }

  /// Logs the failure of an account, or of all accounts if the name is empty, unless it was logged last.
  private func note(_ failure: String?, of name: String) {
    let isNew = state.withLock { state in
      defer { state.failures[name] = failure }
      return failure != nil && state.failures[name] != failure
    }
    guard isNew, let failure else { return }
    (name.isEmpty ? log : log.with(name)).line(.error, "account", [("error", .text(failure))])
  }

  /// Logs the hooks of the configuration that belong to no account, each once.
  private func warnOfHooks() {
    let new = state.withLock { state -> [(hook: String, reason: String)] in
      guard let accounts = state.present else { return [] }
      let idle = state.set.idleHooks(accounts)
      let known = state.warnings
      state.warnings = Set(idle.map { "\($0.hook) \($0.reason)" })
      return idle.filter { !known.contains("\($0.hook) \($0.reason)") }
    }
    for (hook, reason) in new {
      log.line(.warning, "hook", [("hook", .text(hook)), ("message", .text(reason))])
    }
  }

  /// Opens and serves an account until the task is cancelled. Opens it again after a failure.
  private func serve(_ account: Account) async {
    let log = log.with(account.name)
    while !Task.isCancelled {
      var failure: String?
      do {
        let ending = try await serveOnce(account, log)
        if case .failed(let error) = ending { failure = ErrorReport.describe(error).1 }
      } catch {
        failure = ErrorReport.describe(error).1
        // While another process writes, the store may only be opened later.
        if (error as? StoreError)?.code != .busy { web.fail(account.name) }
      }
      let start = state.withLock { state in
        state.open[account.name] = nil
        return state.network.pollStart
      }
      start?.release(account.name)
      if let failure { note(failure, of: account.name) }
      try? await Task.sleep(for: .seconds(Self.retry))
    }
  }

  private func serveOnce(_ account: Account, _ log: DaemonLog) async throws -> StoreService.Ending {
    let (set, network, reloads) = state.withLock { ($0.set, $0.network, $0.reloads) }
    let services = try set.container(of: account, network: network)
    let service: StoreService
    do {
      let upgrade = DaemonUpgrade(services: services, log: log, notifier: notifier, probes: { nil })
      service = try await StoreService(services, log, metrics, upgrade, callback: nil)
    } catch {
      await services.close()
      throw error
    }
    do {
      try await web.add(services, hooks: webHooks(service, log))
    } catch {
      await web.end(account.name, forGood: false)
      service.unlock()
      await services.close()
      throw error
    }
    let isCurrent = state.withLock { state in
      state.open[account.name] = service
      return state.reloads == reloads
    }
    // The configuration was reloaded while the store was being opened.
    if !isCurrent { await reload(service, of: account.name) }
    note(nil, of: account.name)
    log.line(.info, "account", [("store", .text(services.settings.storeName))])
    let ending = await service.run()
    // Requests in flight may still use the container. A store that was removed must not be opened again by its name.
    await web.end(account.name, forGood: false)
    if await service.store.fileState() == .intact { await services.close() }
    return ending
  }

  private func webHooks(_ service: StoreService, _ log: DaemonLog) -> WebHooks {
    var hooks = hooks.withLock { $0 } ?? WebHooks(metrics: metrics)
    hooks.feedSettings = feedSettings
    hooks.refreshed = { service.refreshes.takeFromPage($0) }
    hooks.reachable = { url, isSetUp in
      if isSetUp { log.line(.warning, "setup", [("url", .text(url))]) }
    }
    return hooks
  }

  // MARK: - Reload

  func reload(_ settings: Settings) async throws {
    let former = state.withLock { $0 }
    let set = former.set.with(settings)
    let network = set.makeNetwork(context.services.clock, former: former.network)
    // An account that is opened from now on has the new settings, or is reloaded when it is open.
    let open = state.withLock { state in
      state.set = set
      state.network = network
      state.reloads += 1
      state.warnings = []
      return state.open
    }
    warnOfHooks()
    for (name, service) in open.sorted(by: { $0.key < $1.key }) { await reload(service, of: name) }
  }

  /// Has an open account continue with the settings of the last reload.
  private func reload(_ service: StoreService, of name: String) async {
    let (set, network) = state.withLock { ($0.set, $0.network) }
    do {
      let account = Account(name: name, store: service.first.settings.store)
      try await service.reload(try set.container(of: account, network: network, former: service.first))
    } catch {
      log.with(name).line(.error, "reload", [("error", .text(ErrorReport.describe(error).1))])
    }
  }
}

/// Decides when the folder of accounts must be read.
struct FolderWatch {
  private let settled: Duration
  private var last: (stamp: FileStamp, time: ContinuousClock.Instant)?
  /// False: a file in the folder may become usable without a change of the folder.
  var isCertain = false

  /// `settled` is the number of seconds after which an unchanged folder is read.
  init(settled: Int) { self.settled = .seconds(settled) }

  /// Returns true if the folder, which has this stamp now (nil: it cannot be seen), may have other accounts than when it was read last.
  mutating func mustRead(_ stamp: FileStamp?, at now: ContinuousClock.Instant = .now) -> Bool {
    guard let stamp else { return true }
    if let last, isCertain, last.stamp == stamp, now - last.time < settled { return false }
    // Another change may follow without another time.
    last = stamp.isSettled ? (stamp: stamp, time: now) : nil
    return true
  }
}
