import NewsStoresShared
import CSQLite
@testable import NewsCore
@testable import NewsSQLite
import SearchCases
import Synchronization
import Testing

@Suite struct `Export and import` {
  private func export(_ store: NewsStore) async throws -> [UInt8] {
    let bytes = Mutex<[UInt8]>([])
    try await store.exportAll { piece in bytes.withLock { $0 += piece } }
    return bytes.withLock { $0 }
  }

  private func importing(
    _ bytes: [UInt8],
    into store: NewsStore,
    trusting: Bool = false
  ) async throws -> ImportReport {
    let lines = Mutex(bytes.split(separator: 0x0A).map(Array.init)[...])
    let trust = trusting ? ImportTrust.trusted : .untrusted(UncleanedItems(), SettingsCheck())
    return try await store.importAll(trust) { lines.withLock { $0.popFirst() } }
  }

  @Test func `What a killed import has left is refused as a store, and filled by the same import`()
    async throws
  {
    let source = try await full()
    let bytes = try await export(source.store)
    let lines = Mutex(bytes.split(separator: 0x0A).map(Array.init)[...])
    let layouts = Mutex<Set<String?>>([])
    let target = try TemporaryStore()
    _ = try await target.store.importAll(.trusted) {
      let layout = try target.sql("PRAGMA user_version")
      layouts.withLock { _ = $0.insert(layout) }
      return lines.withLock { $0.popFirst() }
    }
    #expect(layouts.withLock { $0 } == ["-1"])
    #expect(try target.sql("PRAGMA user_version") == "1")
    let left = try TemporaryStore()
    _ = try await left.store.feedListVersion()
    await left.store.close()
    _ = try left.sql("PRAGMA user_version = -1")
    #expect(StoreHeader(path: left.path) == nil)
    let error = await #expect(throws: StoreError.self) { try await left.reopened().feeds() }
    #expect(error?.message.contains("is unfinished") == true)
    let store = try left.reopened()
    #expect(try await importing(bytes, into: store, trusting: true).feeds == 2)
    #expect(try await store.feeds().count == 2)
    #expect(try await store.check().isEmpty)
  }

  private func full() async throws -> TemporaryStore {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let one = try await temporary.subscribe("http://one/", title: "Eins \"quoted\" \u{1}\t名前")
    let two = try await temporary.subscribe("http://two/")
    let gone = try await temporary.subscribe("http://gone/")
    var settings = FeedSettings()
    settings.headers = ["X: y"]
    try await store.update(two.id, settings: settings)
    try await store.move(two.id, toFolder: "A/B")
    try await store.move(two.id, to: 1)
    _ = try await store.addRule("title:noise", do: [.drop], until: nil, at: Timestamp(seconds: 1))
    _ = try await store.addRule("bridge", do: [.tag("Infra")], until: nil, at: Timestamp(seconds: 1))
    try await store.save(SavedSearch(name: "S", query: "bridge OR tunnel"), at: Timestamp(seconds: 1))
    var folder = FeedSettings()
    folder.article = .auto
    folder.articleRemove = ".ad"
    try await store.keep(folder, forFolder: "A/B")
    await store.remember(search: "old query", at: Timestamp(seconds: 2))
    var rich = ParsedItem(
      nil,
      title: "Bridge",
      text: "The bridge is open.",
      url: "http://one/1",
      published: -5
    )
    rich.contentHTML = "<p>The bridge is open.</p>\n"
    rich.authors = [Author(name: "A", email: "a@b")]
    rich.tags = [Category(term: "x")]
    rich.enclosures = [Enclosure(url: "http://e", size: 3)]
    rich.summary = "s"
    rich.language = "en"
    try await temporary.refresh(one, [rich, ParsedItem("n", title: "Noise"), ParsedItem("2", title: "")])
    rich.contentText = "The bridge was closed again after a storm."
    try await temporary.refresh(one, [rich], at: 3_000_000)
    rich.contentText = "The bridge, closed again after a storm, is to be replaced."
    try await temporary.refresh(one, [rich], at: 3_000_100)
    try await temporary.refresh(
      two,
      [ParsedItem("same", title: "a", url: "http://u/1"), ParsedItem("same", url: "http://u/2")]
    )
    try await temporary.refresh(gone, [ParsedItem("g")])
    try await store.remove(gone.id)
    let ids = try await store.items(ItemRequest(parts: [])).map(\.item.id)
    _ = try await store.mark([ids[0]], .read)
    _ = try await store.mark([ids[1]], .starred)
    let state = FetchState(
      validators: Validators(etag: "W/\"1\"", url: "http://two/"),
      bodyHash: .max - 5,
      lastError: "x"
    )
    let record = RefreshRecord(feedID: two.id, state: state, parsed: nil, time: Timestamp(seconds: 4))
    _ = try await store.commit([record])
    return temporary
  }

