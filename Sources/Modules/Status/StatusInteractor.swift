public import NewsCore

/// Reports figures about the store.
public struct StatusInteractor: Interactor {
  private let feeds: any FeedKeeping
  private let changes: any ChangeReading
  private let measure: any StoreFileMeasuring
  private let clock: any WallClock
  private let presenter = StatusPresenter()

  public init(
    feeds: any FeedKeeping,
    changes: any ChangeReading,
    measure: any StoreFileMeasuring,
    clock: any WallClock
  ) {
    self.feeds = feeds
    self.changes = changes
    self.measure = measure
    self.clock = clock
  }

  /// Emits the figures of the store; `store` is its path, or its address on PostgreSQL.
  public func respond(to store: String, emit: @escaping Emit<StatusViewModel>) async throws {
    let all = try await feeds.feeds()
    let latest = try await changes.latestSequence()
    let now = clock.now()
    let figures = await measure.figures()
    let health = HealthReport(all, daemon: await measure.runningDaemon(), figures: figures, now: now)
    try emit(presenter.present(all, health, latest: latest, store: store, now: now))
  }
}

/// Computes and formats the figures of a store.
struct StatusPresenter {
  func present(
    _ feeds: [Feed],
    _ health: HealthReport,
    latest: Int64,
    store: String,
    now: Timestamp
  ) -> Container<StatusViewModel> {
    let polled = feeds.filter { !$0.fetchState.isGone && $0.isPolled }
    let summary = StatusSummary(
      store: store,
      feeds: feeds.count,
      items: feeds.reduce(0) { $0 + $1.itemCount },
      unread: feeds.reduce(0) { $0 + $1.unreadCount },
      due: polled.count { ($0.fetchState.nextDue ?? now) <= now },
      failing: polled.count { $0.fetchState.failures > 0 },
      gone: feeds.count(where: \.fetchState.isGone),
      nextDue: polled.map { max($0.fetchState.nextDue ?? now, now) }.min(),
      lastFetched: feeds.compactMap(\.fetchState.lastFetched).max(),
      sequence: latest
    )
    var facts: [(StaticString, String)] = [
      ("Store", store),
      ("Feeds", "\(summary.feeds): \(summary.due) due, \(summary.failing) failing, \(summary.gone) gone"),
      ("Items", "\(summary.items): \(summary.unread) unread"),
      ("Fetched", summary.lastFetched?.rfc3339 ?? "never"),
      ("Next", summary.nextDue?.rfc3339 ?? "nothing"),
      ("Changes", String(latest)),
      ("Daemon", "\(health.daemon == nil ? "none" : "runs"), polls late by up to \(health.lateness) s"),
    ]
    if let figures = health.figures { facts.append(("Size", HealthPresenter.size(figures))) }
    if let quota = health.figures?.quota {
      facts.append(("Quota", [quota.text, quota.problem].compactMap(\.self).joined(separator: "; ")))
    }
    return .ready(
      StatusViewModel(
        summary: summary,
        facts: facts.map { .init(name: DisplayText($0), value: DisplayText(line: $1)) }
      )
    )
  }
}

/// Figures about a store.
public struct StatusViewModel: RecordContent {
  /// A figure with its name.
  public struct Fact: Hashable, Sendable {
    public var name: DisplayText
    public var value: DisplayText
    /// The time that the value tells, for views that show times in the zone of their readers; nil: it tells none.
    public var time: Timestamp?
    /// What the value tells besides the time.
    public var note: DisplayText?
  }

  public var summary: StatusSummary
  public var facts: [Fact]
  public var records: [StatusSummary] { [summary] }
  public var rowCount: Int { 1 }
}

/// The figures as a record.
public struct StatusSummary: Hashable, Sendable {
  /// Path of the store's file, or address of a store on PostgreSQL without its password.
  public var store: String
  public var feeds: Int
  public var items: Int
  public var unread: Int
  public var due: Int
  public var failing: Int
  public var gone: Int
  public var nextDue: Timestamp?
  public var lastFetched: Timestamp?
  /// The last number of the change log.
  public var sequence: Int64
}
