public import NewsCore

/// Upgrades a store that an earlier newsd wrote.
public struct UpgradeInteractor: Interactor {
  private let store: any StoreUpgrading
  private let lock: @Sendable () throws(InstanceLockError) -> any InstanceHolding

  /// `lock` keeps a daemon from the store during the upgrade.
  public init(
    store: any StoreUpgrading,
    lock: @escaping @Sendable () throws(InstanceLockError) -> any InstanceHolding
  ) {
    self.store = store
    self.lock = lock
  }

  /// Upgrades the store with this name.
  public func respond(to name: String, emit: @escaping Emit<Outcome>) async throws {
    let presenter = UpgradePresenter(store: name)
    guard try await store.upgradePlan() != nil else { return try emit(presenter.current) }
    let held: any InstanceHolding
    do {
      held = try lock()
    } catch {
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

/// Shows what an upgrade of the store would do.
public struct UpgradeCheckInteractor: Interactor {
  private let store: any StoreUpgrading

  public init(store: any StoreUpgrading) { self.store = store }

  /// Shows the upgrade of the store with this name.
  public func respond(to name: String, emit: @escaping Emit<TextLines>) async throws {
    let presenter = UpgradePresenter(store: name)
    try emit(.ready(presenter.plan(try await store.upgradePlan())))
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
      let other = daemon.pid.map { "process \($0)" } ?? "another process"
      return UserMessage(
        code: .io,
        text: "an earlier newsd wrote the store \(store), and newsd run (\(other)) still uses it; "
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
