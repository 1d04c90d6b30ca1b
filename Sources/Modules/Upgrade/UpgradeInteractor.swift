public import NewsCore

/// Upgrades a store that an earlier newsd wrote.
public struct UpgradeInteractor: Interactor {
  private let store: any StoreUpgrading
  private let turn: UpgradeTurn

  public init(store: any StoreUpgrading, turn: UpgradeTurn) {
    self.store = store
    self.turn = turn
  }

  /// Upgrades the store with this name.
  public func respond(to name: String, emit: @escaping Emit<Outcome>) async throws {
    let presenter = UpgradePresenter(store: name)
    let held: any InstanceHolding
    do {
      guard let lock = try await turn.take() else {
        try await store.requireCurrentLayout()
        return try emit(presenter.current)
      }
      held = lock
    } catch let error as InstanceLockError {
      throw presenter.refusal(error)
    }
    defer { withExtendedLifetime(held) {} }
    try emit(.loading(Progress("upgrading")))
    let done = try await store.upgrade {
      try? emit(.loading(Progress("upgrading", done: $0.done, total: $0.total)))
    }
    try emit(done.map(presenter.done) ?? presenter.current)
  }
}

/// Waits for another process that upgrades the same store, as a transaction waits for the write lock: for 20 seconds.
public struct UpgradeTurn: Sendable {
  private let store: any StoreUpgrading
  private let attempts: Int
  private let pause: Duration
  private let lock: @Sendable () throws(InstanceLockError) -> any InstanceHolding

  /// How often a process that says nothing of an upgrade is asked again: it may not have written its entry yet.
  private static let silentAttempts = 10

  /// `lock` keeps daemons and other upgrades from the store. It is attempted again after each pause.
  public init(
    store: any StoreUpgrading,
    attempts: Int = 400,
    pause: Duration = .milliseconds(50),
    lock: @escaping @Sendable () throws(InstanceLockError) -> any InstanceHolding
  ) {
    self.store = store
    self.attempts = attempts
    self.pause = pause
    self.lock = lock
  }

  /// Returns the lock; nil if the store needs no upgrade, or no longer because the other process has finished. Throws
  /// `InstanceLockError` if the other process does not end, or is a daemon of an earlier version.
  public func take() async throws -> (any InstanceHolding)? {
    var attempt = 1
    while try await store.upgradePlan() != nil {
      do {
        return try lock()
      } catch {
        guard case .held(let other) = error,
          attempt < (other.isUpgrading ? attempts : min(attempts, Self.silentAttempts))
        else { throw error }
      }
      attempt += 1
      try await Task.sleep(for: pause)
    }
    return nil
  }
}

/// Shows what an upgrade of the store would do.
public struct UpgradeCheckInteractor: Interactor {
  private let store: any StoreUpgrading

  public init(store: any StoreUpgrading) { self.store = store }

  /// Shows the upgrade of the store with this name.
  public func respond(to name: String, emit: @escaping Emit<TextLines>) async throws {
    let presenter = UpgradePresenter(store: name)
    let plan = try await store.upgradePlan()
    if plan == nil { try await store.requireCurrentLayout() }
    try emit(.ready(presenter.plan(plan)))
  }
}

/// Performs the last part of the upgrade of a store that several newsd share.
public struct UpgradeFinishInteractor: Interactor {
  private let store: any StoreUpgrading

  public init(store: any StoreUpgrading) { self.store = store }

  /// Finishes the upgrade of the store with this name, even if newsd of the former version use it.
  public func respond(to name: String, emit: @escaping Emit<Outcome>) async throws {
    switch try await store.finishUpgrade(force: true) {
    case .nothing, .waiting: try emit(.outcome("\(name): there is no upgrade to finish"))
    case .finished(let layout): try emit(.outcome("\(name): the upgrade to layout \(layout) is complete"))
    }
  }
}

extension DaemonPresence {
  /// "process 7", for messages.
  public var processName: String { pid.map { "process \($0)" } ?? "another process" }

  /// The sentence for users of a store that this process upgrades; nil if it does not.
  public func upgradeNotice(of store: String) -> String? {
    guard isUpgrading else { return nil }
    return "newsd (\(processName)) is upgrading the store \(store); try again when the upgrade has ended"
  }
}

/// Formats upgrades as sentences.
struct UpgradePresenter {
  let store: String

  var current: Container<Outcome> { .outcome("\(store) needs no upgrade") }

  func done(_ plan: UpgradePlan) -> Container<Outcome> {
    let upgraded = "upgraded \(store) from layout \(plan.from) to \(plan.to)"
    guard let backup = plan.backup else { return .outcome(upgraded) }
    return .outcome(
      upgraded,
      "the former store is kept as \(backup); to go back, run 'newsd restore \(backup)' with the former newsd"
    )
  }

  func refusal(_ error: InstanceLockError) -> UserMessage {
    switch error {
    case .held(let daemon):
      return UserMessage(
        code: .io,
        text: daemon.upgradeNotice(of: store)
          ?? "an earlier newsd wrote the store \(store), and newsd run (\(daemon.processName)) still uses it; "
          + "stop that newsd before the upgrade"
      )
    case .file(let error): return UserMessage(code: .cannotCreate, text: error.message)
    }
  }

  func plan(_ plan: UpgradePlan?) -> TextLines {
    guard let plan else { return TextLines(lines: [DisplayText(line: "\(store) needs no upgrade")]) }
    var lines = ["\(store): layout \(plan.from), to be upgraded to \(plan.to)"]
    if plan.isInterrupted { lines.append("an upgrade was interrupted; the next one continues it") }
    if let backup = plan.backup { lines.append("the former store will be kept as \(backup)") }
    var warnings: [String] = []
    if let room = plan.room {
      let free = room.free.map { "\($0 >> 20) MiB are free" } ?? "the free space is unknown"
      lines.append(
        "the store has \(mebibytes(room.store)) MiB, the upgrade needs \(mebibytes(room.needed)) MiB, \(free)"
      )
      if !room.isEnough { warnings.append("there is not enough room for the upgrade; free some space") }
    }
    return TextLines(
      lines: lines.map { DisplayText(line: $0) },
      warnings: warnings.map { DisplayText(line: $0) }
    )
  }

  /// Rounded up.
  private func mebibytes(_ bytes: Int64) -> Int64 { (bytes + (1 << 20) - 1) >> 20 }
}
