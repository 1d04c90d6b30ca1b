import NewsStoresShared
import NewsCore
import SearchCases
import Testing

@Suite(.everyStore) struct `Enclosures of items` {
  private let id = NewsItem.ID(rawValue: 1)

  private func item(_ urls: [String], _ title: String = "Episode") -> ParsedItem {
    var item = ParsedItem("1", title: title)
    item.enclosures = urls.map { Enclosure(url: "http://a/\($0)", mimeType: "audio/mpeg") }
    return item
  }

  /// The enclosures of the item as `URL=NUMBER@POSITION`, with `!` if they have been played.
  private func states(_ store: any StorePorts) async throws -> [String] {
    try #require(try await store.streamItems([id]).first).enclosures.map { state in
      "\(state.enclosure.url.dropFirst(9))=\(state.number)@\(state.position)\(state.isPlayed ? "!" : "")"
    }
  }

  private func set(_ store: any StorePorts, _ number: Int64, _ position: Int64?, at seconds: Int64)
    async throws
  {
    let time = Timestamp(seconds: seconds)
    try await store.changeEnclosure(number, of: id, position: position, isPlayed: nil, at: time)
  }

  @Test func `Numbers follow the order, and stay when the feed changes it`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let feed = try await temporary.subscribe()
    try await temporary.refresh(feed, [item(["a", "b", "a"])])
    #expect(try await states(store) == ["a=0@0", "b=1@0"])
    try await temporary.refresh(feed, [item(["a", "b", "c"], "Appended")])
    #expect(try await states(store) == ["a=0@0", "b=1@0", "c=2@0"])
    try await temporary.refresh(feed, [item(["d", "c", "a"], "Other order")])
    #expect(try await states(store) == ["d=3@0", "c=2@0", "a=0@0"])
    // No number is given twice, also not that of an enclosure that was forgotten.
    try await temporary.refresh(feed, [item(["e", "b", "d"], "Back")])
    #expect(try await states(store) == ["e=4@0", "b=5@0", "d=3@0"])
    #expect(try await store.check().isEmpty)
  }

  @Test func `Of enclosures that the item no longer has, only the last ones that were played are kept`()
    async throws
  {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let feed = try await temporary.subscribe()
    try await temporary.refresh(feed, [item(["0", "x"])])
    for poll in 1...60 {
      if poll < 54 { try await set(store, Int64(2 * poll - 2), 7, at: Int64(poll)) }
      try await temporary.refresh(feed, [item(["\(poll)", "x\(poll)"], "Signed \(poll)")])
    }
    #expect(try await states(store) == ["60=120@0", "x60=121@0"])
    #expect(try await temporary.sql("SELECT count(*) FROM enclosures WHERE position = 7") == "50")
    // And the highest number.
    #expect(try await temporary.sql("SELECT count(*) FROM enclosures") == "51")
    try await temporary.refresh(feed, [item(["52", "0"], "Back")])
    #expect(try await states(store) == ["52=104@7", "0=122@0"])
    #expect(try await store.check().isEmpty)
  }

  @Test func `The latest position counts, and is kept when the feed edits the item`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let feed = try await temporary.subscribe()
    try await temporary.refresh(feed, [item(["a", "b"])])
    try await set(store, 1, 30, at: 100)
    try await set(store, 1, 20, at: 99)
    #expect(try await states(store) == ["a=0@0", "b=1@30"])
    try await store.changeEnclosure(1, of: id, position: nil, isPlayed: true, at: Timestamp(seconds: 101))
    #expect(try await states(store) == ["a=0@0", "b=1@30!"])
    try await temporary.refresh(feed, [item(["b", "c"], "Edited")])
    #expect(try await states(store) == ["b=1@30!", "c=2@0"])
    for number: Int64 in [0, 3, -1] {
      let error = await #expect(throws: StoreError.self) { try await set(store, number, 1, at: 200) }
      #expect(error?.code == .noSuchItem)
    }
  }

  @Test func `Positions are exported, imported and copied, and go with the item`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    try await temporary.refresh(feed, [item(["a", "b"])])
    try await set(temporary.store, 1, 30, at: 100)
    let copy = try TemporaryStore()
    _ = try await StoreCopy().copy(from: temporary.store, to: copy.store)
    #expect(try await states(copy.store) == ["a=0@0", "b=1@30"])
    try await copy.store.remove(feed.id)
    #expect(try await copy.sql("SELECT count(*) FROM enclosures") == "0")
    #expect(try await copy.store.check().isEmpty)
  }
}
