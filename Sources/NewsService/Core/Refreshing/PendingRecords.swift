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
    items += prepared.record?.parsed?.items.count ?? 0
    bytes += prepared.outcome.bytes
    since = since ?? .now
  }

  /// True when enough has gathered, or has waited long enough.
  func isDue(_ now: ContinuousClock.Instant) -> Bool {
    guard let deadline else { return false }
    return items >= options.commitItems || bytes >= options.commitBytes || now >= deadline
  }

  /// Everything; nothing waits after that.
  mutating func take() -> [FeedRefresh.Prepared] {
    defer { self = PendingRecords(options) }
    return records
  }
}
