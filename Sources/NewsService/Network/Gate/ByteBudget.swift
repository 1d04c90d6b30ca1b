import NewsCore
import Synchronization

/// Memory for bodies, shared by all fetches: bodies being received, and those whose response is still referenced.
final class ByteBudget: Sendable {
  let capacity: Int
  private let taken = Atomic<Int>(0)
  private let held = Atomic<Int>(0)
  private let isAwaited = Atomic<Bool>(false)
  private let wake: @Sendable () -> Void

  /// - Parameters:
  ///   - capacity: Bytes.
  ///   - wake: Called from any thread when bytes are given back after `awaitRoom`.
  init(capacity: Int, wake: @escaping @Sendable () -> Void) {
    self.capacity = capacity
    self.wake = wake
  }

  var used: Int { taken.load(ordering: .relaxed) }

  func hasRoom(for count: Int) -> Bool { used + count <= capacity }

  /// True when bodies handed out have taken all of it.
  var isFullOfHeldBodies: Bool { held.load(ordering: .relaxed) >= capacity }

  /// True when bodies are handed out, so that bytes will be given back.
  var isHeld: Bool { held.load(ordering: .relaxed) > 0 }

  func take(_ count: Int) {
    taken.add(count, ordering: .relaxed)
  }

  func giveBack(_ count: Int) {
    taken.subtract(count, ordering: .releasing)
    if isAwaited.exchange(false, ordering: .acquiringAndReleasing) { wake() }
  }

  /// Requests one call of `wake` when bytes are given back.
  func awaitRoom() {
    isAwaited.store(true, ordering: .releasing)
  }

  /// Hands taken bytes over to a response: they are given back when its last copy goes.
  func share(of count: Int) -> BodyShare? {
    guard count > 0 else { return nil }
    held.add(count, ordering: .relaxed)
    return BodyShare { [self] in
      held.subtract(count, ordering: .relaxed)
      giveBack(count)
    }
  }
}
