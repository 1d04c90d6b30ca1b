/// The polls of the near future, with reasons, for display.
public struct PollPlan: Hashable, Sendable {
  public struct Entry: Hashable, Sendable {
    public var feed: Feed
    public var due: Timestamp
    public var reason: DueReason
  }

  /// Ascending by due time; without feeds that are gone, paused or ingested.
  public var entries: [Entry]

  /// Overdue feeds count as due now. Polls more than `horizon` seconds after `now` are omitted.
  public init(_ feeds: [Feed], now: Timestamp, horizon: Int64) {
    let holds = Dictionary(
      feeds.compactMap(\.fetchState.cooldown).filter { $0.isRunning(now) }.map { ($0.host, $0.until) },
      uniquingKeysWith: max
    )
    let end = now + max(0, horizon)
    entries = feeds.compactMap { feed in
      let state = feed.fetchState
      guard !state.isGone, feed.isPolled else { return nil }
      var due = max(state.nextDue ?? now, now)
      var reason = state.nextDueReason ?? .new
      if let until = holds[WebAddress.hostKey(of: state.movedTo?.url ?? feed.url)], until > due {
        due = until
        reason = .retryAfter
      }
      return due <= end ? Entry(feed: feed.redacted, due: due, reason: reason) : nil
    }
    .sorted { ($0.due, $0.feed.position) < ($1.due, $1.feed.position) }
  }
}
