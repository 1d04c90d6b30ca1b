import NewsCore
import Synchronization
import TestSupport

/// A clock that advances only when told to.
final class ManualClock: WallClock {
  private let time: Mutex<Timestamp>
  private let readings = Atomic(0)

  init(_ start: Timestamp = Timestamp(CivilTime(year: 2026, month: 11, day: 20, hour: 12))) {
    time = Mutex(start)
  }

  func now() -> Timestamp {
    readings.add(1, ordering: .relaxed)
    return time.withLock { $0 }
  }

  func advance(_ seconds: Int64) { time.withLock { $0 = $0 + seconds } }

  /// Waits for this many readings of the clock: by then, a scheduler has decided several times what is due.
  func waitForReadings(_ count: Int = 20) async throws {
    let last = readings.load(ordering: .relaxed) + count
    try await eventually { readings.load(ordering: .relaxed) >= last }
  }
}
