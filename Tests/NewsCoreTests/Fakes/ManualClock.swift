import NewsCore
import Synchronization

/// A clock that advances only when told to.
final class ManualClock: WallClock {
  private let time: Mutex<Timestamp>

  init(_ start: Timestamp = Timestamp(CivilTime(year: 2026, month: 11, day: 20, hour: 12))) {
    time = Mutex(start)
  }

  func now() -> Timestamp { time.withLock { $0 } }
  func advance(_ seconds: Int64) { time.withLock { $0 = $0 + seconds } }
}
