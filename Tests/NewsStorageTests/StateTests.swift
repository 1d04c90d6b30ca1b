import NewsService
import NewsStorage
import Testing

@Suite struct `States and the change log` {
  @Test func `Marks change totals, and only real changes get a number`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let feed = try await temporary.subscribe()
    try await temporary.refresh(feed, (1...3).map { ParsedItem("\($0)", published: Int64($0)) })
    let ids = (1...3).map { NewsItem.ID(rawValue: Int64($0)) }
    #expect(try await store.mark(ids + [NewsItem.ID(rawValue: 77)], .read) == [NewsItem.ID(rawValue: 77)])
    #expect(try await store.latestSequence() == 6)
    _ = try await store.mark(ids, .read)
    #expect(try await store.latestSequence() == 6)
    _ = try await store.mark([ids[1]], .unread)
    _ = try await store.mark([ids[2]], .starred)
    _ = try await store.mark([ids[0]], .unstarred)
    #expect(try await store.count(ItemRequest(query: .isRead(false))) == 1)
    #expect(try await store.count(ItemRequest(query: .isStarred(true))) == 1)
    #expect(try await store.feeds().map(\.unreadCount) == [1])
    #expect(try await store.items(ItemRequest(query: .isStarred(true))).map(\.item.id) == [ids[2]])
    #expect(try await store.items(ItemRequest(query: .isRead(false))).map(\.item.id) == [ids[1]])
  }

  @Test func `The change log lists each thing once, at its latest number`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let feed = try await temporary.subscribe()
    let other = try await temporary.subscribe("http://example.org/other")
    try await temporary.refresh(feed, [ParsedItem("1", title: "one"), ParsedItem("2", title: "two")])
    try await temporary.refresh(other, [ParsedItem("3", title: "three")])
    _ = try await store.mark([NewsItem.ID(rawValue: 1)], .read)
    try await temporary.refresh(feed, [ParsedItem("1", title: "uno")])
    try await store.remove(other.id)
    let all = try await store.changes(after: 0, limit: 10, query: .all)
    #expect(all.map(\.sequence) == [4, 5, 6])
    #expect(all.map(\.kind) == [.state, .updated, .deleted])
    #expect(all.map(\.itemID.rawValue).sorted() == [1, 2, 3])
    #expect(all[1].item?.title == "uno")
    #expect(all[2].guid == "3")
    #expect(try await store.changes(after: 0, limit: 1, query: .all).map(\.sequence) == [4])
    #expect(try await store.changes(after: 5, limit: 9, query: .all).map(\.sequence) == [6])
    #expect(try await store.changes(after: 6, limit: 9, query: .all).isEmpty)
    #expect(try await store.changes(after: 0, limit: 9, query: .feedID(feed.id)).map(\.sequence) == [4, 5])
    #expect(try await store.changes(after: 0, limit: 0, query: .all).isEmpty)
  }

  @Test func `An item that was marked before anyone looked is still new to who looks`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    try await temporary.refresh(feed, [ParsedItem("1")])
    let seen = try await temporary.store.latestSequence()
    try await temporary.refresh(feed, [ParsedItem("2")])
    _ = try await temporary.store.mark([NewsItem.ID(rawValue: 1), NewsItem.ID(rawValue: 2)], .read)
    let changes = try await temporary.store.changes(after: seen, limit: 9, query: .all)
    #expect(changes.map(\.kind) == [.state, .state])
    #expect(changes.map { ($0.firstSequence ?? 0) > seen } == [false, true])
  }
}
