import Glibc

/// Classes of ASCII bytes. Every other byte is in none of them.
public enum ASCII {
  @inlinable @inline(__always)
  public static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

  @inlinable @inline(__always)
  public static func isLowercase(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "a") < 26 }

  @inlinable @inline(__always)
  public static func isUppercase(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "A") < 26 }

  @inlinable @inline(__always)
  public static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  @inlinable @inline(__always)
  public static func isAlphanumeric(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) }

  /// True for tab, line feed, form feed, carriage return and space: what HTML calls white space.
  @inlinable @inline(__always)
  public static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (byte &- UInt8(ascii: "\t") < 5 && byte != verticalTab)
  }

  @inlinable @inline(__always)
  public static func lowercase(_ byte: UInt8) -> UInt8 { isUppercase(byte) ? byte | 0x20 : byte }

  /// True if two texts of the same length have the same bytes, with capitals and small letters taken as equal.
  @inlinable
  public static func areEqual(_ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>) -> Bool
  {
    for index in one.indices where lowercase(one[index]) != lowercase(other[index]) { return false }
    return true
  }

  /// True if the bytes of `part` occur in `text`. The time grows with the length of both, not with their product.
  public static func contains(_ text: UnsafeBufferPointer<UInt8>, _ part: UnsafeBufferPointer<UInt8>) -> Bool
  {
    guard let start = part.baseAddress, let first = part.first else { return true }
    guard var position = text.baseAddress, text.count >= part.count else { return false }
    let end = position + (text.count - part.count) + 1
    // What may be compared in vain: texts in which the beginning of the part occurs everywhere would take hours.
    var left = 4 * text.count
    let last = part[part.count - 1]
    while position < end, let found = memchr(position, Int32(first), end - position) {
      let place = UnsafePointer(found.assumingMemoryBound(to: UInt8.self))
      position = place + 1
      guard place[part.count - 1] == last else { continue }
      if memcmp(place, start, part.count) == 0 { return true }
      left -= part.count
      guard left > 0 else {
        let rest = UnsafeBufferPointer(start: position, count: end - position + part.count - 1)
        return containsRepetitive(rest, part)
      }
    }
    return false
  }

  /// `contains` by the algorithm of Knuth, Morris and Pratt (SIAM Journal on Computing 6, 1977), which looks at each byte of
  /// the text once.
  private static func containsRepetitive(
    _ text: UnsafeBufferPointer<UInt8>,
    _ part: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    // For each beginning of the part: the length of the longest shorter beginning with which it ends.
    var borders = [0]
    func matched(_ byte: UInt8, after length: Int) -> Int {
      var length = length
      while length > 0, byte != part[length] { length = borders[length - 1] }
      return byte == part[length] ? length + 1 : 0
    }
    for byte in part.dropFirst() { borders.append(matched(byte, after: borders[borders.count - 1])) }
    var length = 0
    for byte in text {
      length = matched(byte, after: length)
      if length == part.count { return true }
    }
    return false
  }

  /// Returns the value of a hexadecimal digit; nil for any other byte.
  @inlinable @inline(__always)
  public static func hexValue(_ byte: UInt8) -> UInt8? {
    if isDigit(byte) { return byte &- UInt8(ascii: "0") }
    let letter = (byte | 0x20) &- UInt8(ascii: "a")
    return letter < 6 ? letter + 10 : nil
  }

  /// Returns the hexadecimal digit of a value below 16, in capitals.
  @inlinable @inline(__always)
  public static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }

  public static let backspace: UInt8 = 0x08
  @usableFromInline static let verticalTab: UInt8 = 0x0B
  public static let formFeed: UInt8 = 0x0C
  public static let delete: UInt8 = 0x7F
}
