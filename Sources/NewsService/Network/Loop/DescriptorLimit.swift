import Glibc

/// Limits on the number of transfers, reduced if the descriptor limit is low.
public struct TransferLimits: Sendable {
  /// Maximum number of transfers that are not stalled.
  public let moving: Int
  /// Maximum number of all transfers, including stalled ones.
  public let open: Int
  /// Maximum number of idle connections kept for reuse.
  let kept: Int

  public init(concurrency: Int) {
    // Reserve descriptors for the store, the resolver and the rest of the program.
    let room = max(8, DescriptorLimit.attainable - 48)
    moving = min(concurrency, max(4, room / 2))
    open = min(4 * moving, max(4, room / 4 * 3))
    kept = min(128, room / 4)
  }
}

/// The limit on open descriptors of this process.
enum DescriptorLimit {
  private static let most: rlim_t = 65_536

  /// The limit that `raise` sets.
  static var attainable: Int { read().map { Int(clamping: min($0.rlim_max, most)) } ?? 1024 }

  /// Raises the soft limit to the hard limit, but at most to `most`.
  static func raise() {
    guard var limit = read(), limit.rlim_cur < min(limit.rlim_max, most) else { return }
    limit.rlim_cur = min(limit.rlim_max, most)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  private static func read() -> rlimit? {
    var limit = rlimit()
    return getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? limit : nil
  }
}
