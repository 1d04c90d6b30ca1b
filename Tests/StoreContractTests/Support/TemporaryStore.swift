import CSQLite
import FoundationEssentials
import Glibc
import NewsCore
import NewsPostgres
import NewsStorage

/// A new store of the kind that the test runs for, with helpers to fill it.
final class TemporaryStore: Sendable {
  let store: any StorePorts
  private let directory: String?
  private let address: String

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

/// A check without reports of progress.
extension StoreChecking {
  func check() async throws(StoreError) -> [StoreProblem] { try await check { _ in } }
}
