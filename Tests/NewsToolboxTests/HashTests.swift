import NewsToolbox
import Testing

/// Vectors of draft-eastlake-fnv.
@Suite struct `FNV-1a` {
  @Test(arguments: [
    ("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8),
  ])
  func `64 bits`(_ text: String, _ hash: UInt64) {
    #expect(FNV1a(text.utf8).value == hash)
  }

  @Test func `128 bits`() {
    #expect(FNV1a<UInt128>("a".utf8).value.hexDigits(32) == "d228cb696f1a8caf78912b704e4a8964")
  }

  @Test func `Bytes may come in pieces`() {
    var hash = FNV1a<UInt64>()
    hash.add("foo".utf8)
    hash.add(UInt8(ascii: "b"))
    hash.add("ar".utf8)
    #expect(hash == FNV1a("foobar".utf8))
  }
}
