import NewsCore
import Synchronization

/// Records claims and releases. The feeds in `others` are claimed by another process, and all feeds for the first
/// `busyTimes` attempts.
final class FakeClaims: FeedClaiming {
  let log = Mutex<[String]>([])
  private let others: Set<Feed.ID>
  private let secondsSinceRequest: Int64?
  private let busyTimes: Mutex<Int>

  init(othersHold others: Set<Feed.ID> = [], secondsSinceRequest: Int64? = nil, busyTimes: Int = 0) {
    self.others = others
    self.busyTimes = Mutex(busyTimes)
    self.secondsSinceRequest = secondsSinceRequest
  }

  func claim(_ id: Feed.ID) async -> FeedClaim {
    let isBusy = busyTimes.withLock { times in
      times -= 1
      return times >= 0
    }
    guard !others.contains(id), !isBusy else { return .busy }
    log.withLock { $0.append("claim \(id.rawValue)") }
    return .claimed(secondsSinceRequest: secondsSinceRequest)
  }

  func release(_ id: Feed.ID) { log.withLock { $0.append("release \(id.rawValue)") } }
}
