import Glibc

/// MD5 (RFC 1321), needed for Fever's key. Do not use it to protect anything.
public enum MD5 {
  public static func digest(_ message: some Collection<UInt8>) -> [UInt8] {
    var padded = Array(message)
    let bits = UInt64(padded.count) * 8
    padded.append(0x80)
    while padded.count % 64 != 56 { padded.append(0) }
    padded += withUnsafeBytes(of: bits.littleEndian) { Array($0) }
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
    for start in stride(from: 0, to: padded.count, by: 64) { mix(padded[start..<(start + 64)], into: &state) }
    return state.flatMap { word in withUnsafeBytes(of: word.littleEndian) { Array($0) } }
  }

  private static func mix(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
    let words = (0..<16).map { index in
      (0..<4).reduce(UInt32(0)) { $0 | UInt32(block[block.startIndex + index * 4 + $1]) << UInt32($1 * 8) }
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    for step in 0..<64 {
      let value: UInt32
      let word: Int
      switch step / 16 {
      case 0: (value, word) = ((b & c) | (~b & d), step)
      case 1: (value, word) = ((d & b) | (~d & c), (5 * step + 1) % 16)
      case 2: (value, word) = (b ^ c ^ d, (3 * step + 5) % 16)
      default: (value, word) = (c ^ (b | ~d), 7 * step % 16)
      }
      let sum = a &+ value &+ constants[step] &+ words[word]
      let shift = shifts[step / 16][step % 4]
      (a, d, c, b) = (d, c, b, b &+ (sum << shift | sum >> (32 - shift)))
    }
    state[0] &+= a
    state[1] &+= b
    state[2] &+= c
    state[3] &+= d
  }

  private static let shifts: [[UInt32]] = [
    [7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21],
  ]
  /// RFC 1321 section 3.4: the integer parts of 2³² times the sines of 1 to 64.
  private static let constants: [UInt32] = (1...64).map { UInt32(abs(sin(Double($0))) * 4_294_967_296) }
}
