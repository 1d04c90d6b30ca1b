import NewsCore
import Synchronization

/// Where the search for due entries of each hook begins.
///
/// Delivered entries stay in the index until the server may forget them, which an old transaction prevents. They are the
/// first entries of the index, so each search would read all of them. A search from the due time of the last taken entry
/// skips them. Entries that are stored with an earlier time are found by a full search, once in `interval`.
final class OutboxFloors: Sendable {
  private struct Floor {
    var due: Int64
    var nextFullSearch: ContinuousClock.Instant
  }

  private static let interval = Duration.seconds(60)
  /// Seconds before the last taken entry at which a search begins: documents are stored some time after their fetch.
  private static let slack: Int64 = 60

  private let floors = Mutex<[String: Floor]>([:])

  /// The earliest due time to look for now, in seconds since 1970.
  func floor(of hook: String, at now: ContinuousClock.Instant) -> Int64 {
    floors.withLock { floors in
      if let floor = floors[hook], now < floor.nextFullSearch { return floor.due }
      floors[hook] = Floor(due: floors[hook]?.due ?? .min, nextFullSearch: now + Self.interval)
      return .min
    }
  }

  /// Records the first of the entries that were taken together.
  func note(_ entry: HookEntry, of hook: String) {
    floors.withLock { $0[hook]?.due = entry.time.seconds - Self.slack }
  }
}
