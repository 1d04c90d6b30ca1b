import Glibc

/// Limits on the number of transfers, reduced if the descriptor limit is low.
public struct TransferLimits: Sendable {
  /// Maximum number of transfers that are not stalled.
  public let moving: Int
  /// Maximum number of all transfers, including stalled ones.
  public let open: Int
  /// Maximum number of idle connections kept for reuse.
  let kept: Int

  /// - Parameters:
  ///   - concurrency: Maximum number of transfers that are not stalled.
  ///   - others: The descriptors that the web server and the stores of accounts may have.
  ///   - limit: The limit on descriptors.
  public init(concurrency: Int, beside others: Int = 0, limit: Int = DescriptorLimit.attainable) {
    let room = max(8, Self.room(limit) - others)
    moving = min(concurrency, max(4, room / 2))
    open = min(4 * moving, max(4, room / 4 * 3))
    kept = min(128, room / 4)
  }

  /// Returns how many of the connections that a server shall have it may have: what transfers leave, at least a third.
  public static func connections(
    _ wanted: Int,
    beside concurrency: Int,
    limit: Int = DescriptorLimit.attainable
  ) -> Int {
    let transfers = TransferLimits(concurrency: concurrency, beside: 0, limit: limit)
    let room = room(limit)
    return min(wanted, max(4, room / 3, room - transfers.open - transfers.kept))
  }

  /// Descriptors for the store, the resolver and the rest of the program.
  fileprivate static let rest = 48
  /// The fewest descriptors that transfers and the web server together have.
  fileprivate static let least = 12

  fileprivate static func room(_ limit: Int) -> Int { limit - rest }
}

/// The descriptors of the stores of accounts. What all accounts share is not divided; of the rest, at least half is left to the web
/// server and to transfers.
public struct StoreDescriptors: Sendable {
  /// Those of all accounts together.
  private let shared: Int
  /// Those of each account.
  private let each: Int

  /// Stores in a folder: each has its connections to the files, and their locks.
  public static let folder = StoreDescriptors(shared: 0, each: 16)
  /// Stores on a server: they share up to 30 connections, each with a second descriptor by which another thread ends a wait.
  /// Each account has the lock of the process.
  public static let server = StoreDescriptors(shared: 60, each: 2)

  /// Returns the number of accounts whose stores may be open.
  public func accounts(limit: Int = DescriptorLimit.attainable) -> Int {
    let room = TransferLimits.room(limit) - shared
    return max(1, min(room / 2, room - TransferLimits.least) / each)
  }

  /// The descriptors that the stores may have.
  public func all(limit: Int = DescriptorLimit.attainable) -> Int { shared + accounts(limit: limit) * each }

  /// Returns the limit on descriptors that so many accounts need.
  public func limit(forAccounts count: Int) -> Int {
    TransferLimits.rest + shared + count * each + max(count * each, TransferLimits.least)
  }
}

/// The limit on open descriptors of this process.
public enum DescriptorLimit {
  private static let most: rlim_t = 65_536

  /// The limit that `raise` sets.
  public static var attainable: Int { read().map { Int(clamping: min($0.rlim_max, most)) } ?? 1024 }

  /// Raises the soft limit to the hard limit, but at most to `most`.
  public static func raise() {
    guard var limit = read(), limit.rlim_cur < min(limit.rlim_max, most) else { return }
    limit.rlim_cur = min(limit.rlim_max, most)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  private static func read() -> rlimit? {
    var limit = rlimit()
    return getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? limit : nil
  }
}
