import NewsCore
import Synchronization

/// Holds the current scheduler, which is replaced when the store's file was replaced.
final class SchedulerSlot: Sendable {
  private let scheduler: Mutex<PollScheduler>

  init(_ scheduler: PollScheduler) { self.scheduler = Mutex(scheduler) }

  var current: PollScheduler {
    get { scheduler.withLock { $0 } }
    set { scheduler.withLock { $0 = newValue } }
  }
}
