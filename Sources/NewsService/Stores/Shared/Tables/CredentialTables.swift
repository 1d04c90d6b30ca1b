package import NewsCore
import NewsToolbox

// The tables of the web account: secrets, app passwords and sessions.

private let serverSecretName = "server"
private let loginName = "login"
private let setUpName = "setup"
private let userName = "user"
private let hostName = "host"
private let configuredUserName = "configured_user"
private let settingsName = "page_settings"
/// The name of the limits of an account's store.
let quotaName = "quota"
/// The name of the time that the store knows.
let timeName = "time"
/// The name of the time when the last app password was made whose client may have stored short ids.
private let shortIDsName = "short_ids"
/// The beginning of the names of links to OpenID providers, before the issuer. A link is the name of the account, a line
/// feed and the subject.
private let linkName = "oidc "
private let secretBytes = 32
/// Bytes of the hash of an app password.
private let hashBytes = 32
/// Bytes of a secret that comes along with a store from elsewhere.
private let longestSecret = 64 << 10
private let sessionColumns = "SELECT id, made, seen, agent, address FROM sessions"

extension StoreSession {
  func secret(_ name: String) throws(StoreError) -> [UInt8]? {
    guard try has("secrets") else { return nil }
    return try rows("SELECT value FROM secrets WHERE name = $1", name) { $0.bytes(0) }.first
  }

  /// Returns the time until which app passwords were made for clients that may have stored short ids.
  fileprivate func endOfShortIDs() throws(StoreError) -> Int64 {
    try secret(shortIDsName).map(Self.endOfShortIDs) ?? .max
  }

  fileprivate static func endOfShortIDs(_ secret: [UInt8]) -> Int64 {
    Int64(String(decoding: secret, as: UTF8.self)) ?? .max
  }

  /// Returns the token of the set-up page if it is still valid at `now`.
  fileprivate func setUpToken(now: Timestamp) throws(StoreError) -> SetUpToken? {
    guard let stored = try secret(setUpName),
      let (time, text) = String(decoding: stored, as: UTF8.self).cut(atFirst: " "), let seconds = Int64(time),
      seconds > now.seconds, seconds <= now.seconds + SetUpToken.lifetime
    else { return nil }
    return SetUpToken(text: String(text), expires: Timestamp(seconds: seconds))
  }

  /// Stores a secret under a name, in place of the former one.
  func keep(_ text: String, as name: String) throws(StoreError) {
    try run("DELETE FROM secrets WHERE name = $1", name)
    try run(
      "INSERT INTO secrets (name, value) VALUES ($1, $2)",
      name,
      StoreValue.bytes(Array(text.utf8))
    )
  }

  fileprivate func signOnLink(to issuer: String) throws(StoreError) -> SignOnLink? {
    guard let stored = try secret(linkName + issuer),
      let (account, subject) = String(decoding: stored, as: UTF8.self).cut(atFirst: "\n")
    else { return nil }
    return SignOnLink(account: String(account), subject: String(subject))
  }

  fileprivate func removeForeignCredentials() throws(StoreError) {
    try run(
      """
      DELETE FROM secrets WHERE name NOT IN ($1, $2, $3, $4, $5, $6) OR \(Self.byteCount(of: "value")) > \(longestSecret)
        OR name = $1 AND \(Self.byteCount(of: "value")) <> \(secretBytes)
      """,
      serverSecretName,
      loginName,
      userName,
      settingsName,
      shortIDsName,
      configuredUserName
    )
    try run(
      """
      DELETE FROM app_passwords WHERE \(Self.byteCount(of: "hash")) <> \(hashBytes)
        OR \(Self.byteCount(of: "fever_hash")) <> \(hashBytes)
        OR \(Self.byteCount(of: "name")) > \(GivenName.longest)
      """
    )
    try run(
      "DELETE FROM app_passwords WHERE id NOT IN (SELECT id FROM app_passwords ORDER BY id LIMIT $1)",
      AppPassword.most
    )
    try run("DELETE FROM sessions")
  }

  /// Makes the content, which is that of a file, the content of an account's store.
  package func adopt(by account: RestoredAccount) throws(StoreError) {
    var quota = account.quota
    if quota == nil { quota = try? limits() }
    try removeForeignCredentials()
    if let hash = try secret(loginName), !account.isAffordable(String(decoding: hash, as: UTF8.self)) {
      try run("DELETE FROM secrets WHERE name = $1", loginName)
    }
    // Limits that cannot be read let nothing more be stored.
    try keep((quota ?? StoreQuota(feeds: 0, bytes: 0)).stored, as: quotaName)
    for (issuer, link) in account.links { try keep(link, to: issuer) }
  }

  fileprivate func keep(_ link: SignOnLink, to issuer: String) throws(StoreError) {
    try keep("\(link.account)\n\(link.subject)", as: linkName + issuer)
  }

  fileprivate func sessions(
    _ condition: String,
    _ values: any StoreValueConvertible...
  ) throws(StoreError) -> [WebSession] {
    guard try has("sessions") else { return [] }
    return try rows("\(sessionColumns) WHERE \(condition)", values: values.map(\.storeValue)) {
      WebSession(
        id: $0.int64(0),
        made: $0.time(1) ?? Timestamp(seconds: 0),
        lastSeen: $0.time(2) ?? Timestamp(seconds: 0),
        agent: $0.string(3),
        address: $0.string(4)
      )
    }
  }
}

