import DIContainer
import Glibc
import Modules
import NewsCore
import NewsHTTP
import Synchronization

/// Upgrades the store before the daemon opens it. Meanwhile, the service manager is told to wait, and the web server answers
/// `/health` with 200, so that nothing ends a slow upgrade and begins it again.
struct DaemonUpgrade: Sendable {
  let services: ServiceContainer
  let log: DaemonLog
  let notifier: ServiceNotifier
  /// Opens a server for `/health` during the upgrade; nil: another server answers.
  let probes: @Sendable () -> (any WebServing)?

  /// Seconds between two reports to the service manager.
  private static let interval = 5
  /// Seconds between two attempts to finish the upgrade of a store on a server.
  private static let finishInterval = 60

  private final class Position: Sendable {
    let value = Mutex(StoreProgress(done: 0, total: 0))
  }

  /// Upgrades a store of an earlier layout, if the configuration lets the daemon do it.
  func runIfNeeded() async throws {
    guard services.settings.storeUpgrade == .auto else { return }
    do {
      guard let lock = try await services.upgradeTurn().take() else { return }
      defer { withExtendedLifetime(lock) {} }
      try await run()
    } catch let error as InstanceLockError {
      throw DaemonLock.refusal(of: services.settings.storeName, offersOther: isOnly, error)
    }
  }

  /// True if the store is not that of an account.
  private var isOnly: Bool { services.settings.account == nil }

  /// Takes the lock that keeps a second daemon from the store.
  func takeLock() throws -> any InstanceHolding {
    try DaemonLock.take(of: services.settings.storeName, offersOther: isOnly) {
      () throws(InstanceLockError) in
      try services.takeInstanceLock()
    }
  }

  private func run() async throws {
    let position = Position()
    // A server that cannot be opened is reported when the daemon opens its own.
    let probes = probes()
    let store = services.settings.storeName
    log.line(.info, "upgrade", [("store", .text(store)), ("message", .text("upgrading the store"))])
    let reports = Task { [notifier] in
      repeat {
        let now = position.value.withLock { $0 }
        notifier.status(
          now.total > 0 ? "upgrading the store: \(now.done) of \(now.total)" : "upgrading the store"
        )
        notifier.extendTimeout(seconds: 12 * Self.interval)
      } while (try? await Task.sleep(for: .seconds(Self.interval))) != nil
    }
    let serving = Task { await probes?.run() }
    defer {
      reports.cancel()
      serving.cancel()
    }
    let result: Result<UpgradePlan?, any Error>
    do {
      result = .success(
        try await services.upgrades().upgrade { now in position.value.withLock { $0 = now } }
      )
    } catch {
      result = .failure(error)
    }
    await probes?.stop(within: .seconds(1))
    if let done = try result.get() { report(done) }
  }

  private func report(_ done: UpgradePlan) {
    var fields: [(String, DaemonLog.Value)] = [("from", .number(done.from)), ("to", .number(done.to))]
    if let backup = done.backup {
      let rollback = "newsd restore \(backup), with the former newsd"
      fields += [("kept", .text(backup)), ("rollback", .text(rollback))]
    }
    log.line(.info, "upgrade", fields)
  }

  /// Performs the last part of the upgrade of a shared store, as soon as no node of an earlier layout is left.
  /// Does not return before the task is cancelled, because the first part of the daemon to end stops it.
  func finish() async {
    await finishOnce()
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
  }

  private func finishOnce() async {
    var former: [String] = []
    while !Task.isCancelled {
      do {
        switch try await services.upgrades().finishUpgrade(force: false) {
        case .nothing: return
        case .finished(let layout):
          log.line(.info, "upgrade", [("finished_layout", .number(layout))])
          return
        case .waiting(let nodes):
          if nodes != former {
            log.line(.info, "upgrade", [("waiting_for", .text(nodes.joined(separator: ",")))])
          }
          former = nodes
        }
      } catch {
        log.line(.error, "upgrade", [("error", .text("\(error)"))])
      }
      try? await Task.sleep(for: .seconds(Self.finishInterval))
    }
  }
}

/// Takes the locks of daemons.
enum DaemonLock {
  /// Takes a lock on a store, or on the folder of accounts, with this name. With `offersOther`, the refusal says how
  /// another store is named.
  static func take<Lock>(
    of name: String,
    offersOther: Bool,
    _ take: () throws(InstanceLockError) -> Lock
  ) throws(UserMessage) -> Lock {
    do {
      return try take()
    } catch {
      throw refusal(of: name, offersOther: offersOther, error)
    }
  }

  static func refusal(of name: String, offersOther: Bool, _ error: InstanceLockError) -> UserMessage {
    switch error {
    case .held(let daemon):
      if let notice = daemon.upgradeNotice(of: name) { return UserMessage(code: .io, text: notice) }
      let active = "newsd run is already active on \(name) as \(daemon.processName)"
      let advice = "\(active). Stop it" + (offersOther ? ", or name another store with --db" : "")
      return UserMessage(code: .cannotCreate, text: advice)
    case .file(let error): return UserMessage(code: .cannotCreate, text: error.message)
    }
  }
}
