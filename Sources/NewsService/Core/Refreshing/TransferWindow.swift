/// How many transfers may be under way: few at first, more while what they bring is dealt with at once, fewer when
/// bodies pile up. Servers that are slow to answer thus never hold up the others, and fast ones never fill the memory.
struct TransferWindow {
  static let step = 32
  static let pace = Duration.milliseconds(25)

  private(set) var size: Int
  private let maximum: Int
  private let heldLimit: Int
  private var lastChange: ContinuousClock.Instant?

  init(maximum: Int, heldLimit: Int) {
    self.maximum = max(1, maximum)
    self.heldLimit = heldLimit
    size = min(Self.step, max(1, maximum))
  }

  var canGrow: Bool { size < maximum }

  /// - Parameters:
  ///   - held: Bytes of bodies received and not yet stored.
  ///   - transfers: How many are under way.
  ///   - now: The present.
  mutating func adapt(held: Int, transfers: Int, now: ContinuousClock.Instant) {
    guard let last = lastChange else {
      lastChange = now
      return
    }
    guard now >= last + Self.pace else { return }
    if held > heldLimit / 2 {
      size = max(min(Self.step, maximum), size / 2)
    } else if held < heldLimit / 4, transfers >= size {
      size = min(maximum, size + Self.step)
    } else {
      return
    }
    lastChange = now
  }
}
