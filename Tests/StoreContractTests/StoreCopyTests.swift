import Glibc
import NewsStoresShared
import NewsSearch
import NewsCore
import NewsPostgres
import SearchCases
import Synchronization
import TestSupport
import Testing

/// A store's content goes to another store and back without a difference.
@Suite(.everyStore) struct `Copies of a store` {
  private func export(_ store: any StoreExporting) async throws -> [UInt8] {
    let bytes = Mutex<[UInt8]>([])
    try await store.exportAll { piece in bytes.withLock { $0 += piece } }
    return bytes.withLock { $0 }
  }

  /// The lines of an export without the numbers that an import skips, and their times.
  private func content(_ bytes: [UInt8]) -> [String] {
    let skipped = ["feed", "item", "sequence"].map { "\"type\":\"counter\",\"name\":\"\($0)\"" }
    return bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }.filter {
      line in
      !line.contains("\"type\":\"change_time\"") && !skipped.contains { line.contains($0) }
    }
  }

  /// Restoring into a new store, copying a backup and importing an export: what other programs know of the first store keeps its
  /// meaning.
  @Test func `A copy and an import use no number that the store may have assigned since`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    try await temporary.refresh(feed, [ParsedItem("old", title: "Old")])
    let bytes = try await export(temporary.store)
    let sequence = try await temporary.store.latestSequence()
    for kind in StoreKind.available {
      for isCopy in [true, false] {
        let other = try StoreKind.$current.withValue(kind) { try TemporaryStore() }
        if isCopy {
          _ = try await StoreCopy().copy(from: temporary.store, to: other.store)
        } else {
          let lines = Mutex(bytes.split(separator: 0x0A).map(Array.init)[...])
          _ = try await other.store.importAll(.trusted) { lines.withLock { $0.popFirst() } }
        }
        let same = try await other.store.feed(feed.id)
        try await other.refresh(same, [ParsedItem("new", title: "New")])
        let newest = try await other.store.items(ItemRequest(parts: [])).map(\.item.id.rawValue).max() ?? 0
        #expect(newest > 1 << 20, "\(kind) \(isCopy)")
        #expect(try await other.store.latestSequence() > sequence + 1 << 20, "\(kind) \(isCopy)")
        #expect(
          try await other.store.add(NewFeed(url: "http://b/"), at: SearchFixture.now).id.rawValue > 1000
        )
        #expect(try await other.store.check().isEmpty)
      }
    }
  }

  @Test func `Of versions with megabytes of text, few are read at once, and all are copied`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    // The letters share their first byte.
    let texts = ["à", "á", "â", "ã", "ä", "å", "æ", "ç"].enumerated().map { number, letter in
      "It costs \(letter)\(number) coins. " + String(repeating: "-", count: 1_000_000)
    }
    for text in texts { try await temporary.refresh(feed, [ParsedItem("1", title: "Price", text: text)]) }
    let id = NewsItem.ID(rawValue: 1)
    #expect(try await temporary.store.versions(of: id, newest: 50).map(\.text) == Array(texts[3...6]))
    #expect(try await temporary.store.versions(of: id, newest: 1).map(\.text) == [texts[6]])
    let bytes = try await export(temporary.store)
    #expect(bytes.count < 6_000_000)
    for kind in StoreKind.available {
      let other = try StoreKind.$current.withValue(kind) { try TemporaryStore() }
      _ = try await StoreCopy().copy(from: temporary.store, to: other.store)
      #expect(try await other.sql("SELECT CAST(count(*) AS text) FROM versions") == "7")
      #expect(try await content(export(other.store)) == content(bytes))
    }
  }

  @Test func `An export has a few large items at a time, and each once`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    let summary = String(repeating: "- ", count: 1 << 19)
    let items = (1...24).map { number in
      var item = ParsedItem("\(number)", title: "T\(number)", text: "short")
      item.summary = summary
      return item
    }
    try await temporary.refresh(feed, items)
    let pieces = Mutex<[[UInt8]]>([])
    try await temporary.store.exportAll { piece in pieces.withLock { $0.append(piece) } }
    let written = pieces.withLock { $0 }
    #expect(written.allSatisfy { $0.count < 20 << 20 })
    let begin = Array(#"{"type":"item","id":"#.utf8)
    let lines = written.flatMap { $0.split(separator: 0x0A) }.filter { $0.starts(with: begin) }
    let found = lines.map {
      String(decoding: $0.dropFirst(begin.count).prefix { $0 != UInt8(ascii: ",") }, as: UTF8.self)
    }
    #expect(found == (1...24).map(String.init))
  }

  @Test func `An export has no state of a feed that is later than its items`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    try await temporary.refresh(feed, [ParsedItem("1")])
    _ = try await temporary.sql("UPDATE feeds SET etag = 'one'")
    let (store, signs) = (temporary.store, ImportSigns())
    let bytes = Mutex<[UInt8]>([])
    async let exported: Void = store.exportAll { piece in
      bytes.withLock { $0 += piece }
      signs.isReading.store(true, ordering: .releasing)
      while !signs.mayFail.load(ordering: .acquiring) { usleep(1000) }
    }
    try await eventually { signs.isReading.load(ordering: .acquiring) }
    let other = try temporary.reopened()
    var parsed = ParsedFeed(format: "rss20")
    parsed.items = [ParsedItem("2"), ParsedItem("1")]
    var state = FetchState.unfetched
    state.lastSuccess = Timestamp(seconds: 3_000_000)
    state.validators = Validators(etag: "two", lastModified: nil, url: feed.url)
    let record = RefreshRecord(
      feedID: feed.id,
      state: state,
      parsed: parsed,
      time: Timestamp(seconds: 3_000_000)
    )
    #expect(try await other.commit([record]).map(\.inserted.count) == [1])
    signs.mayFail.store(true, ordering: .releasing)
    try await exported
    let lines = content(bytes.withLock { $0 })
    #expect(lines.count { $0.contains("\"type\":\"item\"") } == 1)
    #expect(lines.contains { $0.contains("\"etag\":\"one\"") }, "\(lines)")
  }

  private func fill(_ temporary: TemporaryStore) async throws {
    let store = temporary.store
    for feed in SearchFixture.feeds {
      let stored = try await store.add(
        NewFeed(url: feed.url, title: feed.title, folder: feed.folder),
        at: SearchFixture.now
      )
      try await temporary.refresh(stored, feed.items, at: SearchFixture.now.seconds)
    }
    let undated = try await temporary.subscribe("http://example.org/undated")
    try await temporary.refresh(
      undated,
      [ParsedItem("dated", title: "Dated", published: 50_000)]
        + (0..<150).map { ParsedItem("u\($0)", title: "U\($0)") }
    )
    try await temporary.refresh(undated, [ParsedItem("u7", title: "Edited", text: "one\u{0} two")])
    _ = try await store.mark([NewsItem.ID(rawValue: 3)], .read)
    _ = try await store.addRule("title:noise", do: [.drop], until: nil, at: SearchFixture.now)
    try await store.save(SavedSearch(name: "S", query: "bridge OR tunnel"), at: SearchFixture.now)
    let gone = try await temporary.subscribe("http://gone.example/")
    try await temporary.refresh(gone, [ParsedItem("x", title: "X")])
    try await store.remove(gone.id)
  }

  @Test func `A copy contains credentials, settings of folders and the outbox of hooks, but no session`()
    async throws
  {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let (secret, now) = (try await store.serverSecret(), SearchFixture.now)
    _ = try await store.addAppPassword(named: "Phone", hash: [0, 1], feverHash: [2], made: now)
    try await store.setLoginPasswordHash("$y$x")
    _ = try await store.addSession(hash: [7], agent: "B", address: "::1", made: now)
    var settings = FeedSettings()
    settings.article = .always
    try await store.keep(settings, forFolder: "Tech")
    var hook = Hook(name: "h", target: .exec(["true"]))
    hook.query = ""
    try await store.register([hook], isComplete: true)
    let feed = try await temporary.subscribe()
    try await temporary.refresh(feed, [ParsedItem("old")])
    try await temporary.refresh(feed, [ParsedItem("new", title: "New"), ParsedItem("old")])
    try await store.edit([NewsItem.ID(rawValue: 1)], StreamEdit(addedLabels: ["keep"]))
    for kind in StoreKind.available {
      let copied = try StoreKind.$current.withValue(kind) { try TemporaryStore() }
      let other = copied.store
      _ = try await StoreCopy().copy(from: store, to: other)
      #expect(try await other.serverSecret() == secret)
      #expect(try await other.appPasswords() == store.appPasswords())
      #expect(try await other.loginPasswordHash() == "$y$x")
      #expect(try await other.sessions(seenAfter: Timestamp(seconds: 0)).isEmpty)
      #expect(try await other.folderSettings("Tech").article == .always)
      #expect(try await other.hookStates() == store.hookStates())
      let delivery = try await other.nextDelivery(
        of: "h",
        at: Timestamp(seconds: 9_000_000),
        before: nil,
        hold: 60
      )
      #expect(delivery?.entries.count == 1)
      #expect(try await other.itemLabels() == store.itemLabels())
    }
  }

  @Test func `A copy whose credentials cannot be stored stores nothing, and the same copy can be made later`()
    async throws
  {
    guard StoreKind.available.contains(.postgres) else { return }
    let source = try TemporaryStore()
    try await fill(source)
    _ = try await source.store.addAppPassword(
      named: "Phone",
      hash: [0, 1],
      feverHash: [2],
      made: SearchFixture.now
    )
    let target = try StoreKind.$current.withValue(.postgres) { try TemporaryStore() }
    #expect(try await target.store.feeds().isEmpty)
    _ = try await target.sql("ALTER TABLE app_passwords ADD CONSTRAINT no_phone CHECK (name <> 'Phone')")
    await #expect(throws: StoreError.self) {
      try await StoreCopy().copy(from: source.store, to: target.store)
    }
    #expect(try await target.store.feeds().isEmpty)
    _ = try await target.sql("ALTER TABLE app_passwords DROP CONSTRAINT no_phone")
    _ = try await StoreCopy().copy(from: source.store, to: target.store)
    #expect(try await target.store.appPasswords() == source.store.appPasswords())
  }

  @Test func `An export is the same after an import into each kind of store`() async throws {
    let temporary = try TemporaryStore()
    try await fill(temporary)
    let before = try await export(temporary.store)
    for kind in StoreKind.available {
      let other = try StoreKind.$current.withValue(kind) { try TemporaryStore() }
      let lines = Mutex(before.split(separator: 0x0A).map(Array.init)[...])
      _ = try await other.store.importAll(.trusted) { lines.withLock { $0.popFirst() } }
      #expect(try await content(export(other.store)) == content(before), "\(kind)")
      #expect(try await other.store.check().isEmpty)
      for query in ["linux", "title:the", "is:unread", "\"the rings\"", "天", "e*"] {
        let parsed = try QueryParser.parse(query, now: SearchFixture.now).query
        for order in ItemOrder.allCases {
          let request = ItemRequest(query: parsed, order: order, parts: [])
          let mine = try await temporary.store.items(request).map(\.item.id)
          #expect(try await other.store.items(request).map(\.item.id) == mine, "\(query) \(order) \(kind)")
        }
      }
    }
  }

  @Test func `The times of changes are those of the exported store`() async throws {
    let temporary = try TemporaryStore()
    try await fill(temporary)
    // Changes of an hour ago.
    _ = try await temporary.sql("UPDATE change_times SET time = time - 3600")
    let id = NewsItem.ID(rawValue: 3)
    let changed = try await temporary.store.streamItems([id]).first?.changed
    let lines = try await export(temporary.store).split(separator: 0x0A).map(Array.init)
    for kind in StoreKind.available {
      let other = try StoreKind.$current.withValue(kind) { try TemporaryStore() }
      let rest = Mutex(lines[...])
      _ = try await other.store.importAll(.trusted) { rest.withLock { $0.popFirst() } }
      #expect(try await other.store.streamItems([id]).first?.changed == changed, "\(kind)")
      var since = StreamRequest()
      since.bounds.changedSince = changed.map { $0 + 60 }
      for store in [temporary.store, other.store] {
        #expect(try await store.page(since, offset: 0, limit: 1).total == 0, "\(kind)")
      }
    }
  }

  @Test func `An interrupted import into PostgreSQL is marked, and the same import continues it`()
    async throws
  {
    guard StoreKind.current == .file, let address = TestDatabase.shared?.newStore() else { return }
    func open() throws -> PostgresStore {
      PostgresStore(try StoreURI(address), linesPerCommit: 50) { (_, _) throws(StoreError) in }
    }
    let temporary = try TemporaryStore()
    try await fill(temporary)
    let before = try await export(temporary.store)
    let lines = before.split(separator: 0x0A).map(Array.init)
    func code(_ body: () async throws -> Void) async -> StoreError.Code? {
      do {
        try await body()
        return nil
      } catch {
        return (error as? StoreError)?.code
      }
    }
    /// Imports lines until the one with this number cannot be read.
    func importing(_ lines: [[UInt8]], failingAt end: Int) async -> StoreError.Code? {
      let number = Mutex(0)
      return await code {
        _ = try await open().importAll(.trusted) {
          let place = number.withLock { number in
            number += 1
            return number
          }
          guard place != end else { throw StoreError(code: .full, message: "") }
          return place <= lines.count ? lines[place - 1] : nil
        }
      }
    }
    // The mark comes before the first line, for a process that is killed before its first commit.
    let signs = ImportSigns()
    async let failed = code {
      _ = try await open().importAll(.trusted) {
        signs.isReading.store(true, ordering: .releasing)
        while !signs.mayFail.load(ordering: .acquiring) { usleep(1000) }
        throw StoreError(code: .full, message: "")
      }
    }
    try await eventually { signs.isReading.load(ordering: .acquiring) }
    #expect(await code { _ = try await open().feeds() } == .unreadable)
    signs.mayFail.store(true, ordering: .releasing)
    #expect(await failed == .full)
    // Nothing is stored, so an import that could tell of its failure leaves no mark.
    #expect(try await open().feeds().isEmpty)
    #expect(await importing(lines, failingAt: 40) == .full)
    #expect(try await open().feeds().isEmpty)
    for end in [120, 200] {
      #expect(await importing(lines, failingAt: end) == .full)
      let store = try open()
      #expect(await code { _ = try await store.feeds() } == .unreadable)
      #expect(
        await code { _ = try await store.add(NewFeed(url: "http://z/"), at: SearchFixture.now) }
          == .unreadable
      )
    }
    var other = lines
    other[5] += Array(" ".utf8)
    #expect(await importing(other, failingAt: -1) == .unreadable)
    #expect(await importing(Array(lines.prefix(60)), failingAt: -1) == .unreadable)
    #expect(await importing(lines, failingAt: -1) == nil)
    let store = try open()
    #expect(try await content(export(store)) == content(before))
    let indexes =
      "SELECT string_agg(replace(indexdef, current_schema(), ''), ';' ORDER BY indexname) FROM pg_indexes "
      + "WHERE schemaname = current_schema()"
    let fresh = PostgresStore(try StoreURI(try #require(TestDatabase.shared?.newStore()))) {
      (_, _) throws(StoreError) in
    }
    #expect(try await store.firstText(indexes) == fresh.firstText(indexes))
    #expect(try await store.check().isEmpty)
    // A finished store is not empty.
    #expect(await importing(lines, failingAt: -1) == .unreadable)
  }
}

/// What the test and its import tell each other.
private final class ImportSigns: Sendable {
  let isReading = Atomic(false)
  let mayFail = Atomic(false)
}
