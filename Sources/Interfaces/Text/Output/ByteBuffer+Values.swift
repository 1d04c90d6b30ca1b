public import NewsCore
public import NewsToolbox

/// Appends values that all interfaces write: literals, numbers and times.
extension ByteBuffer {
  /// Appends a literal.
  @inlinable
  public mutating func append(literal text: StaticString) {
    append(text)
  }

  public mutating func append(decimal value: Int64) {
    reserve(20)
    if value < 0 { append(UInt8(ascii: "-")) }
    var rest = value.magnitude
    var digits = 1
    var bound: UInt64 = 10
    while rest >= bound, digits < 20 {
      digits += 1
      bound = digits < 20 ? bound &* 10 : .max
    }
    var index = count + digits
    advance(digits)
    repeat {
      index -= 1
      base[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    } while rest > 0
  }

  /// Appends exactly `width` digits of `value`, with leading zeros.
  public mutating func append(digits value: Int, width: Int) {
    reserve(width)
    var rest = value
    var index = count + width
    advance(width)
    for _ in 0..<width {
      index -= 1
      base[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
  }

  /// Appends a time in the format of RFC 3339, in UTC.
  public mutating func append(_ time: Timestamp) {
    guard (-62_167_219_200...253_402_300_799).contains(time.seconds) else { return append(time.rfc3339) }
    let civil = time.civil()
    append(digits: civil.year, width: 4)
    append(UInt8(ascii: "-"))
    append(digits: civil.month, width: 2)
    append(UInt8(ascii: "-"))
    append(digits: civil.day, width: 2)
    append(UInt8(ascii: "T"))
    append(digits: civil.hour, width: 2)
    append(UInt8(ascii: ":"))
    append(digits: civil.minute, width: 2)
    append(UInt8(ascii: ":"))
    append(digits: civil.second, width: 2)
    append(UInt8(ascii: "Z"))
  }

  /// True if the last byte is a line feed.
  public var hasLineEnd: Bool { last == UInt8(ascii: "\n") }
}
