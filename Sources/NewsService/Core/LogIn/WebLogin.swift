import NewsToolbox
import Synchronization

/// Checks credentials against the store: app passwords and tokens for programs, the login password and sessions for the
/// page.
public final class WebLogin: WebAccount {
  /// The account's name unless it is set in the configuration or chosen on the set-up page.
  public static let defaultUser = "newsd"
  /// The account's name in the configuration; nil: none is set there.
  let configuredUser: String?
  /// The names in the store, once they were read.
  private let stored = Mutex(SetUpChoices())
  /// The account's name if newsd has several accounts; nil: there is one.
  let account: String?
  let keeper: any CredentialKeeping
  let clock: any WallClock
  let limits: LoginLimits
  private let refused: @Sendable (LoginRefusal) -> Void
  /// When each app password's use was last stored.
  private let noted = Mutex<[Int64: Timestamp]>([:])
  /// The sessions whose use is being stored.
  private let notedSessions = Mutex<Set<Int64>>([])

  /// Seconds between two updates of a password's last use in the store, each of which costs a transaction.
  private static let useInterval: Int64 = 60
  private static let sessionInterval: Int64 = 600
  static let longestText = 200
  private static let longestLogged = 64
  /// Bytes of an app password. 120 random bits cannot be guessed, so a fast hash suffices.
  private static let appPasswordBytes = 15

  /// `refused` is called for each wrong password.
  public init(
    user: String?,
    keeper: any CredentialKeeping,
    hasher: any PasswordHashing,
    clock: any WallClock,
    refused: @escaping @Sendable (LoginRefusal) -> Void = { _ in }
  ) {
    configuredUser = user
    account = nil
    self.keeper = keeper
    self.clock = clock
    self.refused = refused
    limits = LoginLimits(hasher: hasher)
  }

  /// The log-in of one of several accounts, which share `limits`. Its cookies and set-up tokens begin with the name and a
  /// dot.
  public init(
    account: String,
    keeper: any CredentialKeeping,
    limits: LoginLimits,
    clock: any WallClock,
    refused: @escaping @Sendable (LoginRefusal) -> Void = { _ in }
  ) {
    configuredUser = account
    self.account = account
    self.keeper = keeper
    self.clock = clock
    self.refused = refused
    self.limits = limits
  }

  public var user: String { configuredUser ?? stored.withLock { $0.user } ?? Self.defaultUser }

  /// Reads the account's name from the store, where any process may have set it. One of several accounts may have had
  /// another name before, which its programs still use.
  public func readName() async throws(StoreError) {
    guard configuredUser == nil || account != nil else { return }
    let choices = try await keeper.setUpChoices()
    stored.withLock { $0 = choices }
  }

  /// Keeps the configuration's name in the store: keys and tokens were made with it, so an account that is made of the store has it as
  /// a former name.
  public func keepConfiguredName() async throws(StoreError) {
    guard account == nil, let configuredUser, try await keeper.setUpChoices().configured != configuredUser
    else { return }
    try await keeper.keepConfiguredUser(configuredUser)
  }

  /// True if this is the account's name, or, for programs, its former one.
  private func isName(_ name: String, ofProgram: Bool) async throws(StoreError) -> Bool {
    if SecretComparison.areEqual(name, user) { return true }
    try await readName()
    return SecretComparison.areEqual(name, user)
      || ofProgram && formerUsers.contains { $0.isEqual(bytesOf: name) }
  }

  /// The names by which programs may know one of several accounts that was made from a store.
  private var formerUsers: [String] {
    guard account != nil else { return [] }
    let names = stored.withLock { $0 }
    return [names.user ?? Self.defaultUser] + [names.configured].compactMap(\.self)
  }

  // MARK: - App passwords

  public func app(
    user: String?,
    password: String,
    address: String?
  ) async throws(StoreError) -> LoginOutcome<AppPassword> {
    let hash = SecureHash.sha256.digest(Array(password.utf8))
    let found = try await keeper.appPasswords().first { SecretComparison.areEqual($0.hash, hash) }
    var isUser = true
    if let user { isUser = try await isName(user, ofProgram: true) }
    // Without a user name, the password is a token like Bearer credentials: too long to guess, so failures
    // are not counted.
    return outcome(isUser ? found : nil, address, user: user)
  }

  public func app(feverKey: String, address: String?) async throws(StoreError) -> LoginOutcome<AppPassword> {
    guard !feverKey.isEmpty else { return .refused }
    let hash = Self.feverHash(ofKey: feverKey)
    let found = try await keeper.appPasswords().first { SecretComparison.areEqual($0.feverHash, hash) }
    return outcome(found, address, user: "a Fever key")
  }

