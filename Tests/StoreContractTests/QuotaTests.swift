import NewsCore
import SearchCases
import Synchronization
import Testing

@Suite(.everyStore) struct `Quotas of stores` {
  private let now = Timestamp(seconds: 5000)

  private func feeds(_ count: Int) -> [NewFeed] {
    (1...count).map { NewFeed(url: "http://example.org/\($0)") }
  }

  @Test func `A feed beyond the quota is refused, and nothing of a list with too many feeds is added`()
    async throws
  {
    let temporary = try TemporaryStore()
    let store = temporary.store
    #expect(try await !store.quota().isSet)
    try await store.change([.feeds(2)])
    let only = try await temporary.subscribe("http://example.org/0")
    let refused = await #expect(throws: StoreError.self) { _ = try await store.add(feeds(2), at: now) }
    #expect(refused?.code == .overQuota)
    #expect(
      refused?.message
        == "the quota for feeds is 2 (in use: 1), so 2 more cannot be added; remove feeds first"
    )
    #expect(try await store.feeds().map(\.id) == [only.id])
    // Feeds that are there already are not counted twice.
    let known = NewFeed(url: only.url)
    #expect(try await store.add(feeds(1) + [known], at: now).added.count == 1)
    await #expect(throws: StoreError.self) {
      _ = try await store.add(NewFeed(url: "http://b.example/"), at: now)
    }
    let imported = ImportedFeed(feed: NewFeed(url: "http://c.example/"), items: [])
    await #expect(throws: StoreError.self) { _ = try await store.importFeeds([imported], at: now) }
    // A limit below what is there refuses only more.
    try await store.change([.feeds(1)])
    #expect(try await store.quota().text == "2 of 1 feeds")
    try await store.change([.feeds(nil)])
    #expect(try await store.add(NewFeed(url: "http://b.example/"), at: now).url == "http://b.example/")
  }

  @Test func `An address of 8 KiB is stored, and a longer one refused`() async throws {
    let store = try TemporaryStore().store
    let start = "http://example.org/"
    let path = String(repeating: "x", count: TypedAddress.longest - start.utf8.count)
    _ = try await store.add(NewFeed(url: start + path), at: now)
    let refused = await #expect(throws: StoreError.self) {
      _ = try await store.add(NewFeed(url: start + path + "x"), at: now)
    }
    #expect(refused?.message == "the address of a feed must have at most 8192 bytes")
  }

  @Test func `An export with more feeds than the quota allows is not imported`() async throws {
    let temporary = try TemporaryStore()
    for feed in feeds(3) { _ = try await temporary.store.add(feed, at: now) }
    let bytes = Mutex<[UInt8]>([])
    try await temporary.store.exportAll { piece in bytes.withLock { $0 += piece } }
    let other = try TemporaryStore()
    try await other.store.change([.feeds(2)])
    let lines = Mutex(bytes.withLock { $0.split(separator: UInt8(ascii: "\n")).map { Array($0) } }[...])
    let refused = await #expect(throws: StoreError.self) {
      _ = try await other.store.importAll(.trusted) { lines.withLock { $0.popFirst() } }
    }
    #expect(refused?.code == .overQuota)
    #expect(try await other.store.feeds().isEmpty)
  }

  @Test func `Above its size, a store takes no new items until read ones are pruned, the oldest first`()
    async throws
  {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let feed = try await temporary.subscribe()
    let items = (1...600).map { number in
      ParsedItem(
        "\(number)",
        title: "Title \(number)",
        text: String(repeating: "word\(number) ", count: 400),
        published: Int64(number) * 1000
      )
    }
    try await temporary.refresh(feed, items)
    _ = try await store.addRule("title:nothing", do: [.markRead], until: nil, at: now)
    try await store.change([.bytes(1 << 40)])
    // The limit itself takes fewer bytes afterwards.
    try await store.change([.bytes(try await store.quota().usedBytes - 100)])
    let more = ParsedItem("more", title: "More")
    let refused = await #expect(throws: StoreError.self) { try await temporary.refresh(feed, [more]) }
    #expect(refused?.code == .overQuota)
    #expect(refused?.message.contains("so newsd stores no new items") == true)
    await #expect(throws: StoreError.self) { try await store.probeWriting() }
    let imported = ImportedFeed(feed: NewFeed(url: feed.url), items: [ImportedItem(item: more)])
    await #expect(throws: StoreError.self) { _ = try await store.ingest([imported], at: now) }
    // Nothing else grows either: feeds, longer names of labels and folders, folders, longer rules, whole articles.
    let another = NewFeed(url: "http://b.example/")
    let additions: [() async throws -> Void] = [
      { _ = try await store.add(another, at: now) },
      { _ = try await store.add([another], at: now) },
      { _ = try await store.importFeeds([ImportedFeed(feed: another, items: [])], at: now) },
      { try await store.relabel("short", to: "longer") },
      { try await store.moveFolder("short", to: "longer") },
    ]
    for add in additions {
      let refused = await #expect(throws: StoreError.self) { try await add() }
      #expect(refused?.code == .overQuota)
    }
    await #expect(throws: StoreError.self) { try await store.makeFolder(MadeFolder(name: "Folder")) }
    await #expect(throws: StoreError.self) { _ = try await store.articleJob(of: NewsItem.ID(rawValue: 1)) }
    await #expect(throws: StoreError.self) {
      _ = try await store.changeRule(1, RuleChange(query: "title:nothing-at-all"), at: now)
    }
    #expect(try await store.changeRule(1, RuleChange(query: "title:no"), at: now)?.query == "title:no")
    // A state without items is stored.
    let state = RefreshRecord(feedID: feed.id, state: FetchState.unfetched, parsed: nil, time: now)
    #expect(try await store.commit([state]).count == 1)
    // Nothing is read, so nothing is removed.
    #expect(try await store.pruneToQuota() == 0)
    let request = ItemRequest(query: .all, order: .oldest, offset: 0, limit: 300, parts: [])
    let ids = try await store.items(request).map(\.item.id)
    // Marks that make room are never refused, not even where a hook would be told of them.
    var hook = Hook(name: "marks", target: .exec(["true"]))
    hook.events = [.starred, .unstarred]
    try await store.register([hook], isComplete: true)
    _ = try await store.mark(ids, .read)
    _ = try await store.mark([ids[1]], .starred)
    _ = try await store.mark([ids[1]], .unstarred)
    _ = try await store.mark([ids[0]], .starred)
    let removed = try await store.pruneToQuota()
    #expect(removed > 0 && removed < 300, "\(removed)")
    #expect(try await !store.quota().isAboveBytes)
    #expect(try await store.hookStates().map(\.pending) == [0])
    _ = try await store.mark([ids[299]], .starred)
    #expect(try await store.hookStates().map(\.pending) == [1])
    let left = try await temporary.titles(limit: 1000)
    #expect(left.contains("Title 1") && !left.contains("Title 2") && left.contains("Title 300"))
    try await temporary.refresh(feed, [more])
    #expect(try await temporary.titles(limit: 1) == ["More"])
    #expect(try await store.check().isEmpty)
    #expect(try await store.pruneToQuota() == 0)
  }

  @Test func `Batches that follow each other at once are refused as soon as they fill the quota`()
    async throws
  {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let feed = try await temporary.subscribe()
    try await store.change([.bytes(1 << 40)])
    let limit = try await store.quota().usedBytes + (2 << 20)
    try await store.change([.bytes(limit)])
    var words = RareWords()
    var stored = 0
    var refusal: StoreError?
    while refusal == nil, stored < 40 {
      let items = (0..<10).map { ParsedItem("\(stored).\($0)", title: "Title", text: words.text()) }
      do {
        try await temporary.refresh(feed, items)
        stored += 1
      } catch let error as StoreError {
        refusal = error
      }
    }
    #expect(refusal?.code == .overQuota && stored > 0, "\(stored)")
  }

  /// Adds a feed with 20 items of 20 KB of words that are in no other item, and marks them read.
  private func addLargeItems(to temporary: TemporaryStore, _ url: String, _ words: inout RareWords)
    async throws -> Feed
  {
    let feed = try await temporary.subscribe(url)
    for number in 0..<20 {
      let item = ParsedItem("\(url)\(number)", title: "Title", text: words.text(), published: Int64(number))
      try await temporary.refresh(feed, [item])
    }
    let request = ItemRequest(query: .all, order: .oldest, offset: 0, limit: 300, parts: [])
    _ = try await temporary.store.mark(try await temporary.store.items(request).map(\.item.id), .read)
    return feed
  }

  @Test func `Of a few large items with rare words, no more are removed than necessary`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    var words = RareWords()
    _ = try await addLargeItems(to: temporary, "http://example.org/a", &words)
    _ = try await addLargeItems(to: temporary, "http://example.org/b", &words)
    try await store.change([.bytes(1 << 40)])
    try await store.change([.bytes(try await store.quota().usedBytes - 1000)])
    let removed = try await store.pruneToQuota()
    #expect((1...20).contains(removed), "\(removed)")
    #expect(try await !store.quota().isAboveBytes)
    #expect(try await store.check().isEmpty)
  }

  @Test func `Of items with large versions, no more are removed than necessary`() async throws {
    guard StoreKind.current == .file else { return }
    let temporary = try TemporaryStore()
    let store = temporary.store
    var words = RareWords()
    _ = try await addLargeItems(to: temporary, "http://example.org/a", &words)
    _ = try await temporary.sql(
      """
      INSERT INTO versions (item, number, time, title, delta) SELECT id, 1, 0, 'Title', randomblob(500000) FROM items
      """
    )
    try await store.change([.bytes(1 << 40)])
    try await store.change([.bytes(try await store.quota().usedBytes - 1000)])
    let removed = try await store.pruneToQuota()
    #expect((1...4).contains(removed), "\(removed)")
    #expect(try await !store.quota().isAboveBytes)
  }

  @Test func `Room that the words of removed items take is given back before further items are removed`()
    async throws
  {
    // On PostgreSQL, the measure of a store does not contain it.
    guard StoreKind.current == .file else { return }
    let temporary = try TemporaryStore()
    let store = temporary.store
    var words = RareWords()
    let other = try await addLargeItems(to: temporary, "http://example.org/a", &words)
    _ = try await addLargeItems(to: temporary, "http://example.org/b", &words)
    try await store.remove(other.id)
    try await store.change([.bytes(1 << 40)])
    try await store.change([.bytes(try await store.quota().usedBytes - 1000)])
    #expect(try await store.pruneToQuota() == 0)
    #expect(try await !store.quota().isAboveBytes)
    #expect(try await store.check().isEmpty)
  }

  @Test func `Compacting a store gives back the room that the words of removed items take`() async throws {
    guard StoreKind.current == .file else { return }
    let temporary = try TemporaryStore()
    let store = temporary.store
    var words = RareWords()
    let other = try await addLargeItems(to: temporary, "http://example.org/a", &words)
    _ = try await addLargeItems(to: temporary, "http://example.org/b", &words)
    try await store.change([.bytes(1 << 40)])
    let full = try await store.quota().usedBytes
    try await store.remove(other.id)
    _ = try await store.compact { _ in }
    let left = try await store.quota().usedBytes
    #expect(left < full / 5 * 3, "\(left) of \(full)")
    #expect(try await store.check().isEmpty)
  }

  @Test func `The size counts feeds and saved searches too, until they are removed`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    _ = try await temporary.subscribe()
    try await store.change([.bytes(1 << 40)])
    let before = try await store.quota().usedBytes
    func fill(_ table: String, _ columns: String, _ values: String, _ count: Int) async throws {
      _ = try await temporary.sql(
        """
        WITH RECURSIVE n (i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < \(1000 + count - 1))
        INSERT INTO \(table) (\(columns)) SELECT \(values) FROM n
        """
      )
    }
    let long = String(repeating: "x", count: 1000)
    try await fill("saved_searches", "number, name, query", "i, 'search ' || i, '\(long)'", 400)
    let searches = try await store.quota().usedBytes
    #expect((400_000...900_000).contains(searches - before), "\(searches - before)")
    // More pages than are read for a measure.
    try await fill("feed_changes", "feed, sequence, url", "i, i, 'http://a/' || i || '\(long)'", 2000)
    let feeds = try await store.quota().usedBytes
    #expect((2_000_000...4_000_000).contains(feeds - searches), "\(feeds - searches)")
    _ = try await temporary.sql("DELETE FROM feed_changes WHERE feed >= 1000")
    _ = try await temporary.sql("DELETE FROM saved_searches")
    let after = try await store.quota().usedBytes
    #expect(abs(after - before) < 100_000, "\(after - before)")
  }

  @Test func `Tombstones do not use up the quota, and the oldest are removed when they are larger than it`()
    async throws
  {
    // On PostgreSQL, the measure of a store does not contain them.
    guard StoreKind.current == .file else { return }
    let temporary = try TemporaryStore()
    let store = temporary.store
    let feed = try await temporary.subscribe()
    try await temporary.refresh(feed, [ParsedItem("1", title: "1", text: "word")])
    try await store.change([.bytes(1 << 40)])
    let quota = try await store.quota().usedBytes + 300_000
    try await store.change([.bytes(quota)])
    func bury(_ count: Int, from first: Int) async throws {
      _ = try await temporary.sql(
        """
        WITH RECURSIVE n (i) AS (SELECT \(first) UNION ALL SELECT i + 1 FROM n WHERE i < \(first + count - 1))
        INSERT INTO tombstones (sequence, id, feed, identity, guid, url)
        SELECT i, i, 1, i, 'http://example.org/a/long/guid/' || i, 'http://example.org/a/long/link/' || i FROM n
        """
      )
    }
    try await bury(3000, from: 1_000_000)
    #expect(try await !store.quota().isAboveBytes)
    try await temporary.refresh(feed, [ParsedItem("2", title: "2")])
    let many = Int(quota / 60) + 3000
    try await bury(many, from: 2_000_000)
    #expect(try await store.quota().isAboveBytes)
    _ = try await store.pruneToQuota()
    let left = Int(try await temporary.sql("SELECT CAST(count(*) AS text) FROM tombstones") ?? "") ?? 0
    #expect(left > many / 3 && left < many * 2 / 3, "\(left) of \(many)")
    let oldest = try await temporary.sql("SELECT CAST(min(sequence) AS text) FROM tombstones")
    #expect(oldest != "1000000")
  }

  @Test func `Not every batch of documents measures the tombstones anew`() async throws {
    guard StoreKind.current == .file else { return }
    let temporary = try TemporaryStore()
    let store = temporary.store
    let feed = try await temporary.subscribe()
    try await temporary.refresh(feed, [ParsedItem("1", title: "1", text: "word")])
    try await store.change([.bytes(1 << 40)])
    let quota = try await store.quota().usedBytes + 20_000
    try await store.change([.bytes(quota)])
    _ = try await temporary.sql(
      """
      WITH RECURSIVE n (i) AS (SELECT 1000000 UNION ALL SELECT i + 1 FROM n WHERE i < 1001000)
      INSERT INTO tombstones (sequence, id, feed, identity, guid, url)
      SELECT i, i, 1, i, 'http://example.org/a/long/guid/' || i, 'http://example.org/a/long/link/' || i FROM n
      """
    )
    try await temporary.refresh(feed, [ParsedItem("2", title: "2")])
    // The pages stay as large, so a new measure puts the store above its quota.
    _ = try await temporary.sql("UPDATE tombstones SET url = NULL")
    try await store.change([.bytes(try await store.quota().usedBytes - 1000)])
    #expect(try await store.quota().isAboveBytes)
    try await temporary.refresh(feed, [ParsedItem("3", title: "3")])
    #expect(try await temporary.titles(limit: 10).count == 3)
  }
}

/// Texts of words that are in no other text, and cannot be compressed.
private struct RareWords {
  private var state: UInt64 = 1

  mutating func text() -> String {
    var words: [String] = []
    for _ in 0..<3000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1
      words.append(String(state >> 30, radix: 36))
    }
    return words.joined(separator: " ")
  }
}
