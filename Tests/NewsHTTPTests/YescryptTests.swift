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

  @Test func `A hash of another method or of a higher cost is not computed`() throws {
    let other =
      "$6$rounds=1000$abcdefgh$geVEHIm7qOfZ0Yw/Z8NNNt6uQqulNp6WV5JZcqxqWNMIPSICZ4/ACqZTBM3j8dYwzw4dDb4cfDEurCjUfuyVH0"
    #expect(!hasher.matches("x1y2", hash: other))
    #expect(!hasher.isAffordable(other))
    for cost in UInt(1)...3 {
      let dear = try #require(YescryptHasher(cost: cost).hash("x1y2"))
      #expect(hasher.matches("x1y2", hash: dear) == (cost == 1), "\(cost)")
      #expect(YescryptHasher(cost: cost).matches("x1y2", hash: dear), "\(cost)")
    }
    #expect(YescryptHasher().isAffordable(try #require(YescryptHasher().hash("x1y2"))))
  }

  @Test func `A damaged hash matches nothing`() {
    #expect(!hasher.matches("x", hash: "*0"))
    #expect(!hasher.matches("x", hash: ""))
  }
}
