import NewsCore

/// Computes and formats the figures of a store.
struct StatusPresenter: Presenting {
  typealias ViewModel = StatusViewModel

  func present(
    _ feeds: [Feed],
    _ health: HealthReport,
    latest: Int64,
    store: String,
    now: Timestamp
  ) -> Container<StatusViewModel> {
    let polled = feeds.filter { !$0.fetchState.isGone && !$0.isIngested }
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
    return .ready(
      StatusViewModel(
        summary: summary,
        facts: facts.map { .init(name: DisplayText($0), value: DisplayText(line: $1)) }
      )
    )
  }
}
