import Glibc

/// A growable byte buffer with a single owner.
///
/// Appending a few bytes at a time to `Array` or `String` costs several times as much as copying them.
struct ByteBuffer: ~Copyable {
  private(set) var base: UnsafeMutablePointer<UInt8>
  private(set) var count = 0
  private(set) var capacity: Int

  init(capacity: Int = 256) {
    self.capacity = max(capacity, 64)
    base = Self.block(self.capacity)
  }

  deinit {
    free(base)
  }

  /// Reallocates `old`; traps when out of memory, as `allocate` does.
  private static func block(
    _ capacity: Int,
    from old: UnsafeMutablePointer<UInt8>? = nil
  ) -> UnsafeMutablePointer<UInt8> {
    guard let block = realloc(old, capacity) else { preconditionFailure("no memory for \(capacity) bytes") }
    return block.assumingMemoryBound(to: UInt8.self)
  }

  var isEmpty: Bool { count == 0 }

  /// The bytes written so far; valid until the next mutation.
  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base, count: count) }

  /// The last byte; 0 when there is none.
  var last: UInt8 { count == 0 ? 0 : base[count &- 1] }

  mutating func removeAll() {
    count = 0
  }

  mutating func truncate(to length: Int) {
    count = min(count, max(length, 0))
  }

  /// Removes the first `length` bytes.
  mutating func removeFirst(_ length: Int) {
    let rest = count - min(length, count)
    memmove(base, base + (count - rest), rest)
    count = rest
  }

  /// Clears the buffer and frees memory if one large document has grown it beyond `limit` bytes.
  mutating func shrink(toAtMost limit: Int) {
    guard capacity > limit else { return }
    free(base)
    capacity = limit
    base = Self.block(capacity)
    count = 0
  }

  /// Frees unused memory beyond `limit` bytes, unless the content needs it.
  mutating func trim(toAtMost limit: Int) {
    guard capacity > limit, count <= limit / 2 else { return }
    base = Self.block(limit, from: base)
    capacity = limit
  }

  /// Reserves space for `extra` more bytes.
  @inline(__always)
  mutating func reserve(_ extra: Int) {
    if capacity &- count < extra { grow(extra) }
  }

  @inline(never)
  private mutating func grow(_ extra: Int) {
    let larger = max(capacity * 2, count + extra)
    // `realloc` remaps the pages of a large block instead of copying: the text is never in memory twice.
    base = Self.block(larger, from: base)
    capacity = larger
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    reserve(1)
    base[count] = byte
    count &+= 1
  }

  @inline(__always)
  mutating func append(_ start: UnsafePointer<UInt8>, _ length: Int) {
    guard length > 0 else { return }
    reserve(length)
    memcpy(base + count, start, length)
    count &+= length
  }

  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    append(start, bytes.count)
  }

  @inline(__always)
  mutating func append(_ text: StaticString) {
    append(text.utf8Start, text.utf8CodeUnitCount)
  }

  mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

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
    count &+= length
  }

  /// Counts bytes that the caller has written into reserved space.
  @inline(__always)
  mutating func advance(_ length: Int) {
    count &+= length
  }

  /// The bytes as text; ill-formed UTF-8 is replaced.
  func string() -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  /// Moves the bytes into a string and empties the buffer. A long text is never in memory twice: its pages are freed as
  /// they are copied.
  mutating func takeString() -> String {
    defer { count = 0 }
    return LongText.take(bytes)
  }
}
