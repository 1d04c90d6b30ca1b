import NewsCore
import NewsSQLite
import NewsStoresShared
import NewsToolbox
import SearchCases
import Synchronization
import Testing

/// Copies, exports, backups and repairs carry everything that a store keeps.
@Suite(.everyStore) struct `What is carried from store to store` {
  private let now = Timestamp(seconds: 5000)

  /// A store with a row in every exported table.
  private func filled() async throws -> TemporaryStore {
    let temporary = try TemporaryStore()
    let store = temporary.store
    try await store.makeFolder(MadeFolder(name: "Empty", number: 7))
    try await store.save(SavedSearch(name: "S", query: "label:later"), at: now)
    await store.remember(search: "label:later", at: now)
    _ = try await store.addRule(
      "title:one",
      do: [.label("ruled")],
      until: now + 86_400,
      at: Timestamp(seconds: 900)
    )
    var hook = Hook(name: "h", target: .exec(["true"]))
    hook.events = HookEvent.marks.union([.saved])
    try await store.register([hook], isComplete: true)
    try await store.keep(PageHook(name: "p", preset: "links", query: "tag:a", values: ["token": "t"]))
    let feed = try await temporary.subscribe()
    var episode = ParsedItem("1", title: "Episode one")
    episode.enclosures = ["a", "b"].map { Enclosure(url: "http://a/\($0)", mimeType: "audio/mpeg") }
    let plain = ParsedItem("2", title: "Title 2", text: "Some words")
    try await temporary.refresh(feed, [plain, episode], at: 1000)
    episode.enclosures.reverse()
    let noise = ParsedItem("2", title: "Title  2 ", text: "Some words")
    try await temporary.refresh(feed, [noise, episode], at: 2000)
    let ids = [1, 2].map { NewsItem.ID(rawValue: $0) }
    try await store.changeEnclosure(1, of: ids[0], position: 30, isPlayed: true, at: now)
    try await store.edit([ids[1]], StreamEdit(marks: [.starred], addedLabels: ["later"]))
    _ = try await store.save([ids[1]])
    _ = try await store.mark([LateMark(ids[0], .unstarred, at: Timestamp(seconds: 900))])
    // An edit without meaning, after the marks.
    try await temporary.refresh(feed, [plain, episode], at: 3000)
    let gone = try await temporary.subscribe("http://gone.example/")
    try await temporary.refresh(gone, [ParsedItem("x", title: "X")])
    try await store.remove(gone.id)
    _ = try await temporary.sql(
      "INSERT INTO feed_icons (feed, url) VALUES (1, 'https://example.org/icon.png')"
    )
    return temporary
  }

  private func export(_ store: any StoreExporting) async throws -> [UInt8] {
    let bytes = Mutex<[UInt8]>([])
    try await store.exportAll { piece in bytes.withLock { $0 += piece } }
    return bytes.withLock { $0 }
  }

