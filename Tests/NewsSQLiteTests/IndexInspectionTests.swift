import CSQLite
import NewsCore
import SearchCases
import Synchronization
import Testing

@testable import NewsSQLite

@Suite struct `Check of a large full-text index` {
  /// Reads the index in portions, although the store is small.
  private static func options(portion: Int) -> NewsStore.Options {
    var options = NewsStore.Options()
    options.checkLimits = .init(
      fileBytes: 0,
      tableRows: 1_000_000,
      portion: portion,
      portionMilliseconds: 10_000
    )
    return options
  }

  /// Words that all items have, words of one item, words without spaces, and forms of a word at one position.
  private func filled(portion: Int) async throws -> TemporaryStore {
    let temporary = try TemporaryStore(options: Self.options(portion: portion))
    let feed = try await temporary.subscribe()
    let items = (0..<40).map {
      var item = ParsedItem(
        "x\($0)",
        title: "Title \($0) über C++",
        text: "alpha beta alpha word\($0) 東京都 alpha",
        published: 1_000_000 + Int64($0)
      )
      item.authors = [Author(name: "Ann alpha")]
      return item
    }
    try await temporary.refresh(feed, items, at: 2_000_000)
    return temporary
  }

  /// Runs statements on a connection that does not protect the tables of the index.
  private func run(_ statements: String, on path: String) -> Bool {
    var database: OpaquePointer?
    defer { sqlite3_close_v2(database) }
    return sqlite3_open(path, &database) == SQLITE_OK
      && sqlite3_exec(database, statements, nil, nil, nil) == SQLITE_OK
  }

  @Test(arguments: [1, 3, 39, 40, 1000])
  func `The check of an intact index finds no problem, whatever the size of its portions`(_ portion: Int)
    async throws
  {
    let temporary = try await filled(portion: portion)
    #expect(try await temporary.store.check().isEmpty)
  }

  @Test(arguments: [
    "UPDATE contents SET author = 'Ann' WHERE id = 7",
    "UPDATE contents SET text = replace(text, 'alpha beta', 'beta alpha') WHERE id = 7",
    "UPDATE items SET title = 'Alpha' WHERE id = 40",
    "DELETE FROM contents WHERE id = 1",
    "DELETE FROM items WHERE id = 20; DELETE FROM contents WHERE id = 20",
    "DELETE FROM search_docsize WHERE id = (SELECT max(key) FROM items)",
    "INSERT INTO search_docsize VALUES (1, x'000000')",
  ])
  func `The check in portions finds an index that disagrees with the items, and repair rebuilds it`(
    _ change: String
  ) async throws {
    let temporary = try await filled(portion: 7)
    #expect(run(change, on: temporary.path))
    let store = try temporary.reopened(options: Self.options(portion: 7))
    #expect(try await store.check().contains { $0.kind == .index })
    #expect(try await store.repair().remaining.isEmpty)
  }

  @Test func `Items that change during the check of the index cause no false alarm`() async throws {
    let temporary = try await filled(portion: 5)
    let changes = Mutex(0)
    let problems = try await IndexInspection.problems(temporary.store) { _, _ in
      let id = changes.withLock { count in
        count += 1
        return count % 40 + 1
      }
      _ = try? temporary.sql("UPDATE items SET sequence = sequence + 10000, title = 'other' WHERE id = \(id)")
    }
    #expect(problems.isEmpty)
    #expect(changes.withLock { $0 } > 8)
  }
}
