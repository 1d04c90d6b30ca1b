import CSQLite
import FoundationEssentials
import Modules
import NewsCore
import NewsSQLite
import Testing

@testable import DIContainer

/// What a store from elsewhere may bring along when it becomes that of an account.
@Suite struct `Stores that are handed over` {
  private let folder: String
  private let hash = [UInt8](repeating: 7, count: 32)
  private let issuer = "https://a"

  init() throws {
    folder = FileManager.default.temporaryDirectory.path + "/newsd-handed-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: folder + "/accounts",
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
  }

  /// Calls `body` with a store in the folder.
  private func use<Result>(_ name: String, _ body: (any StorePorts) async throws -> Result) async throws
    -> Result
  {
    var settings = Settings()
    settings.store = "\(folder)/\(name)"
    let container = ServiceContainer(
      settings: settings,
      environment: ["STATE_DIRECTORY": folder],
      program: "newsd/1"
    )
    let result = try await body(try container.store())
    await container.close()
    return result
  }

  private func accounts() throws -> AccountSet {
    var settings = Settings()
    settings.accounts.directory = folder + "/accounts"
    return try #require(
      try AccountSet(settings: settings, environment: ["STATE_DIRECTORY": folder], program: "newsd/1")
    )
  }

  /// Changes the file of a store, as any program could.
  private func change(_ name: String, by sql: String) {
    var database: OpaquePointer?
    defer { sqlite3_close_v2(database) }
    #expect(sqlite3_open("\(folder)/\(name)", &database) == SQLITE_OK)
    #expect(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK, "\(sql)")
  }

  /// Writes into a store what its owner could forge.
  private func forge(_ store: any StorePorts) async throws {
    try await store.setLoginPasswordHash("$6$rounds=999999999$abcdefgh$" + String(repeating: "a", count: 86))
    _ = try await store.keep(SignOnLink(account: "mallory", subject: "sub-of-anna"), to: issuer)
    try await store.change([.bytes(1 << 50)])
    _ = try await store.addAppPassword(
      named: "phone",
      hash: hash,
      feverHash: hash,
      made: Timestamp(seconds: 1)
    )
  }

  @Test func `A new account has neither the link, the quota nor the costly hash of the store it was made of`()
    async throws
  {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let accounts = try accounts()
    let secret = try await use("source.db") { (store: any StorePorts) async throws in
      try await forge(store)
      return try await store.serverSecret()
    }
    try await accounts.fill(folder + "/mallory.db", from: folder + "/source.db")
    try await use("mallory.db") { (store: any StorePorts) async throws in
      #expect(try await store.signOnLink(to: issuer) == nil)
      let quota = try await store.quota()
      #expect(quota.feeds == 10_000 && quota.bytes == nil)
      #expect(try await store.loginPasswordHash() == nil)
      #expect(try await store.appPasswords().map(\.app.name) == ["phone"])
      #expect(try await store.serverSecret() == secret)
    }
  }

  @Test(arguments: [
    "CREATE INDEX other ON items (length(hex(zeroblob(1000)))) WHERE id > 1", "CREATE TABLE other (a)",
    """
    PRAGMA writable_schema = ON;
    UPDATE sqlite_master SET sql = replace(sql, 'title TEXT NOT NULL', 'title TEXT NOT NULL CHECK (length(title) >= 0)')
      WHERE name = 'items'
    """,
    """
    PRAGMA writable_schema = ON;
    UPDATE sqlite_master SET sql = replace(sql, 'ttl INTEGER', 'ttl INTEGER GENERATED ALWAYS AS (1)')
      WHERE name = 'feeds'
    """,
    """
    ANALYZE;
    PRAGMA writable_schema = ON;
    UPDATE sqlite_master SET sql = 'CREATE TABLE sqlite_stat1(tbl,idx,stat CHECK (length(stat) > 0))'
      WHERE name = 'sqlite_stat1'
    """,
  ])
  func `A store with definitions or pages that newsd does not make becomes no account`(_ sql: String)
    async throws
  {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    _ = try await use("source.db") { (store: any StorePorts) async throws in try await store.serverSecret() }
    change("source.db", by: sql)
    let accounts = try accounts()
    let error = await #expect(throws: StoreError.self) {
      try await accounts.fill(folder + "/mallory.db", from: folder + "/source.db")
    }
    #expect(error?.code == .corrupt)
    #expect(!FileManager.default.fileExists(atPath: folder + "/mallory.db"))
  }

  @Test func `A new account has no statistics of the store it was made of`() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    _ = try await use("source.db") { (store: any StorePorts) async throws in try await store.serverSecret() }
    change("source.db", by: "ANALYZE; INSERT INTO sqlite_stat1 VALUES ('items', NULL, '1')")
    try await accounts().fill(folder + "/mallory.db", from: folder + "/source.db")
    try await use("mallory.db") { (store: any StorePorts) async throws in
      #expect(try await store.check { _ in }.isEmpty)
    }
    var database: OpaquePointer?
    defer { sqlite3_close_v2(database) }
    #expect(sqlite3_open(folder + "/mallory.db", &database) == SQLITE_OK)
    #expect(sqlite3_exec(database, "SELECT * FROM sqlite_stat1", nil, nil, nil) == SQLITE_ERROR)
  }

  @Test func `A restore of an account keeps the link and the quota that it has`() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = folder + "/handed.db"
    try await use("source.db") { (store: any StorePorts) async throws in
      try await forge(store)
      try await store.backup(to: file) { _ in }
    }
    let link = SignOnLink(account: "mallory", subject: "sub-of-mallory")
    try await use("mallory.db") { (store: any StorePorts) async throws in
      try await store.change([.feeds(5)])
      _ = try await store.keep(link, to: issuer)
      let account = try await AccountSet.restored(store, issuer: issuer)
      // A process that is killed after this has nothing left to do.
      _ = try await store.restore(from: file, into: account) { _ in }
      let quota = try await store.quota()
      #expect(quota.feeds == 5 && quota.bytes == nil)
      #expect(try await store.signOnLink(to: issuer) == link)
      #expect(try await store.loginPasswordHash() == nil)
      #expect(try await store.appPasswords().count == 1)
    }
  }

  @Test func `A restore of an account whose store cannot be read takes the quota of the file, and no link`()
    async throws
  {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = folder + "/handed.db"
    try await use("source.db") { (store: any StorePorts) async throws in
      try await forge(store)
      try await store.backup(to: file) { _ in }
    }
    try Data("this is not a database at all".utf8).write(to: URL(fileURLWithPath: folder + "/mallory.db"))
    try await use("mallory.db") { (store: any StorePorts) async throws in
      let account = try await AccountSet.restored(store, issuer: issuer)
      _ = try await store.restore(from: file, into: account) { _ in }
      #expect(try await store.quota().bytes == 1 << 50)
      #expect(try await store.signOnLink(to: issuer) == nil)
      #expect(try await store.loginPasswordHash() == nil)
    }
  }

  @Test func `A restore of an account whose store is busy fails: it would take the quota of the file`()
    async throws
  {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    _ = try await use("mallory.db") { (store: any StorePorts) async throws in try await store.serverSecret() }
    var database: OpaquePointer?
    defer { sqlite3_close_v2(database) }
    #expect(sqlite3_open(folder + "/mallory.db", &database) == SQLITE_OK)
    let lock = "PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT"
    #expect(sqlite3_exec(database, lock, nil, nil, nil) == SQLITE_OK)
    let store = try NewsStore(path: folder + "/mallory.db", options: .init(busyTimeout: 10))
    for issuer in [issuer, nil] {
      let error = await #expect(throws: StoreError.self) {
        try await AccountSet.restored(store, issuer: issuer)
      }
      #expect(error?.code == .busy)
    }
  }
}
