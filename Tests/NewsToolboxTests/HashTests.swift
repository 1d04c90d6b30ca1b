import NewsToolbox
import Testing

/// Vectors of draft-eastlake-fnv.
@Suite struct `FNV-1a` {
  @Test(arguments: [
    ("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8),
  ])
  func `64-bit hashes match the test vectors`(_ text: String, _ hash: UInt64) {
    #expect(FNV1a(text.utf8).value == hash)
  }

  @Test func `128-bit hashes match the test vectors`() {
    #expect(FNV1a<UInt128>("a".utf8).value.hexDigits(32) == "d228cb696f1a8caf78912b704e4a8964")
  }

  @Test func `Hashing in pieces gives the same hash`() {
    var hash = FNV1a<UInt64>()
    hash.add("foo".utf8)
    hash.add(UInt8(ascii: "b"))
    hash.add("ar".utf8)
    #expect(hash == FNV1a("foobar".utf8))
  }
}

@Suite struct `MD5, base32 and the comparison of secrets` {
  /// RFC 1321 appendix A.5.
  @Test(arguments: [
    ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
    (
      "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
      "57edf4a22be3c955ac49da2e2107b67a"
    ),
  ])
  func `MD5 matches the test vectors`(text: String, digest: String) {
    #expect(Hex.encode(MD5.digest(text.utf8)) == digest)
  }

  /// RFC 4648 section 10, without padding.
  @Test(arguments: [
    ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"),
    ("foobar", "MZXW6YTBOI"),
  ])
  func `Base32 matches the test vectors`(text: String, encoded: String) {
    #expect(Base32.encode(text.utf8) == encoded)
  }

  @Test func `Secrets are equal only byte for byte`() {
    #expect(SecretComparison.areEqual("abc", "abc"))
    #expect(!SecretComparison.areEqual("abc", "abd"))
    #expect(!SecretComparison.areEqual("abc", "ab"))
  }
}
