import NewsCore
import Synchronization

/// Runs the refreshes that sync clients ask for. Owns their tasks: `close` cancels them and waits for their end.
final class SyncRefreshes: Sendable {
  private struct State {
    /// The refreshes in progress, by what they refresh; nil: all feeds.
    var tasks: [[Feed.ID]?: Task<Void, Never>] = [:]
    var isClosed = false
  }

  /// Maximum number of refreshes at the same time; each may be of all feeds.
  private static let limit = 4

  private let makeRefresher: @Sendable () throws(StoreError) -> Refresher
  private let report: @Sendable (RefreshEvent) -> Void
  private let state = Mutex(State())

  init(
    report: @escaping @Sendable (RefreshEvent) -> Void,
    makeRefresher: @escaping @Sendable () throws(StoreError) -> Refresher
  ) {
    self.report = report
    self.makeRefresher = makeRefresher
  }

  /// Starts a refresh of these feeds, or of all that are due, and returns its task. Returns the task of the refresh in
  /// progress if there is one, and nil if there are too many.
  @discardableResult
  func start(_ feeds: [Feed.ID]?) throws(StoreError) -> Task<Void, Never>? {
    let refresher = try makeRefresher()
    return state.withLock { state in
      if let task = state.tasks[feeds] { return task }
      guard !state.isClosed, state.tasks.count < Self.limit else { return nil }
      let task = Task { [report] in
        if let feeds {
          _ = await refresher.refresh(named: feeds, report: report)
        } else {
          // A failure of the store is reported by the daemon, which meets it too.
          _ = try? await refresher.refreshAll(.all, report: report)
        }
        self.state.withLock { $0.tasks[feeds] = nil }
      }
      state.tasks[feeds] = task
      return task
    }
  }

  func close() async {
    let tasks = state.withLock { state in
      state.isClosed = true
      return Array(state.tasks.values)
    }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }
}
