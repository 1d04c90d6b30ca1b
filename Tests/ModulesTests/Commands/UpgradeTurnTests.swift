import NewsCore
import Synchronization
import Testing

@testable import Modules

/// A store that another process upgrades: it needs an upgrade until it has been asked a number of times.
private final class OlderStore: StoreUpgrading {
  private let asked = Mutex(0)
  private let upgraded = Mutex(0)
  let end: Int

  init(upgradedAfter end: Int) { self.end = end }

  var upgrades: Int { upgraded.withLock { $0 } }

  func upgradePlan() async throws(StoreError) -> UpgradePlan? {
    let count = asked.withLock { count in
      count += 1
      return count
    }
    return count > end ? nil : UpgradePlan(from: 1, to: 2)
  }

  func requireCurrentLayout() async throws(StoreError) {}

  func upgrade(progress: @escaping StoreProgressHandler) async throws(StoreError) -> UpgradePlan? {
    upgraded.withLock { $0 += 1 }
    return UpgradePlan(from: 1, to: 2)
  }

  func finishUpgrade(force: Bool) async throws(StoreError) -> UpgradeFinish { .nothing }
}

private final class Lock: InstanceHolding {
  static func held(isUpgrading: Bool) -> InstanceLockError {
    .held(by: DaemonPresence(pid: 7, started: nil, isUpgrading: isUpgrading))
  }
}

@Suite struct `The wait for another process that upgrades the store` {
  private func upgrade(
    _ store: OlderStore,
    attempts: Int = 30,
    lock: @escaping @Sendable () throws(InstanceLockError) -> any InstanceHolding
  ) async throws -> Emitted<Outcome> {
    let turn = UpgradeTurn(store: store, attempts: attempts, pause: .zero, lock: lock)
    return try await emitted(UpgradeInteractor(store: store, turn: turn), "news.db")
  }

  @Test func `A command goes on when the other process has upgraded the store`() async throws {
    let store = OlderStore(upgradedAfter: 25)
    let seen = try await upgrade(store) { () throws(InstanceLockError) in throw Lock.held(isUpgrading: true) }
    #expect(seen.failure == nil)
    #expect(seen.notes == ["news.db needs no upgrade"])
    #expect(store.upgrades == 0)
  }

  @Test func `A command upgrades the store itself when the other process has ended without`() async throws {
    let store = OlderStore(upgradedAfter: .max)
    let left = Mutex(20)
    let seen = try await upgrade(store) { () throws(InstanceLockError) in
      let isHeld = left.withLock { left in
        left -= 1
        return left > 0
      }
      if isHeld { throw Lock.held(isUpgrading: true) }
      return Lock()
    }
    #expect(seen.failure == nil)
    #expect(store.upgrades == 1)
  }

  @Test func `At the end of the wait, a command says that an upgrade is under way`() async throws {
    let tries = Mutex(0)
    let seen = try await upgrade(OlderStore(upgradedAfter: .max)) { () throws(InstanceLockError) in
      tries.withLock { $0 += 1 }
      throw Lock.held(isUpgrading: true)
    }
    #expect(tries.withLock { $0 } == 30)
    #expect(seen.failure?.code == .io)
    #expect(seen.failure?.text.contains("process 7) is upgrading the store news.db") == true)
  }

  @Test func `A daemon of an earlier version is not waited for as long`() async throws {
    let tries = Mutex(0)
    let seen = try await upgrade(OlderStore(upgradedAfter: .max)) { () throws(InstanceLockError) in
      tries.withLock { $0 += 1 }
      throw Lock.held(isUpgrading: false)
    }
    #expect(tries.withLock { $0 } == 10)
    #expect(seen.failure?.text.contains("stop that newsd before the upgrade") == true)
  }
}
