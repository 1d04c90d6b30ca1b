/// What waits to be stored, in one transaction: many small ones take longer than few large ones.
struct PendingRecords {
  private(set) var records: [FeedRefresh.Prepared] = []
  private var items = 0
  private var bytes = 0
  private var since: ContinuousClock.Instant?
  private let options: RefreshOptions

  init(_ options: RefreshOptions) {
    self.options = options
  }

  /// When the first record will have waited long enough; nil: there is none.
  var deadline: ContinuousClock.Instant? { since.map { $0 + .milliseconds(options.commitDelay) } }

  mutating func append(_ prepared: FeedRefresh.Prepared) {
    records.append(prepared)
    items += Self.items(of: prepared)
    bytes += prepared.outcome.bytes
    since = since ?? .now
  }

  /// True when enough has gathered, or has waited long enough.
  func isDue(_ now: ContinuousClock.Instant) -> Bool {
    guard let deadline else { return false }
    return items >= options.commitItems || bytes >= options.commitBytes || now >= deadline
  }

  /// As much as makes one transaction: what it changes is held in memory until its end.
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

  /// The first record alone; none when there is none.
  mutating func takeFirst() -> [FeedRefresh.Prepared] {
    guard let first = records.first else { return [] }
    records.removeFirst()
    items -= Self.items(of: first)
    bytes -= first.outcome.bytes
    return [first]
  }

  /// Takes back a batch that could not be stored; it goes first again.
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
