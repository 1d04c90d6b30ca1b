import Glibc
import NewsCore
import NewsPostgres
import Synchronization

/// What the accounts on a PostgreSQL server share: the connections of this process, and a schema without feeds in which all
/// nodes have their leases, claims of requests and limits of sites.
final class AccountServer: Sendable {
  let pool: ConnectionPool
  let shared: PostgresStore
  let requests: RequestClaims
  /// Follows the clock of the server, for all accounts.
  let clock = NodeClock { Timestamp.milliseconds() }
  private let upgrades: Bool
  private let isJoined = Mutex(false)
  /// True if `tell` has said something.
  private let isTold = Mutex(false)

  /// `node` is the name of this process in the list of nodes. With `upgrades`, the schema of an earlier newsd is upgraded. Throws
  /// `unreadable` if the address is none of PostgreSQL.
  init(_ address: String, node: String, version: String, upgrades: Bool) throws(StoreError) {
    let uri = try StoreURI(address)
    self.upgrades = upgrades
    pool = ConnectionPool(uri, .shared)
    shared = PostgresStore(uri, pool: pool, node: node, version: version, clock: clock) {
      (_, _) throws(StoreError) in
    }
    requests = RequestClaims(shared.claims) { [shared] in try? await Self.open(shared, upgrades: upgrades) }
    // No command may have made the schema yet, and an administrator may drop it while newsd runs.
    shared.node.makeMissingTables { [weak self] () async throws(StoreError) in
      guard let self else { return }
      do throws(StoreError) {
        self.shared.reexamine()
        try await Self.open(self.shared, upgrades: self.upgrades)
      } catch {
        self.tell(error)
        throw error
      }
    }
  }

  /// Says why the shared schema cannot be made. The log of a daemon has the failures of its lease; a command has none, and
  /// waits for the schema.
  private func tell(_ error: StoreError) {
    let isNew = isTold.withLock { isTold in
      defer { isTold = true }
      return !isTold
    }
    guard isNew, !isJoined.withLock({ $0 }) else { return }
    let line = Array("newsd: \(error.message)\n".utf8)
    _ = line.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
  }

  /// Joins the nodes, at the first call that succeeds.
  func join() async throws(StoreError) {
    guard !isJoined.withLock({ $0 }) else { return }
    try await Self.open(shared, upgrades: upgrades)
    if upgrades { _ = try await shared.finishUpgrade(force: false) }
    try await shared.node.join()
    isJoined.withLock { $0 = true }
  }

  /// Upgrades the shared schema if an earlier newsd made it; `finishes` ends the upgrade.
  func upgrade(finishes: Bool) async throws(StoreError) {
    if try await shared.upgradePlan() != nil { _ = try await shared.upgrade { _ in } }
    if finishes { _ = try await shared.finishUpgrade(force: true) }
  }

  /// Creates the shared schema if it is missing.
  private static func open(_ shared: PostgresStore, upgrades: Bool) async throws(StoreError) {
    do {
      try await shared.open()
    } catch {
      guard upgrades, case .olderLayout = error.code else { throw error }
      _ = try await shared.upgrade { _ in }
      try await shared.open()
    }
  }

  func close() async {
    await shared.close()
    await pool.close()
  }
}
