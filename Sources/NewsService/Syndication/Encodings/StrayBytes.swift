/// UTF-8 with bytes among it that are none: of another encoding, or of CESU-8, which writes a character beyond U+FFFF as
/// two surrogates (Unicode Technical Report 26) and comes out of some databases.
enum StrayBytes {
  /// How many pairs of surrogates are written with three bytes each. Every one counts as six stray bytes elsewhere.
  static func surrogatePairs(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    guard let base = bytes.baseAddress else { return 0 }
    var count = 0
    var index = 0
    while index + 6 <= bytes.count {
      if base[index] == 0xED, pair(base + index, bytes.count - index) != nil {
        count += 1
        index += 6
      } else {
        index += 1
      }
    }
    return count
  }

  /// Hands over UTF-8 in pieces that end between characters: what is valid as it is, surrogate pairs as their character,
  /// other stray bytes as the character that Windows-1252 has for them, or as U+FFFD. `take` returns false when it wants
  /// no more.
  static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>,
    asWindows1252: Bool,
    _ take: (UnsafeBufferPointer<UInt8>) -> Bool
  ) {
    guard let base = bytes.baseAddress else { return }
    let size = 32 * 1024
    var piece: [UInt8] = []
    piece.reserveCapacity(size + 8)
    var index = 0
    while index < bytes.count {
      let rest = bytes.count - index
      let length = UTF8Check.sequenceLength(base + index, rest)
      if base[index] < 0x80 || length > 0 {
        let end = index + max(length, 1)
        piece.append(contentsOf: bytes[index..<end])
        index = end
      } else if let scalar = pair(base + index, rest) {
        piece.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        index += 6
      } else {
        let scalar = asWindows1252 ? Unicode.Scalar(Windows1252.scalar(base[index])) : nil
        piece.append(contentsOf: scalar.flatMap { UTF8.encode($0) } ?? UTF8.encodedReplacementCharacter)
        index += 1
      }
      if piece.count >= size {
        guard piece.withUnsafeBufferPointer(take) else { return }
        piece.removeAll(keepingCapacity: true)
      }
    }
    if !piece.isEmpty { _ = piece.withUnsafeBufferPointer(take) }
  }

  private static func pair(_ p: UnsafePointer<UInt8>, _ rest: Int) -> Unicode.Scalar? {
    guard rest >= 6, p[0] == 0xED, p[1] & 0xF0 == 0xA0, p[2] & 0xC0 == 0x80, p[3] == 0xED,
      p[4] & 0xF0 == 0xB0,
      p[5] & 0xC0 == 0x80
    else { return nil }
    let high = UInt32(p[1] & 0x0F) << 6 | UInt32(p[2] & 0x3F)
    let low = UInt32(p[4] & 0x0F) << 6 | UInt32(p[5] & 0x3F)
    return Unicode.Scalar(0x10000 + (high << 10 | low))
  }
}
