import Glibc

/// How many files this process may have open.
enum DescriptorLimit {
  static var current: Int { read().map { Int(clamping: $0.rlim_cur) } ?? 1024 }

  /// As many connections as the system lets this program have.
  static func raise() {
    guard var limit = read(), limit.rlim_cur < limit.rlim_max else { return }
    limit.rlim_cur = min(limit.rlim_max, 65_536)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  private static func read() -> rlimit? {
    var limit = rlimit()
    return getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? limit : nil
  }
}
