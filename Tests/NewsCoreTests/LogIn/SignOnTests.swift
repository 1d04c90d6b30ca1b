import NewsToolbox
import Synchronization
import Testing

@testable import NewsCore

/// The provider of the tests.
private let issuer = "https://auth.example/realm"
private let provider = ProviderSettings(issuer: issuer, clientID: "newsd", clientSecret: "a b:c", groups: [])

/// A token with these claims; a claim with an empty text is left out. The signature is not checked.
private func token(_ changes: [String: String] = [:], nonce: String = "n", now: Int64) -> String {
  var claims = [
    "iss": "\"\(issuer)\"", "aud": "\"newsd\"", "sub": "\"248\"", "nonce": "\"\(nonce)\"", "iat": "\(now)",
    "exp": "\(now + 60)", "preferred_username": "\"anna\"",
  ]
  claims.merge(changes) { $1 }
  let body = claims.filter { $0.value != "" }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
  let parts = [#"{"alg":"RS256"}"#, "{\(body)}", "signature"].map { Base64.encodeForURL(Array($0.utf8)) }
  return parts.joined(separator: ".")
}

/// The present time of the tests of tokens.
private let now: Int64 = 1_000_000_000

@Suite struct `ID tokens` {
  private func check(_ token: String) throws(SignOnError) -> JSONValue {
    try IDToken.claims(of: token, provider, nonce: "n", now: Timestamp(seconds: now))
  }

  @Test(
    arguments: [
      [:], ["aud": #"["newsd"]"#], ["aud": #"["other","newsd"]"#, "azp": "\"newsd\""], ["azp": "\"newsd\""],
      ["exp": "\(now - 299)"], ["iat": "\(now + 300)"], ["iat": "\(now).75", "exp": "\(now).5"],
    ] as [[String: String]]
  )
  func `A token for newsd and for this request is accepted`(_ changes: [String: String]) throws {
    let claims = try check(token(changes, now: now))
    #expect(claims["sub"]?.string == "248")
  }

  @Test(arguments: [
    ("iss", ""), ("iss", #""https://auth.example/realm/""#), ("iss", #"["https://auth.example/realm"]"#),
    ("aud", ""), ("aud", "\"other\""), ("aud", #"["other"]"#), ("aud", "[]"), ("aud", #"["other","newsd"]"#),
    ("azp", "\"other\""), ("azp", "1"), ("exp", ""), ("exp", "\(now - 300)"), ("exp", "\"\(now + 60)\""),
    ("exp", "1e400"),
    ("exp", "-9223372036854775808"), ("iat", ""), ("iat", "\(now + 301)"),
    ("iat", "\(now - 901)"), ("nonce", ""),
    ("nonce", "\"m\""), ("nonce", "1"), ("sub", ""), ("sub", "\"\""), ("sub", "1"), ("sub", #""a\u0007""#),
    ("sub", "\"\(String(repeating: "x", count: 256))\""),
  ])
  func `A wrong claim refuses the token and is named`(_ claim: String, _ value: String) {
    let error = #expect(throws: SignOnError.self) { try check(token([claim: value], now: now)) }
    guard case .provider(let reason)? = error else { return #expect(Bool(false), "\(error as Any)") }
    #expect(reason.contains("its \(claim == "aud" && value.contains("newsd") ? "azp" : claim) "), "\(reason)")
  }

  @Test(arguments: ["iss", "aud", "azp"])
  func `A claim that only looks right refuses the token`(_ claim: String) throws {
    let settings = ProviderSettings(issuer: "https://\u{E9}.example", clientID: "\u{E9}")
    var claims = ["iss": "\"\(settings.issuer)\"", "aud": "\"\u{E9}\"", "azp": "\"\u{E9}\""]
    func check() throws(SignOnError) -> JSONValue {
      try IDToken.claims(of: token(claims, now: now), settings, nonce: "n", now: Timestamp(seconds: now))
    }
    _ = try check()
    claims[claim] = claims[claim]?.replacing("\u{E9}", with: "e\u{301}")
    #expect(throws: SignOnError.self) { try check() }
  }

  @Test func `What is no signed token is refused`() {
    let good = token(now: now)
    let payload = good.split(separator: ".")[1]
    for text in ["", "a.b", "..", ".\(payload)", "\(good).x.y", "a.!.c", "a.\(payload.dropLast(9)).c"] {
      #expect(throws: SignOnError.self, "\(text)") { try check(text) }
    }
    let long = token(["x": "\"\(String(repeating: "x", count: 70_000))\""], now: now)
    #expect(throws: SignOnError.self) { try check(long) }
  }
}

@Suite struct `OpenID providers` {
  @Test(arguments: [
    ("https://auth.example", true), ("https://auth.example:8443/a/", true), ("http://127.0.0.1:9", true),
    ("http://localhost:9/x", true), ("http://[::1]:9", true), ("http://auth.example", false),
    ("http://192.168.1.2", false), ("http://127.0.0.1.example", false), ("https://a@auth.example", false),
    ("https://auth.example/?x", false), ("https://auth.example/#x", false), ("auth.example", false),
    ("file:///etc/passwd", false), ("", false),
  ])
  func `An issuer has TLS or is on this machine`(_ text: String, _ isIssuer: Bool) {
    #expect(ProviderSettings.isIssuer(text) == isIssuer)
  }

  private func metadata(_ members: String, of issuer: String = issuer) throws(SignOnError) -> ProviderMetadata
  {
    try ProviderMetadata(Array("{\(members)}".utf8), of: issuer)
  }

  private static let both =
    #""authorization_endpoint":"https://a.example/auth","token_endpoint":"https://a.example/token""#

  @Test func `The document must be of the issuer, and its endpoints must have TLS`() throws {
    let good = try metadata("\"issuer\":\"\(issuer)\",\(Self.both)")
    #expect(
      good.tokenEndpoint == "https://a.example/token" && !good.takesSecretInBody && !good.hasGroupsScope
    )
    for members in [
      Self.both, "\"issuer\":\"\(issuer)/\",\(Self.both)", "\"issuer\":\"\(issuer)\"",
      "\"issuer\":\"\(issuer)\",\(Self.both.replacing("https://a.example/token", with: "http://a.example/t"))",
      "\"issuer\":\"\(issuer)\",\(Self.both.replacing("https://a.example/token", with: "http://127.0.0.1/t"))",
      "\"issuer\":\"\(issuer)\",\(Self.both.replacing("a.example/token", with: "a@b.example/token"))",
    ] {
      #expect(throws: SignOnError.self, "\(members)") { try metadata(members) }
    }
    let local = Self.both.replacing("https://a.example", with: "http://localhost:9")
    let plain = try metadata("\"issuer\":\"http://localhost:9\",\(local)", of: "http://localhost:9")
    #expect(plain.authorizationEndpoint == "http://localhost:9/auth")
    #expect(ProviderMetadata.address(of: issuer + "/") == issuer + "/.well-known/openid-configuration")
  }
}

@Suite struct `Attempts to log in at a provider` {
  private let now = Timestamp(seconds: 1000)

  @Test func `An attempt is read again until it is too old, and all its values differ`() throws {
    let attempt = SignOnAttempt(now: now)
    #expect(SignOnAttempt(text: attempt.text, now: now + 600) == attempt)
    #expect(SignOnAttempt(text: attempt.text, now: now + 601) == nil)
    #expect(SignOnAttempt(text: attempt.text, now: now - 1) == nil)
    let values = [attempt.state, attempt.nonce, attempt.verifier, attempt.challenge]
    #expect(Set(values).count == 4)
    #expect(attempt.verifier.utf8.count == 64 && attempt.challenge.utf8.count == 43)
    // A later time is another attempt.
    let later = "1500" + attempt.text.dropFirst(4)
    #expect(SignOnAttempt(text: later, now: now + 700)?.state != attempt.state)
    for text in ["", "1000", "1000.", "1000.ab", "x.\(attempt.text.dropFirst(5))", attempt.text + "00"] {
      #expect(SignOnAttempt(text: text, now: now) == nil, "\(text)")
    }
  }

  @Test func `An attempt comes back once, and an address fails ten times`() {
    let limits = SignOnLimits()
    let attempt = SignOnAttempt(now: now)
    #expect(limits.use(attempt, now: now))
    #expect(!limits.use(attempt, now: now + 1))
    #expect(limits.use(SignOnAttempt(now: now), now: now))
    for _ in 1...10 {
      #expect(limits.wait(of: "a", now: now) == nil)
      limits.note("a", hasFailed: true, now: now)
    }
    #expect(limits.wait(of: "a", now: now) == 600 && limits.wait(of: "b", now: now) == nil)
    limits.note("a", hasFailed: false, now: now)
    #expect(limits.wait(of: "a", now: now) == nil)
  }

  @Test func `Strangers can have ten lines of an address logged, and a hundred of all`() {
    let limit = RefusalLimit()
    #expect((1...20).count { _ in limit.admits("a", now: now) } == 10)
    #expect((1...200).count { limit.admits("b\($0)", now: now) } == 90)
    #expect(limit.admits("a", now: now + 600))
  }
}

@Suite struct `Log-ins at a provider` {
  private let clock = ManualTime()
  private let poster = FakeProvider()

  private func client(_ groups: [String] = [], secret: String? = "a b:c") -> OpenIDClient {
    var settings = provider
    (settings.groups, settings.clientSecret) = (groups, secret)
    return OpenIDClient(settings, poster: poster, clock: clock, reachesAnywhere: false)
  }

  private func identity(_ client: OpenIDClient, _ attempt: SignOnAttempt) async throws -> ProviderIdentity {
    try await client.identity(code: "c/1", attempt, redirect: "https://news.example/login/oidc/callback")
  }

  @Test func `The browser is sent with state, nonce and challenge; the verifier and the secret stay here`()
    async throws
  {
    let attempt = SignOnAttempt(now: clock.now())
    let client = self.client(["news"])
    let address = try await client.authorization(attempt, redirect: "https://news.example/cb?x")
    #expect(address.hasPrefix("https://auth.example/auth?tenant=1&response_type=code&client_id=newsd&"))
    for part in [
      "redirect_uri=https%3A%2F%2Fnews.example%2Fcb%3Fx&", "scope=openid%20profile%20groups&",
      "state=\(attempt.state)&", "nonce=\(attempt.nonce)&", "code_challenge=\(attempt.challenge)&",
    ] { #expect(address.contains(part), "\(address)") }
    #expect(address.hasSuffix("code_challenge_method=S256"))
    #expect(!address.contains(attempt.verifier))
    // The document is kept for an hour.
    _ = try await client.authorization(attempt, redirect: "https://news.example/cb")
    #expect(poster.requests.count == 1)
    clock.seconds += 3600
    _ = try await client.authorization(attempt, redirect: "https://news.example/cb")
    #expect(poster.requests.count == 2)
  }

  @Test func `The code is exchanged with secret and verifier, without redirects, for the identity`()
    async throws
  {
    let attempt = SignOnAttempt(now: clock.now())
    poster.answer("token", #"{"id_token":"\#(token(nonce: attempt.nonce, now: clock.seconds))"}"#)
    let found = try await identity(client(), attempt)
    #expect(found == ProviderIdentity(issuer: issuer, subject: "248", name: "anna"))
    let request = try #require(poster.requests.last)
    #expect(request.request.limits.redirects == 0 && request.request.keepsOrigin)
    #expect(request.request.reach == .localOrigin(of: issuer))
    // RFC 6749 section 2.3.1: encoded before they are joined.
    let basic = Base64.encode(Array("newsd:a%20b%3Ac".utf8))
    #expect(request.request.settings.headers?.contains("Authorization: Basic \(basic)") == true)
    #expect(
      request.body == "grant_type=authorization_code&code=c%2F1&redirect_uri="
        + "https%3A%2F%2Fnews.example%2Flogin%2Foidc%2Fcallback&code_verifier=\(attempt.verifier)"
    )
    _ = try await identity(client(secret: nil), attempt)
    #expect(poster.requests.last?.body.hasSuffix("&client_id=newsd") == true)
    poster.change("client_secret_basic", "client_secret_post")
    _ = try await identity(client(), attempt)
    #expect(poster.requests.last?.body.hasSuffix("&client_id=newsd&client_secret=a%20b%3Ac") == true)
  }

  @Test func `Only members of a group may log in; claims that the token lacks are asked for`() async throws {
    let attempt = SignOnAttempt(now: clock.now())
    let bare = token(["preferred_username": ""], nonce: attempt.nonce, now: clock.seconds)
    poster.answer("token", #"{"id_token":"\#(bare)","access_token":"t"}"#)
    poster.answer("userinfo", #"{"sub":"248","preferred_username":"anna","groups":["a","news"]}"#)
    #expect(try await identity(client(["news", "staff"]), attempt).groups == ["a", "news"])
    #expect(poster.requests.last?.request.settings.headers?.first == "Authorization: Bearer t")
    await #expect(throws: SignOnError.refused("anna is in none of the groups of oidc.groups")) {
      try await identity(client(["staff"]), attempt)
    }
    poster.answer(
      "userinfo",
      "{\"sub\":\"248\",\"preferred_username\":\"anna\",\"groups\":[\"cafe\u{301}\"]}"
    )
    await #expect(throws: SignOnError.self) { try await identity(client(["caf\u{e9}"]), attempt) }
    poster.answer("userinfo", #"{"sub":"249","preferred_username":"anna","groups":["news"]}"#)
    await #expect(throws: SignOnError.provider("the answer of the userinfo endpoint is of another subject")) {
      try await identity(client(["news"]), attempt)
    }
  }

  @Test func `A provider that refuses or answers nonsense is reported without what it has sent`() async throws
  {
    let attempt = SignOnAttempt(now: clock.now())
    for (status, body, reason) in [
      (400, #"{"error":"invalid_grant","error_description":"a b:c"}"#, "status 400 (invalid_grant)"),
      (401, #"{"error":"invalid_client"}"#, "check oidc.client_id and oidc.client_secret_file"),
      (500, "a b:c", "status 500 (no reason)"), (200, "<html>", "status 200 (no reason)"),
      (200, #"{"access_token":"a b:c"}"#, "has no ID token"),
      (302, "", "status 302"),
    ] {
      poster.answer("token", body, status: status)
      let error = await #expect(throws: SignOnError.self) { try await identity(client(), attempt) }
      guard case .provider(let text)? = error else { return #expect(Bool(false), "\(error as Any)") }
      #expect(text.contains(reason) && !text.contains("a b:c"), "\(text)")
    }
  }

  @Test func `Four log-ins wait for the provider at a time; others are refused at once`() async throws {
    let attempt = SignOnAttempt(now: clock.now())
    let client = self.client()
    poster.hold()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...4 { group.addTask { _ = try await client.authorization(attempt, redirect: "https://n/") } }
      while poster.requests.count < 4 { await Task.yield() }
      await #expect(throws: SignOnError.busy) {
        try await client.authorization(attempt, redirect: "https://n/")
      }
      poster.release()
      try await group.waitForAll()
    }
    _ = try await client.authorization(attempt, redirect: "https://n/")
  }
}

@Suite struct `Accounts of identities` {
  private let clock = ManualTime()
  private let hers = MemoryCredentials()
  private let his = MemoryCredentials()

  private func login(_ account: String, _ keeper: MemoryCredentials) -> WebLogin {
    WebLogin(account: account, keeper: keeper, limits: LoginLimits(hasher: PlainHasher()), clock: clock)
  }

  private func identity(_ subject: String, _ name: String?) -> ProviderIdentity {
    ProviderIdentity(issuer: issuer, subject: subject, name: name)
  }

  private func entry(_ directory: SignOnDirectory, _ subject: String, _ name: String?) async throws -> String
  {
    switch try await directory.login(of: identity(subject, name)) {
    case .granted(let login): login.user
    case .refused(let reason): reason
    case .unavailable: "unavailable"
    }
  }

  @Test func `An identity is linked once, by its name, only if the configuration says so`() async throws {
    let logins = [login("anna", hers), login("bob", his)]
    let strict = SignOnDirectory(logins: { logins }, linksAccounts: false)
    let directory = SignOnDirectory(logins: { logins }, linksAccounts: true)
    #expect(try await entry(strict, "1", "anna").contains("oidc.links_accounts"))
    #expect(try await entry(directory, "1", "anna") == "anna")
    // The subject counts from now on, whatever its name.
    #expect(try await entry(strict, "1", "bob") == "anna")
    #expect(try await entry(directory, "1", nil) == "anna")
    #expect(try await entry(directory, "2", "anna").contains("another identity"))
    #expect(try await entry(directory, "2", nil).contains("no preferred_username"))
    #expect(try await entry(directory, "2", "carl").contains("no account"))
    #expect(try await entry(directory, "2", "bob") == "bob")
    // Another issuer is another person.
    let other = ProviderIdentity(issuer: "https://b.example", subject: "1", name: "bob")
    guard case .granted(let found) = try await directory.login(of: other) else {
      return #expect(Bool(false), "refused")
    }
    #expect(found.user == "bob")
    #expect(try await logins[0].unlink())
    #expect(try await !logins[0].unlink())
    #expect(try await entry(directory, "2", "anna") == "bob")
    #expect(try await entry(directory, "3", "anna") == "anna")
  }

  @Test func `The link of a copied store is not one of the account with the copy`() async throws {
    let anna = login("anna", hers)
    #expect(try await anna.link(identity("1", nil)))
    let copy = login("copy", hers)
    #expect(try await copy.linkedSubject(at: issuer) == nil)
    let directory = SignOnDirectory(logins: { [copy, anna] }, linksAccounts: true)
    #expect(try await entry(directory, "1", nil) == "anna")
  }

  @Test func `Nobody is linked or given an account while an account cannot be asked`() async throws {
    let anna = login("anna", hers)
    let bob = login("bob", his)
    await his.damage()
    #expect(try await anna.link(identity("1", nil)))
    for isComplete in [true, false] {
      let directory = SignOnDirectory(
        logins: { isComplete ? [bob, anna] : [anna] },
        isComplete: { isComplete },
        linksAccounts: true
      ) { _, _ in
        Issue.record("an account was made")
        return nil
      }
      #expect(try await entry(directory, "1", "carl") == "anna")
      #expect(try await entry(directory, "2", "carl") == "unavailable")
      #expect(try await entry(directory, "2", "bob") == "unavailable")
    }
  }

  @Test func `A person whose account is disabled is refused, whatever the name at the provider`() async throws
  {
    let anna = login("anna", hers)
    let directory = SignOnDirectory(
      logins: { [anna] },
      isDisabled: { $0.subject == "1" },
      linksAccounts: true
    ) { _, _ in
      Issue.record("an account was made")
      return nil
    }
    for name in ["anna", "carl", nil] {
      #expect(try await entry(directory, "1", name).contains("is disabled"), "\(name ?? "")")
    }
    #expect(try await entry(directory, "2", "anna") == "anna")
    let unreadable = SignOnDirectory(
      logins: { [anna] },
      isDisabled: { _ in throw StoreError(code: .corrupt, message: "damaged") },
      linksAccounts: true
    )
    #expect(try await entry(unreadable, "3", "anna") == "unavailable")
  }

  @Test func `Few log-ins of one person, and of all people, run at the same time`() async throws {
    let directory = SignOnDirectory(logins: { [] }, linksAccounts: false)
    /// How many log-ins run at once, each within the one before.
    func depth(_ level: Int = 0, _ subject: (Int) -> String) async throws -> Int {
      let person = identity(subject(level), nil)
      return try await directory.enter(person) { try await depth(level + 1, subject) } ?? level
    }
    #expect(try await depth { _ in "eve" } == 2)
    #expect(try await depth { "\($0)" } == 32)
    #expect(try await depth { _ in "eve" } == 2)
  }

  @Test func `Persons without an account take no places of persons who have logged in before`() async throws {
    let anna = login("anna", hers)
    #expect(try await anna.link(identity("1", nil)))
    let directory = SignOnDirectory(logins: { [anna] }, linksAccounts: false)
    /// Has so many strangers begin a log-in, and calls `body` then.
    func within(_ strangers: Int, _ body: () async throws -> Void) async throws {
      guard strangers > 0 else { return try await body() }
      _ = try await directory.enter(identity("s\(strangers)", nil)) { try await within(strangers - 1, body) }
    }
    try await within(32) { () async throws in
      #expect(try await directory.enter(identity("1", nil)) { true } == nil)
    }
    #expect(try await entry(directory, "1", nil) == "anna")
    #expect(try await entry(directory, "2", "bob").contains("no account"))
    try await within(32) { () async throws in
      #expect(try await directory.enter(identity("1", nil)) { true } == true)
      #expect(try await directory.enter(identity("2", nil)) { true } == nil)
    }
  }

  @Test func `Subjects that only look equal are different people`() async throws {
    let anna = login("anna", hers)
    #expect(try await anna.link(identity("\u{212B}", nil)))
    #expect(try await !anna.link(identity("\u{C5}", nil)))
  }

  @Test func `Accounts are made for names that accounts may have`() async throws {
    let made = Shared<[String]>([])
    let anna = login("anna", hers)
    let directory = SignOnDirectory(logins: { [anna] }, linksAccounts: false) { [his, clock] name, identity in
      guard name != "disabled" else { return nil }
      made.change { $0.append("\(name) \(identity.subject)") }
      let login = WebLogin(
        account: name,
        keeper: his,
        limits: LoginLimits(hasher: PlainHasher()),
        clock: clock
      )
      _ = try await login.link(identity)
      return login
    }
    #expect(try await entry(directory, "1", "bob") == "bob")
    #expect(try await entry(directory, "2", "disabled").contains("cannot be made or is not served"))
    for name in ["Bob", "../x", "bob@example.org", "a b", "", String(repeating: "a", count: 33)] {
      #expect(
        try await entry(directory, "3", name).hasPrefix("there is no account") || name.isEmpty,
        "\(name)"
      )
    }
    // An account that is there already is not taken over.
    #expect(try await entry(directory, "3", "anna").contains("not linked"))
    #expect(made.value == ["bob 1"])
  }

  @Test func `A session knows how it was opened, and cannot be changed to another way`() async throws {
    let anna = login("anna", hers)
    for way in LogInWay.allCases {
      let (session, cookie) = try await anna.openSession(by: way, address: "a", agent: "b")
      #expect(session.way == way && session.account == "anna")
      #expect(try await anna.session(cookie: cookie, address: "a")?.way == way)
      let bare = cookie.filter { $0 != "h" && $0 != "o" }
      if way != .password { #expect(try await anna.session(cookie: bare, address: "a") == nil) }
    }
    let one = WebLogin(user: "anna", keeper: hers, hasher: PlainHasher(), clock: clock)
    let (_, cookie) = try await one.openSession(by: .oidc, address: "a", agent: "b")
    #expect(try await one.session(cookie: cookie, address: "a")?.way == .oidc)
    try await one.endSession(cookie: cookie)
    #expect(try await one.session(cookie: cookie, address: "a") == nil)
  }
}

/// A provider in memory, which records its requests.
private final class FakeProvider: BodyPosting {
  struct Received {
    var request: FetchRequest
    var body: String
  }

  private struct State {
    var requests: [Received] = []
    var answers: [String: (status: Int, body: String)] = [:]
    var isHeld = false
  }
  private let state = Mutex(State())
  var requests: [Received] { state.withLock { $0.requests } }

  init() {
    answer(
      "configuration",
      """
      {"issuer":"\(issuer)","authorization_endpoint":"https://auth.example/auth?tenant=1",
       "token_endpoint":"https://auth.example/token","userinfo_endpoint":"https://auth.example/userinfo",
       "token_endpoint_auth_methods_supported":["client_secret_basic"],"scopes_supported":["openid","groups"]}
      """
    )
  }

  func answer(_ path: String, _ body: String, status: Int = 200) {
    state.withLock { $0.answers[path] = (status, body) }
  }

  func change(_ text: String, _ other: String) {
    state.withLock { state in
      let body = state.answers["configuration"]?.body ?? ""
      state.answers["configuration"] = (200, body.replacing(text, with: other))
    }
  }

  func hold() { state.withLock { $0.isHeld = true } }
  func release() { state.withLock { $0.isHeld = false } }

  func get(_ request: FetchRequest) async throws(FetchError) -> FetchResponse { await respond(request, "") }
  func post(raw bytes: [UInt8], _ request: FetchRequest) async throws(FetchError) -> FetchResponse {
    await respond(request, String(decoding: bytes, as: UTF8.self))
  }

  private func respond(_ request: FetchRequest, _ body: String) async -> FetchResponse {
    state.withLock { $0.requests.append(Received(request: request, body: body)) }
    while state.withLock({ $0.isHeld }) { await Task.yield() }
    let path = request.url.split(separator: "/").last.map { String($0.replacing("openid-", with: "")) } ?? ""
    let answer = state.withLock { $0.answers[path] } ?? (status: 404, body: "")
    return FetchResponse(
      status: answer.status,
      body: Array(answer.body.utf8),
      url: request.url,
      received: Timestamp(seconds: 0)
    )
  }
}
