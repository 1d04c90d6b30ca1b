import NewsCore
import Synchronization

/// The scheduler that polls now. It is replaced when the store's file has been replaced.
final class SchedulerSlot: Sendable {
  private let scheduler: Mutex<PollScheduler>

  init(_ scheduler: PollScheduler) { self.scheduler = Mutex(scheduler) }

  var current: PollScheduler {
    get { scheduler.withLock { $0 } }
    set { scheduler.withLock { $0 = newValue } }
  }
}
