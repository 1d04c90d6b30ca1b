/// HZ (RFC 1843): 7-bit GB 2312 between `~{` and `~}`.
enum HZText {
  /// Converts to 8-bit GB 2312; invalid bytes stay unchanged.
  static func unpacked(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var isChinese = false
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      if isChinese {
        if byte == UInt8(ascii: "~"), next == UInt8(ascii: "}") {
          isChinese = false
          index += 2
        } else if (0x21...0x77).contains(byte), (0x21...0x7E).contains(next) {
          result.append(byte | 0x80)
          result.append(next | 0x80)
          index += 2
        } else {
          // The end of a line also ends Chinese text (RFC 1843 section 2).
          if byte == UInt8(ascii: "\n") { isChinese = false }
          result.append(byte)
          index += 1
        }
      } else if byte == UInt8(ascii: "~"),
        next == UInt8(ascii: "{") || next == UInt8(ascii: "~") || next == UInt8(ascii: "\n")
      {
        if next == UInt8(ascii: "{") { isChinese = true }
        if next == UInt8(ascii: "~") { result.append(byte) }
        index += 2
      } else {
        result.append(byte)
        index += 1
      }
    }
    return result
  }
}
