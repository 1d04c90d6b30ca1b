/// A fast 64-bit hash of a body. A body with the hash of the last one is not parsed again; this detects unchanged feeds
/// when ETag and Last-Modified do not. The store keeps the hash, so the algorithm must never change. It does not resist
/// forgery.
public enum BodyHash {
  private static let keys: (UInt64, UInt64, UInt64, UInt64) = (
    0x9E37_79B9_7F4A_7C15, 0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB, 0xD6E8_FEB8_6659_FD93
  )

  /// Returns the hash of `bytes`. Words are read as little-endian, so the hash is the same on every machine.
  public static func of(_ bytes: [UInt8]) -> UInt64 {
    bytes.withUnsafeBytes { of($0) }
  }

  /// Hashes in two independent lanes of 16 bytes each, so that their multiplications overlap.
  static func of(_ buffer: UnsafeRawBufferPointer) -> UInt64 {
    let count = buffer.count
    var first = keys.0 ^ UInt64(truncatingIfNeeded: count)
    var second = keys.3
    var offset = 0
    while offset + 32 <= count {
      first = mix(word(buffer, offset) ^ keys.1, word(buffer, offset + 8) ^ first)
      second = mix(word(buffer, offset + 16) ^ keys.2, word(buffer, offset + 24) ^ second)
      offset += 32
    }
    var hash = mix(first ^ keys.2, second ^ keys.0)
    while offset < count {
      hash = mix(tail(buffer, offset, min(8, count - offset)) ^ keys.1, hash ^ keys.3)
      offset += 8
    }
    return mix(hash ^ keys.0, UInt64(truncatingIfNeeded: count) ^ keys.2)
  }

  /// Folds the 128-bit product to 64 bits.
  private static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low ^ a.byteSwapped
  }

  private static func word(_ buffer: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  private static func tail(_ buffer: UnsafeRawBufferPointer, _ offset: Int, _ count: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<count { value |= UInt64(buffer[offset + index]) << (8 * UInt64(index)) }
    return value
  }
}
