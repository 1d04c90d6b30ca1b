/// How much of the memory for bodies each account holds, and which of them wait for some. The requests without an account
/// count as those of one more, whose part is not limited.
struct BodyShares {
  private var held: [String?: Int] = [:]
  private var waiting: Set<String?> = []

  /// Adds a transfer that holds so many bytes.
  mutating func add(_ bytes: Int, of account: String?, isWaiting: Bool) {
    if bytes > 0 || isWaiting { held[account, default: 0] += bytes }
    if isWaiting { waiting.insert(account) }
  }

  /// Returns the account that holds the most, if it holds more than its part of the capacity while another one waits.
  func excessiveHolder(capacity: Int) -> String? {
    var most: (account: String, bytes: Int)?
    for case (let account?, let bytes) in held where bytes > most?.bytes ?? 0 { most = (account, bytes) }
    guard let most, most.bytes > capacity / held.count, waiting.contains(where: { $0 != most.account }) else {
      return nil
    }
    return most.account
  }
}
