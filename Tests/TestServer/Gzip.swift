/// Produces gzip files without a compressor (RFC 1951 and 1952).
public enum Gzip {
  private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]

  /// Returns the bytes as stored blocks.
  public static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var result = header
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(0xFFFF)
      rest = rest.dropFirst(block.count)
      let size = UInt16(block.count)
      result.append(rest.isEmpty ? 1 : 0)
      result += [UInt8(size & 0xFF), UInt8(size >> 8), UInt8(~size & 0xFF), UInt8(~size >> 8)]
      result += block
    } while !rest.isEmpty
    return result + littleEndian(crc32(bytes)) + littleEndian(UInt32(truncatingIfNeeded: bytes.count))
  }

  /// Returns about `size` zero bytes as one block with dynamic Huffman codes. The longest match and its distance take
  /// one bit each: two bits give 258 bytes. The checksum is wrong, because no test checks it.
  public static func bomb(_ size: Int) -> [UInt8] {
    var bits = BitWriter()
    bits.put(1, 1)  // the last block
    bits.put(2, 2)  // dynamic codes
    bits.put(286 - 257, 5)  // 286 literal and length codes
    bits.put(0, 5)  // 1 distance code
    bits.put(14, 4)  // 18 code length codes, in the order 16 17 18 0 8 7 9 6 10 5 11 4 12 3 13 2 14 1
    // Code lengths used: 18 (long run of zeros), 1 and 2; three codes: 1 → 0, 2 → 10, 18 → 11.
    for symbol in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1] {
      bits.put([18: 2, 2: 2, 1: 1][symbol] ?? 0, 3)
    }
    func length(_ value: Int) {
      switch value {
      case 1: bits.putCode([0])
      default: bits.putCode([1, 0])
      }
    }
    func zeros(_ count: Int) {
      bits.putCode([1, 1])
      bits.put(count - 11, 7)
    }
    // Literal 0 has length 2, end of block (256) length 2, length 258 (285) length 1. Codes: 285 → 0, 0 → 10, 256 → 11.
    length(2)
    zeros(138)
    zeros(117)
    length(2)
    zeros(28)
    length(1)
    length(1)  // distance 1
    bits.putCode([1, 0])
    for _ in 0..<(size / 258) { bits.put(0, 2) }
    bits.putCode([1, 1])
    return header + bits.finished() + littleEndian(0) + littleEndian(UInt32(truncatingIfNeeded: size))
  }

  private static func littleEndian(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func crc32(_ bytes: [UInt8]) -> UInt32 {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
  }

  private struct BitWriter {
    private var bytes: [UInt8] = []
    private var current = 0
    private var count = 0

    /// Writes the `width` low bits of `value`, least significant first.
    mutating func put(_ value: Int, _ width: Int) {
      current |= value << count
      count += width
      while count >= 8 {
        bytes.append(UInt8(truncatingIfNeeded: current))
        current >>= 8
        count -= 8
      }
    }

    /// Writes a Huffman code, most significant bit first.
    mutating func putCode(_ code: [Int]) {
      for bit in code { put(bit, 1) }
    }

    mutating func finished() -> [UInt8] {
      if count > 0 { bytes.append(UInt8(truncatingIfNeeded: current)) }
      return bytes
    }
  }
}
