import Glibc

/// The system's clock.
package struct SystemTime: WallClock {
  package init() {}

  package func now() -> Timestamp { .now() }
}

extension Timestamp {
  /// The current time of the system clock.
  package static func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(seconds: Int64(time.tv_sec))
  }
}
