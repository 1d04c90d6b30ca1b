/// Limits concurrent transfers: few at first, more while the parser keeps up with received bodies, fewer when bodies
/// pile up. Slow servers therefore do not delay other feeds, and fast servers do not fill the memory.
struct ConcurrencyWindow {
  static let step = 32
  static let pace = Duration.milliseconds(25)

  private(set) var size: Int
  private let maximum: Int
  let heldLimit: Int
  private var lastLook: ContinuousClock.Instant?
  private var slow = 0
  /// Moving average of body sizes in bytes.
  private var meanBody = 64 << 10

  init(maximum: Int, heldLimit: Int) {
    self.maximum = max(1, maximum)
    self.heldLimit = heldLimit
    size = min(Self.step, max(1, maximum))
  }

  /// True when the window may be resized again.
  func isDue(_ now: ContinuousClock.Instant) -> Bool {
    lastLook.map { now >= $0 + Self.pace } ?? true
  }

  /// Resizes the window. `held` is the number of bytes of bodies that were received and not yet parsed,
  /// `slow` the number of transfers in flight for more than 1.5 s.
  mutating func adapt(held: Int, transfers: Int, slow: Int, now: ContinuousClock.Instant) {
    let isFirst = lastLook == nil
    lastLook = now
    self.slow = slow
    if held > heldLimit / 2 {
      size = max(min(Self.step, maximum), size / 2)
    } else if !isFirst, held < heldLimit / 4, transfers >= size {
      size = min(maximum, size + Self.step)
    }
  }

  /// True when one more transfer may start: the window is not full, and memory for the expected bodies is free.
  func admits(transfers: Int, held: Int) -> Bool {
    // Slow transfers do not count, up to a limit: dead servers must not delay responsive ones.
    let lively = max(0, transfers - slow)
    guard lively < size, transfers < 4 * maximum, held < heldLimit else { return false }
    return lively < 8 || held + lively * meanBody < heldLimit
  }

  /// Records the size in bytes of a finished transfer's body.
  mutating func note(_ bytes: Int) { meanBody += (bytes - meanBody) / 16 }
}
