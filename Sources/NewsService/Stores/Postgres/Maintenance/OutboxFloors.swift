import NewsCore
import Synchronization

/// Where the search for due entries of each hook begins.
///
/// Delivered entries stay in the index until the server may forget them, which an old transaction prevents. They are the
/// first entries of the index, so each search would read all of them. A search from the last settled entry skips them. Entries
/// that became due before it, but were stored later, are found by a search from some time before it, once a second, and by
/// a full search, once a minute.
final class OutboxFloors: Sendable {
  /// A place in the order of delivery; the entries after it are searched.
  struct Place {
    /// In seconds since 1970.
    var due = Int64.min
    var sequence = Int64.min
  }

  private struct Floor {
    var settled = Place()
    var nextWideSearch: ContinuousClock.Instant
    var nextFullSearch: ContinuousClock.Instant
  }

  private static let (wideInterval, fullInterval) = (Duration.seconds(1), Duration.seconds(60))
  /// Seconds before the last settled entry at which a wide search begins: documents are stored some time after their fetch.
  private static let slack: Int64 = 60

  private let floors = Mutex<[String: Floor]>([:])

  /// The place after which to look for entries now.
  func floor(of hook: String, at now: ContinuousClock.Instant) -> Place {
    floors.withLock { floors in
      guard let floor = floors[hook], floor.nextFullSearch > now, floor.settled.due > Int64.min else {
        let settled = floors[hook]?.settled ?? Place()
        floors[hook] = Floor(
          settled: settled,
          nextWideSearch: now + Self.wideInterval,
          nextFullSearch: now + Self.fullInterval
        )
        return Place()
      }
      guard floor.nextWideSearch > now else {
        floors[hook]?.nextWideSearch = now + Self.wideInterval
        return Place(due: floor.settled.due - Self.slack)
      }
      return floor.settled
    }
  }

  /// Records that this process has settled the entries that it took, up to this one. The place may be before that of the entry,
  /// which becomes due later after a failure, but not after it.
  func note(_ entry: HookEntry, of hook: String) {
    floors.withLock { $0[hook]?.settled = Place(due: entry.time.seconds, sequence: entry.sequence) }
  }
}
