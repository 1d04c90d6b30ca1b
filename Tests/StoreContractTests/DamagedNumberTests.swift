import NewsCore
import NewsStoresShared
import SearchCases
import Testing

/// Numbers that only damage or another program can have written.
@Suite(.everyStore) struct `A store with impossible numbers` {
  private let first = NewsItem.ID(rawValue: 1)

  private func filled() async throws -> (TemporaryStore, Feed) {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    try await temporary.refresh(feed, (1...3).map { ParsedItem("\($0)", published: Int64($0)) })
    return (temporary, feed)
  }

  private func set(_ counter: String, to value: Int64, _ temporary: TemporaryStore) async throws {
    switch StoreKind.current {
    case .file:
      _ = try await temporary.sql("UPDATE counters SET value = \(value) WHERE name = '\(counter)'")
    case .postgres: _ = try await temporary.sql("UPDATE counters SET \(counter) = \(value)")
    }
  }

  @Test
  func `A counter at the largest number ends changes with an error that names the remedy, which mends it`()
    async throws
  {
    let (temporary, feed) = try await filled()
    let store = temporary.store
    let last = try await store.latestSequence()
    try await set("sequence", to: .max, temporary)
    for change in ["mark", "label", "rename", "remove", "add"] {
      let error = await #expect(throws: StoreError.self, "\(change)") {
        switch change {
        case "mark": _ = try await store.mark([first], .read)
        case "label": _ = try await store.edit([first], StreamEdit(addedLabels: ["a"]))
        case "rename": try await store.rename(feed.id, to: "Other")
        case "remove": try await store.remove(feed.id)
        default: try await temporary.refresh(feed, [ParsedItem("4")])
        }
      }
      #expect(error?.code == .corrupt, "\(change): \(error?.message ?? "")")
      #expect(error?.message.contains("'newsd check --repair'") == true)
      #expect(error?.message.contains("table") == true)
    }
    #expect(try await store.items(ItemRequest()).count == 3)
    let repair = try await store.repair { _ in }
    #expect(!repair.found.isEmpty)
    #expect(repair.remaining.isEmpty)
    #expect(try await store.mark([first], .read).isEmpty)
    #expect(try await store.latestSequence() == last + 1)
  }

  @Test(arguments: ["items", "unread", "starred", "feed", "item", "feed_list"])
  func `No counter at the largest number traps a change`(counter: String) async throws {
    let (temporary, feed) = try await filled()
    let store = temporary.store
    let isFile = StoreKind.current == .file
    try await set(counter == "feed_list" && isFile ? "feedList" : counter, to: .max, temporary)
    _ = try? await store.mark([first], .starred)
    _ = try? await store.mark([first], .unread)
    _ = try? await temporary.refresh(feed, [ParsedItem("4")])
    _ = try? await temporary.subscribe("http://example.org/other")
    _ = try await store.feeds(FeedWindow(.all))
    _ = try await store.streamTotals()
    _ = try await store.entries(StreamRequest([.unread]), offset: 0, limit: 5)
    if counter != "feed_list" {
      #expect(try await store.repair { _ in }.remaining.isEmpty)
      #expect(try await store.mark([first], .starred).isEmpty)
    }
  }

  @Test func `The repair gives impossible numbers of the change log the next ones`() async throws {
    let (temporary, _) = try await filled()
    let store = temporary.store
    let last = try await store.latestSequence()
    _ = try await temporary.sql("UPDATE items SET sequence = \(Int64.max) WHERE id = 2")
    #expect(try await store.check().contains { $0.isRepairable && $0.message.contains("impossible") })
    #expect(try await store.repair { _ in }.remaining.isEmpty)
    #expect(try await store.changes(after: last, limit: 9, query: .all).map(\.itemID.rawValue) == [2])
    #expect(try await store.latestSequence() == last + 1)
  }

  @Test(arguments: [Int64.max, .min])
  func
    `An earlier text with an impossible number ends edits with an error that names the remedy, which mends it`(
      number: Int64
    ) async throws
  {
    let temporary = try TemporaryStore()
    let (store, feed) = (temporary.store, try await temporary.subscribe())
    for title in ["One", "Two"] { try await temporary.refresh(feed, [ParsedItem("1", title: title)]) }
    _ = try await temporary.sql("UPDATE versions SET number = \(number)")
    let edit = [ParsedItem("1", title: "Three")]
    let error = await #expect(throws: StoreError.self) { try await temporary.refresh(feed, edit) }
    #expect(error?.code == .corrupt)
    #expect(error?.message.contains("'versions' has the number \(number) for item 1") == true)
    #expect(try await store.versions(of: first, newest: 50).allSatisfy { (0..<Int.max).contains($0.number) })
    let problem = "rows of 'versions' have impossible numbers: of items 1"
    #expect(try await store.check().contains { $0.isRepairable && $0.message == problem })
    #expect(try await store.repair { _ in }.remaining.isEmpty)
    try await temporary.refresh(feed, edit)
    #expect(try await store.versions(of: first, newest: 50).map(\.title) == ["Two"])
  }

  @Test(arguments: [Int64.max, .min])
  func `Enclosures with impossible numbers are read, changed and repaired`(number: Int64) async throws {
    let temporary = try TemporaryStore()
    let (store, feed) = (temporary.store, try await temporary.subscribe())
    func item(_ urls: [String]) -> ParsedItem {
      var item = ParsedItem("1", title: urls.joined())
      item.enclosures = urls.map { Enclosure(url: "http://a/\($0)") }
      return item
    }
    try await temporary.refresh(feed, [item(["a", "b"])])
    try await store.changeEnclosure(1, of: first, position: 5, isPlayed: nil, at: Timestamp(seconds: 9))
    _ = try await temporary.sql(
      "UPDATE enclosures SET number = \(number), position = \(number) WHERE number = 1"
    )
    #expect(try await store.streamItems([first]).first?.enclosures.count == 2)
    try await temporary.refresh(feed, [item(["c", "b", "a"])])
    #expect(try await store.streamItems([first]).first?.enclosures.count == 3)
    #expect(try await store.check().contains { $0.message.contains("'enclosures' have impossible numbers") })
    #expect(try await store.repair { _ in }.remaining.isEmpty)
    #expect(try await store.streamItems([first]).first?.enclosures.map(\.position) == [0, 0, 0])
  }

  @Test func `A feed with impossible counts and positions is moved, followed by others, and removed`()
    async throws
  {
    let (temporary, feed) = try await filled()
    let store = temporary.store
    for value in [Int64.max, .min] {
      _ = try await temporary.sql("UPDATE feeds SET items = \(value), position = \(value)")
      try? await store.move(feed.id, to: 1)
      _ = try? await temporary.subscribe("http://example.org/\(value)")
    }
    _ = try await temporary.sql("UPDATE feeds SET items = \(Int64.max)")
    try await store.remove(feed.id)
    #expect(try await store.feeds().allSatisfy { $0.id != feed.id })
  }
}
