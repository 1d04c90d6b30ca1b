import NewsCore
import Testing

@Suite struct `Ingesting items` {
  private let store = FakeStore()

  private func ingest(_ titles: [String], into name: String) async throws -> ItemIngestion.Report {
    let ingestion = ItemIngestion(
      decoder: TitleLines(),
      parser: FakeParser(),
      store: store,
      clock: ManualClock()
    )
    var input: [[UInt8]] = titles.map { Array("\($0)\n".utf8) }
    return try await ingestion.run(into: name) { input.isEmpty ? nil : input.removeFirst() }
  }

  @Test func `Ingesting under a name that no feed has adds a feed`() async throws {
    #expect(try await ingest(["one", "two"], into: "Script").inserted == 2)
    #expect(try await store.feeds().map(\.url) == ["ingest:Script"])
  }

  @Test func `Reading ends with a line that is too long`() async throws {
    let ingestion = ItemIngestion(
      decoder: TitleLines(),
      parser: FakeParser(),
      store: store,
      clock: ManualClock()
    )
    var chunks = 0
    let report = try await ingestion.run(into: "Script") {
      chunks += 1
      return chunks == 1 ? Array("one\ntwo".utf8) : [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
    }
    #expect(report.inserted == 1)
    #expect(report.problems.map(\.line) == [2])
    #expect(chunks == 33)
  }

  @Test func `A store that fails in the middle is reported with the number of stored items`() async throws {
    let ingestion = ItemIngestion(
      decoder: TitleLines(),
      parser: FakeParser(),
      store: store,
      clock: ManualClock()
    )
    let full = StoreError(code: .overQuota, message: "above its quota")
    var chunks = 0
    let report = try await ingestion.run(into: "Script") {
      chunks += 1
      guard chunks == 1 else { throw full }
      return Array("one\n".utf8)
    }
    #expect(report.inserted == 1 && report.failure == full)
    await #expect(throws: full) { _ = try await ingestion.run(into: "Script") { throw full } }
  }

  @Test func `A feed that another process adds at the same moment takes the items`() async throws {
    store.with { $0.addedBefore = ["ingest:Script"] }
    #expect(try await ingest(["one", "two"], into: "Script").inserted == 2)
    let feeds = try await store.feeds()
    try #require(feeds.map(\.url) == ["ingest:Script"])
    #expect(store.items(feeds[0].id).compactMap(\.title) == ["one", "two"])
  }
}

/// Reads each line as the title of an item.
private struct TitleLines: ItemLineDecoding {
  func item(ofLine line: ArraySlice<UInt8>) -> ImportedItem {
    var item = ParsedItem()
    item.title = String(decoding: line, as: UTF8.self)
    return ImportedItem(item: item)
  }

  func items(ofArray bytes: ArraySlice<UInt8>) -> [ImportedItem]? { nil }

  func shape(of start: ArraySlice<UInt8>) -> ItemInputShape? { .lines }
}
