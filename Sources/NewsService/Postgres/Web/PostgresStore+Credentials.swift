public import NewsCore

extension PostgresStore: CredentialKeeping {
  private static let serverSecretName = "server"
  private static let loginName = "login"
  private static let secretBytes = 32

  public func serverSecret() async throws(StoreError) -> [UInt8] {
    if let known = try await secret(Self.serverSecretName) { return known }
    let new = (0..<Self.secretBytes).map { _ in UInt8.random(in: .min ... .max) }
    return try await write { (connection) throws(StoreError) in
      // Keep the secret of another process that was faster.
      try connection.query(
        "INSERT INTO secrets (name, value) VALUES ($1, $2::bytea) ON CONFLICT DO NOTHING",
        Self.serverSecretName,
        StoreValue.bytes(new)
      )
      return try Self.secret(Self.serverSecretName, connection) ?? new
    }
  }

  private func secret(_ name: String) async throws(StoreError) -> [UInt8]? {
    try await read { (connection) throws(StoreError) in try Self.secret(name, connection) }
  }

  private static func secret(_ name: String, _ connection: Connection) throws(StoreError) -> [UInt8]? {
    try connection.query("SELECT value FROM secrets WHERE name = $1", name).first?.bytes(0)
  }

  // MARK: - App passwords

  public func appPasswords() async throws(StoreError) -> [StoredAppPassword] {
    try await read { (connection) throws(StoreError) in
      try connection.query("SELECT id, name, made, used, hash, fever_hash FROM app_passwords ORDER BY id").map
      {
        let app = AppPassword(
          id: $0.int64(0),
          name: $0.string(1),
          made: $0.time(2) ?? Timestamp(seconds: 0),
          lastUsed: $0.time(3)
        )
        return StoredAppPassword(app: app, hash: $0.bytes(4), feverHash: $0.bytes(5))
      }
    }
  }

  public func addAppPassword(
    named name: String,
    hash: [UInt8],
    feverHash: [UInt8],
    made: Timestamp
  ) async throws(StoreError) -> AppPassword? {
    try await write { (connection) throws(StoreError) in
      let id = try connection.integer(
        """
        INSERT INTO app_passwords (id, name, hash, fever_hash, made)
        SELECT coalesce(max(id), 0) + 1, $1, $2::bytea, $3::bytea, $4 FROM app_passwords
        ON CONFLICT (lower(name)) DO NOTHING RETURNING id
        """,
        name,
        StoreValue.bytes(hash),
        StoreValue.bytes(feverHash),
        made
      )
      return id.map { AppPassword(id: $0, name: name, made: made) }
    }
  }

  public func removeAppPassword(named name: String) async throws(StoreError) -> Bool {
    try await write { (connection) throws(StoreError) in
      try connection.integer(
        "DELETE FROM app_passwords WHERE lower(name) = lower($1 COLLATE \"C\") RETURNING 1",
        name
      ) != nil
    }
  }

  public func noteUse(ofAppPassword id: Int64, at time: Timestamp) async throws(StoreError) {
    try await write { (connection) throws(StoreError) in
      try connection.query("UPDATE app_passwords SET used = $1 WHERE id = $2", time, id)
      return
    }
  }

  // MARK: - The login password

  public func loginPasswordHash() async throws(StoreError) -> String? {
    try await secret(Self.loginName).map { String(decoding: $0, as: UTF8.self) }
  }

  public func setLoginPasswordHash(_ hash: String?) async throws(StoreError) {
    try await write { (connection) throws(StoreError) in
      try connection.query("DELETE FROM secrets WHERE name = $1", Self.loginName)
      if let hash {
        try connection.query(
          "INSERT INTO secrets (name, value) VALUES ($1, $2::bytea)",
          Self.loginName,
          StoreValue.bytes(Array(hash.utf8))
        )
      }
      try connection.query("DELETE FROM sessions")
      return
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
      try connection.query("DELETE FROM sessions WHERE seen <= $1", made - WebSessionRule.lifetime)
      let id = try connection.integer(
        """
        INSERT INTO sessions (hash, agent, address, made, seen) VALUES ($1::bytea, $2, $3, $4, $4) RETURNING id
        """,
        StoreValue.bytes(hash),
        agent,
        address,
        made
      )
      return WebSession(id: id ?? 0, made: made, lastSeen: made, agent: agent, address: address)
    }
  }

  private static let sessionColumns = "SELECT id, made, seen, agent, address FROM sessions"

  private static func session(_ row: Row) -> WebSession {
    WebSession(
      id: row.int64(0),
      made: row.time(1) ?? Timestamp(seconds: 0),
      lastSeen: row.time(2) ?? Timestamp(seconds: 0),
      agent: row.string(3),
      address: row.string(4)
    )
  }

  public func sessions(seenAfter time: Timestamp) async throws(StoreError) -> [WebSession] {
    try await read { (connection) throws(StoreError) in
      try connection.query("\(Self.sessionColumns) WHERE seen > $1 ORDER BY seen DESC", time).map {
        Self.session($0)
      }
    }
  }

  public func session(hash: [UInt8], seenAfter time: Timestamp) async throws(StoreError) -> WebSession? {
    try await read { (connection) throws(StoreError) in
      try connection.query(
        "\(Self.sessionColumns) WHERE hash = $1::bytea AND seen > $2",
        StoreValue.bytes(hash),
        time
      ).first.map { Self.session($0) }
    }
  }

  public func noteSession(_ id: Int64, seen time: Timestamp, address: String) async throws(StoreError) {
    try await write { (connection) throws(StoreError) in
      try connection.query("UPDATE sessions SET seen = $1, address = $2 WHERE id = $3", time, address, id)
      return
    }
  }

  public func removeSession(_ id: Int64) async throws(StoreError) -> Bool {
    try await write { (connection) throws(StoreError) in
      try connection.integer("DELETE FROM sessions WHERE id = $1 RETURNING 1", id) != nil
    }
  }
}
