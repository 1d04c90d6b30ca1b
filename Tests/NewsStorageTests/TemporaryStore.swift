import CSQLite
import FoundationEssentials
import Glibc
import NewsCore
import NewsStorage

/// A store in its own temporary directory, which is deleted with it.
final class TemporaryStore: Sendable {
  let directory: String
  let store: NewsStore
  var path: String { store.path }

  init(options: NewsStore.Options = .init()) throws {
    directory = try Self.makeDirectory()
    store = try NewsStore(path: directory + "/news.db", options: options)
  }

  deinit { Self.remove(directory) }

  static func makeDirectory() throws -> String {
    var template = Array("/tmp/newsd-storage-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw StoreError(code: .unreadable, message: "no temporary directory")
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  static func remove(_ directory: String) {
    try? FileManager.default.removeItem(atPath: directory)
  }

  /// Opens the same file again, as another process would.
  func reopened(options: NewsStore.Options = .init()) throws -> NewsStore {
    try NewsStore(path: path, options: options)
  }

  /// Subscribes to a feed.
  func subscribe(_ url: String = "http://example.org/feed", title: String? = nil) async throws -> Feed {
    try await store.add(NewFeed(url: url, title: title), at: Timestamp(seconds: 1_000_000))
  }

  /// Stores a document with these items.
  @discardableResult
  func refresh(
    _ feed: Feed,
    _ items: [ParsedItem],
    at seconds: Int64 = 2_000_000,
    language: String? = nil
  ) async throws -> RefreshChange {
    var parsed = ParsedFeed(format: "rss20")
    parsed.title = "Example"
    parsed.items = items
    parsed.language = language
    let record = RefreshRecord(
      feedID: feed.id,
      state: FetchState(),
      parsed: parsed,
      time: Timestamp(seconds: seconds)
    )
    let changes = try await store.commit([record])
    return changes.first ?? RefreshChange(feedID: feed.id)
  }

  func titles(
    _ query: Query = .all,
    order: ItemOrder = .newest,
    offset: Int = 0,
    limit: Int? = nil
  ) async throws -> [String] {
    let request = ItemRequest(query: query, order: order, offset: offset, limit: limit, parts: [])
    return try await store.items(request).map(\.item.title)
  }

  /// The content of the store's file.
  func bytes() throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

  /// Runs SQL on the file with a separate connection and returns the first value.
  func sql(_ text: String) throws -> String? {
    var database: OpaquePointer?
    defer { sqlite3_close_v2(database) }
    guard sqlite3_open(path, &database) == SQLITE_OK else { return nil }
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(database, text, -1, &statement, nil) == SQLITE_OK else {
      throw StoreError(code: .other, message: String(cString: sqlite3_errmsg(database)))
    }
    guard sqlite3_step(statement) == SQLITE_ROW, let value = sqlite3_column_text(statement, 0) else {
      return nil
    }
    return String(cString: value)
  }
}

extension ParsedItem {
  init(
    _ id: String?,
    title: String = "",
    text: String = "",
    url: String? = nil,
    published: Int64? = nil
  ) {
    self.init()
    self.id = id
    self.title = title
    contentText = text
    self.url = url
    self.published = published.map(Timestamp.init(seconds:))
  }
}

/// Holds the write lock of a store, like another process within a transaction.
final class SQLLock {
  private var database: OpaquePointer?

  init(_ path: String) throws {
    guard sqlite3_open(path, &database) == SQLITE_OK,
      sqlite3_exec(database, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK
    else { throw StoreError(code: .other, message: "cannot lock") }
  }

  func release() {
    sqlite3_close_v2(database)
    database = nil
  }
}

/// Maintenance without reports of progress.
extension NewsStore {
  func check() async throws(StoreError) -> [StoreProblem] { try await check { _ in } }
  func repair() async throws(StoreError) -> StoreRepair { try await repair { _ in } }
  func backup(to path: String) async throws(StoreError) { try await backup(to: path) { _ in } }
}
