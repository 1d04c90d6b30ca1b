import Synchronization

/// A counter that a concurrent batch callback can increment.
final class Counter: Sendable {
  private let number = Mutex(0)

  var value: Int { number.withLock { $0 } }

  /// Adds `more` and returns the previous value.
  @discardableResult
  func add(_ more: Int) -> Int {
    number.withLock { number in
      defer { number += more }
      return number
    }
  }
}
