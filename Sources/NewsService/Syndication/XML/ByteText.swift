import Glibc
import NewsToolbox

/// Comparisons and numbers in runs of bytes.
enum ByteText {
  /// True for the bytes of XML names, and for all bytes beyond ASCII.
  @inline(__always)
  static func isNameByte(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: ".")
      || byte == UInt8(ascii: ":")
      || byte >= 0x80
  }

  /// Returns the length of a C string.
  @inline(__always)
  static func length(_ text: UnsafePointer<UInt8>) -> Int {
    strlen(UnsafeRawPointer(text).assumingMemoryBound(to: CChar.self))
  }

  static func buffer(_ text: UnsafePointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: text, count: length(text))
  }

  /// Removes ASCII white space and control characters (except DEL) at both ends.
  @inline(__always)
  static func trimmed(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var low = 0
    var high = bytes.count
    while low < high, bytes[low] <= UInt8(ascii: " ") { low &+= 1 }
    while high > low, bytes[high &- 1] <= UInt8(ascii: " ") { high &-= 1 }
    return UnsafeBufferPointer(rebasing: bytes[low..<high])
  }

  /// True if the bytes equal `word`, ignoring ASCII case. `word` must be lower case.
  @inline(__always)
  static func equals(_ bytes: UnsafeBufferPointer<UInt8>, _ word: StaticString) -> Bool {
    guard bytes.count == word.utf8CodeUnitCount else { return false }
    let start = word.utf8Start
    for index in 0..<bytes.count where ASCII.lowercase(bytes[index]) != start[index] { return false }
    return true
  }

  static func hasPrefix(_ bytes: UnsafeBufferPointer<UInt8>, _ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    return bytes.count >= count && equals(UnsafeBufferPointer(rebasing: bytes[..<count]), word)
  }

  static func hasSuffix(_ bytes: UnsafeBufferPointer<UInt8>, _ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    return bytes.count >= count
      && equals(UnsafeBufferPointer(rebasing: bytes[(bytes.count - count)...]), word)
  }

  /// Returns the index of `byte` at or after `start`; nil if there is none.
  @inline(__always)
  static func firstIndex(of byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0) -> Int? {
    guard start < bytes.count, let base = bytes.baseAddress else { return nil }
    guard let found = memchr(base + start, Int32(byte), bytes.count &- start) else { return nil }
    return UnsafePointer(found.assumingMemoryBound(to: UInt8.self)) - base
  }

  /// Parses a whole number with optional white space and sign, and ignores text after the digits. Returns nil for
  /// more than 18 digits.
  static func integer(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    let text = trimmed(bytes)
    var index = 0
    var isNegative = false
    if let first = text.first, first == UInt8(ascii: "+") || first == UInt8(ascii: "-") {
      isNegative = first == UInt8(ascii: "-")
      index = 1
    }
    var value = 0
    let start = index
    while index < text.count, ASCII.isDigit(text[index]) {
      guard index - start < 18 else { return nil }
      value = value * 10 + Int(text[index] - UInt8(ascii: "0"))
      index += 1
    }
    guard index > start else { return nil }
    return isNegative ? -value : value
  }

  /// Parses a number of bytes: digits, also in groups of three (`1,234,567`), optionally followed by `bytes`. Returns
  /// nil for other units (`1.5 MB`).
  static func byteCount(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    let text = trimmed(bytes)
    let number = text.prefix { ASCII.isDigit($0) || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ".") }
    let unit = trimmed(UnsafeBufferPointer(rebasing: text[number.endIndex...]))
    guard unit.isEmpty || equals(unit, "bytes") || equals(unit, "byte") || equals(unit, "b") else {
      return nil
    }
    let parts = number.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, parts.count == 1 || parts[1].allSatisfy({ $0 == UInt8(ascii: "0") }) else {
      return nil
    }
    let groups = whole.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard
      groups.count == 1
        || (1...3).contains(groups[0].count) && groups.dropFirst().allSatisfy({ $0.count == 3 })
    else { return nil }
    return Array(groups.joined()).withUnsafeBufferPointer(integer)
  }
}

extension ByteText {
  /// True if the bytes equal the word exactly.
  @inline(__always)
  static func equalsExactly(_ bytes: UnsafeBufferPointer<UInt8>, _ word: StaticString) -> Bool {
    guard bytes.count == word.utf8CodeUnitCount else { return false }
    let start = word.utf8Start
    for index in 0..<bytes.count where bytes[index] != start[index] { return false }
    return true
  }
}
