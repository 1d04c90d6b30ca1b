/// What fails, since when, why, and what a person can do about it.
public struct FailureReport: Hashable, Sendable {
  public struct Entry: Hashable, Sendable {
    public var feed: Feed
    /// When the current run of failures began.
    public var since: Timestamp?
    public var failures: Int
    public var error: String
    public var advice: String
  }

  /// The longest failing first; feeds that are gone come last.
  public var entries: [Entry]

  public init(_ feeds: [Feed], now: Timestamp) {
    entries = feeds.filter { $0.fetchState.failures > 0 || $0.fetchState.isGone || Self.waitsForNetwork($0) }
      .map { feed in
        let state = feed.fetchState
        return Entry(
          feed: feed.redacted,
          since: state.failingSince,
          failures: state.failures,
          error: state.lastError ?? "unknown",
          advice: Self.advice(feed, now)
        )
      }
      .sorted { Self.order($0) < Self.order($1) }
  }

  private static func waitsForNetwork(_ feed: Feed) -> Bool { feed.fetchState.nextDueReason == .networkDown }

  private static func order(_ entry: Entry) -> (Int, Int64, Int) {
    (entry.feed.fetchState.isGone ? 1 : 0, entry.since?.seconds ?? Int64.max, entry.feed.position)
  }

  private static func advice(_ feed: Feed, _ now: Timestamp) -> String {
    let state = feed.fetchState
    if state.isGone {
      return "Gone for good. Its items are kept; remove the feed, or `fetch` it by name to ask again."
    }
    if waitsForNetwork(feed) {
      return "No host could be reached. Check the network; polling goes on by itself."
    }
    if let hold = state.hold, hold.isRunning(now) {
      return "The server asked for a rest until \(hold.until.rfc3339)."
    }
    let days = state.failingSince.map { (now - $0) / 86_400 } ?? 0
    switch state.lastStatus {
    case 401: return "Set or correct the feed's credential."
    case 403:
      return "The server refuses this client or address. Ask the publisher, or set another user agent."
    case 404, 451:
      return days >= 30
        ? "Not there for \(days) days. Look for a new address, or remove it." : "Check the URL."
    case 429: return "Polled too often for this server. Raise the feed's minimum interval."
    case 407: return "Correct the feed's proxy."
    case .some(200..<300):
      return "What it sends is no feed. Open the URL in a browser; `newsd feeds add` finds its new feed."
    case .some(500...): return "The server's own trouble. newsd keeps asking, more and more rarely."
    default:
      if state.lastError?.hasSuffix(FetchError.refusalAdvice) == true {
        return "Allow the address, or remove the feed."
      }
      return days >= 30
        ? "Not reachable for \(days) days. Look for a new address, or remove it."
        : "newsd keeps asking, more and more rarely. `newsd fetch \(feed.id.rawValue)` asks at once."
    }
  }
}