extension TableStore {
  package func serverSecret() async throws(StoreError) -> [UInt8] {
    if let known = try await secret(serverSecretName) { return known }
    let new = (0..<secretBytes).map { _ in UInt8.random(in: .min ... .max) }
    return try await transaction { (session) throws(StoreError) in
      // Keep the secret if another process has stored it first.
      try session.run(
        "INSERT INTO secrets (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        serverSecretName,
        StoreValue.bytes(new)
      )
      return try session.secret(serverSecretName) ?? new
    }
  }

  private func secret(_ name: String) async throws(StoreError) -> [UInt8]? {
    try await shortSnapshot { (session) throws(StoreError) in try session.secret(name) }
  }

  package func removeForeignCredentials() async throws(StoreError) {
    // Reads the whole store; other processes may write meanwhile.
    try await snapshot { (session) throws(StoreError) in
      try session.refuseLongValues()
      try session.refuseExcesses()
    }
    try await transaction { (session) throws(StoreError) in
      try session.removeForeignCredentials()
    }
  }

  // MARK: - App passwords

  package func appPasswords() async throws(StoreError) -> [StoredAppPassword] {
    try await shortSnapshot { (session) throws(StoreError) in
      guard try session.has("app_passwords") else { return [] }
      return try session.rows(
        """
        SELECT a.id, a.name, a.made, a.used, a.hash, a.fever_hash, s.value
        FROM app_passwords AS a LEFT JOIN secrets AS s ON s.name = $1 ORDER BY a.id LIMIT $2
        """,
        shortIDsName,
        AppPassword.most
      ) { (row) throws(StoreError) in
        let end = row.isNull(6) ? .max : Session.endOfShortIDs(row.bytes(6))
        let app = AppPassword(
          id: row.int64(0),
          name: row.string(1),
          made: row.time(2) ?? Timestamp(seconds: 0),
          lastUsed: row.time(3),
          hasLongIDs: row.int64(2) > end
        )
        return StoredAppPassword(app: app, hash: row.bytes(4), feverHash: row.bytes(5))
      }
    }
  }

  package func addAppPassword(
    named name: String,
    hash: [UInt8],
    feverHash: [UInt8],
    made: Timestamp
  ) async throws(StoreError) -> AppPassword? {
    try GivenName.check(name, of: "an app password")
    return try await transaction { (session) throws(StoreError) in
      guard try session.number("SELECT count(*) FROM app_passwords") ?? 0 < AppPassword.most else {
        throw StoreError(
          code: .badQuery,
          message: "there are \(AppPassword.most) app passwords already; revoke one first"
        )
      }
      // All app passwords that exist before the first one of this kind.
      let last = try session.number("SELECT max(made) FROM app_passwords") ?? .min
      try session.run(
        "INSERT INTO secrets (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        shortIDsName,
        StoreValue.bytes(Array(String(last).utf8))
      )
      let end = try session.endOfShortIDs()
      let id = try session.number(
        """
        INSERT INTO app_passwords (id, name, hash, fever_hash, made)
        VALUES ((SELECT coalesce(max(id), 0) + 1 FROM app_passwords), $1, $2, $3, $4)
        ON CONFLICT DO NOTHING RETURNING id
        """,
        name,
        StoreValue.bytes(hash),
        StoreValue.bytes(feverHash),
        made
      )
      return id.map { AppPassword(id: $0, name: name, made: made, hasLongIDs: made.seconds > end) }
    }
  }

  package func removeAppPassword(named name: String) async throws(StoreError) -> Bool {
    try await transaction { (session) throws(StoreError) in
      try session.count("DELETE FROM app_passwords WHERE lower(name) = $1 RETURNING 1", name.asciiLowercased)
        > 0
    }
  }

  package func noteUse(ofAppPassword id: Int64, at time: Timestamp) async throws(StoreError) {
    try await transaction { (session) throws(StoreError) in
      try session.run("UPDATE app_passwords SET used = $1 WHERE id = $2", time, id)
    }
  }

  // MARK: - The login password

  package func loginPasswordHash() async throws(StoreError) -> String? {
    try await secret(loginName).map { String(decoding: $0, as: UTF8.self) }
  }

  package func setLoginPasswordHash(_ hash: String?) async throws(StoreError) {
    try await transaction { (session) throws(StoreError) in
      try session.run("DELETE FROM secrets WHERE name IN ($1, $2)", loginName, setUpName)
      if let hash { try session.keep(hash, as: loginName) }
      try session.run("DELETE FROM sessions")
    }
  }

  // MARK: - Set-up

  package func setUpToken(
    orStore new: SetUpToken,
    now: Timestamp
  ) async throws(StoreError) -> SetUpToken? {
    try await transaction { (session) throws(StoreError) in
      guard try session.secret(loginName) == nil else { return nil }
      // A store that was copied from another account's has a token for that one.
      let account = new.text.cut(atLast: ".")?.before
      if let known = try session.setUpToken(now: now), known.text.cut(atLast: ".")?.before == account {
        return known
      }
      try session.keep("\(new.expires.seconds) \(new.text)", as: setUpName)
      return new
    }
  }

