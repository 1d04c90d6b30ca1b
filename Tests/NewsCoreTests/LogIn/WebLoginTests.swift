import Glibc
@testable import NewsCore
import NewsToolbox
import Synchronization
import TestSupport
import Testing

@Suite struct `Web login` {
  private let clock = ManualTime()
  private let keeper = MemoryCredentials()
  private let refusals = Shared<[LoginRefusal]>([])

  private func makeLogin() -> WebLogin {
    WebLogin(user: "anna", keeper: keeper, hasher: PlainHasher(), clock: clock) { [refusals] refusal in
      refusals.change { $0.append(refusal) }
    }
  }

  @Test
  func `The set-up chooses the name and the password once; a name of the configuration takes precedence`()
    async throws
  {
    let login = WebLogin(user: nil, keeper: keeper, hasher: PlainHasher(), clock: clock)
    let token = try #require(try await login.setUpToken())
    #expect(token.text.utf8.count == 32)
    #expect(try await login.setUpToken() == token)
    #expect(try await login.admitsSetUp(token: token.text))
    #expect(try await !login.admitsSetUp(token: ""))
    #expect(try await login.asksName())
    for (name, password) in [
      ("a:b", "long enough"), ("", "long enough"), ("anna", "short"), ("anna", "Qwerty123"),
    ] {
      let outcome = try await login.finishSetUp(token: token.text, user: name, password: password, host: nil)
      guard case .invalid = outcome else { return #expect(Bool(false), "\(name) \(password)") }
    }
    #expect(
      try await login.finishSetUp(token: "0", user: "anna", password: "long enough", host: nil) == .expired
    )
    #expect(
      try await login.finishSetUp(token: token.text, user: "anna", password: "long enough", host: "a")
        == .done
    )
    #expect(login.user == "anna")
    #expect(try await login.keptHost() == "a")
    #expect(try await login.setUpToken() == nil)
    #expect(try await !login.admitsSetUp(token: token.text))
    // Another process learns the name when it is used.
    let other = WebLogin(user: nil, keeper: keeper, hasher: PlainHasher(), clock: clock)
    let entry = try await other.logIn(user: "anna", password: "long enough", address: "b", agent: "")
    #expect(entry.granted?.session.id == 1)
    let configured = makeLogin()
    #expect(try await !configured.asksName())
  }

  @Test func `An app password is 24 base32 characters and works for each protocol until it is revoked`()
    async throws
  {
    let login = makeLogin()
    let (app, password) = try #require(try await login.addApp(named: "phone"))
    #expect(password.utf8.count == 24)
    #expect(
      password.utf8.allSatisfy {
        ASCII.isUppercase($0) || (UInt8(ascii: "2")...UInt8(ascii: "7")).contains($0)
      }
    )
    #expect(try await login.addApp(named: "phone") == nil)
    #expect(try await login.app(user: "anna", password: password, address: "a").granted == app)
    #expect(try await login.app(user: nil, password: password, address: "a").granted?.name == "phone")
    let key = Hex.encode(MD5.digest(Array("anna:\(password)".utf8)))
    #expect(try await login.app(feverKey: key, address: "a").granted?.name == "phone")
    #expect(try await login.app(feverKey: key.uppercased(), address: "a").granted?.name == "phone")
    let token = try await login.authToken(of: app)
    #expect(token.hasPrefix("anna/"))
    #expect(try await login.app(authToken: token)?.name == "phone")
    let action = try await login.actionToken(of: app)
    #expect(try await login.app(actionToken: action)?.name == "phone")
    #expect(try await login.app(actionToken: token)?.name == "phone")
    clock.seconds += 86_400
    #expect(try await login.app(actionToken: action)?.name == "phone")
    clock.seconds += 86_400
    #expect(try await login.app(actionToken: action) == nil)
    // Neither the password nor the key can be read from the store.
    let stored = try #require(await keeper.appPasswords().first)
    #expect(stored.hash != Array(password.utf8))
    #expect(stored.feverHash != Array(key.utf8))
    #expect(stored.app.lastUsed != nil)
    #expect(try await login.removeApp(named: "phone"))
    #expect(try await login.app(authToken: token) == nil)
    #expect(try await login.app(user: "anna", password: password, address: "a").granted == nil)
  }

  @Test
  func `Wrong app passwords without an address, from pages of other sites, are neither logged nor counted`()
    async throws
  {
    let login = makeLogin()
    _ = try await login.addApp(named: "phone")
    for _ in 0..<200 {
      _ = try await login.app(user: "anna", password: "wrong", address: nil)
      _ = try await login.app(feverKey: "wrong", address: nil)
    }
    #expect(refusals.value.isEmpty)
    guard case .refused = try await login.app(user: "anna", password: "wrong", address: "192.0.2.1") else {
      Issue.record("the address is blocked")
      return
    }
    #expect(refusals.value.count == 1)
  }

  @Test func `Wrong app passwords are logged and block further wrong ones, but never a right one`()
    async throws
  {
    let login = makeLogin()
    let (_, password) = try #require(try await login.addApp(named: "phone"))
    for _ in 0..<9 { _ = try await login.app(user: "anna", password: "wrong", address: "192.0.2.1") }
    #expect(try await login.app(user: "anna", password: password, address: "192.0.2.1").granted != nil)
    for _ in 0..<10 { _ = try await login.app(user: "eve", password: password, address: "192.0.2.1") }
    #expect(refusals.value.count == 19)
    #expect(refusals.value.last == LoginRefusal(user: "eve", address: "192.0.2.1"))
    guard
      case .blocked(let seconds) = try await login.app(user: "anna", password: "wrong", address: "192.0.2.1")
    else {
      Issue.record("is not blocked")
      return
    }
    #expect(seconds == 600)
    #expect(refusals.value.count == 19)
    #expect(try await login.app(user: "anna", password: password, address: "192.0.2.1").granted != nil)
  }

  @Test func `Wrong app passwords and Fever keys of many addresses lock out neither programs nor the log-in`()
    async throws
  {
    let login = makeLogin()
    let (_, password) = try #require(try await login.addApp(named: "phone"))
    #expect(try await login.setLoginPassword("secret"))
    for number in 1...200 {
      _ = try await login.app(user: "anna", password: "wrong", address: "192.0.2.\(number)")
      _ = try await login.app(feverKey: "0123", address: "192.0.2.\(number)")
    }
    #expect(try await login.app(user: "anna", password: password, address: "192.0.2.1").granted != nil)
    let key = Hex.encode(MD5.digest(Array("anna:\(password)".utf8)))
    #expect(try await login.app(feverKey: key, address: "192.0.2.1").granted != nil)
    #expect(
      try await login.logIn(user: "anna", password: "secret", address: "192.0.2.1", agent: "").granted != nil
    )
  }

  @Test func `Wrong login passwords of strangers do not lock out an address with a session`() async throws {
    let login = makeLogin()
    #expect(try await login.setLoginPassword("secret"))
    _ = try await login.logIn(user: "anna", password: "secret", address: "192.0.2.200", agent: "")
    for number in 1...100 {
      _ = try await login.logIn(user: "anna", password: "wrong", address: "192.0.2.\(number)", agent: "")
    }
    guard
      case .blocked = try await login.logIn(
        user: "anna",
        password: "secret",
        address: "192.0.2.201",
        agent: ""
      )
    else {
      Issue.record("the limit of all addresses does not hold")
      return
    }
    let known = try await login.logIn(user: "anna", password: "secret", address: "192.0.2.200", agent: "")
    #expect(known.granted != nil)
  }

  @Test(.blocking)
  func `Right passwords of one account keep no known address of another account waiting`() async throws {
    let hasher = HeldHasher()
    let verifier = PasswordVerifier(hasher)
    let running = await withTaskGroup(of: Bool?.self) { group in
      for _ in 0..<5 { group.addTask { await verifier.matches("a", hash: "anna", isKnown: true) } }
      // Two verifications run or wait; the others are refused at once.
      var refused = 0
      while refused < 3, await group.next() == .some(nil) { refused += 1 }
      #expect(refused == 3)
      group.addTask { await verifier.matches("b", hash: "bob", isKnown: true) }
      hasher.mayEnd.store(true, ordering: .releasing)
      return await group.reduce(into: 0) { $0 += $1 == true ? 1 : 0 }
    }
    #expect(running == 3)
  }

  @Test(.blocking, arguments: ["eve", "a name that no account has"])
  func `Right passwords of one name leave places to other names at new addresses`(name: String) async throws {
    let hasher = HeldHasher()
    let verifier = PasswordVerifier(hasher)
    let running = await withTaskGroup(of: Bool?.self) { group in
      for _ in 0..<5 {
        group.addTask { await verifier.matches("e", hash: "e", isKnown: false, name: name) }
      }
      var refused = 0
      while refused < 3, await group.next() == .some(nil) { refused += 1 }
      #expect(refused == 3)
      for name in ["anna", "anna", "bob"] {
        group.addTask { await verifier.matches("a", hash: "a", isKnown: false, name: name) }
      }
      while verifier.waitingCount < 5 { await Task.yield() }
      // All places together are not more than before.
      #expect(await verifier.matches("c", hash: "c", isKnown: false, name: "carl") == nil)
      hasher.mayEnd.store(true, ordering: .releasing)
      return await group.reduce(into: 0) { $0 += $1 == true ? 1 : 0 }
    }
    #expect(running == 5)
    #expect(verifier.waitingCount == 0)
  }

  @Test func `Missing credentials and unknown tokens do not count as failed log-ins`() async throws {
    let login = makeLogin()
    for _ in 0..<20 {
      #expect(try await login.app(authToken: "anna/0123") == nil)
      #expect(try await login.app(actionToken: "0123") == nil)
      _ = try await login.app(feverKey: "", address: "192.0.2.1")
      _ = try await login.app(user: nil, password: "wrong", address: "192.0.2.1")
    }
    #expect(refusals.value.isEmpty)
    for _ in 0..<10 { _ = try await login.app(feverKey: "0123", address: "192.0.2.1") }
    #expect(refusals.value.count == 10)
  }

  @Test func `A session lasts thirty days from its last request, and ends when the password changes`()
    async throws
  {
    let login = makeLogin()
    #expect(try await login.logIn(user: "anna", password: "secret", address: "a", agent: "b").granted == nil)
    #expect(refusals.value.isEmpty)
    #expect(try await login.setLoginPassword("secret"))
    #expect(try await login.logIn(user: "anna", password: "wrong", address: "a", agent: "b").granted == nil)
    #expect(try await login.logIn(user: "eve", password: "secret", address: "a", agent: "b").granted == nil)
    let (session, cookie) = try #require(
      try await login.logIn(user: "anna", password: "secret", address: "a", agent: "Browser").granted
    )
    #expect(cookie.utf8.count == 64)
    #expect(session.formToken.utf8.count == 64)
    #expect(session.formToken != cookie)
    clock.seconds += 29 * 86_400
    let seen = try #require(try await login.session(cookie: cookie, address: "b"))
    #expect(seen.formToken == session.formToken)
    #expect(seen.address == "b")
    clock.seconds += 29 * 86_400
    #expect(try await login.session(cookie: cookie, address: "b") != nil)
    #expect(try await login.sessions().map(\.formToken) == [""])
    clock.seconds += 30 * 86_400
    #expect(try await login.session(cookie: cookie, address: "b") == nil)
    let again = try #require(
      try await login.logIn(user: "anna", password: "secret", address: "a", agent: "Browser").granted
    )
    #expect(try await login.adoptLoginPassword("secret"))
    #expect(try await login.session(cookie: again.cookie, address: "b") != nil)
    #expect(try await login.adoptLoginPassword("other"))
    #expect(try await login.session(cookie: again.cookie, address: "b") == nil)
  }
}

