@testable import NewsCore
import Synchronization

extension Refresher {
  /// Refreshes one feed now, and returns its outcome.
  func refresh(_ id: Feed.ID) async -> RefreshOutcome {
    let last = Mutex<RefreshOutcome?>(nil)
    _ = await refresh(named: [id]) { event in
      if case .finished(let outcome) = event { last.withLock { $0 = outcome } }
    }
    return last.withLock { $0 } ?? RefreshOutcome(feedID: id, feed: nil, result: .skipped(.cancelled))
  }
}
