import Glibc

/// The system's clock.
package struct SystemTime: WallClock {
  package init() {}

  package func now() -> Timestamp { .now() }
}

extension Timestamp {
  /// The current time of the system clock.
  package static func now() -> Timestamp { Timestamp(seconds: milliseconds() / 1000) }

  /// The current time of the system clock in milliseconds since 1970.
  package static func milliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
