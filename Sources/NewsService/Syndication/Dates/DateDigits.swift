import NewsToolbox

/// Reads ASCII numbers at a byte index of a date.
enum DateDigits {
  @inline(__always)
  static func isDigit(_ b: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
    index < b.count && ASCII.isDigit(b[index])
  }

  /// Parses exactly `count` decimal digits at `start`; nil if there are fewer.
  static func number(_ b: UnsafeBufferPointer<UInt8>, _ start: Int, _ count: Int) -> Int? {
    guard start + count <= b.count else { return nil }
    var value = 0
    for index in start..<start + count {
      let digit = b[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value * 10 + Int(digit)
    }
    return value
  }

  /// Parses the decimal fraction whose digits begin at `start`. Returns the fraction multiplied by `unit` and rounded
  /// down, and the index after the digits.
  static func fraction(
    _ b: UnsafeBufferPointer<UInt8>,
    _ start: Int,
    of unit: Int
  ) -> (value: Int, end: Int) {
    var end = start
    var (value, scale) = (0, 1)
    while isDigit(b, end) {
      if scale < 1_000_000_000 {
        value = value * 10 + Int(b[end] - UInt8(ascii: "0"))
        scale *= 10
      }
      end += 1
    }
    return (value * unit / scale, end)
  }
}
