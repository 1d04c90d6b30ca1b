/// Counts running transfers and enforces their limits. Requests other than those of feeds whose last poll
/// succeeded get at most three quarters of the slots, so that slow or malicious hosts never block the feeds
/// that work.
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

  mutating func started(lastPollSucceeded: Bool) {
    all.open += 1
    if !lastPollSucceeded { unproven.open += 1 }
  }

  mutating func ended(lastPollSucceeded: Bool, isStalled: Bool) {
    if isStalled { stallChanged(to: false, lastPollSucceeded: lastPollSucceeded) }
    all.open -= 1
    if !lastPollSucceeded { unproven.open -= 1 }
  }

  /// Records that a running transfer has stalled or resumed.
  mutating func stallChanged(to isStalled: Bool, lastPollSucceeded: Bool) {
    all.stalled += isStalled ? 1 : -1
    if !lastPollSucceeded { unproven.stalled += isStalled ? 1 : -1 }
  }
}
