import Synchronization

/// Counts what runs at the same time, and limits it for each key, such as the name of an account.
package final class KeyedSlots: Sendable {
  private let counts = Mutex<[String: Int]>([:])

  package init() {}

  /// Takes a slot of each key, with its limit. Returns false, and takes none, if all slots of a key are taken.
  package func enter(_ limits: KeyValuePairs<String, Int>) -> Bool {
    counts.withLock { counts in
      for (key, limit) in limits where counts[key, default: 0] >= limit { return false }
      for (key, _) in limits { counts[key, default: 0] += 1 }
      return true
    }
  }

  package func leave(_ limits: KeyValuePairs<String, Int>) {
    counts.withLock { counts in
      for (key, _) in limits {
        let rest = counts[key, default: 0] - 1
        counts[key] = rest > 0 ? rest : nil
      }
    }
  }
}