/// A value that tests change from several tasks.
final class Shared<Value: Sendable>: Sendable {
  private let state: Mutex<Value>
  init(_ value: Value) { state = Mutex(value) }
  var value: Value { state.withLock { $0 } }
  func change(_ body: @Sendable (inout Value) -> Void) { state.withLock { body(&$0) } }
}

final class ManualTime: WallClock {
  private let time = Mutex<Int64>(1_000_000_000)
  var seconds: Int64 {
    get { time.withLock { $0 } }
    set { time.withLock { $0 = newValue } }
  }
  func now() -> Timestamp { Timestamp(seconds: seconds) }
}

/// Compares passwords when the test says so.
private final class HeldHasher: PasswordHashing {
  let mayEnd = Atomic(false)

  func hash(_ password: String) -> String? { password }
  func matches(_ password: String, hash: String) -> Bool {
    while !mayEnd.load(ordering: .acquiring) { usleep(1000) }
    return true
  }
}

struct PlainHasher: PasswordHashing {
  func hash(_ password: String) -> String? { password.isEmpty ? nil : "hash of \(password)" }
  func matches(_ password: String, hash: String) -> Bool { hash == "hash of \(password)" }
}

actor MemoryCredentials: CredentialKeeping {
  private var apps: [StoredAppPassword] = []
  private var login: String?
  private var open: [(hash: [UInt8], session: WebSession)] = []

  func serverSecret() -> [UInt8] { [1, 2, 3] }
  func appPasswords() -> [StoredAppPassword] { apps }

  func addAppPassword(named name: String, hash: [UInt8], feverHash: [UInt8], made: Timestamp) -> AppPassword?
  {
    guard !apps.contains(where: { $0.app.name == name }) else { return nil }
    let app = AppPassword(id: Int64(apps.count + 1), name: name, made: made)
    apps.append(StoredAppPassword(app: app, hash: hash, feverHash: feverHash))
    return app
  }

  func removeAppPassword(named name: String) -> Bool {
    defer { apps.removeAll { $0.app.name == name } }
    return apps.contains { $0.app.name == name }
  }

  func noteUse(ofAppPassword id: Int64, at time: Timestamp) {
    for index in apps.indices where apps[index].app.id == id { apps[index].app.lastUsed = time }
  }

  func loginPasswordHash() -> String? { login }

  private var setUp: SetUpToken?
  private(set) var choices = SetUpChoices()

  func setUpToken(orStore new: SetUpToken, now: Timestamp) -> SetUpToken? {
    guard login == nil else { return nil }
    if setUp.map({ $0.expires <= now }) ?? true { setUp = new }
    return setUp
  }

  func currentSetUpToken(now: Timestamp) -> SetUpToken? {
    setUp.flatMap { login == nil && $0.expires > now ? $0 : nil }
  }

  func finishSetUp(token: String, hash: String, _ choices: SetUpChoices, now: Timestamp) -> Bool {
    guard currentSetUpToken(now: now)?.text == token else { return false }
    (login, setUp) = (hash, nil)
    self.choices = choices
    return true
  }

  func setUpChoices() -> SetUpChoices { choices }
  func keepConfiguredUser(_ name: String) { choices.configured = name }

  func setLoginPasswordHash(_ hash: String?) {
    login = hash
    open = []
  }

  private var links: [String: SignOnLink] = [:]
  private var isDamaged = false
  func damage() { isDamaged = true }
  func signOnLink(to issuer: String) throws(StoreError) -> SignOnLink? {
    guard !isDamaged else { throw StoreError(code: .corrupt, message: "damaged") }
    return links[issuer]
  }
  func keep(_ link: SignOnLink, to issuer: String) -> SignOnLink {
    if let known = links[issuer], known.account == link.account { return known }
    links[issuer] = link
    return link
  }
  func removeForeignCredentials() {}
  func removeSignOnLinks() -> Int {
    defer { links = [:] }
    return links.count
  }

  func addSession(hash: [UInt8], agent: String, address: String, made: Timestamp) -> WebSession {
    let session = WebSession(
      id: Int64(open.count + 1),
      made: made,
      lastSeen: made,
      agent: agent,
      address: address
    )
    open.append((hash, session))
    return session
  }

  func sessions(seenAfter time: Timestamp) -> [WebSession] {
    open.map(\.session).filter { $0.lastSeen > time }
  }

  func session(hash: [UInt8], seenAfter time: Timestamp) -> WebSession? {
    open.first { $0.hash == hash && $0.session.lastSeen > time }?.session
  }

  func noteSession(_ id: Int64, seen time: Timestamp, address: String) {
    for index in open.indices where open[index].session.id == id {
      open[index].session.lastSeen = time
      open[index].session.address = address
    }
  }

  func removeSession(_ id: Int64) -> Bool {
    defer { open.removeAll { $0.session.id == id } }
    return open.contains { $0.session.id == id }
  }
}

