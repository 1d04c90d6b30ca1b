import Glibc

/// How many transfers there may be; fewer than configured where few files may be open.
public struct TransferLimits: Sendable {
  /// Transfers that move at a time.
  public let moving: Int
  /// Transfers in all, those included that have not moved for a while.
  public let open: Int
  /// Connections that are kept for the next request.
  let kept: Int

  public init(concurrency: Int) {
    // What the store, the resolver and the rest of the program need comes first.
    let room = max(8, DescriptorLimit.attainable - 48)
    moving = min(concurrency, max(4, room / 2))
    open = min(4 * moving, max(4, room / 4 * 3))
    kept = min(128, room / 4)
  }
}

/// How many files this process may have open.
enum DescriptorLimit {
  private static let most: rlim_t = 65_536

  /// After `raise`.
  static var attainable: Int { read().map { Int(clamping: min($0.rlim_max, most)) } ?? 1024 }

  /// Raises the limit as far as the system allows, up to `most`.
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
