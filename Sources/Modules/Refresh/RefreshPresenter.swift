public import NewsCore
import NewsToolbox

/// Accumulates the outcomes of a refresh.
///
/// The interactor calls `present` for each finished feed, then `finish`.
public struct RefreshPresenter: Sendable {

  private var state = RefreshViewModel()

  public init(total: Int) {
    state.total = total
  }

  /// Adds the outcome of one feed; `elapsed` is in seconds since the start.
  public mutating func present(
    _ outcome: RefreshOutcome,
    elapsed: Double
  ) -> Container<RefreshViewModel> {
    state.done += 1
    state.total = max(state.total, state.done)
    state.elapsed = elapsed
    let shown: RefreshViewModel.Outcome
    switch outcome.result {
    case .updated(let new, let changed):
      state.newItems += new.count
      state.changedItems += changed.count
      shown = .updated(new: new.count, changed: changed.count)
    case .unchanged:
      shown = .unchanged
    case .skipped(let reason):
      state.skipped += 1
      shown = .skipped(DisplayText(line: reason.description))
    case .failed(let failure):
      state.failures += 1
      // The end of the refresh tells all of a failure of the store.
      let text =
        if case .store(let code) = failure.code {
          StoreError(code: code, message: failure.message).clientMessage
        } else {
          failure.message
        }
      shown = .failed(DisplayText(line: text))
    }
    state.lines = [
      RefreshViewModel.Line(
        feed: DisplayText(line: Self.name(of: outcome)),
        outcome: shown,
        notes: outcome.notes.map { DisplayText(line: $0) },
        notices: outcome.notices.map { DisplayText(line: $0) }
      )
    ]
    return .loading(Progress(done: state.done, total: state.total), keeping: state)
  }

  private static func name(of outcome: RefreshOutcome) -> String {
    outcome.feed?.title ?? outcome.url.map { WebAddress.redacted($0) } ?? "feed \(outcome.feedID.rawValue)"
  }

  /// The last container, with the totals: ready if no feed failed, else failed. `elapsed` counts seconds.
  /// `networkIsDown`: no host could be reached.
  public mutating func finish(elapsed: Double, networkIsDown: Bool = false) -> Container<RefreshViewModel> {
    state.elapsed = elapsed
    state.networkIsDown = networkIsDown
    state.lines = []
    let asked = state.done - state.skipped
    guard state.failures > 0 else { return .ready(state) }
    let failed = "\(state.failures) of \(Plural.of(asked, "feed")) failed"
    let message = UserMessage(
      code: state.failures < asked ? .someFailed : .unreachable,
      text: failed
        + (networkIsDown
          ? ". Is the network up?" : "; 'newsd status --failing' tells which, why and what to do")
    )
    return .failed(message, keeping: state)
  }

  /// Adds a note with the number of recorded exchanges.
  mutating func noteRecorded(_ count: Int, in directory: String) {
    state.notes.append(DisplayText(line: "\(Plural.of(count, "exchange")) kept in \(directory)"))
  }

  /// Adds a note on the pages that were fetched.
  mutating func read(_ pages: ArticleQueue.Summary) {
    let total = pages.fetched + pages.unchanged + pages.refused
    var text = "\(Plural.of(total, "page")) read: \(Plural.of(pages.fetched, "article"))"
    if pages.unchanged > 0 { text += ", \(pages.unchanged) unchanged" }
    if pages.refused > 0 { text += ", \(pages.refused) refused" }
    state.notes.append(DisplayText(line: text))
  }

  /// Warns before a replay about files that are not recorded exchanges.
  func unreadable(_ names: [String], in directory: String) -> Container<RefreshViewModel> {
    var content = state
    content.warnings = names.map { DisplayText(line: "\(directory)/\($0) is not a recorded exchange") }
    return .loading(keeping: content)
  }

  /// The failure of the refresh as a whole; keeps the totals so far.
  public func present(_ failure: UserMessage) -> Container<RefreshViewModel> {
    .failed(failure, keeping: state.done > 0 ? state : nil)
  }
}
