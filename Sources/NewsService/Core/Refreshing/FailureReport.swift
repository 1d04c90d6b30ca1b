import NewsToolbox

/// The failing feeds: the start of the failures, their cause and the remedy.
public struct FailureReport: Hashable, Sendable {
  public struct Entry: Hashable, Sendable {
    public var feed: Feed
    /// When the current run of failures began.
    public var since: Timestamp?
    public var failures: Int
    public var error: String
    public var advice: String
  }

  /// The feed that has failed longest comes first; feeds that are gone come last.
  public var entries: [Entry]

  public init(_ feeds: [Feed], now: Timestamp) {
    entries = feeds.filter(Self.isFailing)
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

  /// True for a feed whose last poll failed, that is gone, or that waits for the network. A paused feed
  /// does not fail.
  public static func isFailing(_ feed: Feed) -> Bool {
    guard feed.settings.isPaused != true else { return false }
    return feed.fetchState.failures > 0 || feed.fetchState.isGone || waitsForNetwork(feed)
  }

  private static func waitsForNetwork(_ feed: Feed) -> Bool { feed.fetchState.nextDueReason == .networkDown }

  private static func order(_ entry: Entry) -> (Int, Int64, Int) {
    (entry.feed.fetchState.isGone ? 1 : 0, entry.since?.seconds ?? Int64.max, entry.feed.position)
  }

  /// The beginning of `FetchState.lastError` if the store refused the document's data.
  static let refusalByStore = "the document cannot be stored: "

  private static func advice(_ feed: Feed, _ now: Timestamp) -> String {
    let state = feed.fetchState
    let id = feed.id.rawValue
    if state.isGone {
      return "gone for good; its items are kept. 'newsd feeds set \(id) url=URL' gives it a new address, "
        + "'newsd fetch \(id)' asks again, 'newsd feeds remove \(id)' unsubscribes."
    }
    if waitsForNetwork(feed) {
      return "no host could be reached. Check the network; polling resumes by itself."
    }
    if let cooldown = state.cooldown, cooldown.isRunning(now) {
      return "the server asked not to be polled before \(cooldown.until.rfc3339)"
    }
    let days = state.failingSince.map { (now - $0) / 86_400 } ?? 0
    switch state.lastStatus {
    case 401: return "set or correct the credential: 'newsd feeds set \(id) credential=env:NAME'"
    case 403:
      return "the server refuses this client or address. Ask the publisher, or set another user agent: "
        + "'newsd feeds set \(id) user-agent=NAME'."
    case 404, 451:
      return days >= 30
        ? "not found for \(days) days. \(newAddress(id))"
        : "check the URL; 'newsd feeds set \(id) url=URL' changes it"
    case 410:
      return "the server says that it is gone. newsd asks again, and stops if that does not change. "
        + "'newsd feeds set \(id) url=URL' gives it a new address."
    case 429:
      return
        "polled too often for this server. Raise the interval: 'newsd feeds set \(id) minimum-interval=2h'."
    case 407: return "correct the proxy: 'newsd feeds set \(id) proxy=URL'"
    case .some(200..<300) where state.lastError?.hasPrefix(bytesOf: refusalByStore) == true:
      return "the store refuses a value of the document. newsd keeps asking, less and less often."
    case .some(200..<300):
      return
        "the document is not a feed. Open the URL in a browser; 'newsd feeds set \(id) url=URL' changes it."
    case .some(500...): return "the server has an error. newsd keeps asking, less and less often."
    default:
      if state.lastError?.hasSuffix(FetchError.refusalAdvice) == true {
        return "allow the address with network.allow, or unsubscribe: 'newsd feeds remove \(id)'"
      }
      return days >= 30
        ? "not reachable for \(days) days. \(newAddress(id))"
        : "newsd keeps asking, less and less often. 'newsd fetch \(id)' asks at once."
    }
  }

  private static func newAddress(_ id: Int64) -> String {
    "'newsd feeds set \(id) url=URL' gives it a new address, 'newsd feeds remove \(id)' unsubscribes."
  }
}
