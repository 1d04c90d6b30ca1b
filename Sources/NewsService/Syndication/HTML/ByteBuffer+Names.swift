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

  /// The bytes as text, after which the buffer is empty: a long text is in memory once only, because its pages are given
  /// back while they are copied.
  mutating func takeString() -> String {
    defer { removeAll() }
    return LongText.take(bytes)
  }
}
