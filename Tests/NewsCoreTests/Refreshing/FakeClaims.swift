import NewsCore
import Synchronization

/// Records claims and releases. The feeds in `others` are claimed by another process.
final class FakeClaims: FeedClaiming {
  let log = Mutex<[String]>([])
  private let others: Set<Feed.ID>
  private let secondsSinceRequest: Int64?

  init(othersHold others: Set<Feed.ID> = [], secondsSinceRequest: Int64? = nil) {
    self.others = others
    self.secondsSinceRequest = secondsSinceRequest
  }

  func claim(_ id: Feed.ID) async -> FeedClaim {
    guard !others.contains(id) else { return .busy }
    log.withLock { $0.append("claim \(id.rawValue)") }
    return .claimed(secondsSinceRequest: secondsSinceRequest)
  }

  func release(_ id: Feed.ID) { log.withLock { $0.append("release \(id.rawValue)") } }
}
