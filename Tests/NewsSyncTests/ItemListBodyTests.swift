import NewsCore
import Testing

@testable import NewsSync

@Suite struct `Whole items that are written in portions` {
  @Test func `Large items after small ones are read a few at a time`() async throws {
    let fixture = try await SyncFixture()
    for (name, count, text) in [
      ("small", 40, "short"), ("large", 10, String(repeating: "-", count: 200_000)),
    ] {
      var parsed = ParsedFeed(format: "rss20")
      parsed.items = (1...count).map { number in
        var item = ParsedItem()
        item.id = "urn:\(name):\(number)"
        item.title = "\(name) \(number)"
        item.contentText = "\(number) \(text)"
        return item
      }
      let record = RefreshRecord(
        feedID: fixture.feeds[0].id,
        state: FetchState(),
        parsed: parsed,
        time: SyncFixture.now
      )
      _ = try await fixture.store.commit([record])
    }
    let ids = try await fixture.store.entries(StreamRequest(isOldestFirst: true), limit: 100).map(\.id)
    let body = ItemListBody(fixture.store, ids, begin: [], separator: ",", end: []) { items in
      items.map { Array($0.item.contentText.utf8) }
    }
    var lengths: [Int] = []
    var commas = 0
    while let piece = try await body.next() {
      lengths.append(piece.count)
      commas += piece.count { $0 == UInt8(ascii: ",") }
    }
    #expect(ids.count == 62 && commas == 61)
    #expect(lengths.reduce(0, +) > 2_000_000)
    #expect(lengths.allSatisfy { $0 < 600_000 }, "\(lengths)")
    withExtendedLifetime(fixture) {}
  }
}
