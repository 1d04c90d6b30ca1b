import Modules
public import NewsCore
public import NewsToolbox

/// A growing buffer of output bytes. It keeps its capacity when emptied, so that a million rows need one
/// allocation.
///
/// Uses a pointer instead of an array: rows consist of many short pieces, and an array checks for unique ownership
/// at each append. The functions that encoders call for every piece are inlinable in other targets.
public struct ByteBuffer: ~Copyable {
  @usableFromInline var base: UnsafeMutablePointer<UInt8>
  public var count: Int { size }
  @usableFromInline var size = 0
  @usableFromInline var capacity: Int

  public init(capacity: Int = 80 << 10) {
    self.capacity = max(capacity, 64)
    base = .allocate(capacity: self.capacity)
  }

  deinit { base.deallocate() }

  @inlinable
  mutating func reserve(_ extra: Int) {
    if size + extra > capacity { grow(extra) }
  }

  @usableFromInline
  mutating func grow(_ extra: Int) {
    let larger = max(capacity * 2, size + extra)
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    moved.update(from: base, count: size)
    base.deallocate()
    base = moved
    capacity = larger
  }

  @inlinable
  public mutating func append(_ byte: UInt8) {
    reserve(1)
    base[size] = byte
    size += 1
  }

  @inlinable
  public mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
    reserve(bytes.count)
    (base + size).update(from: start, count: bytes.count)
    size += bytes.count
  }

  public mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { append($0) }
  }

  public mutating func append(_ text: String) {
    text.withBytes { append($0) }
  }

  /// Appends a literal.
  @inlinable
  public mutating func append(literal text: StaticString) {
    append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  public mutating func append(decimal value: Int64) {
    reserve(20)
    if value < 0 { append(UInt8(ascii: "-")) }
    var rest = value.magnitude
    var digits = 1
    var bound: UInt64 = 10
    while rest >= bound, digits < 20 {
      digits += 1
      bound = digits < 20 ? bound &* 10 : .max
    }
    var index = size + digits
    size = index
    repeat {
      index -= 1
      base[index] = UInt8(truncatingIfNeeded: 48 + rest % 10)
      rest /= 10
    } while rest > 0
  }

  /// Appends exactly `width` digits of `value`, with leading zeros.
  public mutating func append(digits value: Int, width: Int) {
    reserve(width)
    var rest = value
    var index = size + width
    size = index
    for _ in 0..<width {
      index -= 1
      base[index] = UInt8(truncatingIfNeeded: 48 + rest % 10)
      rest /= 10
    }
  }

  /// Appends a time in the format of RFC 3339, in UTC.
  public mutating func append(_ time: Timestamp) {
    guard (-62_167_219_200...253_402_300_799).contains(time.seconds) else { return append(time.rfc3339) }
    let civil = time.civil()
    append(digits: civil.year, width: 4)
    append(UInt8(ascii: "-"))
    append(digits: civil.month, width: 2)
    append(UInt8(ascii: "-"))
    append(digits: civil.day, width: 2)
    append(UInt8(ascii: "T"))
    append(digits: civil.hour, width: 2)
    append(UInt8(ascii: ":"))
    append(digits: civil.minute, width: 2)
    append(UInt8(ascii: ":"))
    append(digits: civil.second, width: 2)
    append(UInt8(ascii: "Z"))
  }

  public mutating func append(repeating byte: UInt8, count times: Int) {
    guard times > 0 else { return }
    reserve(times)
    (base + size).update(repeating: byte, count: times)
    size += times
  }

  public mutating func removeAll() { size = 0 }

  /// True if the last byte is a line feed.
  public var hasLineEnd: Bool { size > 0 && base[size - 1] == UInt8(ascii: "\n") }

  /// The pointer is valid until `body` returns.
  public borrowing func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: base, count: size))
  }

  /// The bytes decoded as UTF-8.
  public borrowing func makeString() -> String {
    String(decoding: UnsafeBufferPointer(start: base, count: size), as: UTF8.self)
  }
}

extension ByteBuffer: ByteSink {}
