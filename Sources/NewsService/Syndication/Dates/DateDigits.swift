/// Numbers within the text of a date.
enum DateDigits {
  /// `count` decimal digits at `start`, or nil.
  static func number(_ b: UnsafeBufferPointer<UInt8>, _ start: Int, _ count: Int) -> Int? {
    guard start + count <= b.count else { return nil }
    var value = 0
    for index in start..<start + count {
      let digit = b[index] &- 0x30
      guard digit < 10 else { return nil }
      value = value * 10 + Int(digit)
    }
    return value
  }
}
