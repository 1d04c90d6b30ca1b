import NewsStoresShared
import Glibc
import NewsCore
@testable import NewsSQLite
import SearchCases
import Testing

@Suite struct `Maintenance of the store` {
  private let day: Int64 = 86_400

  private func filled() async throws -> (TemporaryStore, Feed) {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    try await temporary.refresh(
      feed,
      (1...10).map { ParsedItem("\($0)", title: "T\($0)", text: "word\($0)", published: Int64($0) * day) },
      at: 11 * day
    )
    let ids = (1...10).map { NewsItem.ID(rawValue: Int64($0)) }
    _ = try await temporary.store.mark(ids, .read)
    return (temporary, feed)
  }

  /// Marks item `number`, which was published on that day. Its id is 11 - `number`: the first item of a document has
  /// the highest id.
  private func mark(_ store: NewsStore, _ number: Int64, _ mark: ItemMark) async throws {
    let item = try await store.items(ItemRequest(query: .text(TextMatch(text: "word\(number)")), parts: []))[
      0
    ].item
    _ = try await store.mark([item.id], mark)
  }

  @Test func `A store that is made as a whole appears when it is complete, as one file`() async throws {
    let temporary = try TemporaryStore()
    let path = temporary.path + ".made"
    func names() -> [String] {
      ["", "-wal", "-shm", "-journal", ".partial"].filter { access(path + $0, F_OK) == 0 }
    }
    let full = StoreError(code: .full, message: "")
    await #expect(throws: StoreError.self) {
      try await NewsStore.make(at: path) { store in
        _ = try await store.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1))
        #expect(names() == [".partial"])
        throw full
      }
    }
    #expect(names().isEmpty)
    try await NewsStore.make(at: path) { store in
      _ = try await store.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1))
    }
    #expect(names() == [""])
    // A check reads it without making other files.
    let made = try NewsStore(path: path)
    #expect(try await made.check { _ in }.isEmpty)
    #expect(try await made.feeds().map(\.url) == ["http://a/"])
    await made.close()
    #expect(names() == [""])
    await #expect(throws: StoreError.self) { try await NewsStore.make(at: path) { _ in } }
  }

  @Test
  func `Pruning keeps unread and starred items unless they are included, and pruned items do not return`()
    async throws
  {
    let (temporary, feed) = try await filled()
    let store = temporary.store
    try await mark(store, 2, .unread)
    try await mark(store, 3, .starred)
    let now = Timestamp(seconds: 11 * day)
    let rules = RetentionRules(general: RetentionPolicy(days: 6))
    let plan = try await store.prune(rules, at: now, dryRun: true)
    #expect(plan.feeds == [PruneReport.Entry(feedID: feed.id, title: "Example", count: 2)])
    #expect(try await temporary.titles().count == 10)
    #expect(try await store.prune(rules, at: now, dryRun: false) == plan)
    #expect(try await temporary.titles(order: .oldest).prefix(3) == ["T2", "T3", "T5"])
    #expect(try await temporary.titles(.text(TextMatch(text: "word1"))).isEmpty)
    let again = try await temporary.refresh(
      feed,
      [ParsedItem("1", title: "T1", published: day)],
      at: 12 * day
    )
    #expect(again.inserted.isEmpty)
    // Prune by count, including unread and starred items.
    let few = RetentionRules(general: RetentionPolicy(items: 2), includesUnread: true, includesStarred: true)
    #expect(try await store.prune(few, at: now, dryRun: false).total == 6)
    #expect(try await temporary.titles() == ["T10", "T9"])
    #expect(try await store.feeds().map(\.itemCount) == [2])
    #expect(try await store.count(ItemRequest()) == 2)
    #expect(try await store.check().isEmpty)
  }

  /// An imported row may contain any number.
  @Test(arguments: [Int.max, .min, 0])
  func `Extreme retention limits are clamped, and the newest item is always kept`(
    _ number: Int
  )
    async throws
  {
    let (temporary, feed) = try await filled()
    var settings = FeedSettings()
    settings.keepDays = number == .max ? number : nil
    settings.keepItems = number
    settings.timeout = Int64(number)
    try await temporary.store.update(feed.id, settings: settings)
    let report = try await temporary.store.prune(
      RetentionRules(),
      at: Timestamp(seconds: 11 * day),
      dryRun: false
    )
    // The newest item is always kept.
    #expect(report.total == (number == .max ? 0 : 9))
    let stored = try await temporary.store.feed(feed.id).settings
    #expect(stored == stored.clamped())
  }

  @Test(arguments: [false, true]) func `Tags that no item has any more are forgotten`(_ compacts: Bool)
    async throws
  {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    for tag in ["a", "b"] {
      var item = ParsedItem("1", title: "Title \(tag)")
      item.tags = [Category(term: tag)]
      try await temporary.refresh(feed, [item])
    }
    #expect(try temporary.sql("SELECT count(*) FROM tags") == "2")
    if compacts {
      _ = try await temporary.store.compact { _ in }
    } else {
      _ = try await temporary.store.prune(RetentionRules(), at: Timestamp(seconds: 11 * day), dryRun: false)
    }
    #expect(try temporary.sql("SELECT count(*) FROM tags") == "1")
  }

  @Test func `A feed's retention limits override its folder's, which override the general ones`() {
    var feed = Feed(id: Feed.ID(rawValue: 1), url: "u", title: "t", folder: "a/b", position: 1)
    var rules = RetentionRules(
      general: RetentionPolicy(days: 100, items: 100),
      folders: ["a": RetentionPolicy(days: 10), "a/b/c": RetentionPolicy(days: 1)]
    )
    #expect(rules.policy(for: feed) == RetentionPolicy(days: 10, items: 100))
    rules.folders["a/b"] = RetentionPolicy(items: 5)
    #expect(rules.policy(for: feed) == RetentionPolicy(days: 10, items: 5))
    feed.settings.keepDays = 3
    #expect(rules.policy(for: feed) == RetentionPolicy(days: 3, items: 5))
    feed.folder = nil
    #expect(rules.policy(for: feed) == RetentionPolicy(days: 3, items: 100))
  }

  @Test func `A backup is a complete store that later writes do not change`() async throws {
    let (temporary, feed) = try await filled()
    let target = temporary.directory + "/backup.db"
    try await temporary.store.backup(to: target)
    try await temporary.refresh(feed, [ParsedItem("later")])
    let copy = try NewsStore(path: target)
    #expect(try await copy.count(ItemRequest()) == 10)
    #expect(try await copy.check().isEmpty)
    #expect(try await copy.items(ItemRequest(query: .text(TextMatch(text: "word7")), parts: [])).count == 1)
    let error = await #expect(throws: StoreError.self) { try await temporary.store.backup(to: target) }
    #expect(error?.message.contains("exists already") == true)
    let nowhere = await #expect(throws: StoreError.self) {
      try await temporary.store.backup(to: temporary.directory + "/no/such/place.db")
    }
    #expect(nowhere?.code == .cannotCreate)
  }

  @Test func `A backup used as a store gets a WAL at the first write`() async throws {
    let (temporary, _) = try await filled()
    let copy = temporary.directory + "/copy.db"
    try await temporary.store.backup(to: copy)
    #expect(access(copy + "-wal", F_OK) != 0)
    let store = try NewsStore(path: copy)
    try await store.save(SavedSearch(name: "a", query: "b"), at: Timestamp(seconds: 1))
    #expect(access(copy + "-wal", F_OK) == 0)
    #expect(try await store.savedSearches().count == 1)
  }

  @Test(arguments: [Int64.min, .max])
  func `A check in portions and a list of two feeds survive any counter`(_ number: Int64) async throws {
    let (temporary, _) = try await filled()
    _ = try await temporary.store.add(NewFeed(url: "http://other/"), at: Timestamp(seconds: 1))
    let value = number == .min ? "-9223372036854775807 - 1" : "\(number)"
    _ = try temporary.sql("UPDATE counters SET value = \(value) WHERE name = 'items'")
    _ = try temporary.sql("UPDATE feeds SET items = \(value)")
    var options = NewsStore.Options()
    options.checkLimits = CheckLimits(fileBytes: 0, tableRows: 0)
    let store = try NewsStore(path: temporary.path, options: options)
    #expect(try await store.check().contains { $0.kind == .total })
    _ = try await store.items(ItemRequest(query: .feed("http"), limit: 5))
  }

  @Test(arguments: [
    ("UPDATE counters SET value = value + 3 WHERE name = 'unread'", StoreProblem.Kind.total),
    ("UPDATE feeds SET unread = 99", .total),
    ("UPDATE counters SET value = 2 WHERE name = 'item'", .total),
    ("DELETE FROM contents WHERE id = (SELECT max(id) FROM items)", .reference),
    ("INSERT INTO contents (id, author, text) VALUES (777, '', 'lost')", .reference),
    ("INSERT INTO item_tags VALUES (1, 77)", .reference),
    ("UPDATE items SET title = 'changed behind the index' WHERE id = 3", .index),
    ("UPDATE contents SET text = 'other words'", .index),
    ("UPDATE contents SET html = '<p>other bytes</p>' WHERE id = (SELECT max(id) FROM items)", .reference),
    ("UPDATE items SET url = 'http://else.example/' WHERE id = 3", .reference),
  ])
  func `Repair fixes wrong totals, references and index entries that check finds`(
    _ damage: String,
    _ kind: StoreProblem.Kind
  ) async throws {
    let (temporary, _) = try await filled()
    #expect(try await temporary.store.check().isEmpty)
    _ = try temporary.sql(damage)
    let problems = try await temporary.store.check()
    #expect(problems.contains { $0.kind == kind && $0.isRepairable })
    #expect(try await temporary.store.repair().remaining.isEmpty)
    #expect(try await temporary.store.check().isEmpty)
    #expect(try temporary.sql("PRAGMA integrity_check") == "ok")
  }

  @Test(arguments: [
    "items", "contents", "versions", "sqlite_autoindex_versions_1", "tombstones", "story_keys",
  ])
  func `A damaged page loses only a part of the items or texts, and none if it holds other data`(
    _ table: String
  ) async throws {
    let (temporary, feed) = try await filled()
    try await temporary.refresh(
      feed,
      (0..<300).map {
        ParsedItem("x\($0)", title: "X\($0)", text: String(repeating: "fill\($0) ", count: 90))
      }
    )
    try await temporary.refresh(feed, [ParsedItem("x7", title: "X7", text: "rewritten")])
    let before = try await temporary.store.items(ItemRequest(parts: .all)).map(\.item)
    let leaf = try #require(
      try temporary.sql("SELECT min(pageno) FROM dbstat WHERE name = '\(table)' AND pagetype = 'leaf'")
        .flatMap { Int($0) }
    )
    let copy = temporary.directory + "/copy.db"
    try await temporary.store.backup(to: copy)
    let descriptor = open(copy, O_RDWR)
    let noise = [UInt8](repeating: 0, count: 8192)
    _ = noise.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, 8192, (leaf - 1) * 8192) }
    close(descriptor)
    let store = try NewsStore(path: copy)
    #expect(try await store.repair().remaining.isEmpty)
    #expect(try await store.check().isEmpty)
    let saved = try await store.items(ItemRequest(parts: .all)).map(\.item)
    #expect(saved.count >= (table == "items" ? before.count / 3 : before.count))
    let lost = saved.count { $0.contentText.isEmpty }
    #expect(lost <= (table == "contents" ? before.count / 3 : 0))
  }

  @Test func `Overwritten pages are reported, and what repair keeps of the items is unchanged`() async throws
  {
    let (temporary, feed) = try await filled()
    try await temporary.refresh(
      feed,
      (0..<300).map {
        ParsedItem("x\($0)", title: "X\($0)", text: String(repeating: "fill\($0) ", count: 90))
      }
    )
    _ = try temporary.sql("PRAGMA wal_checkpoint(TRUNCATE)")
    let copy = temporary.directory + "/copy.db"
    try await temporary.store.backup(to: copy)
    let descriptor = open(copy, O_RDWR)
    let size = lseek(descriptor, 0, SEEK_END)
    let noise = [UInt8](repeating: 0xA5, count: 4096)
    for offset in stride(from: Int(size) / 3 / 8192 * 8192, to: Int(size) - 8192, by: 40_960) {
      _ = noise.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, offset) }
    }
    close(descriptor)
    let store = try NewsStore(path: copy)
    let problems = try await store.check()
    #expect(problems.contains { $0.kind == .integrity })
    let repair = try await store.repair()
    #expect(repair.remaining.isEmpty)
    #expect(repair.notes.contains { $0.contains("copy.db.damaged") })
    // Titles and texts are on different pages; whatever is intact is kept.
    let saved = try await store.items(ItemRequest(parts: .all))
    let before = try await temporary.store.items(ItemRequest(parts: .all))
    let known = Dictionary(uniqueKeysWithValues: before.map { ($0.item.id, $0.item) })
    #expect(saved.count > before.count / 10)
    for found in saved {
      let original = try #require(known[found.item.id])
      #expect(found.item.title == original.title)
      #expect(["", original.contentText].contains(found.item.contentText))
    }
    let half = temporary.directory + "/half.db"
    try await temporary.store.backup(to: half)
    #expect(truncate(half, size / 2) == 0)
    #expect(try await NewsStore(path: half).check().contains { $0.kind == .integrity })
  }

  @Test func `The intact part of a truncated store is kept`() async throws {
    let (temporary, feed) = try await filled()
    try await temporary.refresh(
      feed,
      (0..<300).map {
        ParsedItem("x\($0)", title: "X\($0)", text: String(repeating: "fill\($0) ", count: 90))
      }
    )
    let before = try await temporary.store.items(ItemRequest(parts: .all)).map(\.item)
    let copy = temporary.directory + "/copy.db"
    try await temporary.store.backup(to: copy)
    var status = stat()
    #expect(stat(copy, &status) == 0 && truncate(copy, status.st_size - 2 * 8192 - 100) == 0)
    let store = try NewsStore(path: copy)
    #expect(try await store.check().first?.message.contains("is truncated") == true)
    let repair = try await store.repair()
    #expect(repair.remaining.isEmpty)
    let saved = try await store.items(ItemRequest(parts: .all)).map(\.item)
    #expect(saved.count > before.count * 9 / 10)
    #expect(saved.count { $0.contentText.isEmpty } < before.count / 10)
    #expect(stat(copy + ".damaged", &status) == 0)
  }

  @Test(arguments: [
    "search_data", "search_idx", "search_docsize", "stories", "story_keys", "items_feed", "items_id",
  ])
  func `A damaged index is rebuilt without data loss`(_ table: String) async throws {
    let (temporary, feed) = try await filled()
    try await temporary.refresh(
      feed,
      (0..<300).map { ParsedItem("x\($0)", title: "X\($0)", text: "word\($0) and the story of number \($0)") }
    )
    _ = try temporary.sql("PRAGMA wal_checkpoint(TRUNCATE)")
    let before = try await temporary.titles()
    let root = try #require(try temporary.sql("SELECT rootpage FROM sqlite_master WHERE name = '\(table)'"))
    let descriptor = open(temporary.path, O_RDWR)
    let noise = [UInt8](repeating: 0xA5, count: 8192)
    _ = noise.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, ((Int(root) ?? 1) - 1) * 8192) }
    close(descriptor)
    let store = try temporary.reopened()
    #expect(try await store.check().contains { $0.kind == .integrity })
    let repair = try await store.repair()
    #expect(repair.remaining.isEmpty)
    #expect(repair.notes.count == 1)
    let after = try await store.items(ItemRequest(parts: [])).map(\.item.title)
    #expect(after == before)
    #expect(try await store.count(ItemRequest(query: .text(TextMatch(text: "word77")))) == 1)
  }

  @Test func `Items of a lost feed are kept under a feed that is never fetched`() async throws {
    let (temporary, _) = try await filled()
    let before = try await temporary.titles()
    _ = try temporary.sql("DELETE FROM feeds")
    #expect(try await temporary.store.repair().remaining.isEmpty)
    #expect(try await temporary.titles() == before)
    #expect(try await temporary.store.feeds().map(\.url) == ["ingest:recovered-1"])
  }

  @Test(arguments: ["DELETE FROM search_idx", "DROP INDEX items_feed", "DROP TABLE rules"])
  func `A missing table or index is reported and recreated`(_ damage: String) async throws {
    let (temporary, feed) = try await filled()
    let store = temporary.store
    // Add enough words for an index of several pages.
    try await temporary.refresh(
      feed,
      (0..<300).map {
        ParsedItem("x\($0)", title: "X\($0)", text: "a\($0) b\($0 * 7) c\($0 * 13) d\($0 * 17)")
      }
    )
    _ = try temporary.sql(damage)
    #expect(try await !store.check().isEmpty)
    #expect(try await store.repair().remaining.isEmpty)
    #expect(try await store.count(ItemRequest(query: .text(TextMatch(text: "word7")))) == 1)
    #expect(try await store.rules().isEmpty)
  }
}
