import NewsCore

/// The last numbers that a store has given to feeds, items and changes.
///
/// They are known outside the store: as ids in other programs, as cursors, and in the keys of delivered hooks, by which
/// receivers recognize a repeated delivery. Content from elsewhere therefore continues after them, so that no number is
/// given a second time.
struct GivenNumbers {
  private static let counters: [Counter] = [.feed, .item, .sequence]
  /// Added to the number of the last change if the replaced content cannot be read; more than a store gives between two
  /// backups.
  private static let unknownChanges: Int64 = 1_000_000

  /// A damaged page may hold any number.
  private static let plausible: ClosedRange<Int64> = 1...(1 << 40)

  private var last: [(counter: Counter, number: Int64)] = []

  /// The numbers of a store that is missing or unreadable.
  init() {}

  /// Leaves out what cannot be read.
  init(_ connection: Connection) {
    for counter in Self.counters {
      guard let number = try? counter.value(connection), Self.plausible.contains(number)
      else { continue }
      last.append((counter, number))
    }
  }

  /// Raises the counters of the new content.
  func pass(to connection: Connection) throws(StoreError) {
    for (counter, number) in last { try counter.raise(to: number, connection) }
    guard !last.contains(where: { $0.counter == .sequence }) else { return }
    try Counter.sequence.add(Self.unknownChanges, connection)
  }
}