  @Test func `An export round-trips, but for the numbers that an import skips`() async throws {
    let temporary = try await full()
    let first = try await export(temporary.store)
    let other = try TemporaryStore()
    let report = try await importing(first, into: other.store, trusting: true)
    #expect(report.feeds == 2)
    #expect(report.items == 4)
    _ = try await temporary.store.noteRestore()
    #expect(
      try await withoutChangeTimes(export(other.store)) == withoutChangeTimes(export(temporary.store))
    )
    #expect(try await other.store.check().isEmpty)
    #expect(try await other.store.feeds() == temporary.store.feeds())
    #expect(try await other.store.items(ItemRequest()) == temporary.store.items(ItemRequest()))
    #expect(
      try await other.store.changes(after: 0, limit: 99, query: .all)
        == temporary.store.changes(after: 0, limit: 99, query: .all)
    )
    let bridge = Query.and([.text(TextMatch(text: "replaced")), .tag("infra")])
    let id = try #require(try await other.store.items(ItemRequest(query: bridge)).first).item.id
    #expect(
      try await other.store.versions(of: id, newest: 50) == temporary.store.versions(of: id, newest: 50)
    )
    #expect(try await other.store.versions(of: id, newest: 50).count == 2)
    // Both stores handle the next refresh in the same way.
    for store in [temporary, other] {
      let one = try await store.store.feed(named: "http://one/")
      let change = try await store.refresh(
        one,
        [ParsedItem("n", title: "Noise"), ParsedItem("2", title: ""), ParsedItem("3")]
      )
      #expect(change.inserted.count == 1)
      #expect(change.updated.isEmpty)
    }
    // But for the second of each store's own clock.
    #expect(
      try await withoutChangeTimes(export(other.store)) == withoutChangeTimes(export(temporary.store))
    )
  }

  private func withoutChangeTimes(_ export: [UInt8]) -> [ArraySlice<UInt8>] {
    export.split(separator: 0x0A).filter { !$0.starts(with: #"{"type":"change_time""#.utf8) }
  }

  /// A store with a hook that has three pending deliveries, one of which was given up.
  private func withHook() async throws -> TemporaryStore {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    try await temporary.refresh(feed, [ParsedItem("old")])
    var hook = Hook(name: "it's", target: .exec(["true"]))
    hook.query = ""
    hook.events = [.feedMoved]
    try await temporary.store.register([hook], isComplete: true)
    try await temporary.refresh(feed, [ParsedItem("1"), ParsedItem("2"), ParsedItem("old")])
    try await temporary.store.update(feed.id, url: "http://example.org/moved")
    let now = Timestamp(seconds: 2_000_001)
    let first = try #require(
      try await temporary.store.nextDelivery(of: "it's", at: now, before: nil, hold: 60)
    )
    try await temporary.store.settle(first, .givenUp("status 400"), at: now)
    return temporary
  }

  private func deliveries(_ store: NewsStore) async throws -> [HookDelivery] {
    var found: [HookDelivery] = []
    let now = Timestamp(seconds: 2_000_002)
    while let next = try await store.nextDelivery(of: "it's", at: now, before: nil, hold: 60) {
      found.append(next)
      try await store.settle(next, .delivered, at: now)
    }
    return found
  }

  @Test func `Hooks are imported with their deliveries; later deliveries of both stores have different keys`()
    async throws
  {
    let temporary = try await withHook()
    let bytes = try await export(temporary.store)
    let other = try TemporaryStore()
    _ = try await importing(bytes, into: other.store, trusting: true)
    let states = try await other.store.hookStates()
    #expect(states == (try await temporary.store.hookStates()))
    #expect(states.map(\.pending) == [2] && states.map(\.failed) == [1])
    #expect(try await other.store.failedEntries() == temporary.store.failedEntries())
    let before = try await deliveries(temporary.store)
    #expect(try await deliveries(other.store) == before)
    // New items of both stores get different keys.
    var keys: [Set<String>] = []
    for store in [temporary, other] {
      let feed = try #require(try await store.store.feeds().first)
      try await store.refresh(feed, [ParsedItem("3"), ParsedItem("4")])
      keys.append(Set(try await deliveries(store.store).map(\.key)))
    }
    #expect(keys[0].count == 2 && keys[1].count == 2 && keys[0].isDisjoint(with: keys[1]))
    #expect(try await other.store.check().isEmpty)
  }

  @Test func `Hooks in an untrusted export are not imported`() async throws {
    let temporary = try await withHook()
    let other = try TemporaryStore()
    let report = try await importing(try await export(temporary.store), into: other.store)
    #expect(report.deliveriesLeftOut == 3)
    #expect(try await other.store.hookStates().isEmpty)
    #expect(try other.sql("SELECT count(*) FROM outbox") == "0")
  }

  @Test func `A store without the tables for hooks and settings of folders is exported`() async throws {
    let temporary = try await withHook()
    for table in ["hooks", "outbox", "folder_settings"] { _ = try temporary.sql("DROP TABLE \(table)") }
    let other = try TemporaryStore()
    let report = try await importing(try await export(temporary.store), into: other.store, trusting: true)
    #expect(report.items == 3)
  }

  @Test(arguments: [
    #"{"minimumInterval":"#, #"{"minimumInterval":"9000000"}"#, #"{"allowsLocalOrigi\u006e":true}"#, "[1]",
  ])
  func `Invalid settings, and untrusted ones with an escaped name, are not imported`(_ settings: String)
    async throws
  {
    let temporary = try TemporaryStore()
    _ = try await temporary.subscribe("exec:feed.sh")
    let text = settings.replacing("'", with: "''")
    _ = try temporary.sql("UPDATE feeds SET settings = '\(text)'")
    let bytes = try await export(temporary.store)
    let other = try TemporaryStore()
    _ = try await importing(bytes, into: other.store)
    #expect(try other.sql("SELECT count(*) FROM feeds WHERE settings IS NULL") == "1")
  }

  @Test func `An import requires an empty store and imports everything or nothing`() async throws {
    let temporary = try await full()
    let bytes = try await export(temporary.store)
    let full = await #expect(throws: StoreError.self) { try await importing(bytes, into: temporary.store) }
    #expect(full?.message.contains("not empty") == true)
    let other = try TemporaryStore()
    let broken = await #expect(throws: StoreError.self) {
      try await importing(bytes + Array("{\"type\":\"item\"}\n".utf8), into: other.store)
    }
    #expect(broken?.code == .badQuery)
    #expect(try await other.store.feeds().isEmpty)
    // Lines are missing at the end, or all feeds or one item are missing; the remaining lines are valid.
    let lines = bytes.split(separator: 0x0A)
    let firstItem = try #require(lines.firstIndex { $0.starts(with: Array("{\"type\":\"item\"".utf8)) })
    let withoutFeeds = lines.filter { !$0.starts(with: Array("{\"type\":\"feed\"".utf8)) }
    let withoutItem = lines[..<firstItem] + lines[(firstItem + 1)...]
    for cut in [lines.dropLast(2), withoutFeeds[...], withoutItem] {
      let error = await #expect(throws: StoreError.self) {
        try await importing(Array(cut.joined(separator: [0x0A])), into: other.store)
      }
      #expect(error?.message.contains("not whole") == true)
      #expect(try await other.store.feeds().isEmpty)
    }
    for text in ["", "[]", "{\"type\":\"feed\"}", "{\"type\":\"newsd\",\"schema\":99}", "not json"] {
      let error = await #expect(throws: StoreError.self) {
        try await importing(Array(text.utf8), into: other.store)
      }
      #expect(error?.code == .badQuery, "\(text)")
    }
  }

  @Test func `An imported program feed is stored, but allowed to run only if the import is trusted`()
    async throws
  {
    let temporary = try TemporaryStore()
    var settings = FeedSettings()
    settings.allowsLocalOrigin = true
    let program = NewFeed(url: "exec:feed.sh", settings: settings)
    _ = try await temporary.store.add(program, at: Timestamp(seconds: 1))
    _ = try await temporary.store.add(
      NewFeed(url: "http://a/", settings: settings),
      at: Timestamp(seconds: 1)
    )
    let bytes = try await export(temporary.store)
    let careful = try TemporaryStore()
    #expect(try await importing(bytes, into: careful.store).untrusted == ["exec:feed.sh"])
    #expect(try await careful.store.feeds().map(\.settings.allowsLocalOrigin) == [nil, nil])
    let trusting = try TemporaryStore()
    #expect(try await importing(bytes, into: trusting.store, trusting: true).untrusted.isEmpty)
    _ = try await temporary.store.noteRestore()
    #expect(
      try await withoutChangeTimes(export(trusting.store)) == withoutChangeTimes(export(temporary.store))
    )
  }

  @Test func `The change log replayed from 0 gives the same items`() async throws {
    let temporary = try await full()
    var items: [NewsItem.ID: NewsItem] = [:]
    var after: Int64 = 0
    while true {
      let changes = try await temporary.store.changes(after: after, limit: 2, query: .all)
      guard let last = changes.last else { break }
      for change in changes { items[change.itemID] = change.item }
      after = last.sequence
    }
    let stored = try await temporary.store.items(ItemRequest()).map(\.item)
    #expect(Set(items.values) == Set(stored))
  }

  @Test func `A printed change log is read in the order of storing, including feeds without items`() throws {
    func line(_ sequence: Int, _ rest: String) -> String { "{\"seq\":\(sequence),\(rest)}\n" }
    func item(_ id: Int, _ feed: Int) -> String {
      """
      "kind":"inserted","id":\(id),"feed_id":\(feed),"feed_url":"http://\(feed)/","guid":"\(id)","title":"T\(id)",\
      "stored":"1970-01-01T00:00:0\(id)Z","content_text":"as\\nit was","content_html":"<p>as</p> it was"
      """
    }
    let feed = #""feed_url":"http://3/","feed":"Third","folder":"A/B","site_url":"http://site/""#
    let log =
      line(1, item(1, 1)) + line(2, item(2, 2)) + line(3, item(3, 1)) + line(4, item(4, 1))
      + line(5, #""kind":"feed","feed_id":3,"# + feed)
      + line(6, #""kind":"deleted","id":3,"feed_id":1"#)
      + line(7, #""kind":"feed","feed_id":4,"feed_url":"http://4/""#)
      + line(8, #""kind":"feed_deleted","feed_id":4,"feed_url":"http://4/""#)
    #expect(ChangeReplay.isLikely(Array(log.utf8)))
    let feeds = try ChangeReplay().feeds(inChanges: Array(log.utf8))
    #expect(
      feeds.map(\.feed.url) == ["http://1/", "http://2/", "http://3/", "http://1/", "http://2/", "http://1/"]
    )
    #expect(feeds.map { $0.items.map { $0.item.id ?? "" } } == [[], [], [], ["1"], ["2"], ["4"]])
    let third = NewFeed(url: "http://3/", title: "Third", siteURL: "http://site/", folder: "A/B")
    #expect(feeds[2].feed == third)
    #expect(feeds[3].items[0].stored == Timestamp(seconds: 1))
    #expect(feeds[3].items[0].item.contentText == "as\nit was")
    #expect(throws: StoreError.self) { try ChangeReplay().feeds(inChanges: Array("{\"seq\":1}".utf8)) }
  }

  @Test func `A newsboat cache is imported with read states and flags`() async throws {
    let temporary = try TemporaryStore()
    let path = temporary.directory + "/cache.db"
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    #expect(sqlite3_open(path, &database) == SQLITE_OK)
    let script = """
      CREATE TABLE rss_feed (rssurl VARCHAR(1024) PRIMARY KEY NOT NULL, url VARCHAR(1024) NOT NULL,
        title VARCHAR(1024) NOT NULL, lastmodified INTEGER(11) NOT NULL DEFAULT 0);
      CREATE TABLE rss_item (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, guid VARCHAR(64) NOT NULL,
        title VARCHAR(1024) NOT NULL, author VARCHAR(1024) NOT NULL, url VARCHAR(1024) NOT NULL,
        feedurl VARCHAR(1024) NOT NULL, pubDate INTEGER NOT NULL, content VARCHAR(65535) NOT NULL,
        unread INTEGER(1) NOT NULL, enclosure_url VARCHAR(1024), enclosure_type VARCHAR(1024),
        enqueued INTEGER(1) NOT NULL DEFAULT 0, flags VARCHAR(52), deleted INTEGER(1) NOT NULL DEFAULT 0,
        base VARCHAR(128) NOT NULL DEFAULT '');
      INSERT INTO rss_feed VALUES ('http://f/', 'http://site/', 'Feed', 0);
      INSERT INTO rss_item (guid, title, author, url, feedurl, pubDate, content, unread, flags, deleted, enclosure_url)
        VALUES ('a', 'Read', 'Me', 'http://f/a', 'http://f/', 100, '<b>x</b>', 0, '', 0, 'http://f/a.mp3'),
               ('b', 'Flagged', '', '', 'http://f/', 200, 'y', 1, 'sx', 0, NULL),
               ('c', 'Deleted', '', '', 'http://f/', 300, 'z', 1, NULL, 1, NULL);
      """
    #expect(sqlite3_exec(database, script, nil, nil, nil) == SQLITE_OK)
    let feeds = try ReaderDatabase().feeds(inDatabase: path)
    #expect(feeds.map(\.feed.url) == ["http://f/"])
    #expect(feeds[0].items.map(\.item.title) == ["Deleted", "Flagged", "Read"])
    #expect(feeds[0].items.map(\.isRemoved) == [true, false, false])
    let report = try await temporary.store.importFeeds(feeds, at: Timestamp(seconds: 1000))
    #expect(report == ImportReport(feeds: 1, items: 2))
    #expect(try await temporary.titles(.isRead(true)) == ["Read"])
    #expect(try await temporary.titles(.and([.isStarred(true), .tag("flag-x")])) == ["Flagged"])
    #expect(try await temporary.store.feeds().map(\.title) == ["Feed"])
    #expect(try await temporary.store.check().isEmpty)
    #expect(
      try await temporary.store.importFeeds(feeds, at: Timestamp(seconds: 2000)) == ImportReport(unchanged: 2)
    )
    // An item deleted in newsboat does not return with the next fetch.
    let feed = try #require(try await temporary.store.feeds().first)
    #expect(try await temporary.refresh(feed, [ParsedItem("c", title: "Deleted")]).inserted.isEmpty)
    let error = #expect(throws: StoreError.self) {
      try ReaderDatabase().feeds(inDatabase: temporary.path)
    }
    #expect(error?.code == .badQuery)
  }

  @Test func `The lines of an sfeed file become items`() {
    let text =
      "1700000000\tTitle\thttp://e/1\tone\\ntwo\\\\three\\x\ttext\tid1\tAuthor\thttp://e/1.mp3\tnews|tech\n"
      + "\t\t\t\t\t\t\t\t\n"
      + "\tOnly a title\n"
      + "x\t\thttp://e/2\t<p>h</p>\thtml\t\t\t\t\r\n"
      + "1\tMany\t\t\t\t\t\t\t" + String(repeating: "a|", count: 1000)
    let items = SfeedTable.items(Array(text.utf8)).map(\.item)
    #expect(items.count == 4)
    #expect(items[3].tags.count == 512)
    #expect(items[0].published == Timestamp(seconds: 1_700_000_000))
    #expect(items[0].contentText == "one\ntwo\\three\\x")
    #expect(items[0].id == "id1")
    #expect(items[0].tags.map(\.term) == ["news", "tech"])
    #expect(items[0].enclosures.map(\.url) == ["http://e/1.mp3"])
    #expect(items[1].title == "Only a title")
    #expect(items[2].contentHTML == "<p>h</p>")
    #expect(items[2].published == nil)
  }
}
