import NewsStoresShared
import Synchronization

/// Collects numbers from closures that may run on any thread.
final class Counter: Sendable {
  private let collected = Mutex<[Int]>([])
  var values: [Int] { collected.withLock { $0 } }
  func append(_ value: Int) { collected.withLock { $0.append(value) } }
}
