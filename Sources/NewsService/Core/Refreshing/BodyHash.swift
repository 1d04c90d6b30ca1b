/// A fast 64-bit fingerprint of a body, the third net behind ETag and Last-Modified: a body that hashes like the last
/// one is not parsed again. It is stored, so it must never change; it is no protection against forgery.
public enum BodyHash {
  private static let keys: (UInt64, UInt64, UInt64, UInt64) = (
    0x9E37_79B9_7F4A_7C15, 0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB, 0xD6E8_FEB8_6659_FD93
  )

  /// The fingerprint of `bytes`; bytes are read as little-endian words, so it is the same on every machine.
  public static func of(_ bytes: [UInt8]) -> UInt64 {
    bytes.withUnsafeBytes { of($0) }
  }

  /// Two independent lanes of 16 bytes each: the multiplications overlap.
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

  /// The 128-bit product folded to 64 bits.
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
