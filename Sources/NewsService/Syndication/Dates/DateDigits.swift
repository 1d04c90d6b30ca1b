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

/// Replaces non-ASCII digits, dashes and spaces by their ASCII equivalents.
enum DateText {
  /// Maps decimal digits of all scripts, full-width forms, dashes and spaces to ASCII, and removes invisible
  /// formatting characters. Returns nil if the text needs no change.
  static func simplified(_ bytes: UnsafeBufferPointer<UInt8>) -> (bytes: [UInt8], hasForeignDigits: Bool)? {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var hasForeignDigits = false
    var isChanged = false
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      var simple: UInt8?
      switch scalar.value {
      case 0x200E, 0x200F, 0x61C, 0xFEFF, 0xAD, 0x202A...0x202E, 0x2060, 0x2066...0x2069:
        isChanged = true
        continue
      case 0xA0, 0x1680, 0x2000...0x200B, 0x202F, 0x205F, 0x3000: simple = UInt8(ascii: " ")
      case 0x2010...0x2015, 0x2212: simple = UInt8(ascii: "-")
      case 0x60C, 0x3001, 0xFF0C: simple = UInt8(ascii: ",")
      case 0xFF01...0xFF5E: simple = UInt8(scalar.value - 0xFF01 + 0x21)
      case 0x660...:
        if scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue {
          simple = UInt8(ascii: "0") + UInt8(value)
          hasForeignDigits = true
        }
      default: break
      }
      if let simple {
        result.append(simple)
        isChanged = true
      } else {
        result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
    return isChanged ? (result, hasForeignDigits) : nil
  }
}
