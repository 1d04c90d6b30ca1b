import Glibc
import NewsCore

/// A steady clock.
enum Monotonic {
  /// Milliseconds since an arbitrary moment before this process started.
  static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}

extension Timestamp {
  /// The system's clock.
  static func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(seconds: Int64(time.tv_sec))
  }
}
