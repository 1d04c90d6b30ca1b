/// The state of a refresh: totals, and the feeds finished since the previous container.
public struct RefreshViewModel: ScreenContent, Hashable {
  public enum Outcome: Hashable, Sendable {
    case updated(new: Int, changed: Int)
    case unchanged
    /// The feed was not fetched, for this reason.
    case skipped(DisplayText)
    case failed(DisplayText)
  }

  public struct Line: Hashable, Sendable {
    public var feed: DisplayText
    public var outcome: Outcome
    /// Sentences that are shown only if every feed is reported.
    public var notes: [DisplayText] = []
    /// Sentences that are always shown.
    public var notices: [DisplayText] = []
  }

  /// Feeds finished since the previous container.
  public var lines: [Line] = []
  public var done = 0
  public var total = 0
  public var newItems = 0
  public var changedItems = 0
  public var failures = 0
  public var skipped = 0
  /// True: no host could be reached.
  public var networkIsDown = false
  /// Time since the start, in seconds.
  public var elapsed: Double = 0

  public var warnings: [DisplayText] = []
  public var notes: [DisplayText] = []

  public init() {}

  public var rowCount: Int { done }
}
