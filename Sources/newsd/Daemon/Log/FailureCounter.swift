import NewsCore
import NewsToolbox

/// Thins out equal failures: a feed's failure is logged when it is new, and then only when it has been repeated ten, a
/// hundred, a thousand … times.
struct FailureCounter {
  private var failures: [Feed.ID: (fingerprint: UInt64, count: Int)] = [:]

  /// Counts a failure.
  ///
  /// - Returns: How often it has come in a row, when it is to be logged; nil: it is not.
  mutating func failed(_ id: Feed.ID, _ message: String) -> Int? {
    let fingerprint = Self.fingerprint(message)
    guard let known = failures[id], known.fingerprint == fingerprint else {
      failures[id] = (fingerprint, 1)
      return 1
    }
    let count = known.count + 1
    failures[id]?.count = count
    return Self.isPowerOfTen(count) ? count : nil
  }

  /// Forgets the feed's failures.
  ///
  /// - Returns: How many equal failures came before this success.
  mutating func succeeded(_ id: Feed.ID) -> Int { failures.removeValue(forKey: id)?.count ?? 0 }

  /// A hash without the digits: two messages that differ in a duration or a time only are equal.
  private static func fingerprint(_ message: String) -> UInt64 {
    FNV1a<UInt64>(message.utf8.lazy.filter { !ASCII.isDigit($0) }).value
  }

  private static func isPowerOfTen(_ number: Int) -> Bool {
    var power = 1
    while power < number { power *= 10 }
    return power == number
  }
}