  /// The outcome for a password that was compared with all app passwords. Counts a wrong one; a nil user is not counted.
  private func outcome(
    _ found: StoredAppPassword?,
    _ address: String?,
    user: String?
  ) -> LoginOutcome<AppPassword> {
    guard let found else {
      guard let user, let address else { return .refused }
      let now = clock.now()
      if let seconds = limits.apps.withLock({ $0.wait(of: address, now: now) }) {
        return .blocked(seconds: seconds)
      }
      fail(user, address, at: limits.apps)
      return .refused
    }
    if user != nil, let address { limits.apps.withLock { $0.succeed(address, account: account) } }
    noteUse(of: found.app)
    return .granted(admitted(found.app))
  }

  public func app(authToken: String) async throws(StoreError) -> AppPassword? {
    if !authToken.hasPrefix(bytesOf: user + "/") { try await readName() }
    let secret = try await keeper.serverSecret()
    let names = [user] + formerUsers
    for stored in try await keeper.appPasswords() {
      let key = Self.tokenKey(of: stored, secret)
      guard names.contains(where: { SecretComparison.areEqual("\($0)/\(key)", authToken) }) else { continue }
      noteUse(of: stored.app)
      return admitted(stored.app)
    }
    return nil
  }

  public func app(actionToken: String) async throws(StoreError) -> AppPassword? {
    let secret = try await keeper.serverSecret()
    let day = clock.now().seconds / 86_400
    for stored in try await keeper.appPasswords() {
      let token = token(of: stored, secret)
      let accepted = [token, Self.actionToken(token, day: day), Self.actionToken(token, day: day - 1)]
      guard accepted.contains(where: { SecretComparison.areEqual($0, actionToken) }) else { continue }
      noteUse(of: stored.app)
      return admitted(stored.app)
    }
    return nil
  }

  public func authToken(of app: AppPassword) async throws(StoreError) -> String {
    guard let stored = try await keeper.appPasswords().first(where: { $0.app.id == app.id }) else {
      return ""
    }
    return token(of: stored, try await keeper.serverSecret())
  }

  public func actionToken(of app: AppPassword) async throws(StoreError) -> String {
    Self.actionToken(try await authToken(of: app), day: clock.now().seconds / 86_400)
  }

  /// Makes a token from the hash of the app password, so that the token becomes invalid together with the password.
  private func token(of stored: StoredAppPassword, _ secret: [UInt8]) -> String {
    "\(user)/" + Self.tokenKey(of: stored, secret)
  }

  /// The part of the token after the name.
  private static func tokenKey(of stored: StoredAppPassword, _ secret: [UInt8]) -> String {
    let text = Array("\(stored.app.id):".utf8) + stored.hash
    return Hex.encode(SecureHash.sha256.authenticate(text, key: secret))
  }

  /// Notes which account has admitted the program.
  private func admitted(_ app: AppPassword) -> AppPassword {
    var app = app
    app.account = account
    return app
  }

  /// Returns hashes by which the account of a secret is found, among several accounts.
  public func fingerprints() async throws(StoreError) -> LoginFingerprints {
    let secret = try await keeper.serverSecret()
    let stored = try await keeper.appPasswords()
    let tokens = stored.map { Self.tokenKey(of: $0, secret) }
    return LoginFingerprints(
      passwords: stored.map(\.hash),
      feverKeys: stored.map(\.feverHash),
      tokens: tokens
    ) { [user, clock] action in
      let day = clock.now().seconds / 86_400
      return tokens.contains { key in
        [day, day - 1].contains {
          SecretComparison.areEqual(Self.actionToken("\(user)/\(key)", day: $0), action)
        }
      }
    }
  }

  private static func actionToken(_ token: String, day: Int64) -> String {
    Hex.encode(SecureHash.sha256.authenticate(Array("\(day)".utf8), key: Array(token.utf8)))
  }

  public func apps() async throws(StoreError) -> [AppPassword] { try await keeper.appPasswords().map(\.app) }

  public func addApp(
    named name: String
  ) async throws(StoreError) -> (app: AppPassword, password: String)? {
    try await keepConfiguredName()
    let password = Base32.encode(Self.random(Self.appPasswordBytes))
    let key = Hex.encode(MD5.digest(Array("\(user):\(password)".utf8)))
    let app = try await keeper.addAppPassword(
      named: name,
      hash: SecureHash.sha256.digest(Array(password.utf8)),
      feverHash: Self.feverHash(ofKey: key),
      made: clock.now()
    )
    return app.map { ($0, password) }
  }

  public func removeApp(named name: String) async throws(StoreError) -> Bool {
    try await keeper.removeAppPassword(named: name)
  }

  /// Hashes the key in lower case, because clients write its digits in small letters or capitals.
  private static func feverHash(ofKey key: String) -> [UInt8] {
    SecureHash.sha256.digest(key.utf8.map(ASCII.lowercase))
  }

