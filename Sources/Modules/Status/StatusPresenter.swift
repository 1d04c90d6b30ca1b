import NewsCore

/// What a store holds, in figures.
public struct StatusSummaryViewModel: ScreenContent {
  var summary: StatusSummary
  var lines: [DisplayText]
  public var rowCount: Int { 1 }
}

/// The polls to come.
public struct PollPlanViewModel: RecordContent {
  typealias Field = PlanField

  var lines: [RecordLine<PollPlan.Entry>]
  public var rowCount: Int { lines.count }
}

/// The feeds that fail.
public struct FailuresViewModel: RecordContent {
  typealias Field = FailureField

  var lines: [RecordLine<FailureReport.Entry>]
  public var rowCount: Int { lines.count }
}

/// The figures of `status`.
struct StatusSummary: Hashable, Sendable {
  var store: String
  var feeds: Int
  var items: Int
  var unread: Int
  var due: Int
  var failing: Int
  var gone: Int
  var nextDue: Timestamp?
  var lastFetched: Timestamp?
  var sequence: Int64
}

/// Makes the view models of `status`.
public struct StatusPresenter: Sendable {
  private let terminal: Terminal

  /// - Parameter terminal: What dates follow.
  public init(terminal: Terminal) { self.terminal = terminal }

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
    let facts = [
      "Store    \(store)",
      "Feeds    \(summary.feeds): \(summary.due) due, \(summary.failing) failing, \(summary.gone) gone",
      "Items    \(summary.items): \(summary.unread) unread",
      "Fetched  \(summary.lastFetched?.rfc3339 ?? "never")",
      "Next     \(summary.nextDue?.rfc3339 ?? "nothing")",
      "Changes  \(latest)",
    ]
    return StatusSummaryViewModel(summary: summary, lines: facts.map { DisplayText(line: $0) })
  }

  func plan(_ plan: PollPlan) -> PollPlanViewModel {
    PollPlanViewModel(
      lines: plan.entries.map { entry in
        let time = LocaleDate.dateAndTime(entry.due, in: terminal.zone)
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
        let since = entry.since.map { " since \(LocaleDate.dateAndTime($0, in: terminal.zone))" } ?? ""
        let times = entry.failures == 1 ? "once" : "\(entry.failures) times"
        return RecordLine(
          record: entry,
          text: DisplayText(
            line: "\(entry.feed.id.rawValue)  \(entry.feed.title): failed \(times)\(since): \(entry.error)"
          ),
          note: DisplayText(line: entry.advice)
        )
      }
    )
  }
}