extension LoginOutcome {
  /// The granted value; nil if the login failed.
  fileprivate var granted: Granted? {
    if case .granted(let value) = self { value } else { nil }
  }
}

/// The log-ins of several accounts.
@Suite struct `Log-ins of several accounts` {
  private let clock = ManualTime()
  private let limits = LoginLimits(hasher: PlainHasher())

  private func login(_ account: String, _ keeper: any CredentialKeeping = MemoryCredentials()) -> WebLogin {
    WebLogin(account: account, keeper: keeper, limits: limits, clock: clock)
  }

  @Test func `Cookies and set-up tokens begin with the account, which sessions and programs carry`()
    async throws
  {
    let anna = login("anna")
    let token = try #require(try await anna.setUpToken())
    #expect(token.text.hasPrefix("anna."))
    #expect(try await !anna.asksName())
    let done = try await anna.finishSetUp(token: token.text, user: "bob", password: "long enough", host: nil)
    #expect(done == .done)
    #expect(anna.user == "anna")
    let entry = try await anna.logIn(user: "anna", password: "long enough", address: "a", agent: "")
    let cookie = try #require(entry.granted?.cookie)
    #expect(cookie.hasPrefix("anna.") && entry.granted?.session.account == "anna")
    #expect(try await anna.session(cookie: cookie, address: "a")?.account == "anna")
    #expect(try await anna.session(cookie: "bob" + cookie.dropFirst(4), address: "a") == nil)
    let (_, password) = try #require(try await anna.addApp(named: "phone"))
    let app = try await anna.app(user: "anna", password: password, address: "a").granted
    #expect(app?.account == "anna")
  }

