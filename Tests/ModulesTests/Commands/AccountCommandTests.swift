import NewsCore
import NewsToolbox
import Synchronization
import Testing

@testable import Modules

/// One account in memory. Passwords are `secret-NAME`.
private final class FakeAccount: WebAccount {
  struct State {
    var apps: [AppPassword] = []
    var sessions: [WebSession] = []
    var hasPassword = false
  }

  let state: Mutex<State>
  let user = "anna"

  init(_ state: State = State()) { self.state = Mutex(state) }

  func app(user: String?, password: String, address: String?) async throws(StoreError) -> LoginOutcome<
    AppPassword
  > { .refused }
  func app(feverKey: String, address: String?) async throws(StoreError) -> LoginOutcome<AppPassword> {
    .refused
  }
  func app(authToken: String) async throws(StoreError) -> AppPassword? { nil }
  func app(actionToken: String) async throws(StoreError) -> AppPassword? { nil }
  func authToken(of app: AppPassword) async throws(StoreError) -> String { "" }
  func actionToken(of app: AppPassword) async throws(StoreError) -> String { "" }
  func apps() async throws(StoreError) -> [AppPassword] { state.withLock { $0.apps } }

  func addApp(named name: String) async throws(StoreError) -> (app: AppPassword, password: String)? {
    state.withLock { state in
      guard !state.apps.contains(where: { $0.name == name }) else { return nil }
      let app = AppPassword(id: Int64(state.apps.count + 1), name: name, made: .noon)
      state.apps.append(app)
      return (app, "secret-\(name)")
    }
  }

  func removeApp(named name: String) async throws(StoreError) -> Bool {
    state.withLock { state in
      let count = state.apps.count
      state.apps.removeAll { $0.name == name }
      return state.apps.count < count
    }
  }

  func hasLoginPassword() async throws(StoreError) -> Bool { state.withLock { $0.hasPassword } }
  func logIn(user: String, password: String, address: String, agent: String) async throws(StoreError)
    -> LoginOutcome<(session: WebSession, cookie: String)>
  { .refused }
  func session(cookie: String, address: String) async throws(StoreError) -> WebSession? { nil }
  func sessions() async throws(StoreError) -> [WebSession] { state.withLock { $0.sessions } }

  func removeSession(_ id: Int64) async throws(StoreError) -> Bool {
    state.withLock { state in
      let count = state.sessions.count
      state.sessions.removeAll { $0.id == id }
      return state.sessions.count < count
    }
  }
}

@Suite struct `Commands for the account of the web page` {
  private let phone = AppPassword(id: 1, name: "phone", made: .noon - 86_400, lastUsed: .noon)

  @Test func `A new app password is shown once, with the user name; the list shows no password`() async throws
  {
    let account = FakeAccount()
    let interactor = WebAppsInteractor(account: account)
    let added = try await emitted(interactor, .add(name: "phone"))
    #expect(added.lines() == ["secret-phone"])
    #expect(added.notes.count == 1)
    #expect(added.notes.first?.contains("anna") == true)
    #expect(added.notes.first?.contains("'newsd web apps remove phone'") == true)
    let list = try await emitted(interactor, .list)
    #expect(list.lines() == ["phone\tmade \(Timestamp.noon.rfc3339)\tnever used"])
  }

  @Test func `The list of app passwords says when each was last used`() async throws {
    let interactor = WebAppsInteractor(account: FakeAccount(.init(apps: [phone])))
    let list = try await emitted(interactor, .list)
    let made = (Timestamp.noon - 86_400).rfc3339
    #expect(list.lines() == ["phone\tmade \(made)\tlast used \(Timestamp.noon.rfc3339)"])
  }

  @Test func `A second app password of a name is refused, and the first stays`() async throws {
    let account = FakeAccount(.init(apps: [phone]))
    let seen = try await emitted(WebAppsInteractor(account: account), .add(name: "phone"))
    #expect(seen.failure?.code == .cannotCreate)
    #expect(seen.failure?.text.contains("'phone'") == true)
    #expect(account.state.withLock { $0.apps } == [phone])
  }

  @Test func `An app password is revoked once; then there is none of that name`() async throws {
    let account = FakeAccount(.init(apps: [phone]))
    let interactor = WebAppsInteractor(account: account)
    let revoked = try await emitted(interactor, .remove(name: "phone"))
    #expect(revoked.failure == nil)
    #expect(revoked.notes.count == 1)
    #expect(account.state.withLock { $0.apps.isEmpty })
    let again = try await emitted(interactor, .remove(name: "phone"))
    #expect(again.failure?.code == .notFound)
  }

  private let session = WebSession(
    id: 12,
    made: .noon - 60,
    lastSeen: .noon,
    agent: "Browser\u{1B}[31m",
    address: ""
  )

  @Test func `A session's line has its id, address and browser, without control characters`() async throws {
    let account = FakeAccount(.init(sessions: [session]))
    let list = try await emitted(WebSessionsInteractor(account: account), .list)
    let line = try #require(list.lines().first)
    #expect(line.hasPrefix("12\tlast seen \(Timestamp.noon.rfc3339)\tunix socket\tBrowser"))
    #expect(!line.unicodeScalars.contains("\u{1B}"))
  }

  @Test func `A session is ended by its id; an unknown id is an error`() async throws {
    let account = FakeAccount(.init(sessions: [session]))
    let interactor = WebSessionsInteractor(account: account)
    let unknown = try await emitted(interactor, .remove(13))
    #expect(unknown.failure?.code == .notFound)
    #expect(unknown.failure?.text.contains("13") == true)
    #expect(account.state.withLock { $0.sessions.count } == 1)
    let ended = try await emitted(interactor, .remove(12))
    #expect(ended.failure == nil)
    #expect(account.state.withLock { $0.sessions.isEmpty })
  }

