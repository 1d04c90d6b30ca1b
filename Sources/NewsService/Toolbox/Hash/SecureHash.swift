/// The hash functions for signatures and credentials (FIPS 180-4). libcurl contains them but does not export them.
public enum SecureHash: String, CaseIterable, Sendable {
  case sha1, sha256, sha384, sha512

  /// Block size in bytes.
  public var blockLength: Int {
    switch self {
    case .sha1, .sha256: 64
    case .sha384, .sha512: 128
    }
  }

  public func digest(_ message: some Collection<UInt8>) -> [UInt8] {
    let padded = pad(message)
    switch self {
    case .sha1: return Self.sha1(padded)
    case .sha256:
      return bytes(of: Self.sha2(padded, Self.roots[0..<8].map { UInt32($0 >> 32) }, Rounds32.self))
    case .sha384:
      return Array(bytes(of: Self.sha2(padded, Array(Self.roots[8..<16]), Rounds64.self)).prefix(48))
    case .sha512: return bytes(of: Self.sha2(padded, Array(Self.roots[0..<8]), Rounds64.self))
    }
  }

  /// Computes the HMAC of a message (RFC 2104).
  public func authenticate(_ message: some Collection<UInt8>, key: [UInt8]) -> [UInt8] {
    var key = key.count > blockLength ? digest(key) : key
    key += [UInt8](repeating: 0, count: blockLength - key.count)
    return digest(key.map { $0 ^ 0x5C } + digest(key.map { $0 ^ 0x36 } + Array(message)))
  }

  /// Appends a one bit, zeros and the length in bits, up to a whole number of blocks.
  private func pad(_ message: some Collection<UInt8>) -> [UInt8] {
    let lengthBytes = blockLength / 8
    var padded = Array(message)
    let bits = UInt64(padded.count) * 8
    padded.append(0x80)
    let rest = (padded.count + lengthBytes) % blockLength
    padded += [UInt8](repeating: 0, count: (rest == 0 ? 0 : blockLength - rest) + lengthBytes - 8)
    return padded + bytes(of: [bits])
  }

  private func bytes(of words: [some FixedWidthInteger]) -> [UInt8] {
    words.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
  }

  // MARK: - SHA-1

  private static func sha1(_ padded: [UInt8]) -> [UInt8] {
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    var schedule = [UInt32](repeating: 0, count: 80)
    for start in stride(from: 0, to: padded.count, by: 64) {
      load(padded, start, into: &schedule)
      for t in 16..<80 {
        schedule[t] = rotateLeft(schedule[t - 3] ^ schedule[t - 8] ^ schedule[t - 14] ^ schedule[t - 16], 1)
      }
      var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
      for t in 0..<80 {
        let f: UInt32
        let k: UInt32
        switch t {
        case ..<20: (f, k) = ((b & c) | (~b & d), 0x5A82_7999)
        case ..<40: (f, k) = (b ^ c ^ d, 0x6ED9_EBA1)
        case ..<60: (f, k) = ((b & c) | (b & d) | (c & d), 0x8F1B_BCDC)
        default: (f, k) = (b ^ c ^ d, 0xCA62_C1D6)
        }
        let next = rotateLeft(a, 5) &+ f &+ e &+ k &+ schedule[t]
        (e, d, c, b, a) = (d, c, rotateLeft(b, 30), a, next)
      }
      for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
    }
    return SecureHash.sha1.bytes(of: state)
  }

  private static func rotateLeft(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word << count | word >> (32 - count)
  }

  private static func load<Word: FixedWidthInteger>(
    _ bytes: [UInt8],
    _ start: Int,
    into schedule: inout [Word]
  ) {
    let size = Word.bitWidth / 8
    for t in 0..<16 {
      var word: Word = 0
      for byte in bytes[(start + t * size)..<(start + (t + 1) * size)] { word = word << 8 | Word(byte) }
      schedule[t] = word
    }
  }

  // MARK: - SHA-2

