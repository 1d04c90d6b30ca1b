import NewsCore
import Synchronization

/// A memory budget shared by all fetches: for bodies being received and for bodies of responses still in use.
final class ByteBudget: Sendable {
  let capacity: Int
  private let taken = Atomic<Int>(0)
  private let held = Atomic<Int>(0)
  private let isAwaited = Atomic<Bool>(false)
  private let wake: @Sendable () -> Void

  /// `wake` is called from any thread when bytes are released after `requestWake`.
  init(capacity: Int, wake: @escaping @Sendable () -> Void) {
    self.capacity = capacity
    self.wake = wake
  }

  var used: Int { taken.load(ordering: .relaxed) }

  func hasSpace(for count: Int) -> Bool { used + count <= capacity }

  /// True if bodies of responses in use exhaust the budget.
  var isFullOfHeldBodies: Bool { held.load(ordering: .relaxed) >= capacity }

  /// True if responses in use hold bytes, which they will release.
  var isHeld: Bool { held.load(ordering: .relaxed) > 0 }

  func take(_ count: Int) {
    taken.add(count, ordering: .relaxed)
  }

  func release(_ count: Int) {
    taken.subtract(count, ordering: .releasing)
    if isAwaited.exchange(false, ordering: .acquiringAndReleasing) { wake() }
  }

  /// Requests one call of `wake` at the next release of bytes.
  func requestWake() {
    isAwaited.store(true, ordering: .releasing)
  }

  /// Transfers reserved bytes to a response. The bytes are released with the last copy of the response.
  func share(of count: Int) -> BodyShare? {
    guard count > 0 else { return nil }
    held.add(count, ordering: .relaxed)
    return BodyShare { [self] in
      held.subtract(count, ordering: .relaxed)
      release(count)
    }
  }
}
