@testable import NewsHTTP
import NewsCore
import NewsSQLite
import NewsStoresShared
import NewsToolbox
import Testing

@testable import NewsSync

@Suite struct `Whole items that are written in portions` {
  /// A filled store whose change log has feeds and removals between the large items, and all its numbers.
  private func logged() async throws -> (fixture: SyncFixture, numbers: [Int64]) {
    let fixture = try await filled()
    let store = fixture.store
    let large = try await store.items(ItemRequest(query: .text(TextMatch(text: "large")), parts: []))
      .map(\.item.id)
    #expect(large.count == 10)
    _ = try await store.mark(Array(large[..<5]), .read)
    try await store.rename(fixture.feeds[1].id, to: "Renamed")
    _ = try await store.mark([large[5]], .read)
    try await store.remove(fixture.feeds[2].id)
    _ = try await store.mark(Array(large[6...]), .read)
    let items = try await store.changes(after: 0, limit: 1000, query: .all, within: .max).changes
    let feeds = try await store.feedChanges(after: 0, limit: 1000)
    return (fixture, (items.map(\.sequence) + feeds.map(\.sequence)).sorted())
  }

  /// The pieces of a stream until they have `end`, or its end.
  private func read(_ stream: any HTTPBodyStream, until end: String?) async throws -> (
    text: String, longest: Int
  ) {
    var bytes: [UInt8] = []
    var longest = 0
    while let piece = try await stream.next() {
      bytes += piece
      longest = max(longest, piece.count)
      if let end, String(decoding: piece, as: UTF8.self).contains(bytesOf: end) { break }
    }
    return (String(decoding: bytes, as: UTF8.self), longest)
  }

  @Test func `The change log is written a few large items at a time`() async throws {
    let (fixture, numbers) = try await logged()
    for (count, query) in [(nil, ""), (63, "&n=63")] as [(Int?, String)] {
      let reply = await fixture.reply(
        HTTPRequest(path: ["api", "changes"], query: HTTPParameters(encoded: ("format=jsonl" + query).utf8))
      )
      guard case .stream(let stream) = reply.body else {
        Issue.record("no stream")
        return
      }
      let (text, longest) = try await read(stream, until: nil)
      let found = text.split(separator: "\n").map { String($0.split(separator: ",", maxSplits: 2)[1]) }
      #expect(found == numbers.prefix(count ?? .max).map { "\"seq\":\($0)" })
      #expect(text.utf8.count > 1_500_000 && longest < 1_000_000, "\(longest)")
    }
    withExtendedLifetime(fixture) {}
  }

  @Test func `The event stream of the change log has a few large items at a time`() async throws {
    let (fixture, numbers) = try await logged()
    let reply = await fixture.reply(
      HTTPRequest(path: ["api", "follow"], query: HTTPParameters(encoded: "after=0".utf8))
    )
    guard case .stream(let stream) = reply.body else {
      Issue.record("no stream")
      return
    }
    let last = try #require(numbers.last)
    let (text, longest) = try await read(stream, until: "id: \(last)\n")
    let found = text.split(separator: "\n").filter { $0.hasPrefix("id: ") }.map(String.init)
    #expect(found == numbers.map { "id: \($0)" })
    #expect(text.utf8.count > 1_500_000 && longest < 1_000_000, "\(longest)")
    withExtendedLifetime(fixture) {}
  }

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
