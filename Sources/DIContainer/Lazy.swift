import Synchronization

/// A value that is created once, on first use.
final class Lazy<Value: Sendable>: Sendable {
  private let state: Mutex<Value?>
  private let make: @Sendable () -> Value

  init(_ make: @escaping @Sendable () -> Value) {
    self.make = make
    state = Mutex(nil)
  }

  var value: Value {
    state.withLock { value in
      if let value { return value }
      let made = make()
      value = made
      return made
    }
  }

  /// The value if it has been created.
  var existing: Value? { state.withLock { $0 } }
}