  /// The differences between SHA-2 with 32-bit and with 64-bit words.
  private protocol Rounds {
    associatedtype Word: FixedWidthInteger & UnsignedInteger
    static var count: Int { get }
    static func constant(_ t: Int) -> Word
    /// Rotation counts; the last value of `small0` and `small1` is a shift count.
    static var big0: (Word, Word, Word) { get }
    static var big1: (Word, Word, Word) { get }
    static var small0: (Word, Word, Word) { get }
    static var small1: (Word, Word, Word) { get }
  }

  private enum Rounds32: Rounds {
    static let count = 64
    static func constant(_ t: Int) -> UInt32 { UInt32(cubeRoots[t] >> 32) }
    static let big0: (UInt32, UInt32, UInt32) = (2, 13, 22)
    static let big1: (UInt32, UInt32, UInt32) = (6, 11, 25)
    static let small0: (UInt32, UInt32, UInt32) = (7, 18, 3)
    static let small1: (UInt32, UInt32, UInt32) = (17, 19, 10)
  }

  private enum Rounds64: Rounds {
    static let count = 80
    static func constant(_ t: Int) -> UInt64 { cubeRoots[t] }
    static let big0: (UInt64, UInt64, UInt64) = (28, 34, 39)
    static let big1: (UInt64, UInt64, UInt64) = (14, 18, 41)
    static let small0: (UInt64, UInt64, UInt64) = (1, 8, 7)
    static let small1: (UInt64, UInt64, UInt64) = (19, 61, 6)
  }

