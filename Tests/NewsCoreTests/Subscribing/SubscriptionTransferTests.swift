import NewsCore
import Testing

@Suite struct `Subscription lists` {
  /// A list of one URL per line.
  struct LineList: SubscriptionListCoding {
    func decode(_ bytes: [UInt8]) throws(FeedParseError) -> [NewFeed] {
      String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { line in
        var feed = NewFeed(url: String(line))
        feed.settings.allowsLocalOrigin = true
        return feed
      }
    }
    func encodeOPML(_ feeds: [Feed], title: String) -> String {
      ([title] + feeds.map(\.url)).joined(separator: "\n")
    }
  }

  @Test func `What is new is added once; the rest is told apart`() async throws {
    let store = FakeStore()
    store.insert("https://a.example/feed")
    let transfer = SubscriptionTransfer(coder: LineList(), subscriptions: store, clock: ManualClock())
    let list = """
      https://a.example/feed
      https://b.example/feed
      HTTPS://B.example/feed
      file:///etc/passwd
      exec:rm
      """
    let report = try await transfer.importList(Array(list.utf8), folder: "New")
    #expect(report.added.map(\.url) == ["https://b.example/feed"])
    #expect(report.added.map(\.folder) == ["New"])
    #expect(report.duplicates.count == 2)
    #expect(report.refused.map(\.entry) == ["file:///etc/passwd", "exec:rm"])
    #expect(report.added.allSatisfy { $0.settings.allowsLocalOrigin == nil })
    #expect(
      try await transfer.exportOPML(title: "Mine") == "Mine\nhttps://a.example/feed\nhttps://b.example/feed"
    )
  }
}
