import CSQLite
import FoundationEssentials
import Glibc
import NewsCore
import TestSupport
import NewsPostgres
import NewsSQLite
import SearchCases

/// A new store of the kind that the test runs for, with helpers to fill it.
final class TemporaryStore: Sendable, FilledStore {
  let store: any StorePorts
  var ports: Ports { store }
  private let directory: String?
  let address: String

  init() throws {
    switch StoreKind.current {
    case .file:
      var template = Array("/tmp/newsd-contract-XXXXXX".utf8CString)
      guard mkdtemp(&template) != nil else {
        throw StoreError(code: .unreadable, message: "no temporary directory")
      }
      let directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      self.directory = directory
      address = directory + "/news.db"
    case .postgres:
      directory = nil
      address = TestDatabase.shared?.newStore() ?? ""
    }
    store = try Self.open(address)
  }

  deinit {
    if let directory { try? FileManager.default.removeItem(atPath: directory) }
  }

  private static func open(_ address: String) throws -> any StorePorts {
    guard StoreURI.isStoreURI(address) else { return try NewsStore(path: address) }
    return PostgresStore(try StoreURI(address)) { (_, _) throws(StoreError) in }
  }

  /// Opens the same store again, as another process would.
  func reopened() throws -> any StorePorts { try Self.open(address) }

  /// Runs SQL on a separate connection and returns the first value.
  func sql(_ text: String) async throws -> String? {
    if let store = store as? PostgresStore { return try await store.firstText(text) }
    var database: OpaquePointer?
    defer { sqlite3_close_v2(database) }
    guard sqlite3_open(address, &database) == SQLITE_OK else { return nil }
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

/// A check without reports of progress.
extension StoreMaintaining {
  func check() async throws(StoreError) -> [StoreProblem] { try await check { _ in } }
}
