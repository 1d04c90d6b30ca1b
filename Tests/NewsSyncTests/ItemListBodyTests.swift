@testable import NewsHTTP
import NewsCore
import NewsSQLite
import NewsStoresShared
import NewsToolbox
import Testing

@testable import NewsSync

@Suite struct `Whole items that are written in portions` {
  /// A store with 12 items, 40 small ones and then 10 large ones: those have long texts, or many authors.
  private func filled(hasAuthors: Bool = false) async throws -> SyncFixture {
    let fixture = try await SyncFixture()
    for (name, count, text) in [
      ("small", 40, "short"), ("large", 10, String(repeating: "-", count: 200_000)),
    ] {
      var parsed = ParsedFeed(format: "rss20")
      parsed.items = (1...count).map { number in
        var item = ParsedItem()
        item.id = "urn:\(name):\(number)"
        item.title = "\(name) \(number)"
        item.contentText = "\(number) \(hasAuthors ? "" : text)"
        if hasAuthors { item.authors = (0..<200).map { Author(name: "\($0) \(text.prefix(900))") } }
        return item
      }
      let record = RefreshRecord(
        feedID: fixture.feeds[0].id,
        state: FetchState.unfetched,
        parsed: parsed,
        time: SyncFixture.now
      )
      _ = try await fixture.store.commit([record])
    }
    return fixture
  }

  /// The lengths of the pieces, and how often a byte is in them.
  private func pieces(
    _ body: any HTTPBodyStream,
    _ byte: UInt8
  ) async throws -> (lengths: [Int], count: Int) {
    var lengths: [Int] = []
    var count = 0
    while let piece = try await body.next() {
      lengths.append(piece.count)
      count += piece.count { $0 == byte }
    }
    return (lengths, count)
  }

  @Test func `Large items after small ones are read a few at a time`() async throws {
    let fixture = try await filled()
    let ids = try await fixture.store.entries(StreamRequest(isOldestFirst: true), limit: 100).map(\.id)
    let body = ItemListBody(fixture.store, ids, begin: [], separator: ",", end: []) { items in
      items.map { Array($0.item.contentText.utf8) }
    }
    let (lengths, commas) = try await pieces(body, UInt8(ascii: ","))
    #expect(ids.count == 62 && commas == 61)
    #expect(lengths.reduce(0, +) > 2_000_000)
    #expect(lengths.allSatisfy { $0 < 600_000 }, "\(lengths)")
    withExtendedLifetime(fixture) {}
  }

  @Test func `Items with many authors are read a few at a time`() async throws {
    let fixture = try await filled(hasAuthors: true)
    let ids = try await fixture.store.entries(StreamRequest(isOldestFirst: true), limit: 100).map(\.id)
    let body = ItemListBody(fixture.store, ids, begin: [], separator: ",", end: []) { items in
      items.map { $0.item.authors.flatMap { Array(($0.name ?? "").utf8) } }
    }
    let lengths = try await pieces(body, UInt8(ascii: ",")).lengths
    #expect(lengths.reduce(0, +) > 1_500_000)
    #expect(lengths.allSatisfy { $0 < 600_000 }, "\(lengths)")
    withExtendedLifetime(fixture) {}
  }

  @Test(arguments: ["", "&cluster=1", "&query=large&sort=relevance"])
  func `newsd's own API writes large items a few at a time`(_ query: String) async throws {
    let fixture = try await filled()
    let reply = await fixture.reply(
      HTTPRequest(path: ["api", "items"], query: HTTPParameters(encoded: ("format=jsonl" + query).utf8))
    )
    guard case .stream(let stream) = reply.body else {
      Issue.record("no stream")
      return
    }
    let (lengths, lines) = try await pieces(stream, UInt8(ascii: "\n"))
    #expect(lines > 0 && lengths.reduce(0, +) > 200_000)
    #expect(lengths.allSatisfy { $0 < 1_000_000 }, "\(lengths)")
    withExtendedLifetime(fixture) {}
  }
}