  /// Stores that the app password was used, without waiting for it: a request that reads must not wait until others have written.
  private func noteUse(of app: AppPassword) {
    let now = clock.now()
    let isDue = noted.withLock { noted in
      if let last = noted[app.id] ?? app.lastUsed, last <= now, now - last < Self.useInterval { return false }
      noted[app.id] = now
      return true
    }
    guard isDue else { return }
    // Ignore errors: the login succeeds even if the store cannot be written. Immediate: the transaction is queued before the request
    // ends, so that none comes after the store's end.
    Task.immediate { [keeper] in try? await keeper.noteUse(ofAppPassword: app.id, at: now) }
  }

  // MARK: - The login password and sessions

  public func hasLoginPassword() async throws(StoreError) -> Bool {
    try await keeper.loginPasswordHash() != nil
  }

  /// Returns the hash of the login password, with which it can be checked while the store is closed; nil: none is set.
  public func loginPasswordHash() async throws(StoreError) -> String? { try await keeper.loginPasswordHash() }

  /// Sets the login password and ends all sessions. Returns false if the password is empty, too long or
  /// contains a NUL.
  ///
  /// Does not apply `PasswordRule`, so that the caller can report its reason.
  public func setLoginPassword(_ password: String) async throws(StoreError) -> Bool {
    guard let hash = await limits.verifier.hash(password) else { return false }
    try await keeper.setLoginPasswordHash(hash)
    return true
  }

  /// Removes the login password and ends all sessions. Returns false if none was set.
  public func removeLoginPassword() async throws(StoreError) -> Bool {
    guard try await hasLoginPassword() else { return false }
    try await keeper.setLoginPasswordHash(nil)
    return true
  }

  /// Makes `password` the login password. If it is the login password already, changes nothing, so that
  /// sessions continue. Returns false if it is empty, too long or contains a NUL.
  public func adoptLoginPassword(_ password: String) async throws(StoreError) -> Bool {
    if let hash = try await keeper.loginPasswordHash(),
      await limits.verifier.matches(password, hash: hash, isKnown: true) == true
    {
      return true
    }
    return try await setLoginPassword(password)
  }

  /// True while log-ins from the address are refused because of its own wrong passwords, whatever account they are for.
  public func refusesLogIns(from address: String) -> Bool {
    let now = clock.now()
    return limits.logins.withLock { $0.wait(of: address, isKnown: true, now: now) } != nil
  }

  public func logIn(
    user: String,
    password: String,
    address: String,
    agent: String
  ) async throws(StoreError) -> LoginOutcome<(session: WebSession, cookie: String)> {
    let network = LoginGate.network(of: address)
    let isKnown = try await sessions().contains { LoginGate.network(of: $0.address) == network }
    let now = clock.now()
    if let seconds = limits.logins.withLock({ $0.wait(of: address, isKnown: isKnown, now: now) }) {
      return .blocked(seconds: seconds)
    }
    // No account has so long a name, which would take long as a key.
    guard user.utf8.count <= Self.longestText else {
      fail(user, address, at: limits.logins)
      return .refused
    }
    guard let hash = try await keeper.loginPasswordHash() else { return .refused }
    // Compare with the hash even for a wrong name, so that the duration does not reveal whether the name
    // exists.
    let name = account == nil ? nil : user
    guard let matches = await limits.verifier.matches(password, hash: hash, isKnown: isKnown, name: name)
    else { return .busy }
    let isUser = try await isName(user, ofProgram: false)
    guard matches, isUser else {
      fail(user, address, at: limits.logins)
      return .refused
    }
    limits.logins.withLock { $0.succeed(address, account: account) }
    return .granted(try await openSession(by: .password, address: address, agent: agent))
  }

  /// The beginning of cookies and set-up tokens, by which the account is found among several.
  var prefix: String { account.map { $0 + "." } ?? "" }

  public func session(cookie: String, address: String) async throws(StoreError) -> WebSession? {
    guard !cookie.isEmpty, cookie.utf8.count <= Self.longestText else { return nil }
    let now = clock.now()
    let hash = SecureHash.sha256.digest(Array(cookie.utf8))
    guard var session = try await keeper.session(hash: hash, seenAfter: now - WebSessionRule.lifetime) else {
      return nil
    }
    if now - session.lastSeen >= Self.sessionInterval || session.address != address {
      noteUse(of: session, at: now, address)
      session.lastSeen = now
      session.address = address
    }
    admit(&session, cookie)
    return session
  }

  /// Stores when and from where the session was used, as `noteUse(of:)` does. While a write holds the note up, further ones are left
  /// out: the address of a session may change with every request.
  private func noteUse(of session: WebSession, at now: Timestamp, _ address: String) {
    guard notedSessions.withLock({ $0.insert(session.id).inserted }) else { return }
    Task.immediate { [self] in
      try? await keeper.noteSession(session.id, seen: now, address: address)
      _ = notedSessions.withLock { $0.remove(session.id) }
    }
  }

