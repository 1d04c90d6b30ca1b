import NewsCore
import Testing

@Suite struct `Hash of bodies` {
  @Test func `Hashes never change, because they are stored`() {
    #expect(BodyHash.of([]) == Self.empty)
    #expect(
      BodyHash.of(Array("<rss version=\"2.0\"><channel><title>News</title></channel></rss>".utf8)) == Self.rss
    )
  }
  static let empty: UInt64 = 4_232_130_062_161_791_359
  static let rss: UInt64 = 8_765_640_008_376_324_375

  @Test(arguments: [1, 7, 8, 9, 31, 32, 33, 64, 100]) func `Changing any bit changes the hash`(_ count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    let hash = BodyHash.of(bytes)
    var seen: Set<UInt64> = [hash]
    for index in bytes.indices {
      for bit in 0..<8 {
        var other = bytes
        other[index] ^= 1 << UInt8(bit)
        let otherHash = BodyHash.of(other)
        #expect(seen.insert(otherHash).inserted)
        let changed = (hash ^ otherHash).nonzeroBitCount
        #expect((8...56).contains(changed), "bit \(bit) of byte \(index) of \(count) changes \(changed) bits")
      }
    }
  }

  @Test func `Length and order of the bytes change the hash`() {
    var seen = Set<UInt64>()
    for count in 0..<200 { #expect(seen.insert(BodyHash.of([UInt8](repeating: 0, count: count))).inserted) }
    let blocks = (0..<4).map { [UInt8](repeating: UInt8($0), count: 16) }
    #expect(
      BodyHash.of(blocks[0] + blocks[1] + blocks[2] + blocks[3])
        != BodyHash.of(blocks[1] + blocks[0] + blocks[2] + blocks[3])
    )
    #expect(
      BodyHash.of(blocks[0] + blocks[1] + blocks[2] + blocks[3])
        != BodyHash.of(blocks[2] + blocks[3] + blocks[0] + blocks[1])
    )
  }
}
