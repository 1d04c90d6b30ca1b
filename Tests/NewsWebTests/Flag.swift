import Synchronization

/// Tells a test and the work that it observes of each other.
final class Flag: Sendable {
  private let state = Mutex(false)

  var isSet: Bool { state.withLock { $0 } }

  func set() { state.withLock { $0 = true } }
}
