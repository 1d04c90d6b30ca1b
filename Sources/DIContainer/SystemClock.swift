import Glibc
import NewsCore

/// The system's time.
struct SystemClock: WallClock {
  func now() -> Timestamp { Timestamp(seconds: Int64(time(nil))) }
}
