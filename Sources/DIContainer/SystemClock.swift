import Glibc
import NewsCore

/// Reads the system clock.
struct SystemClock: WallClock {
  func now() -> Timestamp { Timestamp(seconds: Int64(time(nil))) }
}
