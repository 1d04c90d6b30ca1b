/// Refreshes that wait for a transfer. Feeds whose last poll failed, or that were never polled, get at most three
/// quarters of the transfers, so that unresponsive hosts never block the others.
struct WaitingJobs {
  /// Identifies the slot of a running job, to free it with `ended`.
  struct Slot: Hashable {
    fileprivate var lastPollSucceeded: Bool
    fileprivate var site: Int
  }

  private var proven: SiteQueue<FeedRefresh.Job>
  private var unproven: SiteQueue<FeedRefresh.Job>
  private let mostUnproven: Int
  private var runningUnproven = 0
  /// True when the last call of `next` preferred `unproven`; alternates.
  private var isUnprovenNext = false

  /// `openTransfers` is the maximum number of concurrent transfers, including stalled ones.
  init(perSite: Int, openTransfers: Int) {
    proven = SiteQueue(limit: perSite)
    unproven = SiteQueue(limit: perSite)
    mostUnproven = max(1, openTransfers / 4 * 3)
  }

  var count: Int { proven.count + unproven.count }

  mutating func append(_ job: FeedRefresh.Job, site: String) {
    if job.lastPollSucceeded {
      proven.append(job, site: proven.index(of: site))
    } else {
      unproven.append(job, site: unproven.index(of: site))
    }
  }

  /// Returns the next job that may start; nil when all jobs must wait.
  mutating func next() -> (job: FeedRefresh.Job, place: Slot)? {
    isUnprovenNext.toggle()
    return isUnprovenNext ? nextUnproven() ?? nextProven() : nextProven() ?? nextUnproven()
  }

  private mutating func nextProven() -> (job: FeedRefresh.Job, place: Slot)? {
    proven.next().map { ($0.work, Slot(lastPollSucceeded: true, site: $0.site)) }
  }

  private mutating func nextUnproven() -> (job: FeedRefresh.Job, place: Slot)? {
    guard runningUnproven < mostUnproven, let (job, site) = unproven.next() else { return nil }
    runningUnproven += 1
    return (job, Slot(lastPollSucceeded: false, site: site))
  }

  /// Frees the slot of a job whose transfer has ended.
  mutating func ended(_ place: Slot) {
    if place.lastPollSucceeded {
      proven.ended(site: place.site)
    } else {
      unproven.ended(site: place.site)
      runningUnproven -= 1
    }
  }

  mutating func removeAll() -> [FeedRefresh.Job] { proven.removeAll() + unproven.removeAll() }
}
