public import NewsCore

/// How a refresh of many feeds goes: what is done, what each feed brought, what failed.
public struct RefreshViewModel: ScreenContent, Hashable {
  public enum Outcome: Hashable, Sendable {
    case updated(new: Int, changed: Int)
    case unchanged
    /// Not asked now, and why not.
    case skipped(DisplayText)
    case failed(DisplayText)
  }

  public struct Line: Hashable, Sendable {
    public var feed: DisplayText
    public var outcome: Outcome
    /// Worth saying to who wants to know everything.
    public var notes: [DisplayText] = []
    /// Worth saying to everyone.
    public var notices: [DisplayText] = []
  }

  /// Feeds that have ended since the container before.
  public var lines: [Line] = []
  public var done = 0
  public var total = 0
  public var newItems = 0
  public var changedItems = 0
  public var failures = 0
  public var skipped = 0
  /// Seconds since the start.
  public var elapsed: Double = 0

  public init() {}

  public var rowCount: Int { done }
}

/// How the refresh of one feed ended.
public struct FeedRefreshOutcome: Hashable, Sendable {
  public enum Result: Hashable, Sendable {
    case updated(new: Int, changed: Int)
    case unchanged
    /// With the reason, for example a running Retry-After.
    case skipped(String)
    case failed(String)
  }

  public var feedTitle: String
  public var result: Result
  public var notes: [String]
  public var notices: [String]

  public init(feedTitle: String, result: Result, notes: [String] = [], notices: [String] = []) {
    self.feedTitle = feedTitle
    self.result = result
    self.notes = notes
    self.notices = notices
  }
}

/// Adds up what a refresh reports.
///
/// Fed by the interactor: `present(…, isLast: false)` for every feed that ends, `finish` at the end.
public struct RefreshPresenter: Sendable {
  private var state = RefreshViewModel()

  public init(total: Int) {
    state.total = total
  }

  /// The container after one more feed, `elapsed` seconds since the start.
  public mutating func present(
    _ outcome: FeedRefreshOutcome,
    elapsed: Double
  ) -> Container<RefreshViewModel> {
    state.done += 1
    state.total = max(state.total, state.done)
    state.elapsed = elapsed
    let shown: RefreshViewModel.Outcome
    switch outcome.result {
    case .updated(let new, let changed):
      state.newItems += new
      state.changedItems += changed
      shown = .updated(new: new, changed: changed)
    case .unchanged:
      shown = .unchanged
    case .skipped(let reason):
      state.skipped += 1
      shown = .skipped(DisplayText(line: reason))
    case .failed(let message):
      state.failures += 1
      shown = .failed(DisplayText(line: message))
    }
    state.lines = [
      RefreshViewModel.Line(
        feed: DisplayText(line: outcome.feedTitle),
        outcome: shown,
        notes: outcome.notes.map { DisplayText(line: $0) },
        notices: outcome.notices.map { DisplayText(line: $0) }
      )
    ]
    return .loading(Progress(done: state.done, total: state.total), keeping: state)
  }

  /// The last container: ready when all feeds could be read, failed with the totals when some or all could not.
  ///
  /// - Parameters:
  ///   - elapsed: Seconds since the start.
  ///   - networkIsDown: True: no host at all could be reached.
  /// - Returns: The container.
  public mutating func finish(elapsed: Double, networkIsDown: Bool = false) -> Container<RefreshViewModel> {
    state.elapsed = elapsed
    state.lines = []
    let asked = state.done - state.skipped
    guard state.failures > 0 else { return .ready(state) }
    let failed = "\(state.failures) of \(asked) feed\(asked == 1 ? "" : "s") failed"
    let message = UserMessage(
      code: state.failures < asked ? .someFailed : .unreachable,
      text: failed
        + (networkIsDown
          ? ". Is the network up?" : "; `newsd status --failing` tells which, why and what to do.")
    )
    return .failed(message, keeping: state)
  }

  /// The store gave up in the middle.
  public func present(_ error: StoreError) -> Container<RefreshViewModel> {
    .failed(UserMessage(error), keeping: state)
  }
}
