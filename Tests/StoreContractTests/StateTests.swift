import Glibc
import NewsCore
import NewsStoresShared
import SearchCases
import Testing

@Suite(.everyStore) struct `States and the change log` {
  @Test func `The time that a store knows is that of its last change, and is kept`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    try await temporary.refresh(feed, [ParsedItem("1")])
    let last = Timestamp(seconds: Timestamp.milliseconds() / 1000)
    let ahead = last + 730 * 86_400
    #expect(try await temporary.store.noteTime(ahead) == ahead + 86_400)
    let again = try temporary.reopened()
    #expect(try await again.noteTime(ahead + 3600) == ahead + 86_400)
    #expect(try await again.noteTime(last + 3600) == nil)
    #expect(try await again.noteTime(ahead + 7200) == ahead + 7200 + 86_400)
    #expect(try await again.noteTime(ahead + 7200 + 86_400) == nil)
  }

  @Test
  func
    `Removals are kept for 90 days, and those of subscribed feeds as long as a document may have the items`()
    async throws
  {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let (kept, gone) = (
      try await temporary.subscribe(), try await temporary.subscribe("http://gone.example/")
    )
    for feed in [kept, gone] { try await temporary.refresh(feed, [ParsedItem("1"), ParsedItem("2")]) }
    var rules = RetentionRules()
    rules.general.items = 1
    rules.includesUnread = true
    _ = try await store.prune(rules, at: Timestamp(seconds: 3_000_000), dryRun: false)
    try await store.remove(gone.id)
    func tombstones() async throws -> String? {
      try await temporary.sql("SELECT CAST(count(*) AS text) FROM tombstones")
    }
    #expect(try await tombstones() == "3")
    let last = Int64(try await temporary.sql("SELECT CAST(max(time) AS text) FROM change_times") ?? "") ?? 0
    _ = try await store.prune(rules, at: Timestamp(seconds: last + 89 * 86_400), dryRun: false)
    #expect(try await tombstones() == "3")
    _ = try await store.prune(rules, at: Timestamp(seconds: last + 91 * 86_400), dryRun: false)
    #expect(try await tombstones() == "1")
    // The pruned item is in the document, and is not stored again.
    #expect(try await temporary.refresh(kept, [ParsedItem("1"), ParsedItem("2")]).inserted.isEmpty)
    _ = try await temporary.sql(
      """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10100)
      INSERT INTO tombstones (sequence, id, feed, identity, guid) SELECT i - 20000, i, \(kept.id.rawValue), i, 'g' FROM n
      """
    )
    _ = try await store.prune(rules, at: Timestamp(seconds: last + 91 * 86_400), dryRun: false)
    #expect(try await tombstones() == "10000")
  }

  @Test func `Marks change the totals, and only actual changes get a sequence number`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let feed = try await temporary.subscribe()
    try await temporary.refresh(feed, (1...3).map { ParsedItem("\($0)", published: Int64($0)) })
    let ids = (1...3).map { NewsItem.ID(rawValue: Int64($0)) }
    let before = try await store.latestSequence()
    #expect(try await store.mark(ids + [NewsItem.ID(rawValue: 77)], .read) == [NewsItem.ID(rawValue: 77)])
    let marked = try await store.latestSequence()
    #expect(marked == before + 3)
    _ = try await store.mark(ids, .read)
    #expect(try await store.latestSequence() == marked)
    _ = try await store.mark([ids[1]], .unread)
    _ = try await store.mark([ids[2]], .starred)
    _ = try await store.mark([ids[0]], .unstarred)
    #expect(try await store.count(ItemRequest(query: .isRead(false))) == 1)
    #expect(try await store.count(ItemRequest(query: .isStarred(true))) == 1)
    #expect(try await store.feeds().map(\.unreadCount) == [1])
    #expect(try await store.items(ItemRequest(query: .isStarred(true))).map(\.item.id) == [ids[2]])
    #expect(try await store.items(ItemRequest(query: .isRead(false))).map(\.item.id) == [ids[1]])
  }

  @Test func `A time of the future, which a clock that was ahead has written, refuses no late mark`()
    async throws
  {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let feed = try await temporary.subscribe()
    try await temporary.refresh(feed, [ParsedItem("1", published: 1)])
    _ = try await temporary.sql("UPDATE change_times SET time = time - 1000")
    let id = NewsItem.ID(rawValue: 1)
    let now = Timestamp(seconds: Int64(time(nil)))
    _ = try await store.mark([id], .read)
    #expect(try await store.mark([LateMark(id, .unread, at: now - 100)]).count == 1)
    _ = try await temporary.sql(
      "UPDATE change_times SET time = time + 259200 WHERE time > \(now.seconds - 500)"
    )
    #expect(try await store.mark([LateMark(id, .unread, at: now)]).isEmpty)
    #expect(try await store.item(id).isRead == false)
  }

  @Test func `Of marks that arrive late, the one that was made last wins for each item`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let feed = try await temporary.subscribe()
    try await temporary.refresh(feed, (1...3).map { ParsedItem("\($0)", published: Int64($0)) })
    // The times of changes in the first second of a store are unknown.
    _ = try await temporary.sql("UPDATE change_times SET time = time - 1000")
    let ids = (1...3).map { NewsItem.ID(rawValue: $0) }
    let now = Timestamp(seconds: Int64(time(nil)))
    func send(_ marks: (Int, ItemMark, Int64)...) async throws -> [String] {
      let marks = marks.map { LateMark(NewsItem.ID(rawValue: Int64($0.0)), $0.1, at: now + $0.2) }
      return try await store.mark(marks).map { "\($0.mark.item.rawValue) \($0.mark.mark) \($0.refusal)" }
    }
    func states() async throws -> [String] {
      var states: [String] = []
      for id in ids {
        let item = try await store.item(id)
        states.append((item.isRead ? "read" : "unread") + (item.isStarred ? " starred" : ""))
      }
      return states
    }
    _ = try await store.mark([ids[0]], .read)
    #expect(
      try await send((1, .unread, -100), (2, .read, -100), (99, .read, 0)) == [
        "1 unread overtaken", "99 read noSuchItem",
      ]
    )
    #expect(try await states() == ["read", "read", "unread"])
    // The mark of -100 arrived just now, but was made before.
    #expect(try await send((2, .unread, -200)) == ["2 unread overtaken"])
    #expect(try await send((2, .starred, -50), (2, .unread, -40)).isEmpty)
    #expect(try await states() == ["read", "unread starred", "unread"])
    // A mark that changes nothing counts, too.
    #expect(try await send((3, .unread, -10)).isEmpty)
    #expect(try await send((3, .read, -20)) == ["3 read overtaken"])
    _ = try await store.mark([ids[1]], .read)
    #expect(try await send((2, .unread, -30)) == ["2 unread overtaken"])
    #expect(try await states() == ["read", "read starred", "unread"])
    #expect(try await store.feeds().map(\.unreadCount) == [1])
    // Times that later changes replaced are removed, when items are pruned.
    #expect(try await temporary.sql("SELECT count(*) FROM late_marks") == "2")
    _ = try await store.prune(RetentionRules(), at: now, dryRun: false)
    #expect(try await temporary.sql("SELECT count(*) FROM late_marks") == "1")
    #expect(try await store.check().isEmpty)
  }

  @Test func `The change log lists each item once, at its latest sequence number`() async throws {
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
    let numbers = all.map(\.sequence)
    #expect(numbers == [8, 9, 10])
    #expect(all.map(\.kind) == [.state, .updated, .deleted])
    #expect(all.map(\.itemID.rawValue).sorted() == [1, 2, 3])
    #expect(all[1].item?.title == "uno")
    #expect(all[2].guid == "3")
    #expect(try await store.changes(after: 0, limit: 1, query: .all).map(\.sequence) == [8])
    #expect(try await store.changes(after: 9, limit: 9, query: .all).map(\.sequence) == [10])
    #expect(try await store.changes(after: 10, limit: 9, query: .all).isEmpty)
    #expect(try await store.changes(after: 0, limit: 9, query: .feedID(feed.id)).map(\.sequence) == [8, 9])
    #expect(try await store.changes(after: 0, limit: 0, query: .all).isEmpty)
  }

  @Test(arguments: [Query.all, .regex("-", .any)])
  func `A part of the change log ends when it has so many bytes, and the next begins right behind it`(
    _ query: Query
  ) async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    defer { withExtendedLifetime(temporary) {} }
    let text = String(repeating: "-", count: 1000)
    func items(_ names: [String], text: String = "-") -> [ParsedItem] {
      names.map { ParsedItem($0, title: $0, text: text + $0) }
    }
    let feed = try await temporary.subscribe()
    let others = [
      try await temporary.subscribe("http://example.org/1"),
      try await temporary.subscribe("http://example.org/2"),
    ]
    for other in others {
      try await temporary.refresh(other, items(["a", "b", "c"].map { $0 + text }))
    }
    try await temporary.refresh(feed, items(["1", "2", "3"], text: text))
    try await store.remove(others[0].id)
    try await temporary.refresh(feed, items(["4", "5"]) + items(["6", "7"], text: text))
    try await store.rename(feed.id, to: "Mine")
    try await store.remove(others[1].id)
    try await temporary.refresh(feed, items(["8"], text: text))
    let whole = try await store.changes(after: 0, limit: 100, query: query, within: .max)
    #expect(whole.isLast && whole.changes.count == 14)
    #expect(whole.changes.count { $0.item == nil } == 6)
    func bytes(_ changes: some Sequence<Change>) -> Int {
      changes.reduce(0) { $0 + ($1.item?.textBytes ?? $1.guid?.utf8.count ?? 0) }
    }
    for (room, limit) in [(1, 100), (1500, 100), (2500, 100), (2500, 2), (6000, 100), (.max, 3)]
      as [(Int, Int)]
    {
      var found: [Change] = []
      var portion: ChangePortion
      repeat {
        let after = found.last?.sequence ?? 0
        portion = try await store.changes(after: after, limit: limit, query: query, within: room)
        found += portion.changes
        #expect(portion.changes.count <= limit && bytes(portion.changes.dropLast()) < room)
        if !portion.isLast {
          #expect(portion.changes.count == limit || bytes(portion.changes) >= room)
        }
      } while !portion.isLast && !portion.changes.isEmpty
      #expect(found == whole.changes, "\(room) \(limit)")
    }
  }

  @Test func `The change log lists new, renamed, moved and removed feeds`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let feed = try await temporary.subscribe()
    let other = try await temporary.subscribe("http://example.org/other", title: "Other")
    #expect(try await store.feedChanges(after: 0, limit: 9).map(\.feedID) == [feed.id, other.id])
    var seen = try await store.latestSequence()
    func changed() async throws -> [FeedChange] {
      let changes = try await store.feedChanges(after: seen, limit: 9)
      seen = try await store.latestSequence()
      #expect(changes.last.map { $0.sequence <= seen } ?? true)
      return changes
    }
    // Stores a title and one item; their sequence numbers differ.
    try await temporary.refresh(feed, [ParsedItem("1")])
    let item = try await store.changes(after: seen, limit: 9, query: .all).map(\.sequence)
    let titled = try await changed()
    #expect(titled.map(\.feed?.title) == ["Example"])
    #expect(!item.contains(titled.first?.sequence ?? 0))
    try await temporary.refresh(feed, [ParsedItem("1"), ParsedItem("2")])
    #expect(try await changed().isEmpty)
    try await store.rename(feed.id, to: "Mine")
    #expect(try await changed().map(\.feed?.title) == ["Mine"])
    try await store.move(feed.id, toFolder: "News/World")
    #expect(try await changed().map(\.feed?.folder) == ["News/World"])
    try await store.update(feed.id, url: "http://example.org/new")
    #expect(try await changed().map(\.url) == ["http://example.org/new"])
    // A new feed title is not logged if the user's title hides it.
    try await temporary.refresh(other, [])
    #expect(try await changed().isEmpty)
    try await store.remove(other.id)
    let gone = try await changed()
    #expect(gone.map(\.url) == ["http://example.org/other"])
    #expect(gone.first.map { $0.feed == nil } == true)
    #expect(try await store.feedChanges(after: 0, limit: 9).count == 2)
    #expect(try await store.check().isEmpty)
  }

  @Test func `An item that is marked before a follower reads the change log is still new to the follower`()
    async throws
  {
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
