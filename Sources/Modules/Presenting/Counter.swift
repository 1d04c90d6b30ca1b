import Synchronization

/// A running number that a batch callback adds to.
final class Counter: Sendable {
  private let number = Mutex(0)

  var value: Int { number.withLock { $0 } }

  /// Returns the number before.
  @discardableResult
  func add(_ more: Int) -> Int {
    number.withLock { number in
      defer { number += more }
      return number
    }
  }
}
