import NewsStoresShared
import Glibc
import NewsCore
import NewsToolbox
import SearchCases
import Testing

@testable import NewsSQLite

@Suite struct `Stores of another layout` {
  private func filled() async throws -> TemporaryStore {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    try await temporary.refresh(
      feed,
      (0..<50).map { ParsedItem("\($0)", title: "T\($0)", text: "word\($0)") }
    )
    return temporary
  }

  /// A copy of the store without a log.
  private func copy(_ temporary: TemporaryStore) async throws -> NewsStore {
    let path = temporary.directory + "/copy.db"
    try await temporary.store.backup(to: path)
    return try NewsStore(path: path)
  }

  private func overwrite(_ path: String, at offset: Int, with bytes: [UInt8]) {
    let file = open(path, O_WRONLY)
    defer { close(file) }
    #expect(pwrite(file, bytes, bytes.count, off_t(offset)) == bytes.count)
  }

  private func expectRefusal(_ body: () async throws -> Void) async {
    let error = await #expect(throws: StoreError.self) { try await body() }
    #expect(error?.code == .olderLayout(found: 1, known: 2))
    #expect(error?.requiresOtherVersion == true)
    #expect(error?.message.contains("damaged") == false, "\(error?.message ?? "")")
    #expect(error?.message.contains("older newsd") == true, "\(error?.message ?? "")")
  }

  @Test func `A store of an older layout is neither called damaged nor changed, whatever is done with it`()
    async throws
  {
    let temporary = try await filled()
    let store = try await copy(temporary)
    let before = try FileBytes.read(store.path)
    await Schema.$version.withValue(2) {
      await expectRefusal { _ = try await store.feeds() }
      await expectRefusal { _ = try await store.add(NewFeed(url: "http://x/"), at: Timestamp(seconds: 1)) }
      await expectRefusal { _ = try await store.check() }
      await expectRefusal { _ = try await store.repair() }
      let target = temporary.directory + "/restored.db"
      await expectRefusal { _ = try await NewsStore(path: target).restore(from: store.path) { _ in } }
      #expect(access(target, F_OK) != 0)
      await expectRefusal {
        _ = try await StoreCopy().copy(from: store, to: NewsStore(path: target)) { _, _ in }
      }
    }
    await store.close()
    #expect(try FileBytes.read(store.path) == before)
    #expect(access(store.path + ".damaged", F_OK) != 0)
  }

  /// SQLite can open neither file.
  @Test(arguments: [false, true])
  func `Repair does not turn a damaged store of an older layout into one of this layout`(_ isTruncated: Bool)
    async throws
  {
    let temporary = try await filled()
    let store = try await copy(temporary)
    if isTruncated { truncate(store.path, 40_000) } else { overwrite(store.path, at: 0, with: [0xA5]) }
    let before = try FileBytes.read(store.path)
    await Schema.$version.withValue(2) {
      await #expect(throws: StoreError.self) { try await store.repair() }
    }
    await store.close()
    #expect(try FileBytes.read(store.path) == before)
    #expect(access(store.path + ".damaged", F_OK) != 0)
  }

  @Test func `A running newsd ends when a backup of an older layout replaces its store`() async throws {
    let temporary = try TemporaryStore()
    try await Schema.$version.withValue(2) {
      let feed = try await temporary.subscribe()
      _ = try temporary.sql("PRAGMA user_version = 1")
      await expectRefusal { try await temporary.refresh(feed, [ParsedItem("a", title: "A")]) }
    }
    #expect(try temporary.sql("SELECT count(*) FROM items") == "0")
  }

  @Test func `An upgrade refuses a file that is no store, instead of having nothing to do`() async throws {
    let temporary = try await filled()
    let store = try await copy(temporary)
    try await store.requireCurrentLayout()
    await store.close()
    overwrite(store.path, at: 0, with: [UInt8](repeating: 0xA5, count: 9000))
    let other = try NewsStore(path: store.path)
    #expect(try await other.upgradePlan() == nil)
    let error = await #expect(throws: StoreError.self) { try await other.requireCurrentLayout() }
    #expect(error?.code == .corrupt)
    #expect(error?.message.contains(store.path) == true, "\(error?.message ?? "")")
    // A missing file is not made.
    let missing = try NewsStore(path: temporary.directory + "/missing.db")
    try await missing.requireCurrentLayout()
    #expect(access(missing.path, F_OK) != 0)
  }

  @Test(arguments: [2, 9999])
  func `A store of a newer layout names both layouts and asks for the newer newsd`(_ layout: Int) async throws
  {
    let temporary = try await filled()
    let store = try await copy(temporary)
    overwrite(store.path, at: 60, with: [0, 0, UInt8(layout >> 8), UInt8(layout & 0xFF)])
    for act in [
      { _ = try await store.feeds() }, { _ = try await store.repair() },
      { _ = try await store.upgradePlan() },
    ] {
      let error = await #expect(throws: StoreError.self) { try await act() }
      #expect(error?.code == .newerLayout(found: layout, known: 1))
      #expect(error?.message.contains("Install the newer newsd") == true)
    }
  }

  /// The number in the header, or header and id (offset 68), are lost.
  @Test(arguments: [[0, 0, 0, 0], [UInt8](repeating: 0xA5, count: 12)])
  func `A lost layout number is repaired only if the tables are those of this layout`(_ lost: [UInt8])
    async throws
  {
    let temporary = try await filled()
    let store = try await copy(temporary)
    overwrite(store.path, at: 60, with: lost)
    #expect(try await store.check().map(\.kind) == [.integrity])
    #expect(try await store.repair().remaining.isEmpty)
    #expect(try await store.count(ItemRequest()) == 50)
    await store.close()

    await temporary.store.close()
    _ = try temporary.sql("ALTER TABLE feeds ADD COLUMN later TEXT")
    _ = try temporary.sql("PRAGMA wal_checkpoint(TRUNCATE)")
    overwrite(temporary.path, at: 60, with: lost)
    let before = try temporary.bytes()
    let other = try temporary.reopened()
    let error = await #expect(throws: StoreError.self) { try await other.repair() }
    #expect(error?.code == .corrupt)
    await other.close()
    #expect(try temporary.bytes() == before)
  }
}
