/// The outcome of refreshing one feed.
public struct RefreshOutcome: Sendable {
  public enum Result: Hashable, Sendable {
    /// Status 304, or the same body as last time.
    case unchanged
    /// Parsed and stored; both lists may be empty.
    case updated(new: [NewsItem.ID], changed: [NewsItem.ID])
    case failed(RefreshFailure)
    case skipped(SkipReason)
  }

  public var feedID: Feed.ID
  /// The feed; nil when the store was not asked for it, or could not read it.
  public var feed: Feed?
  /// The feed's address if it was known before; nil: it was not.
  public var url: String?
  public var result: Result
  /// The state after the refresh; it is not stored if the result could not be stored. Nil: the refresh did
  /// not begin, because the feed was busy or could not be read, or the run was stopped.
  public var state: FetchState?
  /// HTTP status of the last response.
  public var status: Int?
  /// Size of the decoded body.
  public var bytes = 0
  /// Milliseconds from the request to the end of storing.
  public var duration: Int64 = 0
  /// Messages for the log: remembered and forgotten moves, a truncated body.
  public var notes: [String] = []
  /// Messages that the user must see: a changed URL, unverified certificates.
  public var notices: [String] = []
}

/// Why a refresh failed.
public typealias RefreshFailure = CodedError<RefreshFailureCode>

/// The kinds of failures of a refresh.
public enum RefreshFailureCode: Hashable, Sendable {
  case fetch(FetchError.Code)
  /// Any HTTP status but a success; also 206, and 304 to an unconditional request.
  case status(Int)
  case notAFeed(FeedParseError.Code)
  case store(StoreError.Code)
  /// The store refuses the document's data; this concerns no other feed.
  case refusedByStore
}

/// The result of a run over many feeds.
public struct RefreshSummary: Hashable, Sendable {
  /// Number of feeds to refresh.
  public var total = 0
  public var unchanged = 0
  public var updated = 0
  public var failed = 0
  public var skipped = 0
  public var newItems = 0
  public var changedItems = 0
  /// The store's error, if it ended the run early.
  public var storeError: StoreError?
  /// True when no host could be reached.
  public var networkIsDown = false

  public init() {}

  mutating func count(_ result: RefreshOutcome.Result) {
    switch result {
    case .unchanged: unchanged += 1
    case .updated(let new, let changed):
      updated += 1
      newItems += new.count
      changedItems += changed.count
    case .failed: failed += 1
    case .skipped: skipped += 1
    }
  }
}

/// An event during a refresh run.
public enum RefreshEvent: Sendable {
  case began(total: Int)
  case started(Feed.ID)
  case finished(RefreshOutcome)
  /// True: no host can be reached; false: a host answers again.
  case networkDown(Bool)
  case storeFailed(StoreError)
  /// The store can be written again; polling resumes.
  case storeRecovered
  /// The clock was set by this many seconds; negative: back.
  case clockSet(seconds: Int64)
  /// A batch of results was stored; `seconds` is the duration.
  case committed(seconds: Double)
}

/// Which feeds a run polls.
public enum RefreshMode: Hashable, Sendable {
  /// Feeds that are due.
  case due
  /// All feeds, due or not, except those whose host is in a cooldown.
  case all
  /// The feeds that the user named, regardless of due times and cooldowns.
  case named
  /// Feeds whose answer another account has got.
  case handedOver
}

/// Why a feed was not fetched.
public enum SkipReason: Hashable, Sendable {
  /// Another process has polled the feed meanwhile.
  case notDue(until: Timestamp)
  /// The host is in a cooldown (Retry-After).
  case inCooldown(host: String, until: Timestamp)
  /// Another process is fetching the feed.
  case busy
  /// The feed cannot be read from the store.
  case unreadable
  /// Another process has claimed or removed the feed after it was fetched, so the result was not stored.
  case takenOver
  /// An earlier response was 410.
  case gone
  /// The user has paused the feed.
  case paused
  /// The run was cancelled before the feed was fetched.
  case cancelled
}

extension SkipReason: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notDue(let until): "not due before \(until.rfc3339)"
    case .inCooldown(let host, let until):
      "\(host) asked not to be polled before \(until.rfc3339) (Retry-After)"
    case .busy: "another newsd process is fetching it"
    case .unreadable: "the store cannot be read now"
    case .takenOver: "another newsd process has taken it over or removed it"
    case .gone: "the feed is gone (410); 'newsd fetch FEED' requests it again"
    case .paused: "the feed is paused; 'newsd feeds set FEED paused=' resumes it"
    case .cancelled: "stopped before its turn"
    }
  }
}
