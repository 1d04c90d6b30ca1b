/// A generator that yields the same numbers in every run: splitmix64 (Steele, Lea, Flood, OOPSLA 2014).
public struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  public init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number below `count`, which is above 0.
  public mutating func next(upTo count: Int) -> Int { Int(next() % UInt64(count)) }

  /// Returns a number from 0 up to and without 1.
  public mutating func unit() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }
}
