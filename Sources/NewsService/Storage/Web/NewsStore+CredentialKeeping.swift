public import NewsCore

extension NewsStore: CredentialKeeping {
  private static let serverSecretName = "server"
  private static let loginName = "login"
  private static let secretBytes = 32

  public func serverSecret() async throws(StoreError) -> [UInt8] {
    if let known = try await secret(Self.serverSecretName) { return known }
    let new = (0..<Self.secretBytes).map { _ in UInt8.random(in: .min ... .max) }
    try await write { (connection) throws(StoreError) in
      try CredentialTables.ensure(connection)
      // Keep the secret of another process that was faster.
      let insert = try connection.prepare(
        "INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING"
      )
      try insert.bind(1, Self.serverSecretName)
      try insert.bind(2, blob: new)
      try insert.run()
    }
    return try await secret(Self.serverSecretName) ?? new
  }

  private func secret(_ name: String) async throws(StoreError) -> [UInt8]? {
    try await read { (connection) throws(StoreError) in
      guard try CredentialTables.exist(connection) else { return nil }
      let row = try connection.prepare("SELECT value FROM secrets WHERE name = ?")
      try row.bind(1, name)
      return try row.step() ? row.blob(0) : nil
    }
  }

  // MARK: - App passwords

  public func appPasswords() async throws(StoreError) -> [StoredAppPassword] {
    try await read { (connection) throws(StoreError) in
      guard try CredentialTables.exist(connection) else { return [] }
      let row = try connection.prepare(
        "SELECT id, name, made, used, hash, fever_hash FROM app_passwords ORDER BY id"
      )
      var apps: [StoredAppPassword] = []
      while try row.step() {
        let app = AppPassword(
          id: row.int64(0),
          name: row.string(1),
          made: row.time(2) ?? Timestamp(seconds: 0),
          lastUsed: row.time(3)
        )
        apps.append(StoredAppPassword(app: app, hash: row.blob(4), feverHash: row.blob(5)))
      }
      return apps
    }
  }

  public func addAppPassword(
    named name: String,
    hash: [UInt8],
    feverHash: [UInt8],
    made: Timestamp
  ) async throws(StoreError) -> AppPassword? {
    try await write { (connection) throws(StoreError) in
      try CredentialTables.ensure(connection)
      let insert = try connection.prepare(
        """
        INSERT INTO app_passwords (name, hash, fever_hash, made) VALUES (?, ?, ?, ?)
        ON CONFLICT (name) DO NOTHING RETURNING id
        """
      )
      try insert.bind(1, name)
      try insert.bind(2, blob: hash)
      try insert.bind(3, blob: feverHash)
      try insert.bind(4, made)
      guard try insert.step() else { return nil }
      let id = insert.int64(0)
      try insert.run()
      return AppPassword(id: id, name: name, made: made)
    }
  }

  public func removeAppPassword(named name: String) async throws(StoreError) -> Bool {
    try await write { (connection) throws(StoreError) in
      guard try CredentialTables.exist(connection) else { return false }
      let delete = try connection.prepare("DELETE FROM app_passwords WHERE name = ? RETURNING id")
      try delete.bind(1, name)
      return try delete.step()
    }
  }

  public func noteUse(ofAppPassword id: Int64, at time: Timestamp) async throws(StoreError) {
    try await write { (connection) throws(StoreError) in
      let update = try connection.prepare("UPDATE app_passwords SET used = ? WHERE id = ?")
      try update.bind(1, time)
      try update.bind(2, id)
      try update.run()
    }
  }

  // MARK: - The login password

  public func loginPasswordHash() async throws(StoreError) -> String? {
    try await secret(Self.loginName).map { String(decoding: $0, as: UTF8.self) }
  }

  public func setLoginPasswordHash(_ hash: String?) async throws(StoreError) {
    try await write { (connection) throws(StoreError) in
      try CredentialTables.ensure(connection)
      let change = try connection.prepare(
        hash == nil
          ? "DELETE FROM secrets WHERE name = ?1"
          : "INSERT OR REPLACE INTO secrets (name, value) VALUES (?1, ?2)"
      )
      try change.bind(1, Self.loginName)
      if let hash { try change.bind(2, blob: Array(hash.utf8)) }
      try change.run()
      try connection.execute("DELETE FROM sessions")
    }
  }

  // MARK: - Sessions

  public func addSession(
    hash: [UInt8],
    agent: String,
    address: String,
    made: Timestamp
  ) async throws(StoreError) -> WebSession {
    try await write { (connection) throws(StoreError) in
      try CredentialTables.ensure(connection)
      let expired = try connection.prepare("DELETE FROM sessions WHERE seen <= ?")
      try expired.bind(1, made - WebSessionRule.lifetime)
      try expired.run()
      let insert = try connection.prepare(
        "INSERT INTO sessions (hash, agent, address, made, seen) VALUES (?1, ?2, ?3, ?4, ?4) RETURNING id"
      )
      try insert.bind(1, blob: hash)
      try insert.bind(2, agent)
      try insert.bind(3, address)
      try insert.bind(4, made)
      let id = try insert.step() ? insert.int64(0) : 0
      return WebSession(id: id, made: made, lastSeen: made, agent: agent, address: address)
    }
  }

  public func sessions(seenAfter time: Timestamp) async throws(StoreError) -> [WebSession] {
    try await read { (connection) throws(StoreError) in
      guard try CredentialTables.exist(connection) else { return [] }
      let row = try connection.prepare("\(Self.sessionColumns) WHERE seen > ? ORDER BY seen DESC")
      try row.bind(1, time)
      var sessions: [WebSession] = []
      while try row.step() { sessions.append(Self.session(row)) }
      return sessions
    }
  }

  public func session(hash: [UInt8], seenAfter time: Timestamp) async throws(StoreError) -> WebSession? {
    try await read { (connection) throws(StoreError) in
      guard try CredentialTables.exist(connection) else { return nil }
      let row = try connection.prepare("\(Self.sessionColumns) WHERE hash = ? AND seen > ?")
      try row.bind(1, blob: hash)
      try row.bind(2, time)
      return try row.step() ? Self.session(row) : nil
    }
  }

  private static let sessionColumns = "SELECT id, made, seen, agent, address FROM sessions"

  private static func session(_ row: borrowing Statement) -> WebSession {
    WebSession(
      id: row.int64(0),
      made: row.time(1) ?? Timestamp(seconds: 0),
      lastSeen: row.time(2) ?? Timestamp(seconds: 0),
      agent: row.string(3),
      address: row.string(4)
    )
  }

  public func noteSession(_ id: Int64, seen time: Timestamp, address: String) async throws(StoreError) {
    try await write { (connection) throws(StoreError) in
      let update = try connection.prepare("UPDATE sessions SET seen = ?, address = ? WHERE id = ?")
      try update.bind(1, time)
      try update.bind(2, address)
      try update.bind(3, id)
      try update.run()
    }
  }

  public func removeSession(_ id: Int64) async throws(StoreError) -> Bool {
    try await write { (connection) throws(StoreError) in
      guard try CredentialTables.exist(connection) else { return false }
      let delete = try connection.prepare("DELETE FROM sessions WHERE id = ? RETURNING id")
      try delete.bind(1, id)
      return try delete.step()
    }
  }
}
