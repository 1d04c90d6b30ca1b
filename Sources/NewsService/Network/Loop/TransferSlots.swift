/// Counts running transfers and enforces their limits. Requests other than those of feeds whose last poll
/// succeeded get at most three quarters of the slots, so that slow or malicious hosts never block the feeds
/// that work.
///
/// An account may start a transfer while more slots are free than it has. So one account gets half of the slots, each of two
/// gets a third, each of N gets 1/(N + 1), and what is left is for an account that comes later. If one comes while the others
/// have more than these parts, it gets half of what is left; the parts become equal as transfers end.
struct TransferSlots {
  private struct Counts {
    var open = 0
    var stalled = 0
    var moving: Int { open - stalled }
  }

  private struct Part {
    var all = Counts()
    var unproven = Counts()

    mutating func change(lastPollSucceeded: Bool, _ body: (inout Counts) -> Void) {
      body(&all)
      if !lastPollSucceeded { body(&unproven) }
    }
  }

  /// Maximum number of transfers that are not stalled; `open` is the maximum number of all transfers.
  private let moving: Int
  private let open: Int
  private let unprovenMoving: Int
  private let unprovenOpen: Int
  private var total = Part()
  private var accounts: [String: Part] = [:]

  init(_ limits: TransferLimits) {
    moving = limits.moving
    open = limits.open
    unprovenMoving = max(1, moving * 3 / 4)
    unprovenOpen = max(1, open * 3 / 4)
  }

  var isEmpty: Bool { total.all.open == 0 }
  /// True if a request may start.
  var isFree: Bool { total.all.moving < moving && total.all.open < open }
  /// True if a request may start whose `lastPollSucceeded` is false.
  var isFreeForUnproven: Bool {
    isFree && total.unproven.moving < unprovenMoving && total.unproven.open < unprovenOpen
  }

  /// The number of further requests of an account that may start. Requests without an account are not limited.
  func room(for account: String?, lastPollSucceeded: Bool) -> Int {
    guard let account else { return .max }
    let own = accounts[account] ?? Part()
    let room = min(
      Self.room(own.all.moving, free: moving - total.all.moving),
      Self.room(own.all.open, free: open - total.all.open)
    )
    if lastPollSucceeded { return room }
    // Twice as many: two thirds of the three quarters are half of all slots, too.
    return min(
      room,
      Self.room(own.unproven.moving, free: unprovenMoving - total.unproven.moving, times: 2),
      Self.room(own.unproven.open, free: unprovenOpen - total.unproven.open, times: 2)
    )
  }

  /// The number of further slots for an account that may take one while it has fewer than `factor` times the free ones.
  private static func room(_ own: Int, free: Int, times factor: Int = 1) -> Int {
    max(0, (factor * free - own + factor) / (factor + 1))
  }

  mutating func started(lastPollSucceeded: Bool, account: String? = nil) {
    change(lastPollSucceeded, account) { $0.open += 1 }
  }

  mutating func ended(lastPollSucceeded: Bool, isStalled: Bool, account: String? = nil) {
    if isStalled { stallChanged(to: false, lastPollSucceeded: lastPollSucceeded, account: account) }
    change(lastPollSucceeded, account) { $0.open -= 1 }
    if let account, accounts[account]?.all.open == 0 { accounts[account] = nil }
  }

  /// Records that a running transfer has stalled or resumed.
  mutating func stallChanged(to isStalled: Bool, lastPollSucceeded: Bool, account: String? = nil) {
    change(lastPollSucceeded, account) { $0.stalled += isStalled ? 1 : -1 }
  }

  private mutating func change(_ lastPollSucceeded: Bool, _ account: String?, _ body: (inout Counts) -> Void)
  {
    total.change(lastPollSucceeded: lastPollSucceeded, body)
    if let account {
      accounts[account, default: Part()].change(lastPollSucceeded: lastPollSucceeded, body)
    }
  }
}
