/// A 64-bit hash that is the same in every process and every version of newsd, because it is stored.
///
/// The hash is not collision-resistant. Identities and revisions of items are compared by their hashes only.
package struct StableHash {
  private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

  public init() {}

  private static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }

  package mutating func add(_ value: UInt64) {
    state = Self.mix(state ^ value, 0xE703_7ED1_A0B4_28DB)
  }

  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var offset = 0
    let whole = bytes.count & ~7
    while offset < whole {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      state = Self.mix(state ^ word, 0xA076_1D64_78BD_642F)
      offset += 8
    }
    var tail: UInt64 = 0
    while offset < bytes.count {
      tail = tail << 8 | UInt64(bytes[offset])
      offset += 1
    }
    // Include the length, so that adjacent fields cannot be confused.
    state = Self.mix(state ^ tail, 0x8EBC_6AF0_9C88_C6E3 ^ UInt64(bytes.count))
  }

  package mutating func add(_ text: String?) {
    guard var text else { return add(0xFF) }
    text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
  }

  /// The hash as a signed integer, which SQLite can store.
  package var value: Int64 { Int64(bitPattern: Self.mix(state, 0x5896_5F7B_EB27_37A1)) }
}
