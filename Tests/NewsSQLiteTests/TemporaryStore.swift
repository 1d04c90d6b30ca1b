import CSQLite
import FoundationEssentials
import Glibc
import NewsCore
import NewsSQLite
import NewsStoresShared
import SearchCases

/// A store in its own temporary directory, which is deleted with it.
final class TemporaryStore: Sendable, FilledStore {
  let directory: String
  let store: NewsStore
  var path: String { store.path }
  var ports: Ports { store }

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
