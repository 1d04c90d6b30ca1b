import NewsToolbox

extension ByteBuffer {
  /// Appends the first `length` bytes of the name; `length` is at most 24.
  @inline(__always)
  mutating func append(_ name: PackedName, _ length: Int) {
    reserve(24)
    let target = UnsafeMutableRawPointer(base + count)
    target.storeBytes(of: name.a, as: UInt64.self)
    if length > 8 {
      target.storeBytes(of: name.b, toByteOffset: 8, as: UInt64.self)
      target.storeBytes(of: name.c, toByteOffset: 16, as: UInt64.self)
    }
    advance(length)
  }

  /// Returns the bytes as text and empties the buffer. Pages of a long text are freed while they are copied, so that
  /// only one copy is in memory.
  mutating func takeString() -> String {
    defer { removeAll() }
    return LongText.take(bytes)
  }
}