  @Test func `Fingerprints find the account by password, key and tokens, and by no other secret`()
    async throws
  {
    let anna = login("anna")
    let (app, password) = try #require(try await anna.addApp(named: "phone"))
    let prints = try await anna.fingerprints()
    #expect(prints.passwords == [SecureHash.sha256.digest(Array(password.utf8))])
    let token = try await anna.authToken(of: app)
    #expect(token == "anna/" + prints.tokens[0])
    #expect(prints.admits(try await anna.actionToken(of: app)))
    #expect(!prints.admits(token) && !prints.admits(""))
    // The former name of a store that became an account is accepted for programs only.
    #expect(try await anna.app(authToken: "newsd/" + prints.tokens[0])?.account == "anna")
    #expect(try await anna.app(authToken: "bob/" + prints.tokens[0]) == nil)
    #expect(try await anna.app(user: "newsd", password: password, address: nil).granted != nil)
    #expect(try await anna.app(user: "bob", password: password, address: nil).granted == nil)
    #expect(try await anna.setLoginPassword("long enough"))
    let former = try await anna.logIn(user: "newsd", password: "long enough", address: "a", agent: "")
    #expect(former.granted?.cookie == nil)
  }

  @Test func `An account of a store that the configuration named is known to programs by that name`()
    async throws
  {
    let keeper = MemoryCredentials()
    let single = WebLogin(user: "maria", keeper: keeper, hasher: PlainHasher(), clock: clock)
    let (app, password) = try #require(try await single.addApp(named: "phone"))
    let token = try await single.authToken(of: app)
    let anna = login("anna", keeper)
    #expect(try await anna.app(authToken: token)?.account == "anna")
    #expect(try await anna.app(user: "maria", password: password, address: nil).granted != nil)
    #expect(try await anna.app(user: "bob", password: password, address: nil).granted == nil)
    // Another name was served since.
    let renamed = WebLogin(user: "eve", keeper: keeper, hasher: PlainHasher(), clock: clock)
    try await renamed.keepConfiguredName()
    #expect(try await anna.app(user: "eve", password: password, address: nil).granted != nil)
    try await anna.keepConfiguredName()
    #expect(await keeper.choices.configured == "eve")
    #expect(anna.user == "anna")
  }

