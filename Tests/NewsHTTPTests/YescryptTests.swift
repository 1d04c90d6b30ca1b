import NewsHTTP
import NewsHTTP
import Testing

@Suite struct `Login passwords` {
  private let hasher = YescryptHasher(cost: 1)

  @Test func `A password matches its hash only`() throws {
    let hash = try #require(hasher.hash("pä&+ %=x\"\\"))
    #expect(hash.hasPrefix("$y$"))
    #expect(hasher.matches("pä&+ %=x\"\\", hash: hash))
    #expect(!hasher.matches("other", hash: hash))
    #expect(hasher.hash("pä&+ %=x\"\\") != hash)
  }

  @Test(arguments: ["", "a\u{0}b", String(repeating: "x", count: 512)])
  func `A password that libcrypt would truncate or refuse is rejected`(password: String) {
    #expect(hasher.hash(password) == nil)
    #expect(!hasher.matches(password, hash: "$y$j75$abc$def"))
  }

  @Test func `A damaged hash matches nothing`() {
    #expect(!hasher.matches("x", hash: "*0"))
    #expect(!hasher.matches("x", hash: ""))
  }
}