  private static func sha2<R: Rounds>(_ padded: [UInt8], _ start: [R.Word], _ rounds: R.Type) -> [R.Word] {
    let bits = R.Word(R.Word.bitWidth)
    func turn(_ word: R.Word, _ count: R.Word) -> R.Word { word >> count | word << (bits - count) }
    func big(_ word: R.Word, _ by: (R.Word, R.Word, R.Word)) -> R.Word {
      turn(word, by.0) ^ turn(word, by.1) ^ turn(word, by.2)
    }
    func small(_ word: R.Word, _ by: (R.Word, R.Word, R.Word)) -> R.Word {
      turn(word, by.0) ^ turn(word, by.1) ^ word >> by.2
    }
    var state = start
    var schedule = [R.Word](repeating: 0, count: R.count)
    for block in stride(from: 0, to: padded.count, by: R.Word.bitWidth * 2) {
      load(padded, block, into: &schedule)
      for t in 16..<R.count {
        schedule[t] =
          small(schedule[t - 2], R.small1) &+ schedule[t - 7] &+ small(schedule[t - 15], R.small0)
          &+ schedule[t - 16]
      }
      var v = state
      for t in 0..<R.count {
        let choice = (v[4] & v[5]) ^ (~v[4] & v[6])
        let majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2])
        let first = v[7] &+ big(v[4], R.big1) &+ choice &+ R.constant(t) &+ schedule[t]
        let second = big(v[0], R.big0) &+ majority
        (v[7], v[6], v[5], v[4]) = (v[6], v[5], v[4], v[3] &+ first)
        (v[3], v[2], v[1], v[0]) = (v[2], v[1], v[0], first &+ second)
      }
      for index in 0..<8 { state[index] &+= v[index] }
    }
    return state
  }

  /// The fractional parts of the square roots of the first 16 primes, 64 bits each: the initial hash values. SHA-256
  /// uses their high halves.
  private static let roots: [UInt64] = [
    0x6A09_E667_F3BC_C908, 0xBB67_AE85_84CA_A73B, 0x3C6E_F372_FE94_F82B, 0xA54F_F53A_5F1D_36F1,
    0x510E_527F_ADE6_82D1, 0x9B05_688C_2B3E_6C1F, 0x1F83_D9AB_FB41_BD6B, 0x5BE0_CD19_137E_2179,
    0xCBBB_9D5D_C105_9ED8, 0x629A_292A_367C_D507, 0x9159_015A_3070_DD17, 0x152F_ECD8_F70E_5939,
    0x6733_2667_FFC0_0B31, 0x8EB4_4A87_6858_1511, 0xDB0C_2E0D_64F9_8FA7, 0x47B5_481D_BEFA_4FA4,
  ]

  /// The fractional parts of the cube roots of the first 80 primes: the round constants.
  private static let cubeRoots: [UInt64] = [
    0x428A_2F98_D728_AE22, 0x7137_4491_23EF_65CD, 0xB5C0_FBCF_EC4D_3B2F, 0xE9B5_DBA5_8189_DBBC,
    0x3956_C25B_F348_B538, 0x59F1_11F1_B605_D019, 0x923F_82A4_AF19_4F9B, 0xAB1C_5ED5_DA6D_8118,
    0xD807_AA98_A303_0242, 0x1283_5B01_4570_6FBE, 0x2431_85BE_4EE4_B28C, 0x550C_7DC3_D5FF_B4E2,
    0x72BE_5D74_F27B_896F, 0x80DE_B1FE_3B16_96B1, 0x9BDC_06A7_25C7_1235, 0xC19B_F174_CF69_2694,
    0xE49B_69C1_9EF1_4AD2, 0xEFBE_4786_384F_25E3, 0x0FC1_9DC6_8B8C_D5B5, 0x240C_A1CC_77AC_9C65,
    0x2DE9_2C6F_592B_0275, 0x4A74_84AA_6EA6_E483, 0x5CB0_A9DC_BD41_FBD4, 0x76F9_88DA_8311_53B5,
    0x983E_5152_EE66_DFAB, 0xA831_C66D_2DB4_3210, 0xB003_27C8_98FB_213F, 0xBF59_7FC7_BEEF_0EE4,
    0xC6E0_0BF3_3DA8_8FC2, 0xD5A7_9147_930A_A725, 0x06CA_6351_E003_826F, 0x1429_2967_0A0E_6E70,
    0x27B7_0A85_46D2_2FFC, 0x2E1B_2138_5C26_C926, 0x4D2C_6DFC_5AC4_2AED, 0x5338_0D13_9D95_B3DF,
    0x650A_7354_8BAF_63DE, 0x766A_0ABB_3C77_B2A8, 0x81C2_C92E_47ED_AEE6, 0x9272_2C85_1482_353B,
    0xA2BF_E8A1_4CF1_0364, 0xA81A_664B_BC42_3001, 0xC24B_8B70_D0F8_9791, 0xC76C_51A3_0654_BE30,
    0xD192_E819_D6EF_5218, 0xD699_0624_5565_A910, 0xF40E_3585_5771_202A, 0x106A_A070_32BB_D1B8,
    0x19A4_C116_B8D2_D0C8, 0x1E37_6C08_5141_AB53, 0x2748_774C_DF8E_EB99, 0x34B0_BCB5_E19B_48A8,
    0x391C_0CB3_C5C9_5A63, 0x4ED8_AA4A_E341_8ACB, 0x5B9C_CA4F_7763_E373, 0x682E_6FF3_D6B2_B8A3,
    0x748F_82EE_5DEF_B2FC, 0x78A5_636F_4317_2F60, 0x84C8_7814_A1F0_AB72, 0x8CC7_0208_1A64_39EC,
    0x90BE_FFFA_2363_1E28, 0xA450_6CEB_DE82_BDE9, 0xBEF9_A3F7_B2C6_7915, 0xC671_78F2_E372_532B,
    0xCA27_3ECE_EA26_619C, 0xD186_B8C7_21C0_C207, 0xEADA_7DD6_CDE0_EB1E, 0xF57D_4F7F_EE6E_D178,
    0x06F0_67AA_7217_6FBA, 0x0A63_7DC5_A2C8_98A6, 0x113F_9804_BEF9_0DAE, 0x1B71_0B35_131C_471B,
    0x28DB_77F5_2304_7D84, 0x32CA_AB7B_40C7_2493, 0x3C9E_BE0A_15C9_BEBC, 0x431D_67C4_9C10_0D4C,
    0x4CC5_D4BE_CB3E_42B6, 0x597F_299C_FC65_7E2A, 0x5FCB_6FAB_3AD6_FAEC, 0x6C44_198C_4A47_5817,
  ]
}
