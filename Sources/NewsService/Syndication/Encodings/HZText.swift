/// HZ (RFC 1843): Chinese in seven bits, between `~{` and `~}`.
enum HZText {
  /// The same text as GB 2312 in eight bits. Bytes that break the rules stay as they are.
  static func unpacked(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var isChinese = false
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      if isChinese {
        if byte == 0x7E, next == 0x7D {
          isChinese = false
          index += 2
        } else if (0x21...0x77).contains(byte), (0x21...0x7E).contains(next) {
          result.append(byte | 0x80)
          result.append(next | 0x80)
          index += 2
        } else {
          // RFC 1843 section 2: a line ends what is Chinese.
          if byte == 0x0A { isChinese = false }
          result.append(byte)
          index += 1
        }
      } else if byte == 0x7E, next == 0x7B || next == 0x7E || next == 0x0A {
        if next == 0x7B { isChinese = true }
        if next == 0x7E { result.append(byte) }
        index += 2
      } else {
        result.append(byte)
        index += 1
      }
    }
    return result
  }
}
