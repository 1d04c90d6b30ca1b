/// How refreshing one feed ended.
public struct RefreshOutcome: Sendable {
  public enum Result: Hashable, Sendable {
    /// 304, or a body like the last one.
    case unchanged
    /// Parsed and stored; both lists may be empty.
    case updated(new: [NewsItem.ID], changed: [NewsItem.ID])
    case failed(RefreshFailure)
    case skipped(SkipReason)
  }

  public var feedID: Feed.ID
  /// Nil when the store could not even tell which feed it is.
  public var feed: Feed?
  public var result: Result
  /// The state stored in the end.
  public var state: FetchState?
  /// HTTP status of the answer that counted.
  public var status: Int?
  /// Bytes of the body, decoded.
  public var bytes: Int
  /// Milliseconds from the request to the end of storing.
  public var duration: Int64
  /// Things worth a log line: moves remembered and forgotten; a body cut short.
  public var notes: [String]
  /// Things that the user should hear of in any case: a changed URL, certificates that are not verified.
  public var notices: [String]

  public init(
    feedID: Feed.ID,
    feed: Feed?,
    result: Result,
    state: FetchState? = nil,
    status: Int? = nil,
    bytes: Int = 0,
    duration: Int64 = 0,
    notes: [String] = [],
    notices: [String] = []
  ) {
    self.feedID = feedID
    self.feed = feed
    self.result = result
    self.state = state
    self.status = status
    self.bytes = bytes
    self.duration = duration
    self.notes = notes
    self.notices = notices
  }
}

/// Why a refresh failed.
public struct RefreshFailure: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Code: Hashable, Sendable {
    case fetch(FetchError.Code)
    /// An HTTP status other than 200 and 304.
    case status(Int)
    case notAFeed(FeedParseError.Code)
    case store(StoreError.Code)
  }
  public let code: Code
  /// Says what was tried, what happened and what to do.
  public let message: String

  public init(code: Code, message: String) {
    self.code = code
    self.message = message
  }
  public var description: String { message }
}

/// What a run over many feeds came to.
public struct RefreshSummary: Hashable, Sendable {
  /// Feeds that were to be refreshed.
  public var total = 0
  public var unchanged = 0
  public var updated = 0
  public var failed = 0
  public var skipped = 0
  public var newItems = 0
  public var changedItems = 0
  /// Set when the store itself failed: the run ended early.
  public var storeError: StoreError?
  /// No host at all could be reached.
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

/// What happens while feeds are refreshed, as it happens.
public enum RefreshEvent: Sendable {
  case began(total: Int)
  case started(Feed.ID)
  case finished(RefreshOutcome)
  /// No host can be reached (true), or one answers again (false).
  case networkDown(Bool)
  case storeFailed(StoreError)
  /// The store can be written again; polling resumes.
  case storeRecovered
}

/// Which feeds a run asks.
public enum RefreshMode: Hashable, Sendable {
  /// Those whose time has come.
  case due
  /// All, due or not; hosts that asked for a rest are left alone.
  case all
  /// The feeds that the user named, whatever their due times and rests.
  case named
}
