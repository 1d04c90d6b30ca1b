import Synchronization

/// Limits the number of handlers that run at the same time.
package final class HandlerSlots: Sendable {
  private let limit: Int
  private let count = Mutex(0)

  package init(limit: Int) { self.limit = limit }

  /// Takes a slot. Returns false if all slots are taken.
  package func enter() -> Bool {
    count.withLock { count in
      guard count < limit else { return false }
      count += 1
      return true
    }
  }

  package func leave() { count.withLock { $0 -= 1 } }
}
