/// Decodes UTF-8 that contains invalid bytes. They come from another encoding, or from CESU-8, which encodes a
/// character above U+FFFF as two surrogates (Unicode Technical Report 26).
enum StrayBytes {
  /// How stray bytes are decoded.
  enum Reading: Hashable {
    /// Stray bytes become U+FFFD.
    case replaced
    /// Stray bytes are decoded as Windows-1252.
    case windows1252
    /// Stray bytes are decoded as Windows-1252. So are valid UTF-8 sequences that are unlikely in Western text.
    case mostlyWindows1252
  }

  /// True if the bytes contain a UTF-8 sequence that is likely in Western text: a letter of Latin-1 or Latin
  /// Extended-A, punctuation, or the euro sign.
  static func hasWesternSequence(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let base = bytes.baseAddress else { return false }
    var index = 0
    while index < bytes.count {
      let length = max(UTF8Check.sequenceLength(base + index, bytes.count - index), 1)
      if isWestern(base + index, length) { return true }
      index += length
    }
    return false
  }

  /// True if the bytes contain UTF-8 sequences, and each is an accented letter of Windows-1252 followed by a no-break
  /// space and punctuation, as before a French `»`.
  static func hasOnlyChanceSequences(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let base = bytes.baseAddress else { return false }
    var hasSequence = false
    var index = 0
    while index < bytes.count {
      let length = max(UTF8Check.sequenceLength(base + index, bytes.count - index), 1)
      if length > 1 {
        guard length == 3, base[index + 1] == 0xA0 else { return false }
        switch base[index + 2] {
        // Ellipsis, quotation marks, dashes.
        case 0x85, 0x8B, 0x91...0x97, 0x9B, 0xAB, 0xBB: hasSequence = true
        default: return false
        }
      }
      index += length
    }
    return hasSequence
  }

  private static func isWestern(_ p: UnsafePointer<UInt8>, _ length: Int) -> Bool {
    switch length {
    case 2: p[0] <= 0xC5
    case 3: p[0] == 0xE2 && (p[1] == 0x80 || p[1] == 0x82)
    default: false
    }
  }

  /// Counts surrogate pairs of three bytes per surrogate. `UTF8Check` counts each pair as one sequence and
  /// one stray byte.
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

  /// Passes UTF-8 in pieces that end between characters, until `take` returns false. A surrogate pair becomes
  /// one character. `reading` determines how other stray bytes are decoded, and whether all valid text stays
  /// unchanged.
  static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>,
    as reading: Reading,
    _ take: (UnsafeBufferPointer<UInt8>) -> Bool
  ) {
    guard let base = bytes.baseAddress else { return }
    let size = 32 * 1024
    var piece: [UInt8] = []
    piece.reserveCapacity(size + 8)
    var index = 0
    while index < bytes.count {
      let rest = bytes.count - index
      var length = UTF8Check.sequenceLength(base + index, rest)
      if reading == .mostlyWindows1252, length > 1, !isWestern(base + index, length) { length = 0 }
      if base[index] < 0x80 || length > 0 {
        let end = index + max(length, 1)
        piece.append(contentsOf: bytes[index..<end])
        index = end
      } else if let scalar = pair(base + index, rest) {
        piece.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        index += 6
      } else {
        let scalar = reading == .replaced ? nil : Unicode.Scalar(Windows1252.scalar(base[index]))
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