  /// The lines of an export that only one of two stores has.
  private func lost(from before: [UInt8], by store: any StoreExporting) async throws -> [String] {
    func lines(_ bytes: [UInt8]) -> Set<String> {
      Set(bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) })
    }
    return lines(before).symmetricDifference(lines(try await export(store))).sorted()
  }

  /// True for lines that differ because a copy skips numbers, so that none gets another meaning.
  private func isSkipped(_ line: String) -> Bool {
    line.contains("\"type\":\"change_time\"")
      || ["feed", "item", "sequence"].contains { line.contains("\"name\":\"\($0)\"") }
  }

  private func labels(_ store: any StorePorts) async throws -> [String] {
    try await store.itemLabels().map { "\($0.name) \($0.newest.id.rawValue)" }
  }

  @Test func `The store that the tests carry has a row of every exported table`() async throws {
    let temporary = try await filled()
    #expect(try await labels(temporary.store) == ["later 2", "ruled 1"])
    let lines = try await export(temporary.store).split(separator: UInt8(ascii: "\n"))
    let types = Set(
      lines.compactMap { line in
        line.withUnsafeBufferPointer { JSONValue(valid: $0) }?["type"]?.string
      }
    )
    #expect(Set(ExportTable.all.map(\.type)).subtracting(types).isEmpty, "\(types)")
  }

  @Test func `Copies and imports carry everything to each kind of store`() async throws {
    let temporary = try await filled()
    let before = try await export(temporary.store)
    for kind in StoreKind.available {
      let copied = try StoreKind.$current.withValue(kind) { try TemporaryStore() }
      _ = try await StoreCopy().copy(from: temporary.store, to: copied.store)
      let missingCopied = try await lost(from: before, by: copied.store).filter { !isSkipped($0) }
      #expect(missingCopied == [], "copy to \(kind)")
      #expect(try await copied.store.check().isEmpty)
      let imported = try StoreKind.$current.withValue(kind) { try TemporaryStore() }
      let lines = Mutex(before.split(separator: UInt8(ascii: "\n")).map(Array.init)[...])
      _ = try await imported.store.importAll(.trusted) { lines.withLock { $0.popFirst() } }
      let missingImported = try await lost(from: before, by: imported.store).filter { !isSkipped($0) }
      #expect(missingImported == [], "import into \(kind)")
      #expect(try await labels(imported.store) == labels(temporary.store))
      #expect(try await imported.store.madeFolders() == [MadeFolder(name: "Empty", number: 7)])
    }
  }

  @Test func `A repair of a sound store changes nothing, and a backup is the same store`() async throws {
    let temporary = try await filled()
    let before = try await export(temporary.store)
    // A store on a server is repaired with the server's tools, and a backup of it is a copy.
    guard StoreKind.current == .file else { return }
    _ = try await temporary.store.repair { _ in }
    let missingRepaired = try await lost(from: before, by: temporary.store)
    #expect(missingRepaired == [])
    let path = temporary.address + ".backup"
    try await temporary.store.backup(to: path) { _ in }
    let missingBackedUp = try await lost(from: before, by: NewsStore(path: path))
    #expect(missingBackedUp == [])
  }

  /// Tables whose rows are carried as parts of items, beside the export, or not at all because they can be made again or
  /// belong to one store only.
  private static let others: [Set<String>] = [
    // Parts of items.
    ["items", "contents", "articles", "versions", "item_labels", "item_tags", "tags"],
    // Copied beside the export.
    ["secrets", "app_passwords"],
    // Made again from the items.
    [
      "search", "search_config", "search_data", "search_docsize", "search_idx", "words", "stories",
      "story_keys",
    ],
    // Of this store: log-ins, subscriptions to hubs, its processes and counters, pictures that are looked up again, where
    // imports were interrupted.
    [
      "sessions", "hub_subscriptions", "file", "store", "store_settings", "nodes", "polls", "sites",
      "commit_keys", "import_places",
    ],
    ["pictures", "icons", "kept_pictures"],
  ]

  @Test func `Every table of the layout is carried or known not to be`() async throws {
    let temporary = try await filled()
    let names = try #require(
      await temporary.sql(
        StoreKind.current == .file
          ? "SELECT group_concat(name) FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
          : "SELECT string_agg(tablename, ',') FROM pg_tables WHERE schemaname = current_schema()"
      )
    )
    let exported = Set(ExportTable.all.map(\.name))
    for name in names.split(separator: ",").map(String.init) {
      #expect(exported.contains(name) || Self.others.contains { $0.contains(name) }, "\(name)")
    }
  }

  @Test func `Documents and imports store no value that would keep the store from becoming an account's`()
    async throws
  {
    let fetching = try TemporaryStore()
    let source = try await filled()
    let importing = try TemporaryStore()
    defer { withExtendedLifetime((fetching, source, importing)) {} }
    func text(_ bytes: Int) -> String { String(repeating: "x", count: bytes) }
    let feed = try await fetching.subscribe()
    var parsed = ParsedFeed(format: "rss20")
    parsed.homePageURL = "http://a/" + text(64 << 10)
    var item = ParsedItem("1", title: "one", text: "Text")
    item.authors = (0..<512).map { Author(name: "\($0)" + text(1000)) }
    item.enclosures = (0..<300).map { Enclosure(url: "http://a/\($0)/" + text(64 << 10)) }
    parsed.items = [item]
    let record = RefreshRecord(feedID: feed.id, state: .unfetched, parsed: parsed, time: now)
    _ = try await fetching.store.commit([record])
    try await fetching.store.removeForeignCredentials()
    #expect(try await fetching.store.feeds().map(\.siteURL) == [nil])

    var changes: [String: [String: String]] = [
      "item": ["language": text(300 << 10), "summary": text(17 << 20), "url": "http://a/" + text(300 << 10)],
      "feed": ["site_url": "http://a/" + text(9 << 10), "user_title": text(5000), "etag": text(300 << 10)],
      "tombstone": ["url": text(17 << 20)],
    ]
    let lines = try await export(source.store).split(separator: UInt8(ascii: "\n")).map { line -> [UInt8] in
      let value = try #require(line.withUnsafeBufferPointer { JSONValue(valid: $0) })
      guard let longer = changes.removeValue(forKey: value["type"]?.string ?? "") else { return Array(line) }
      var members = (value.members ?? []).filter { longer[$0.name] == nil }
      for (name, text) in longer { members.append(.init(name: name, value: .string(text))) }
      return Array(JSONValue.object(members).serialized.utf8)
    }
    #expect(changes.isEmpty)
    let rest = Mutex(lines[...])
    _ = try await importing.store.importAll(.trusted) { rest.withLock { $0.popFirst() } }
    try await importing.store.removeForeignCredentials()
    let imported = try await importing.store.feeds()
    #expect(imported.map(\.siteURL) == [nil] && imported.map(\.title) == [text(4000)])
    #expect(try await importing.store.check().isEmpty)
  }

  @Test func `An import of a feed whose address is too long is refused`() async throws {
    let source = try await filled()
    let importing = try TemporaryStore()
    defer { withExtendedLifetime((source, importing)) {} }
    let address = "http://a/" + String(repeating: "x", count: TypedAddress.longest)
    let lines = try await export(source.store).split(separator: UInt8(ascii: "\n")).map { line -> [UInt8] in
      let value = try #require(line.withUnsafeBufferPointer { JSONValue(valid: $0) })
      guard value["type"]?.string == "feed" else { return Array(line) }
      var members = (value.members ?? []).filter { $0.name != "url" }
      members.append(.init(name: "url", value: .string(address)))
      return Array(JSONValue.object(members).serialized.utf8)
    }
    let rest = Mutex(lines[...])
    let refused = await #expect(throws: StoreError.self) {
      _ = try await importing.store.importAll(.trusted) { rest.withLock { $0.popFirst() } }
    }
    #expect(refused?.message.contains("'url' of a feed has more than 8192 bytes") == true)
    #expect(try await importing.store.feeds().isEmpty)
  }

  @Test func `Imported labels are names that labels can have`() async throws {
    let temporary = try await filled()
    let text = String(decoding: try await export(temporary.store), as: UTF8.self)
    let long = String(repeating: "ü", count: 50_000)
    let lines = text.replacing("\"labels\":[\"later\"]", with: "\"labels\":[\"a\\u001bb\",\"\(long)\",\"\"]")
      .utf8.split(separator: UInt8(ascii: "\n")).map(Array.init)
    let other = try TemporaryStore()
    let rest = Mutex(lines[...])
    _ = try await other.store.importAll(.trusted) { rest.withLock { $0.popFirst() } }
    let names = try await other.store.itemLabels().map(\.name)
    #expect(names == ["a?b", "ruled", String(repeating: "ü", count: 100)], "\(names)")
  }

  @Test func `A label that is no name is refused by every change`() async throws {
    let temporary = try await filled()
    let id = NewsItem.ID(rawValue: 2)
    for name in ["", "a\u{1B}b", "a\nb", String(repeating: "x", count: 201)] {
      let added = await #expect(throws: StoreError.self) {
        try await temporary.store.edit([id], StreamEdit(addedLabels: [name]))
      }
      let renamed = await #expect(throws: StoreError.self) {
        try await temporary.store.relabel("later", to: name)
      }
      #expect(added?.code == .badQuery && renamed?.code == .badQuery)
    }
    #expect(try await labels(temporary.store) == ["later 2", "ruled 1"])
  }
}
