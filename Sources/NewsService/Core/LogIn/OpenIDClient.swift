import NewsToolbox
import Synchronization

/// Logs people in at an OpenID provider: the code flow with PKCE (OpenID Connect Core section 3.1, RFC 7636).
///
/// Everything that comes from the provider is bounded in size and time, and few log-ins wait for it at a time, so that a
/// provider that does not answer delays nothing else.
public final class OpenIDClient: Sendable {
  private struct State {
    var metadata: ProviderMetadata?
    var read = Timestamp(seconds: 0)
    var waiting = 0
  }

  public let settings: ProviderSettings
  private let poster: any BodyPosting
  private let clock: any WallClock
  private let reachesAnywhere: Bool
  private let state = Mutex(State())

  /// Seconds for which the provider's document is kept.
  private static let freshness: Int64 = 3600
  private static let mostWaiting = 4
  private static let longestCode = 4096

  /// `reachesAnywhere`: the configuration turns the address guard off. Otherwise, only the issuer may have an address in the
  /// local network.
  public init(
    _ settings: ProviderSettings,
    poster: any BodyPosting,
    clock: any WallClock,
    reachesAnywhere: Bool
  ) {
    self.settings = settings
    self.poster = poster
    self.clock = clock
    self.reachesAnywhere = reachesAnywhere
  }

  /// Returns the address at the provider to which the browser goes. `redirect` is the address of the callback.
  public func authorization(
    _ attempt: SignOnAttempt,
    redirect: String
  ) async throws(SignOnError) -> String {
    let metadata = try await limited { () async throws(SignOnError) in try await self.metadata() }
    let scopes =
      settings.groups.isEmpty || !metadata.hasGroupsScope ? "openid profile" : "openid profile groups"
    return Self.url(
      metadata.authorizationEndpoint,
      [
        ("response_type", "code"), ("client_id", settings.clientID), ("redirect_uri", redirect),
        ("scope", scopes), ("state", attempt.state), ("nonce", attempt.nonce),
        ("code_challenge", attempt.challenge), ("code_challenge_method", "S256"),
      ]
    )
  }

  /// Exchanges the code of a callback for the identity of the person, who must be in one of the groups.
  public func identity(
    code: String,
    _ attempt: SignOnAttempt,
    redirect: String
  ) async throws(SignOnError) -> ProviderIdentity {
    guard !code.isEmpty, code.utf8.count <= Self.longestCode else {
      throw .provider("the callback has no valid code")
    }
    let identity = try await limited { () async throws(SignOnError) in
      let metadata = try await self.metadata()
      let answer = try await self.tokens(code, attempt, redirect, metadata)
      guard let token = answer["id_token"]?.string else {
        throw .provider("the provider's answer has no ID token; allow newsd the scope openid there")
      }
      let claims = try IDToken.claims(
        of: token,
        self.settings,
        nonce: attempt.nonce,
        now: self.clock.now()
      )
      let more = try await self.userInfo(claims, answer["access_token"]?.string, metadata)
      return IDToken.identity(claims, more, issuer: self.settings.issuer)
    }
    // Names that only look the same are of two groups.
    let allowed = Set(settings.groups.map { Array($0.utf8) })
    guard allowed.isEmpty || identity.groups.contains(where: { allowed.contains(Array($0.utf8)) }) else {
      throw .refused("\(Self.shown(identity)) is in none of the groups of oidc.groups")
    }
    return identity
  }

  /// The address at which the person can log out at the provider (OpenID Connect RP-Initiated Logout section 2); nil: it has
  /// none, or its document is not known.
  public func logOut(returningTo url: String) -> String? {
    let endpoint = state.withLock { $0.metadata?.endSessionEndpoint }
    return endpoint.map {
      Self.url($0, [("client_id", settings.clientID), ("post_logout_redirect_uri", url)])
    }
  }

  /// How messages name an identity.
  public static func shown(_ identity: ProviderIdentity) -> String {
    MessageText.printable(WebLogin.shortened(identity.name ?? identity.subject, 64))
  }

  // MARK: Requests

  /// Fails if too many log-ins wait for the provider.
  private func limited<Value: Sendable>(
    _ body: () async throws(SignOnError) -> Value
  ) async throws(SignOnError) -> Value {
    let isAdmitted = state.withLock { state in
      guard state.waiting < Self.mostWaiting else { return false }
      state.waiting += 1
      return true
    }
    guard isAdmitted else { throw .busy }
    defer { state.withLock { $0.waiting -= 1 } }
    return try await body()
  }

