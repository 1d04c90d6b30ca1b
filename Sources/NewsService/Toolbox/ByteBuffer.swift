import Glibc

/// A growable buffer of bytes with one owner. It keeps its memory when it is emptied.
///
/// Uses a pointer rather than an array or a string: appending a few bytes to an array or a string costs several times
/// as much as the copying, because each append checks for a second owner. The functions that writers call for each
/// piece are inlinable in other targets.
public struct ByteBuffer: ~Copyable {
  @usableFromInline var memory: UnsafeMutablePointer<UInt8>
  @usableFromInline var size = 0
  @usableFromInline var room: Int

  public init(capacity: Int = 256) {
    room = max(capacity, 64)
    memory = Self.block(room)
  }

  deinit {
    free(base)
  }

  /// Reallocates `old`; traps if no memory is available, as `allocate` does.
  private static func block(
    _ capacity: Int,
    from old: UnsafeMutablePointer<UInt8>? = nil
  ) -> UnsafeMutablePointer<UInt8> {
    guard let block = realloc(old, capacity) else { preconditionFailure("no memory for \(capacity) bytes") }
    return block.assumingMemoryBound(to: UInt8.self)
  }

  /// The address of the first byte; valid until the next mutation.
  @inlinable public var base: UnsafeMutablePointer<UInt8> { memory }

  @inlinable public var count: Int { size }

  /// Bytes that fit without growing.
  @inlinable public var capacity: Int { room }

  @inlinable public var isEmpty: Bool { count == 0 }

  /// The bytes written so far; valid until the next mutation.
  @inlinable public var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base, count: count) }

  /// The last byte; 0 when there is none.
  @inlinable public var last: UInt8 { count == 0 ? 0 : base[count &- 1] }

  @inlinable
  public mutating func removeAll() {
    size = 0
  }

  public mutating func truncate(to length: Int) {
    size = min(count, max(length, 0))
  }

  /// If a large document has made the buffer larger than `limit` bytes, empties it and reduces its memory to
  /// `limit`.
  public mutating func shrink(toAtMost limit: Int) {
    guard capacity > limit else { return }
    free(base)
    room = limit
    memory = Self.block(capacity)
    size = 0
  }

  /// Reserves memory for `extra` more bytes.
  @inlinable @inline(__always)
  public mutating func reserve(_ extra: Int) {
    if capacity &- count < extra { grow(extra) }
  }

  @inline(never) @usableFromInline
  mutating func grow(_ extra: Int) {
    let larger = max(capacity * 2, count + extra)
    // Reallocating moves the pages of a large block instead of copying them, so the text is never in memory
    // twice.
    memory = Self.block(larger, from: base)
    room = larger
  }

  @inlinable @inline(__always)
  public mutating func append(_ byte: UInt8) {
    reserve(1)
    base[count] = byte
    size &+= 1
  }

  @inlinable @inline(__always)
  public mutating func append(_ start: UnsafePointer<UInt8>, _ length: Int) {
    guard length > 0 else { return }
    reserve(length)
    (base + count).update(from: start, count: length)
    size &+= length
  }

  @inlinable
  public mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    append(start, bytes.count)
  }

  public mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { append($0) }
  }

  @inlinable @inline(__always)
  public mutating func append(_ text: StaticString) {
    append(text.utf8Start, text.utf8CodeUnitCount)
  }

  // Disfavoured, so that a literal is appended as a StaticString, without making a String of it.
  @inlinable @_disfavoredOverload
  public mutating func append(_ text: String) {
    text.withBytes { append($0) }
  }

  public mutating func append(repeating byte: UInt8, count times: Int) {
    guard times > 0 else { return }
    reserve(times)
    (base + count).update(repeating: byte, count: times)
    size += times
  }

  /// Appends the bytes that the caller has already written into the reserved memory after the last byte.
  @inlinable @inline(__always)
  public mutating func advance(_ length: Int) {
    size &+= length
  }

  /// Calls `body` with the bytes, which are valid during the call.
  public borrowing func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: base, count: count))
  }

  /// Returns the bytes as text; ill-formed UTF-8 is replaced.
  public borrowing func string() -> String {
    String(streamSafe: UnsafeBufferPointer(start: base, count: count))
  }
}

extension ByteBuffer: ByteSink {}

/// Receives bytes, one or many at a time.
public protocol ByteSink: ~Copyable {
  mutating func append(_ byte: UInt8)
  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>)
}

extension [UInt8]: ByteSink {
  @inlinable
  public mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    append(contentsOf: bytes)
  }
}
