import NewsStoresShared
import NewsCore

/// The last numbers that a store has assigned to feeds, items and changes.
///
/// Other programs know these numbers: as ids, as cursors, and from the keys of deliveries, by which receivers recognize
/// repetitions. After a restore or a copy, the content therefore continues after these numbers, so that no number is
/// assigned twice.
struct GivenNumbers {
  private static let counters: [Counter] = [.feed, .item, .sequence]
  /// Added to the number of the last change if the replaced content cannot be read. A store assigns fewer numbers than
  /// this between two backups.
  private static let unknownChanges: Int64 = 1_000_000

  /// The range of possible numbers. Numbers outside of it come from a damaged page and are ignored.
  private static let plausible: ClosedRange<Int64> = 1...(1 << 40)

  private var last: [(counter: Counter, number: Int64)] = []

  /// Creates the numbers for a store that is missing or unreadable.
  init() {}

  /// Reads the numbers of a store. Ignores numbers that cannot be read.
  init(_ connection: Connection) {
    for counter in Self.counters {
      guard let number = try? counter.value(connection), Self.plausible.contains(number)
      else { continue }
      last.append((counter, number))
    }
  }

  /// Raises the counters of the restored or copied content to these numbers.
  func pass(to connection: Connection) throws(StoreError) {
    for (counter, number) in last { try counter.raise(to: number, connection) }
    guard !last.contains(where: { $0.counter == .sequence }) else { return }
    try Counter.sequence.add(Self.unknownChanges, connection)
  }
}