  @Test func `Without address and password, the status says off and gives a note for each`() async throws {
    let interactor = WebStatusInteractor(account: FakeAccount())
    let seen = try await emitted(interactor, (listen: nil, url: nil))
    let figures = try #require(seen.content?.records)
    #expect(figures.map(\.name) == ["listen", "url", "user", "login_password", "app_passwords", "sessions"])
    #expect(figures.map(\.value) == ["off", "none", "anna", "not set", "0", "0"])
    #expect(seen.notes.count == 2)
  }

  @Test func `With a server and a password, the status says what is set`() async throws {
    let account = FakeAccount(.init(apps: [phone], sessions: [session], hasPassword: true))
    let interactor = WebStatusInteractor(account: account)
    let seen = try await emitted(interactor, (listen: "127.0.0.1:8788", url: "https://news.example/"))
    let figures = try #require(seen.content?.records)
    #expect(figures.map(\.value) == ["127.0.0.1:8788", "https://news.example/", "anna", "set", "1", "1"])
    #expect(seen.notes.isEmpty)
  }
}

@Suite struct `The login password` {
  /// Keeps one hash; the other credentials are not used.
  private actor Credentials: CredentialKeeping {
    private var login: String?
    func serverSecret() -> [UInt8] { [] }
    func appPasswords() -> [StoredAppPassword] { [] }
    func addAppPassword(named name: String, hash: [UInt8], feverHash: [UInt8], made: Timestamp)
      -> AppPassword?
    { nil }
    func removeAppPassword(named name: String) -> Bool { false }
    func noteUse(ofAppPassword id: Int64, at time: Timestamp) {}
    func loginPasswordHash() -> String? { login }
    func setLoginPasswordHash(_ hash: String?) { login = hash }
    func setUpToken(orStore new: SetUpToken, now: Timestamp) -> SetUpToken? { nil }
    func currentSetUpToken(now: Timestamp) -> SetUpToken? { nil }
    func finishSetUp(token: String, hash: String, _ choices: SetUpChoices, now: Timestamp) -> Bool { false }
    func setUpChoices() -> SetUpChoices { SetUpChoices() }
    func keepConfiguredUser(_ name: String) {}
    private var link: SignOnLink?
    func signOnLink(to issuer: String) -> SignOnLink? { link }
    func keep(_ link: SignOnLink, to issuer: String) -> SignOnLink {
      if self.link == nil { self.link = link }
      return self.link ?? link
    }
    func removeForeignCredentials() {}
    func removeSignOnLinks() -> Int {
      defer { link = nil }
      return link == nil ? 0 : 1
    }
    func addSession(hash: [UInt8], agent: String, address: String, made: Timestamp) -> WebSession {
      WebSession(id: 1, made: made, lastSeen: made, agent: agent, address: address)
    }
    func sessions(seenAfter time: Timestamp) -> [WebSession] { [] }
    func session(hash: [UInt8], seenAfter time: Timestamp) -> WebSession? { nil }
    func noteSession(_ id: Int64, seen time: Timestamp, address: String) {}
    func removeSession(_ id: Int64) -> Bool { false }
  }

  private struct Hasher: PasswordHashing {
    func hash(_ password: String) -> String? { password.isEmpty ? nil : "hash of \(password)" }
    func matches(_ password: String, hash: String) -> Bool { hash == "hash of \(password)" }
  }

  private let credentials = Credentials()
  private var interactor: WebPasswordInteractor {
    let clock = FixedClock(time: .noon)
    return WebPasswordInteractor(
      passwords: WebLogin(user: "anna", keeper: credentials, hasher: Hasher(), clock: clock)
    )
  }

  @Test func `It is set and removed, and both are reported`() async throws {
    let set = try await emitted(interactor, "long enough")
    #expect(set.failure == nil)
    #expect(set.notes.count == 1)
    #expect(await credentials.loginPasswordHash() == "hash of long enough")
    let removed = try await emitted(interactor, nil)
    #expect(removed.failure == nil)
    #expect(removed.notes.count == 1 && removed.notes != set.notes)
    #expect(await credentials.loginPasswordHash() == nil)
  }

  @Test func `An account is linked to one person until the link is removed`() async throws {
    let clock = FixedClock(time: .noon)
    let login = WebLogin(user: "anna", keeper: credentials, hasher: Hasher(), clock: clock)
    let module = WebLinkInteractor(login: login, issuer: "https://auth.example")
    #expect(try await emitted(module, nil).failure?.code == .notFound)
    let bare = WebLinkInteractor(login: login, issuer: nil)
    #expect(try await emitted(bare, "1").failure?.code == .configuration)
    for _ in 1...2 {
      #expect(try await emitted(module, "1").notes == ["the subject may log in to the account"])
    }
    #expect(try await emitted(module, "2").failure?.code == .cannotCreate)
    #expect(try await emitted(bare, nil).failure == nil)
    #expect(try await emitted(module, "2").failure == nil)
  }

  @Test func `A short or common password is bad data and changes nothing; a missing one cannot be removed`()
    async throws
  {
    #expect(try await emitted(interactor, nil).failure?.code == .notFound)
    _ = try await emitted(interactor, "long enough")
    for password in ["", "1234567", "Password1", "abcdefgh", "aaaaaaaaaa"] {
      #expect(try await emitted(interactor, password).failure?.code == .badData, "\(password)")
    }
    #expect(await credentials.loginPasswordHash() == "hash of long enough")
  }
}
