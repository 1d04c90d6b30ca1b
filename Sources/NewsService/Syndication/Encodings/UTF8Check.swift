/// What a pass over bytes taken as UTF-8 finds (RFC 3629).
struct UTF8Check {
  /// Sequences of two to four bytes that are valid.
  var multibyteCount = 0
  /// Bytes that belong to no valid sequence.
  var strayCount = 0

  var isValid: Bool { strayCount == 0 }
  var isASCII: Bool { multibyteCount == 0 && strayCount == 0 }

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let base = bytes.baseAddress else { return }
    let raw = UnsafeRawPointer(base)
    let count = bytes.count
    var index = 0
    while index < count {
      // Many ASCII bytes at a time; most documents are nothing else.
      while index &+ 32 <= count,
        (raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
          | raw.loadUnaligned(fromByteOffset: index &+ 8, as: UInt64.self)
          | raw.loadUnaligned(fromByteOffset: index &+ 16, as: UInt64.self)
          | raw.loadUnaligned(fromByteOffset: index &+ 24, as: UInt64.self)) & 0x8080_8080_8080_8080 == 0
      {
        index &+= 32
      }
      while index &+ 8 <= count,
        raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      {
        index &+= 8
      }
      guard index < count else { break }
      if base[index] < 0x80 {
        index &+= 1
        continue
      }
      let length = Self.sequenceLength(base + index, count &- index)
      if length == 0 {
        strayCount &+= 1
        index &+= 1
      } else {
        multibyteCount &+= 1
        index &+= length
      }
    }
  }

  /// Length of the valid sequence that begins at `p`, with `rest` bytes left; 0 when there is none.
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
