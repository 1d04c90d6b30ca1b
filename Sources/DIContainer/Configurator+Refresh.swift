import Glibc
public import Modules
public import NewsService
import Synchronization

extension Configurator {
  /// Refreshes what the route names and shows how it goes.
  ///
  /// - Parameters:
  ///   - route: All feeds, those due, or some by name.
  ///   - detail: What is said of each feed.
  ///   - isLive: True draws one line again and again; only sensible on a terminal.
  ///   - fetcher: Where documents come from; nil: the network.
  /// - Returns: The exit status: 0, 75 when some feeds failed, 69 when every one did, 74 for the store.
  /// - Throws: `StoreError` when the store cannot be read, `OutputError`.
  public func runFetch(
    _ route: FetchRoute,
    detail: RefreshView.Detail,
    isLive: Bool,
    fetcher: (any Fetching)? = nil
  ) async throws -> Int32 {
    let store = try services.store()
    let refresher = try services.makeRefresher(fetcher: fetcher)
    var ids: [Feed.ID] = []
    for name in route.feeds { ids.append(try await store.feed(named: name).id) }
    let report = makeReport(detail: detail, isLive: isLive)
    let summary =
      ids.isEmpty
      ? try await refresher.refreshAll(route.onlyDue ? .due : .all, report: report.take)
      : await refresher.refresh(named: ids, report: report.take)
    await services.shutdown()
    return try report.finish(storeError: summary.storeError)
  }

  /// Refreshes the store from recorded exchanges and shows how it goes.
  ///
  /// - Parameters:
  ///   - replayer: The recordings.
  ///   - detail: What is said of each feed.
  /// - Returns: The exit status, as of `runFetch`.
  /// - Throws: `StoreError` when the store cannot be read, `OutputError`.
  public func runReplay(_ replayer: FetchReplayer, detail: RefreshView.Detail) async throws -> Int32 {
    let report = makeReport(detail: detail, isLive: false)
    let summary = try await services.makeReplay(replayer).run(report: report.take)
    return try report.finish(storeError: summary.storeError)
  }

  private func makeReport(detail: RefreshView.Detail, isLive: Bool) -> RefreshReport {
    let view = RefreshView(terminal: presentation.terminal, detail: detail, isLive: isLive)
    return RefreshReport(
      screen: Screen(
        view: view,
        output: presentation.messages,
        messages: presentation.messages,
        flushesAlways: true
      )
    )
  }
}

/// Turns what a refresh reports into containers on a screen.
private final class RefreshReport: Sendable {
  private let screen: Screen<RefreshViewModel>
  private let presenter = Mutex(RefreshPresenter(total: 0))
  private let start = ContinuousClock.now

  init(screen: Screen<RefreshViewModel>) {
    self.screen = screen
  }

  var take: @Sendable (RefreshEvent) -> Void {
    { [self] event in
      switch event {
      case .began(let total): presenter.withLock { $0 = RefreshPresenter(total: total) }
      case .finished(let outcome):
        let container = presenter.withLock { $0.present(FeedRefreshOutcome(outcome), elapsed: elapsed) }
        // A reader that has gone is noticed at the end; the refresh itself goes on.
        try? screen.show(container)
      case .started, .networkDown, .storeFailed: break
      }
    }
  }

  /// Shows the sum; returns the exit status.
  func finish(storeError: StoreError?) throws(OutputError) -> Int32 {
    try screen.show(
      presenter.withLock { storeError.map($0.present) ?? $0.finish(elapsed: elapsed) }
    )
    return screen.failure?.code.rawValue ?? 0
  }

  private var elapsed: Double {
    let (seconds, attoseconds) = start.duration(to: .now).components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}

extension FeedRefreshOutcome {
  fileprivate init(_ outcome: RefreshOutcome) {
    let result: Result =
      switch outcome.result {
      case .unchanged: .unchanged
      case .updated(let new, let changed): .updated(new: new.count, changed: changed.count)
      case .failed(let failure): .failed(failure.message)
      case .skipped(let reason): .skipped(reason.description)
      }
    self.init(feedTitle: outcome.feed?.title ?? "feed \(outcome.feedID.rawValue)", result: result)
  }
}