  /// Notes what the session of a cookie has besides what the store keeps.
  func admit(_ session: inout WebSession, _ cookie: String) {
    session.formToken = Hex.encode(
      SecureHash.sha256.authenticate(Array("csrf".utf8), key: Array(cookie.utf8))
    )
    session.account = account
    session.way = .opening(cookie)
  }

  public func sessions() async throws(StoreError) -> [WebSession] {
    try await keeper.sessions(seenAfter: clock.now() - WebSessionRule.lifetime)
  }

  public func removeSession(_ id: Int64) async throws(StoreError) -> Bool {
    try await keeper.removeSession(id)
  }

  // MARK: - Failures

  private func fail(_ user: String, _ address: String, at gate: borrowing Mutex<LoginGate>) {
    let now = clock.now()
    gate.withLock { $0.fail(address, account: account, now: now) }
    refused(LoginRefusal(user: Self.shortened(user, Self.longestLogged), address: address))
  }

  static func shortened(_ text: String, _ count: Int) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(count)))
  }

  static func random(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }
}

/// Hashes by which the account of a secret is found, among several accounts. They choose an account, but admit no client.
public struct LoginFingerprints: Sendable {
  /// SHA-256 of each app password.
  public let passwords: [[UInt8]]
  /// SHA-256 of the Fever key of each app password.
  public let feverKeys: [[UInt8]]
  /// The part after the name of the Google Reader token of each app password.
  public let tokens: [String]
  /// Returns true for an action token of one of the app passwords.
  public let admits: @Sendable (_ actionToken: String) -> Bool
}

/// Limits attempts to log in. Several accounts share them, so that more accounts allow no more attempts.
public final class LoginLimits: Sendable {
  /// Limits attempts with the login password.
  let logins = Mutex(LoginGate())
  /// Limits attempts with wrong app passwords. A right one passes always: it cannot be guessed.
  let apps = Mutex(LoginGate())
  let verifier: PasswordVerifier

  public init(hasher: any PasswordHashing) { verifier = PasswordVerifier(hasher) }
}

/// Verifies one login password at a time, because each takes 64 MiB.
actor PasswordVerifier {
  /// The numbers of verifications that run or wait.
  private struct Waiting {
    /// For addresses with a session, by the hash, which each account has of its own.
    var known: [String: Int] = [:]
    /// For all other addresses, by the name that was typed.
    var named: [String: Int] = [:]
    /// For all other addresses together.
    var others = 0
  }

  private let hasher: any PasswordHashing
  private let waiting = Mutex(Waiting())
  private static let mostWaiting = 5
  private static let mostOfAccount = 2

  init(_ hasher: any PasswordHashing) { self.hasher = hasher }

  /// The number of verifications for addresses without a session that run or wait.
  nonisolated var waitingCount: Int { waiting.withLock { $0.others } }

  func hash(_ password: String) -> String? { hasher.hash(password) }

  /// Compares a password with a hash. Returns nil if too many verifications are waiting. An address with a session is
  /// known; such addresses have places of their own, for each account, so that attempts of strangers and of other accounts
  /// do not keep them waiting. All other addresses share some places.
  ///
  /// `name` is what the client typed, if there are several accounts; nil: there is one. Each name has some of the shared
  /// places only: the owner of an account, whose right passwords are not counted, leaves the others to log-ins of others.
  /// Names that no account has are treated alike, so that the answers do not tell which accounts exist.
  nonisolated func matches(
    _ password: String,
    hash: String,
    isKnown: Bool,
    name: String? = nil
  ) async -> Bool? {
    guard waiting.withLock({ Self.enter(&$0, hash, isKnown, name) }) else { return nil }
    defer {
      waiting.withLock { waiting in
        if isKnown { return Self.leave(&waiting.known, hash) }
        waiting.others -= 1
        if let name { Self.leave(&waiting.named, name) }
      }
    }
    return await verify(password, hash)
  }

  private static func enter(_ waiting: inout Waiting, _ hash: String, _ isKnown: Bool, _ name: String?)
    -> Bool
  {
    if isKnown {
      guard waiting.known[hash, default: 0] < mostOfAccount else { return false }
      waiting.known[hash, default: 0] += 1
      return true
    }
    guard waiting.others < mostWaiting, name.map({ waiting.named[$0, default: 0] < mostOfAccount }) ?? true
    else { return false }
    waiting.others += 1
    if let name { waiting.named[name, default: 0] += 1 }
    return true
  }

  private static func leave(_ counts: inout [String: Int], _ key: String) {
    let rest = counts[key, default: 1] - 1
    counts[key] = rest > 0 ? rest : nil
  }

  private func verify(_ password: String, _ hash: String) -> Bool { hasher.matches(password, hash: hash) }
}
