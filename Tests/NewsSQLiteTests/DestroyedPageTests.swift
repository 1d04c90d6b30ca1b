import NewsStoresShared
import Glibc
import NewsCore
import NewsSQLite
import SearchCases
import Testing

/// Page numbers whose bytes are overwritten.
private struct Pages: CustomTestStringConvertible {
  var numbers: [Int]
  var testDescription: String { numbers.map(String.init).joined(separator: " and ") }

  /// Each of the first eight pages, and each pair of them.
  static let all: [Pages] =
    (1...8).map { Pages(numbers: [$0]) }
    + (1...8).flatMap { first in
      (first + 1..<9).map { Pages(numbers: [first, $0]) }
    }
}

@Suite struct `A store with destroyed first pages` {
  private func destroy(_ pages: Pages, of path: String) {
    let descriptor = open(path, O_WRONLY)
    let noise = [UInt8](repeating: 0xA5, count: 8192)
    for page in pages.numbers {
      _ = noise.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t((page - 1) * 8192)) }
    }
    close(descriptor)
  }

  private func filled() async throws -> TemporaryStore {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    try await temporary.refresh(
      feed,
      (0..<200).map { ParsedItem("\($0)", title: "T\($0)", text: String(repeating: "word\($0) ", count: 60)) }
    )
    return temporary
  }

  @Test(arguments: Pages.all, [false, true])
  private func `If check reports repairable damage, repair leaves a consistent store`(
    _ pages: Pages,
    _ isCompacted: Bool
  ) async throws {
    let temporary = try await filled()
    if isCompacted { _ = try await temporary.store.compact { _ in } }
    let path = temporary.directory + "/copy.db"
    try await temporary.store.backup(to: path)
    destroy(pages, of: path)
    let store = try NewsStore(path: path)
    guard !pages.numbers.contains(1) || !pages.numbers.contains(2) else {
      // Without its first two pages, the file is indistinguishable from a file of another program.
      let error = await #expect(throws: StoreError.self) { try await store.check() }
      #expect(error?.code == .corrupt)
      return
    }
    let problems = try await store.check()
    guard problems.contains(where: { $0.kind == .integrity }) else {
      // The pages hold no data.
      #expect(try await store.count(ItemRequest()) == 200)
      return
    }
    let repair = try await store.repair()
    #expect(repair.remaining.isEmpty)
    let after = try #require(repair.itemsAfter)
    #expect(repair.itemsBefore == nil || repair.itemsBefore == 200)
    #expect(after == 200 || repair.hasLosses)
    #expect(try await store.count(ItemRequest()) == after)
    #expect(try await store.check().isEmpty)
  }

  /// Offsets and lengths of damage to the header: magic, page size, schema format, layout, application id and
  /// the following bytes.
  @Test(arguments: [(0, 1), (0, 100), (16, 2), (40, 32), (44, 4), (60, 4), (60, 32), (68, 32)])
  func `Check reports a damaged header, and repair rebuilds it without losses`(_ start: Int, _ count: Int)
    async throws
  {
    let temporary = try await filled()
    let path = temporary.directory + "/copy.db"
    try await temporary.store.backup(to: path)
    let descriptor = open(path, O_WRONLY)
    let noise = [UInt8](repeating: 0xA5, count: count)
    let written = noise.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, count, off_t(start)) }
    close(descriptor)
    #expect(written == count)
    let store = try NewsStore(path: path)
    if start >= 40 {
      let error = await #expect(throws: StoreError.self) { try await store.count(ItemRequest()) }
      #expect(error?.code == .corrupt)
      #expect(error?.message.contains("header") == true, "\(error?.message ?? "")")
      await store.close()
    }
    #expect(try await store.check().map(\.kind) == [.integrity])
    let repair = try await store.repair()
    #expect(repair.remaining.isEmpty)
    #expect(!repair.hasLosses)
    #expect(repair.itemsAfter == 200)
    #expect(access(path + ".damaged", F_OK) == 0)
  }

  @Test func `A database of another program is not taken for a store with a damaged header`() async throws {
    let temporary = try await filled()
    let path = temporary.directory + "/copy.db"
    try await temporary.store.backup(to: path)
    let descriptor = open(path, O_WRONLY)
    #expect(pwrite(descriptor, [1, 2, 3, 4] as [UInt8], 4, 68) == 4)
    close(descriptor)
    let store = try NewsStore(path: path)
    let error = await #expect(throws: StoreError.self) { try await store.repair() }
    #expect(error?.message.contains("another program") == true)
    #expect(access(path + ".damaged", F_OK) != 0)
  }

  @Test func `A repair keeps hooks, their deliveries and the settings of folders`() async throws {
    let temporary = try await filled()
    let store = temporary.store
    var hook = Hook(name: "it's", target: .exec(["true"]))
    hook.query = ""
    try await store.register([hook], isComplete: true)
    var settings = FeedSettings()
    settings.article = .always
    try await store.keep(settings, forFolder: "News")
    let feed = try #require(try await store.feeds().first)
    try await temporary.refresh(feed, (200..<210).map { ParsedItem("\($0)", title: "T\($0)") })
    let last = try await store.latestSequence()
    let states = try await store.hookStates()
    #expect(states.map(\.pending) == [10])
    let path = temporary.directory + "/copy.db"
    try await store.backup(to: path)
    // Page 1 without the header: the schema.
    let descriptor = open(path, O_WRONLY)
    let noise = [UInt8](repeating: 0xA5, count: 8092)
    _ = noise.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 100) }
    close(descriptor)
    let damaged = try NewsStore(path: path)
    let repair = try await damaged.repair()
    #expect(!repair.hasLosses)
    #expect(try await damaged.hookStates() == states)
    #expect(try await damaged.folderSettings("News") == settings)
    #expect(try await damaged.latestSequence() >= last)
    let now = Timestamp(seconds: 3_000_000)
    #expect(
      try await damaged.nextDelivery(of: "it's", at: now, before: nil, hold: 60)
        == store.nextDelivery(of: "it's", at: now, before: nil, hold: 60)
    )
  }

  /// The schema follows the header on page 1. A disk error may destroy all or part of it.
  @Test(arguments: [100, 4096], [false, true])
  func `A destroyed schema loses no item`(_ start: Int, _ isCompacted: Bool) async throws {
    let temporary = try await filled()
    if isCompacted { _ = try await temporary.store.compact { _ in } }
    let path = temporary.directory + "/copy.db"
    try await temporary.store.backup(to: path)
    let descriptor = open(path, O_WRONLY)
    let noise = [UInt8](repeating: 0xA5, count: 8192 - start)
    let written = noise.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(start)) }
    close(descriptor)
    #expect(written == noise.count)
    let store = try NewsStore(path: path)
    #expect(try await store.check().contains { $0.isRepairable })
    let repair = try await store.repair()
    #expect(repair.remaining.isEmpty)
    #expect(repair.itemsBefore == 200)
    #expect(repair.itemsAfter == 200)
    #expect(!repair.hasLosses)
    #expect(try await store.feeds().map(\.url) == ["http://example.org/feed"])
  }
}
