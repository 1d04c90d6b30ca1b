import NewsStoresShared
import Glibc
import NewsCore
import SearchCases
import Testing

@testable import NewsSQLite

@Suite struct `Repairs and stores of earlier versions` {
  private let now = Timestamp(seconds: 1_700_000_000)

  /// A store with everything that belongs to a user besides items.
  private func filled() async throws -> TemporaryStore {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let feed = try await temporary.subscribe()
    var hook = Hook(name: "h", target: .exec(["true"]))
    hook.query = "new"
    try await store.register([hook], isComplete: true)
    try await temporary.refresh(feed, [ParsedItem("0", title: "backlog")], at: 1000)
    try await temporary.refresh(
      feed,
      (1..<300).map { ParsedItem("\($0)", title: "new \($0)", text: String(repeating: "word ", count: 200)) },
      at: 2000
    )
    let items = try await store.streamItems([NewsItem.ID(rawValue: 5)])
    #expect(items.count == 1)
    try await store.edit([NewsItem.ID(rawValue: 5)], StreamEdit(addedLabels: ["later"]))
    _ = try await store.serverSecret()
    try await store.setLoginPasswordHash("$y$hash")
    _ = try await store.addAppPassword(named: "phone", hash: [1, 0, 2], feverHash: [3], made: now)
    _ = try await store.addSession(hash: [4, 0], agent: "Browser", address: "192.0.2.1", made: now)
    return temporary
  }

  /// The user's data in a store, as text.
  private func kept(_ store: NewsStore) async throws -> [String] {
    [
      "\(try await store.serverSecret())",
      "\(try await store.loginPasswordHash() ?? "")",
      "\(try await store.appPasswords().map { "\($0.app.name) \($0.hash) \($0.feverHash)" })",
      "\(try await store.sessions(seenAfter: Timestamp(seconds: 0)).map { "\($0.agent) \($0.address)" })",
      "\(try await store.itemLabels().map(\.name))",
      "\(try await store.hookStates().map { "\($0.name) \($0.isActive) \($0.pending)" })",
    ]
  }

  @Test
  func `A repair that copies the store into a new file keeps credentials, labels, hooks and their outbox`()
    async throws
  {
    let temporary = try await filled()
    let before = try await kept(temporary.store)
    #expect(before[4...] == ["[\"later\"]", "[\"h true 299\"]"])
    // Damages a page of the full-text index, so that everything is copied into a new store.
    let page = try #require(
      try temporary.sql("SELECT rootpage FROM sqlite_master WHERE name = 'search_data'")
    )
    let path = temporary.directory + "/copy.db"
    try await temporary.store.backup(to: path)
    try damage(path, page: #require(Int(page)))
    let store = try NewsStore(path: path)
    #expect(try await store.check().contains { $0.kind == .integrity })
    let repair = try await store.repair()
    #expect(repair.remaining.isEmpty)
    #expect(!repair.hasLosses)
    #expect(try await kept(store) == before)
    #expect(try await store.count(ItemRequest()) == 300)
  }

  @Test func `Repairing damaged labels keeps all items and reports no lost texts`() async throws {
    let temporary = try await filled()
    let name = "item_labels_item"
    let page = try #require(try temporary.sql("SELECT rootpage FROM sqlite_master WHERE name = '\(name)'"))
    let path = temporary.directory + "/copy.db"
    try await temporary.store.backup(to: path)
    try damage(path, page: #require(Int(page)))
    let store = try NewsStore(path: path)
    let repair = try await store.repair()
    #expect(repair.remaining.isEmpty)
    #expect(repair.hasLosses)
    #expect(!repair.notes.contains { $0.contains("text of") })
    #expect(try await store.count(ItemRequest()) == 300)
  }

  @Test func `A store without the tables of later versions passes check, and the next write creates them`()
    async throws
  {
    let temporary = try await filled()
    await temporary.store.close()
    let connection = try Connection(path: temporary.path, access: .writing, busyTimeout: 0)
    for table in [
      "hooks", "outbox", "folder_settings", "item_labels", "secrets", "app_passwords", "sessions",
      "change_times", "quiet_edits", "late_marks", "feed_icons", "enclosures",
    ] {
      try connection.execute("DROP TABLE \(table)")
    }
    let backup = temporary.directory + "/old.db"
    try connection.execute("VACUUM INTO '\(backup)'")
    #expect(try await NewsStore(path: backup).check().isEmpty)
    let store = try temporary.reopened()
    #expect(try await store.check().isEmpty)
    #expect(try await store.appPasswords().isEmpty)
    _ = try await store.mark([NewsItem.ID(rawValue: 1)], .read)
    for part in Schema.laterParts {
      #expect(try temporary.sql("SELECT count(*) FROM sqlite_master WHERE name = '\(part)'") == "1")
    }
    #expect(try await store.check().isEmpty)
  }

  private func damage(_ path: String, page: Int) throws {
    let descriptor = open(path, O_WRONLY)
    defer { close(descriptor) }
    let noise = [UInt8](repeating: 0xA5, count: 8192)
    #expect(
      noise.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t((page - 1) * 8192)) } == 8192
    )
  }
}
