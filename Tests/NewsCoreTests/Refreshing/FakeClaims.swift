import NewsCore
import Synchronization

/// Records claims and releases. The feeds in `others` are locked by another process.
final class FakeClaims: FeedClaiming {
  let log = Mutex<[String]>([])
  private let others: Set<Feed.ID>

  init(othersHold others: Set<Feed.ID> = []) {
    self.others = others
  }

  func claim(_ id: Feed.ID) -> Bool {
    guard !others.contains(id) else { return false }
    log.withLock { $0.append("claim \(id.rawValue)") }
    return true
  }

  func release(_ id: Feed.ID) { log.withLock { $0.append("release \(id.rawValue)") } }
}
