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
