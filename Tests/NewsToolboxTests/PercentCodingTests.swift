import NewsToolbox
import Testing

@Suite struct `Percent coding` {
  @Test func `All bytes but unreserved characters are encoded with capital hex digits`() {
    #expect(PercentCoding.encode("a b/ü~", keeping: PercentCoding.isUnreserved) == "a%20b%2F%C3%BC~")
  }

  @Test(arguments: [
    ("a%20b", "a b"), ("%C3%BC", "ü"), ("plain", "plain"), ("%2", nil), ("%zz", nil), ("%FF", nil),
  ])
  func `Strict decoding refuses stray percent signs and ill-formed UTF-8`(_ text: String, _ decoded: String?)
  {
    #expect(PercentCoding.decode(text) == decoded)
  }

  @Test(arguments: [
    ("a%20b", "a b"), ("100%", "100%"), ("%zz%41", "%zzA"), ("%FF", "\u{FFFD}"), ("%+1", "%+1"),
  ])
  func `Lenient decoding keeps stray percent signs`(_ text: String, _ decoded: String) {
    #expect(PercentCoding.decodeLeniently(text.utf8) == decoded)
  }

  @Test func `Normalizing decodes unreserved bytes and writes the other escapes in capitals`() {
    #expect(PercentCoding.normalize("%7euser/%2f%3a?x=%41ü".utf8) == "~user/%2F%3A?x=Aü")
    #expect(PercentCoding.normalize("ü%".utf8) { $0 >= 0x80 || $0 == UInt8(ascii: "%") } == "%C3%BC%25")
  }

  @Test func `A combining mark after an escape does not prevent its decoding`() {
    #expect(PercentCoding.decodeLeniently("%41\u{301}".utf8) == "A\u{301}")
  }
}