  package func currentSetUpToken(now: Timestamp) async throws(StoreError) -> SetUpToken? {
    try await shortSnapshot { (session) throws(StoreError) in
      try session.secret(loginName) == nil ? try session.setUpToken(now: now) : nil
    }
  }

  package func finishSetUp(
    token: String,
    hash: String,
    _ choices: SetUpChoices,
    now: Timestamp
  ) async throws(StoreError) -> Bool {
    try await transaction { (session) throws(StoreError) in
      guard try session.secret(loginName) == nil, let known = try session.setUpToken(now: now),
        SecretComparison.areEqual(known.text, token)
      else { return false }
      try session.keep(hash, as: loginName)
      if let user = choices.user { try session.keep(user, as: userName) }
      if let host = choices.host { try session.keep(host, as: hostName) }
      try session.run("DELETE FROM secrets WHERE name = $1", setUpName)
      return true
    }
  }

  package func setUpChoices() async throws(StoreError) -> SetUpChoices {
    try await shortSnapshot { (session) throws(StoreError) in
      let values = [
        try session.secret(userName), try session.secret(hostName), try session.secret(configuredUserName),
      ].map { $0.map { String(decoding: $0, as: UTF8.self) } }
      return SetUpChoices(user: values[0], host: values[1], configured: values[2])
    }
  }

  package func keepConfiguredUser(_ name: String) async throws(StoreError) {
    try await transaction { (session) throws(StoreError) in try session.keep(name, as: configuredUserName) }
  }

  // MARK: - Links to OpenID providers

  package func signOnLink(to issuer: String) async throws(StoreError) -> SignOnLink? {
    try await shortSnapshot { (session) throws(StoreError) in try session.signOnLink(to: issuer) }
  }

  package func keep(_ link: SignOnLink, to issuer: String) async throws(StoreError) -> SignOnLink {
    try await transaction { (session) throws(StoreError) in
      if let known = try session.signOnLink(to: issuer), known.account == link.account { return known }
      try session.keep(link, to: issuer)
      return link
    }
  }

  package func removeSignOnLinks() async throws(StoreError) -> Int {
    try await transaction { (session) throws(StoreError) in
      let count = try session.count(
        "DELETE FROM secrets WHERE substr(name, 1, \(linkName.utf8.count)) = $1 RETURNING 1",
        linkName
      )
      if count > 0 { try session.run("DELETE FROM sessions") }
      return count
    }
  }

  // MARK: - Settings of the page

  package func pageChoices() async throws(StoreError) -> PageChoices {
    try await secret(settingsName).map { PageChoices(text: String(decoding: $0, as: UTF8.self)) }
      ?? PageChoices()
  }

  package func keep(_ settings: PageChoices) async throws(StoreError) {
    try await transaction { (session) throws(StoreError) in
      try session.keep(settings.text, as: settingsName)
    }
  }

  // MARK: - Sessions

  package func addSession(
    hash: [UInt8],
    agent: String,
    address: String,
    made: Timestamp
  ) async throws(StoreError) -> WebSession {
    try await transaction { (session) throws(StoreError) in
      try session.run("DELETE FROM sessions WHERE seen <= $1", made - WebSessionRule.lifetime)
      let id = try session.number(
        "INSERT INTO sessions (hash, agent, address, made, seen) VALUES ($1, $2, $3, $4, $4) RETURNING id",
        StoreValue.bytes(hash),
        agent,
        address,
        made
      )
      try session.run(
        "DELETE FROM sessions WHERE id IN (SELECT id FROM sessions ORDER BY seen DESC, id DESC LIMIT 1000 OFFSET $1)",
        WebSessionRule.mostSessions
      )
      return WebSession(id: id ?? 0, made: made, lastSeen: made, agent: agent, address: address)
    }
  }

  package func sessions(seenAfter time: Timestamp) async throws(StoreError) -> [WebSession] {
    try await shortSnapshot { (session) throws(StoreError) in
      try session.sessions("seen > $1 ORDER BY seen DESC LIMIT \(WebSessionRule.mostSessions)", time)
    }
  }

  package func session(hash: [UInt8], seenAfter time: Timestamp) async throws(StoreError) -> WebSession? {
    try await shortSnapshot { (session) throws(StoreError) in
      try session.sessions("hash = $1 AND seen > $2", StoreValue.bytes(hash), time).first
    }
  }

  package func noteSession(_ id: Int64, seen time: Timestamp, address: String) async throws(StoreError) {
    try await transaction { (session) throws(StoreError) in
      try session.run("UPDATE sessions SET seen = $1, address = $2 WHERE id = $3", time, address, id)
    }
  }

  package func removeSession(_ id: Int64) async throws(StoreError) -> Bool {
    try await transaction { (session) throws(StoreError) in
      try session.count("DELETE FROM sessions WHERE id = $1 RETURNING 1", id) > 0
    }
  }
}
