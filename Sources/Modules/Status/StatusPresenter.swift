public import NewsCore

/// What a store holds, in figures.
public struct StatusSummaryViewModel: RecordContent {
  /// A figure with its name.
  public struct Fact: Hashable, Sendable {
    public var name: DisplayText
    public var value: DisplayText
  }

  public var summary: StatusSummary
  public var facts: [Fact]
  public var records: [StatusSummary] { [summary] }
  public var rowCount: Int { 1 }
}

/// The polls to come.
public struct PollPlanViewModel: RecordListContent {
  public typealias Record = PollPlan.Entry

  public var lines: [RecordLine<PollPlan.Entry>]
  public var rowCount: Int { lines.count }
}

/// The feeds that fail.
public struct FailuresViewModel: RecordListContent {
  public typealias Record = FailureReport.Entry

  public var lines: [RecordLine<FailureReport.Entry>]
  public var rowCount: Int { lines.count }
}

/// The figures of `status`.
public struct StatusSummary: Hashable, Sendable {
  public var store: String
  public var feeds: Int
  public var items: Int
  public var unread: Int
  public var due: Int
  public var failing: Int
  public var gone: Int
  public var nextDue: Timestamp?
  public var lastFetched: Timestamp?
  public var sequence: Int64
}

/// Makes the view models of `status`.
public struct StatusPresenter: Sendable {
  private let times: TimeDisplay

  /// - Parameter times: How lines show times.
  public init(times: TimeDisplay) { self.times = times }

  func summary(_ feeds: [Feed], latest: Int64, store: String, now: Timestamp) -> StatusSummaryViewModel {
    let gone = feeds.count(where: \.fetchState.isGone)
    let polled = feeds.filter { !$0.fetchState.isGone && !$0.isIngested }
    let summary = StatusSummary(
      store: store,
      feeds: feeds.count,
      items: feeds.reduce(0) { $0 + $1.itemCount },
      unread: feeds.reduce(0) { $0 + $1.unreadCount },
      due: polled.count { ($0.fetchState.nextDue ?? now) <= now },
      failing: polled.count { $0.fetchState.failures > 0 },
      gone: gone,
      nextDue: polled.map { max($0.fetchState.nextDue ?? now, now) }.min(),
      lastFetched: feeds.compactMap(\.fetchState.lastFetched).max(),
      sequence: latest
    )
    let facts: [(StaticString, String)] = [
      ("Store", store),
      ("Feeds", "\(summary.feeds): \(summary.due) due, \(summary.failing) failing, \(summary.gone) gone"),
      ("Items", "\(summary.items): \(summary.unread) unread"),
      ("Fetched", summary.lastFetched?.rfc3339 ?? "never"),
      ("Next", summary.nextDue?.rfc3339 ?? "nothing"),
      ("Changes", String(latest)),
    ]
    return StatusSummaryViewModel(
      summary: summary,
      facts: facts.map { .init(name: DisplayText($0), value: DisplayText(line: $1)) }
    )
  }

  func plan(_ plan: PollPlan) -> PollPlanViewModel {
    PollPlanViewModel(
      lines: plan.entries.map { entry in
        let time = times.dateAndTime(entry.due)
        return RecordLine(
          record: entry,
          text: DisplayText(line: "\(time)  \(entry.reason)  \(entry.feed.title)")
        )
      }
    )
  }

  func failures(_ report: FailureReport) -> FailuresViewModel {
    FailuresViewModel(
      lines: report.entries.map { entry in
        let since = entry.since.map { " since \(times.dateAndTime($0))" } ?? ""
        let count = entry.failures == 1 ? "once" : "\(entry.failures) times"
        return RecordLine(
          record: entry,
          text: DisplayText(
            line: "\(entry.feed.id.rawValue)  \(entry.feed.title): failed \(count)\(since): \(entry.error)"
          ),
          note: DisplayText(line: entry.advice)
        )
      }
    )
  }
}