  @Test func `Wrong passwords count for all accounts together`() async throws {
    let (anna, bob) = (login("anna"), login("bob"))
    for one in [anna, bob] { #expect(try await one.setLoginPassword("long enough")) }
    for number in 0..<LoginGate.failuresOfAddress {
      let one = number % 2 == 0 ? anna : bob
      let entry = try await one.logIn(user: one.user, password: "wrong", address: "a", agent: "")
      guard case .refused = entry else { return #expect(Bool(false), "\(entry)") }
    }
    for one in [anna, bob] {
      let entry = try await one.logIn(user: one.user, password: "long enough", address: "a", agent: "")
      guard case .blocked = entry else { return #expect(Bool(false), "\(entry)") }
    }
  }

  @Test func `A name that is too long for an account is refused without comparing passwords, and counts`()
    async throws
  {
    let name = String(repeating: "a\u{301}", count: 100)
    let anna = login(name)
    #expect(try await anna.setLoginPassword("long enough"))
    for _ in 0..<LoginGate.failuresOfAddress {
      #expect(!anna.refusesLogIns(from: "a"))
      let entry = try await anna.logIn(user: name, password: "long enough", address: "a", agent: "")
      guard case .refused = entry else { return #expect(Bool(false), "\(entry)") }
    }
    #expect(anna.refusesLogIns(from: "a"))
    #expect(!anna.refusesLogIns(from: "b"))
  }

  @Test func `A log-in clears no wrong passwords for another account`() async throws {
    let (anna, eve) = (login("anna"), login("eve"))
    for one in [anna, eve] { #expect(try await one.setLoginPassword("long enough")) }
    for _ in 0..<LoginGate.failuresOfAddress - 1 {
      let guess = try await anna.logIn(user: "anna", password: "wrong", address: "a", agent: "")
      guard case .refused = guess else { return #expect(Bool(false), "\(guess)") }
      // A wrong password of her own is cleared by her log-in.
      _ = try await eve.logIn(user: "eve", password: "wrong", address: "a", agent: "")
      let entry = try await eve.logIn(user: "eve", password: "long enough", address: "a", agent: "")
      guard entry.granted != nil else { break }
    }
    let guess = try await anna.logIn(user: "anna", password: "long enough", address: "a", agent: "")
    guard case .blocked = guess else { return #expect(Bool(false), "\(guess)") }
  }

  @Test func `Without credentials, every name and secret is refused`() async throws {
    let nobody = login("", NoCredentials(hasher: PlainHasher()))
    #expect(try await nobody.hasLoginPassword())
    #expect(try await nobody.logIn(user: "", password: "", address: "a", agent: "").granted?.cookie == nil)
    #expect(try await nobody.app(user: "anna", password: "x", address: nil).granted == nil)
    #expect(try await nobody.setUpToken() == nil)
    #expect(try await nobody.session(cookie: ".x", address: "a") == nil)
  }
}
