/// Escapes text for a JSON string (RFC 8259 section 7).
///
/// Also escapes DEL, the C1 controls, U+2028, U+2029 and the bidirectional controls: on terminals U+009B starts an
/// escape sequence, and some parsers treat U+2028 as a line end.
public enum JSONEscaping {
  /// `text` as a JSON string with quotes.
  public static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = [UInt8(ascii: "\"")]
    text.withBytes { write($0, to: &bytes) }
    bytes.append(UInt8(ascii: "\""))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Writes the escaped text without quotes.
  @inlinable
  public static func write<Sink: ByteSink & ~Copyable>(
    _ bytes: UnsafeBufferPointer<UInt8>,
    to sink: inout Sink
  ) {
    guard let base = bytes.baseAddress else { return }
    let count = bytes.count
    var start = 0
    var index = 0
    while true {
      index = nextSpecial(base, index, count)
      guard index < count else { break }
      let byte = base[index]
      if byte >= 0x80 {
        guard let (scalar, length) = control(base + index, count - index) else {
          index += 1
          continue
        }
        sink.append(UnsafeBufferPointer(start: base + start, count: index - start))
        writeUnicode(scalar, to: &sink)
        index += length
      } else {
        sink.append(UnsafeBufferPointer(start: base + start, count: index - start))
        writeShort(byte, to: &sink)
        index += 1
      }
      start = index
    }
    sink.append(UnsafeBufferPointer(start: base + start, count: count - start))
  }

  /// Returns the first index from `index` whose byte may need an escape, else `count`. Reads eight bytes at a time.
  @inlinable
  static func nextSpecial(_ base: UnsafePointer<UInt8>, _ index: Int, _ count: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    /// Sets the high bit of each byte of `word` that is below `limit` (at most 0x80). A borrow between bytes can set
    /// further bits, so the caller checks each hit byte by byte.
    func below(_ limit: UInt64, _ word: UInt64) -> UInt64 { (word &- ones &* limit) & ~word }
    var index = index
    while index + 8 <= count {
      let word = UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self)
      let hits =
        below(0x20, word) | below(1, word ^ (ones &* 0x22)) | below(1, word ^ (ones &* 0x5C))
        | below(1, word ^ (ones &* 0x7F)) | below(1, word ^ (ones &* 0xC2)) | below(1, word ^ (ones &* 0xE2))
      if hits & highs != 0 {
        for offset in 0..<8 where isSpecial(base[index + offset]) { return index + offset }
      }
      index += 8
    }
    while index < count, !isSpecial(base[index]) { index += 1 }
    return index
  }

  @inlinable
  static func isSpecial(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F || byte == 0xC2
      || byte == 0xE2
  }

  /// Returns the C1, separator or bidirectional control at `base`, and its length in bytes.
  @inlinable
  static func control(_ base: UnsafePointer<UInt8>, _ count: Int) -> (UInt16, Int)? {
    if base[0] == 0xC2, count > 1, base[1] < 0xA0 { return (UInt16(base[1]), 2) }
    guard base[0] == 0xE2, count > 2 else { return nil }
    let scalar = UInt16(base[1] & 0x3F) << 6 | UInt16(base[2] & 0x3F) | 0x2000
    switch scalar {
    case 0x2028...0x202E, 0x2066...0x2069: return (scalar, 3)
    default: return nil
    }
  }

  @inlinable
  static func writeShort<Sink: ByteSink & ~Copyable>(_ byte: UInt8, to sink: inout Sink) {
    let letter: UInt8
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): letter = byte
    case 0x0A: letter = UInt8(ascii: "n")
    case 0x0D: letter = UInt8(ascii: "r")
    case 0x09: letter = UInt8(ascii: "t")
    case 0x08: letter = UInt8(ascii: "b")
    case 0x0C: letter = UInt8(ascii: "f")
    default: return writeUnicode(UInt16(byte), to: &sink)
    }
    sink.append(UInt8(ascii: "\\"))
    sink.append(letter)
  }

  @inlinable
  static func writeUnicode<Sink: ByteSink & ~Copyable>(_ unit: UInt16, to sink: inout Sink) {
    sink.append(UInt8(ascii: "\\"))
    sink.append(UInt8(ascii: "u"))
    var shift: UInt16 = 12
    while true {
      let digit = UInt8(truncatingIfNeeded: unit >> shift & 0xF)
      sink.append(digit < 10 ? 48 + digit : 87 + digit)
      if shift == 0 { break }
      shift -= 4
    }
  }
}
