/// Counts running transfers and enforces their limits. Requests other than those of feeds whose last poll
/// succeeded get at most three quarters of the slots, so that slow or malicious hosts never block the feeds
/// that work. One account gets at most half of the slots.
struct TransferSlots {
  private struct Counts {
    var open = 0
    var stalled = 0
    var moving: Int { open - stalled }
  }

  /// Maximum number of transfers that are not stalled; `open` is the maximum number of all transfers.
  private let moving: Int
  private let open: Int
  private var all = Counts()
  private var unproven = Counts()
  private var accounts: [String: Counts] = [:]

  init(_ limits: TransferLimits) {
    moving = limits.moving
    open = limits.open
  }

  var isEmpty: Bool { all.open == 0 }
  /// True if a request may start.
  var isFree: Bool { all.moving < moving && all.open < open }
  /// True if a request may start whose `lastPollSucceeded` is false.
  var isFreeForUnproven: Bool {
    isFree && unproven.moving < max(1, moving * 3 / 4) && unproven.open < max(1, open * 3 / 4)
  }

  /// The number of further requests of an account that may start. Requests without an account are not limited.
  func room(for account: String?) -> Int {
    guard let account else { return .max }
    let counts = accounts[account] ?? Counts()
    return max(0, min(max(1, moving / 2) - counts.moving, max(1, open / 2) - counts.open))
  }

  mutating func started(lastPollSucceeded: Bool, account: String? = nil) {
    all.open += 1
    if !lastPollSucceeded { unproven.open += 1 }
    if let account { accounts[account, default: Counts()].open += 1 }
  }

  mutating func ended(lastPollSucceeded: Bool, isStalled: Bool, account: String? = nil) {
    if isStalled { stallChanged(to: false, lastPollSucceeded: lastPollSucceeded, account: account) }
    all.open -= 1
    if !lastPollSucceeded { unproven.open -= 1 }
    if let account {
      accounts[account]?.open -= 1
      if accounts[account]?.open == 0 { accounts[account] = nil }
    }
  }

  /// Records that a running transfer has stalled or resumed.
  mutating func stallChanged(to isStalled: Bool, lastPollSucceeded: Bool, account: String? = nil) {
    all.stalled += isStalled ? 1 : -1
    if !lastPollSucceeded { unproven.stalled += isStalled ? 1 : -1 }
    if let account { accounts[account]?.stalled += isStalled ? 1 : -1 }
  }
}
