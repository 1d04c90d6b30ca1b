/// Results that wait to be stored in one transaction: many small transactions take longer than a few large ones.
struct PendingRecords {
  private(set) var records: [FeedRefresh.Prepared] = []
  private var items = 0
  private var bytes = 0
  private var since: ContinuousClock.Instant?
  private let options: RefreshOptions

  init(_ options: RefreshOptions) {
    self.options = options
  }

  /// When the first record has waited for `commitDelay`; nil: no record is waiting.
  var deadline: ContinuousClock.Instant? { since.map { $0 + .milliseconds(options.commitDelay) } }

  mutating func append(_ prepared: FeedRefresh.Prepared) {
    records.append(prepared)
    items += Self.items(of: prepared)
    bytes += prepared.outcome.bytes
    since = since ?? .now
  }

  /// True when the records fill three quarters of a transaction. Memory may not suffice to fill a whole one while
  /// another is being stored.
  var isNearlyFull: Bool {
    items >= options.commitItems - options.commitItems / 4
      || bytes >= options.commitBytes - options.commitBytes / 4
  }

  /// True when a transaction is nearly full, or when the first record has waited long enough.
  func isDue(_ now: ContinuousClock.Instant) -> Bool {
    isNearlyFull || deadline.map { now >= $0 } ?? false
  }

  /// Takes the records for one transaction. Its size is limited, because its changes are held in memory until it ends.
  mutating func take() -> [FeedRefresh.Prepared] {
    var count = 0
    var taken = (items: 0, bytes: 0)
    while count < records.count {
      guard count == 0 || (taken.items < options.commitItems && taken.bytes < options.commitBytes) else {
        break
      }
      taken.items += Self.items(of: records[count])
      taken.bytes += records[count].outcome.bytes
      count += 1
    }
    defer {
      records.removeFirst(count)
      items -= taken.items
      bytes -= taken.bytes
      if records.isEmpty { since = nil }
    }
    return Array(records.prefix(count))
  }

  /// Takes only the first record; empty when there is none.
  mutating func takeFirst() -> [FeedRefresh.Prepared] {
    guard let first = records.first else { return [] }
    records.removeFirst()
    items -= Self.items(of: first)
    bytes -= first.outcome.bytes
    return [first]
  }

  /// Puts back a batch that could not be stored, before all other records.
  mutating func putBack(_ batch: [FeedRefresh.Prepared]) {
    records = batch + records
    for prepared in batch {
      items += Self.items(of: prepared)
      bytes += prepared.outcome.bytes
    }
    since = since ?? .now
  }

  private static func items(of prepared: FeedRefresh.Prepared) -> Int {
    prepared.record?.parsed?.items.count ?? 0
  }
}
