import NewsCore
import Synchronization

/// Memory for bodies, shared by all fetches: those being received and those that somebody still holds.
final class ByteBudget: Sendable {
  let capacity: Int
  private let taken = Atomic<Int>(0)
  private let held = Atomic<Int>(0)
  private let isAwaited = Atomic<Bool>(false)
  private let wake: @Sendable () -> Void

  /// - Parameters:
  ///   - capacity: Bytes.
  ///   - wake: Called from any thread when bytes come back that somebody waits for.
  init(capacity: Int, wake: @escaping @Sendable () -> Void) {
    self.capacity = capacity
    self.wake = wake
  }

  var used: Int { taken.load(ordering: .relaxed) }

  func hasRoom(for count: Int) -> Bool { used + count <= capacity }

  /// True when bodies that somebody holds have taken all of it.
  var isFullOfHeldBodies: Bool { held.load(ordering: .relaxed) >= capacity }

  /// True when somebody holds bodies, and will let go of them.
  var isHeld: Bool { held.load(ordering: .relaxed) > 0 }

  func take(_ count: Int) {
    taken.add(count, ordering: .relaxed)
  }

  func giveBack(_ count: Int) {
    taken.subtract(count, ordering: .releasing)
    if isAwaited.exchange(false, ordering: .acquiringAndReleasing) { wake() }
  }

  /// Asks for one call of `wake` when bytes come back.
  func awaitRoom() {
    isAwaited.store(true, ordering: .releasing)
  }

  /// Hands bytes that were taken to whoever holds the response.
  func share(of count: Int) -> BodyShare? {
    guard count > 0 else { return nil }
    held.add(count, ordering: .relaxed)
    return BodyShare { [self] in
      held.subtract(count, ordering: .relaxed)
      giveBack(count)
    }
  }
}
