import Glibc
import NewsCore
import NewsStoresShared
import NewsToolbox
import SearchCases
import Testing

@testable import NewsSQLite

/// What a process notices of damage to the file that it has open.
@Suite struct `Damage to the file of an open store` {
  enum Damage: CaseIterable {
    case header, pages, truncation
  }

  private func filled() async throws -> TemporaryStore {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    try await temporary.refresh(
      feed,
      (0..<50).map { ParsedItem("\($0)", title: "T\($0)", text: "word\($0)") }
    )
    return temporary
  }

  private func overwrite(_ path: String, at offset: Int = 0, with bytes: [UInt8]) {
    let file = open(path, O_WRONLY | O_CREAT, 0o600)
    defer { close(file) }
    #expect(pwrite(file, bytes, bytes.count, off_t(offset)) == bytes.count)
  }

  private func apply(_ damage: Damage, to path: String, size: Int) {
    switch damage {
    case .header: overwrite(path, with: [UInt8](repeating: 0xA5, count: 100))
    case .pages:
      overwrite(path, at: 8192, with: [UInt8](repeating: 0xA5, count: size - 8192))
    case .truncation: #expect(truncate(path, 20_000) == 0)
    }
  }

  @Test(arguments: Damage.allCases)
  func `It is noticed by the first two pages and the size, also while the WAL has these pages`(
    _ damage: Damage
  ) async throws {
    let temporary = try await filled()
    let store = temporary.store
    _ = try temporary.sql("PRAGMA wal_checkpoint(PASSIVE)")
    _ = try await store.add(NewFeed(url: "http://other.example/"), at: Timestamp(seconds: 1))
    #expect(await store.fileState() == .intact)
    let bytes = try temporary.bytes()
    #expect(bytes.count > 20_000)
    apply(damage, to: temporary.path, size: bytes.count)
    guard case .damaged(let error) = await store.fileState() else {
      return #expect(Bool(false), "nothing was noticed")
    }
    #expect(error.code == .corrupt)
    #expect(error.message.contains(temporary.path))
    // It is not reported once only.
    #expect(await store.fileState() == .damaged(error))
    overwrite(temporary.path, with: bytes)
    #expect(await store.fileState() == .intact)
  }

  @Test(arguments: [false, true])
  func `Closing a truncated store writes no zeros into it: it is damaged until it is repaired or restored`(
    _ isRestored: Bool
  ) async throws {
    let temporary = try await filled()
    let feed = try await temporary.subscribe("http://long.example/")
    let words = (0..<300).map {
      ParsedItem("x\($0)", title: "X", text: String(repeating: "fill\($0) ", count: 90))
    }
    try await temporary.refresh(feed, words)
    let backup = temporary.directory + "/backup.db"
    try await temporary.store.backup(to: backup)
    _ = try temporary.sql("PRAGMA wal_checkpoint(PASSIVE)")
    _ = try await temporary.store.add(NewFeed(url: "http://other.example/"), at: Timestamp(seconds: 1))
    // SQLite writes no log into a file that lacks many more pages.
    let size = try temporary.bytes().count - 5 * 8192
    #expect(truncate(temporary.path, off_t(size)) == 0)
    #expect(await temporary.store.fileState().isDamaged)
    await temporary.store.close()
    #expect(try temporary.bytes().count == size)
    let store = try temporary.reopened()
    _ = try await store.feedListVersion()
    #expect(await store.fileState().isDamaged)
    await store.close()
    #expect(try temporary.bytes().count == size)
    if isRestored {
      _ = try await store.restore(from: backup) { _ in }
    } else {
      #expect(try await store.repair().remaining.isEmpty)
    }
    await store.close()
    #expect(try await store.check().isEmpty)
    #expect(await store.fileState() == .intact)
  }

  @Test func `A new store, whose pages are in the WAL only, is intact`() async throws {
    let temporary = try await filled()
    #expect(await temporary.store.fileState() == .intact)
  }

  @Test func `A killed checkpoint, which leaves pages in the WAL only, is no damage`() async throws {
    let temporary = try await filled()
    let path = temporary.directory + "/killed.db"
    overwrite(path + "-wal", with: try FileBytes.read(temporary.path + "-wal"))
    _ = try temporary.sql("PRAGMA wal_checkpoint(PASSIVE)")
    overwrite(path, with: Array(try temporary.bytes().prefix(2 * 8192)))
    let store = try NewsStore(path: path)
    #expect(try await store.count(ItemRequest()) == 50)
    #expect(await store.fileState() == .intact)
  }
}

extension StoreFileState {
  fileprivate var isDamaged: Bool { if case .damaged = self { true } else { false } }
}
