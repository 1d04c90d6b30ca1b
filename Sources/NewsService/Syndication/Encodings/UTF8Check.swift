/// Result of validating bytes as UTF-8 (RFC 3629).
struct UTF8Check {
  /// Number of valid sequences of two to four bytes, and of surrogate pairs (`isSurrogatePair`).
  var multibyteCount = 0
  /// Number of bytes outside valid sequences; a surrogate pair counts as one.
  var strayCount = 0

  /// True if the text contains characters that XML does not allow (XML 1.0 section 2.2).
  var hasForbidden = false
  /// True if the text contains carriage returns.
  var hasReturns = false

  var isValid: Bool { strayCount == 0 }
  /// True if the bytes are UTF-8 and XML allows every character.
  var isCharacterData: Bool { strayCount == 0 && !hasForbidden }
  var isASCII: Bool { multibyteCount == 0 && strayCount == 0 }

  /// Creates the result for no bytes.
  init() {}

  /// Adds the result of the next piece of text.
  mutating func add(_ other: UTF8Check) {
    multibyteCount += other.multibyteCount
    strayCount += other.strayCount
    hasForbidden = hasForbidden || other.hasForbidden
    hasReturns = hasReturns || other.hasReturns
  }

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let base = bytes.baseAddress else { return }
    let raw = UnsafeRawPointer(base)
    let count = bytes.count
    var index = 0
    while index < count {
      // Check 32 ASCII bytes at a time: most documents are ASCII.
      while index &+ 32 <= count {
        let a = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        let b = raw.loadUnaligned(fromByteOffset: index &+ 8, as: UInt64.self)
        let c = raw.loadUnaligned(fromByteOffset: index &+ 16, as: UInt64.self)
        let d = raw.loadUnaligned(fromByteOffset: index &+ 24, as: UInt64.self)
        guard (a | b | c | d) & Self.high == 0 else { break }
        let controls = Self.controls(a) | Self.controls(b) | Self.controls(c) | Self.controls(d)
        if controls != 0 {
          noteControls(a)
          noteControls(b)
          noteControls(c)
          noteControls(d)
        }
        index &+= 32
      }
      while index &+ 8 <= count {
        let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        guard word & Self.high == 0 else { break }
        noteControls(word)
        index &+= 8
      }
      guard index < count else { break }
      if base[index] < 0x80 {
        if base[index] < UInt8(ascii: " ") { noteControls(UInt64(base[index]) | 0x2020_2020_2020_2000) }
        index &+= 1
        continue
      }
      let length = Self.sequenceLength(base + index, count &- index)
      if length == 0, Self.isSurrogatePair(base + index, count &- index) {
        multibyteCount &+= 1
        strayCount &+= 1
        index &+= 6
      } else if length == 0 {
        strayCount &+= 1
        index &+= 1
      } else {
        if length == 3, base[index] == 0xEF, base[index &+ 1] == 0xBF, base[index &+ 2] >= 0xBE {
          hasForbidden = true
        }
        multibyteCount &+= 1
        index &+= length
      }
    }
  }

  /// Returns the first character that XML does not allow, or the first byte outside a valid sequence.
  static func firstForbidden(_ bytes: UnsafeBufferPointer<UInt8>) -> Finding? {
    guard let base = bytes.baseAddress else { return nil }
    var index = 0
    while index < bytes.count {
      let length = sequenceLength(base + index, bytes.count - index)
      if length == 0 { return Finding(offset: index, message: "a byte belongs to no UTF-8 character") }
      let isForbidden =
        length == 1
        ? base[index] < UInt8(ascii: " ")
          && ![UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains(base[index])
        : length == 3 && base[index] == 0xEF && base[index + 1] == 0xBF && base[index + 2] >= 0xBE
      if isForbidden { return Finding(offset: index, message: "XML does not allow this character") }
      index += length
    }
    return nil
  }

  /// Returns the number of bytes of an incomplete character at the end; 0 if there is none.
  static func cutOffLength(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var length = 1
    while length <= min(3, bytes.count) {
      let byte = bytes[bytes.count - length]
      if byte >= 0xC2, byte < 0xF5 {
        let wanted = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
        return length < wanted ? length : 0
      }
      guard byte & 0xC0 == 0x80 else { return 0 }
      length += 1
    }
    return 0
  }

  private static let high: UInt64 = 0x8080_8080_8080_8080

  /// For eight ASCII bytes, sets the high bit of each byte below 0x20.
  @inline(__always)
  private static func controls(_ word: UInt64) -> UInt64 {
    ~((word | high) &- 0x2020_2020_2020_2020) & high
  }

  @inline(__always)
  private mutating func noteControls(_ word: UInt64) {
    var controls = Self.controls(word)
    while controls != 0 {
      let shift = UInt64(truncatingIfNeeded: controls.trailingZeroBitCount &- 7)
      let byte = UInt8(truncatingIfNeeded: word &>> shift)
      if byte == UInt8(ascii: "\r") {
        hasReturns = true
      } else if byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\t") {
        hasForbidden = true
      }
      controls &= controls &- 1
    }
  }

  /// True for a character encoded as two surrogates of three bytes each (CESU-8).
  static func isSurrogatePair(_ p: UnsafePointer<UInt8>, _ rest: Int) -> Bool {
    rest >= 6 && p[0] == 0xED && p[1] & 0xF0 == 0xA0 && p[2] & 0xC0 == 0x80 && p[3] == 0xED
      && p[4] & 0xF0 == 0xB0
      && p[5] & 0xC0 == 0x80
  }

  /// Returns the length of the valid sequence at `p`, with `rest` bytes left in the buffer; 0 if it is invalid.
  @inline(__always)
  static func sequenceLength(_ p: UnsafePointer<UInt8>, _ rest: Int) -> Int {
    let lead = p[0]
    if lead < 0x80 { return 1 }
    guard rest >= 2, p[1] & 0xC0 == 0x80 else { return 0 }
    if lead >= 0xC2, lead <= 0xDF { return 2 }
    guard rest >= 3, p[2] & 0xC0 == 0x80 else { return 0 }
    if lead & 0xF0 == 0xE0 {
      // Overlong forms and surrogates are not allowed.
      if lead == 0xE0, p[1] < 0xA0 { return 0 }
      if lead == 0xED, p[1] > 0x9F { return 0 }
      return 3
    }
    guard lead >= 0xF0, lead <= 0xF4, rest >= 4, p[3] & 0xC0 == 0x80 else { return 0 }
    if lead == 0xF0, p[1] < 0x90 { return 0 }
    if lead == 0xF4, p[1] > 0x8F { return 0 }
    return 4
  }
}
