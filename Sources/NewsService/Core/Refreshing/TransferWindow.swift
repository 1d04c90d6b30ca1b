/// How many transfers may be under way: few at first, more while what they bring is dealt with at once, fewer when
/// bodies pile up. Servers that are slow to answer thus never hold up the others, and fast ones never fill the memory.
struct TransferWindow {
  static let step = 32
  static let pace = Duration.milliseconds(25)

  private(set) var size: Int
  private let maximum: Int
  let heldLimit: Int
  private var lastLook: ContinuousClock.Instant?
  private var slow = 0
  /// A moving average of what transfers bring.
  private var meanBody = 64 << 10

  init(maximum: Int, heldLimit: Int) {
    self.maximum = max(1, maximum)
    self.heldLimit = heldLimit
    size = min(Self.step, max(1, maximum))
  }

  /// True when the pace allows another change.
  func isDue(_ now: ContinuousClock.Instant) -> Bool {
    lastLook.map { now >= $0 + Self.pace } ?? true
  }

  /// - Parameters:
  ///   - held: What bodies received and not yet stored weigh.
  ///   - transfers: How many are under way.
  ///   - slow: Those of them that have been under way for long.
  ///   - now: The present.
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

  /// True when one more transfer may begin: there is a place, and room for what is probably on its way.
  func admits(transfers: Int, held: Int) -> Bool {
    // Those that take their time make way, within bounds: dead servers must not keep living ones waiting.
    let lively = max(0, transfers - slow)
    guard lively < size, transfers < 4 * maximum, held < heldLimit else { return false }
    return lively < 8 || held + lively * meanBody < heldLimit
  }

  /// A transfer ended with a body of that many bytes.
  mutating func note(_ bytes: Int) { meanBody += (bytes - meanBody) / 16 }
}
