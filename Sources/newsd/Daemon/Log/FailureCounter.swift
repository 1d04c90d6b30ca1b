import NewsCore
import NewsToolbox

/// Suppresses repeated failures in the log. A feed's failure is logged when it is new, and then only at its tenth,
/// hundredth, thousandth … occurrence.
struct FailureCounter {
  private var failures: [Feed.ID: (fingerprint: UInt64, count: Int)] = [:]

  /// Counts a failure. Returns the number of equal failures in a row if it is to be logged.
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

  /// Forgets the feed's failures. Returns the number of equal failures before this success.
  mutating func succeeded(_ id: Feed.ID) -> Int { failures.removeValue(forKey: id)?.count ?? 0 }

  /// A hash without digits, so that messages that differ only in a duration or a time are equal.
  private static func fingerprint(_ message: String) -> UInt64 {
    FNV1a<UInt64>(message.utf8.lazy.filter { !ASCII.isDigit($0) }).value
  }

  private static func isPowerOfTen(_ number: Int) -> Bool {
    var power = 1
    while power < number { power *= 10 }
    return power == number
  }
}