  private func metadata() async throws(SignOnError) -> ProviderMetadata {
    let now = clock.now()
    let known = state.withLock { state in
      (0..<Self.freshness).contains(now - state.read) ? state.metadata : nil
    }
    if let known { return known }
    let address = ProviderMetadata.address(of: settings.issuer)
    let response = try await send { () async throws(FetchError) in
      try await self.poster.get(self.request(address, []))
    }
    guard response.status == 200 else {
      throw .provider("\(address) answers with status \(response.status); check oidc.issuer")
    }
    let metadata = try ProviderMetadata(response.body, of: settings.issuer)
    state.withLock { state in
      state.metadata = metadata
      state.read = now
    }
    return metadata
  }

  private func tokens(
    _ code: String,
    _ attempt: SignOnAttempt,
    _ redirect: String,
    _ metadata: ProviderMetadata
  ) async throws(SignOnError) -> JSONValue {
    var form = [
      ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect),
      ("code_verifier", attempt.verifier),
    ]
    var fields: [String] = []
    if let secret = settings.clientSecret, !metadata.takesSecretInBody {
      // RFC 6749 section 2.3.1.
      let pair = Self.encoded(settings.clientID) + ":" + Self.encoded(secret)
      fields = ["Authorization: Basic \(Base64.encode(Array(pair.utf8)))"]
    } else {
      form.append(("client_id", settings.clientID))
      if let secret = settings.clientSecret { form.append(("client_secret", secret)) }
    }
    let body = Self.query(form)
    let request = request(metadata.tokenEndpoint, fields)
    let response = try await send { () async throws(FetchError) in
      try await self.poster.post(raw: Array(body.utf8), request)
    }
    let answer = JSONValue(document: response.body)
    guard response.status == 200, let answer else {
      let code = Self.errorCode(answer?["error"]?.string)
      let advice = code == "invalid_client" ? "; check oidc.client_id and oidc.client_secret_file" : ""
      throw .provider("the provider refuses the code with status \(response.status) (\(code))\(advice)")
    }
    return answer
  }

  /// Asks for the claims that the ID token lacks; nil: it lacks none, or the provider has no such address.
  private func userInfo(
    _ claims: JSONValue,
    _ token: String?,
    _ metadata: ProviderMetadata
  ) async throws(SignOnError) -> JSONValue? {
    let isComplete =
      claims["preferred_username"] != nil && (settings.groups.isEmpty || claims["groups"] != nil)
    guard !isComplete, let address = metadata.userInfoEndpoint, let token, FeedSettings.isSendable(token)
    else {
      return nil
    }
    let request = request(address, ["Authorization: Bearer \(token)"])
    let response = try await send { () async throws(FetchError) in try await self.poster.get(request) }
    guard response.status == 200, let answer = JSONValue(document: response.body) else {
      throw .provider(
        "the provider's userinfo endpoint answers with status \(response.status) or without JSON"
      )
    }
    // OpenID Connect Core section 5.3.2.
    guard let subject = answer["sub"]?.string, subject.utf8.elementsEqual((claims["sub"]?.string ?? "").utf8)
    else {
      throw .provider("the answer of the userinfo endpoint is of another subject")
    }
    return answer
  }

  private func request(_ url: String, _ fields: [String]) -> FetchRequest {
    var settings = FeedSettings()
    settings.headers = fields + ["Accept: application/json"]
    let limits = FetchLimits(
      bodyBytes: 256 << 10,
      headerBytes: 32 << 10,
      redirects: 0,
      connectTimeout: 5000,
      firstByteTimeout: 10_000,
      totalTimeout: 10_000
    )
    var request = FetchRequest(
      url: url,
      settings: settings,
      limits: limits,
      reach: reachesAnywhere ? .anywhere : .localOrigin(of: self.settings.issuer),
      isUrgent: true,
      sharesSiteLimits: false
    )
    request.keepsOrigin = true
    return request
  }

  private func send(
    _ call: () async throws(FetchError) -> FetchResponse
  ) async throws(SignOnError) -> FetchResponse {
    let response: FetchResponse
    do {
      response = try await call()
    } catch {
      throw .unreachable(MessageText.printable(error.message))
    }
    guard !response.isTruncated else { throw .provider("the provider's answer is incomplete") }
    return response
  }

  // MARK: Text

  /// A code of RFC 6749 section 5.2, for messages. Everything else in an answer could be a secret.
  private static func errorCode(_ text: String?) -> String {
    guard let text, (1...40).contains(text.utf8.count),
      text.utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "_") }
      )
    else { return "no reason" }
    return text
  }

  /// Adds parameters to a URL, which may have some (RFC 6749 section 3.1).
  private static func url(_ base: String, _ parameters: [(String, String)]) -> String {
    base + (base.contains(ascii: "?") ? "&" : "?") + query(parameters)
  }

  private static func query(_ parameters: [(String, String)]) -> String {
    parameters.map { "\($0.0)=\(encoded($0.1))" }.joined(separator: "&")
  }

  private static func encoded(_ text: String) -> String {
    PercentCoding.encode(text, keeping: PercentCoding.isUnreserved)
  }
}
