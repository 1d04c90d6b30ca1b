import NewsToolbox

/// Why a log-in at an OpenID provider failed.
public enum SignOnError: Error, Hashable, Sendable {
  /// The provider cannot be used; the text says what failed and what to do.
  case provider(String)
  /// The provider cannot be asked. The text is for the log only, because it may name addresses behind a proxy.
  case unreachable(String)
  /// The provider has refused the log-in, or the person may not log in. The text is the reason.
  case refused(String)
  /// Too many log-ins wait for the provider.
  case busy
}

/// How newsd is known to an OpenID provider.
public struct ProviderSettings: Hashable, Sendable {
  /// The issuer, as the provider's document names it.
  public var issuer: String
  public var clientID: String
  /// Nil: a public client, which PKCE alone protects.
  public var clientSecret: String?
  /// Members of at least one of these groups may log in; empty: everybody.
  public var groups: [String]

  public init(issuer: String, clientID: String, clientSecret: String? = nil, groups: [String] = []) {
    self.issuer = issuer
    self.clientID = clientID
    self.clientSecret = clientSecret
    self.groups = groups
  }

  /// The issuer's host and port, for the button of the log-in page.
  public var host: String {
    WebAddress(issuer).flatMap { $0.root.cut(atFirst: "/").map { String($0.after.dropFirst()) } } ?? issuer
  }

  /// True for a URL that an issuer may have (OpenID Connect Discovery section 3): with TLS, or on this machine.
  public static func isIssuer(_ text: String) -> Bool {
    guard let address = WebAddress(text), !text.containsAny("?#@"), text.utf8.count <= 500 else {
      return false
    }
    return isProtected(address)
  }

  /// True for `https:`, and for `http:` to a loopback address.
  static func isProtected(_ address: WebAddress) -> Bool {
    guard address.scheme == "http" else { return address.scheme == "https" }
    let host =
      address.host.utf8.first == UInt8(ascii: "[") ? address.host.dropFirst().dropLast() : address.host[...]
    return host == "localhost" || IPAddress(host)?.addressClass == .loopback
  }
}

/// What newsd uses of a provider's document (OpenID Connect Discovery section 3).
public struct ProviderMetadata: Hashable, Sendable {
  public var authorizationEndpoint: String
  public var tokenEndpoint: String
  public var userInfoEndpoint: String?
  public var endSessionEndpoint: String?
  /// True: the secret is sent in the body of the request instead of its head.
  public var takesSecretInBody: Bool
  /// True: the scope `groups` exists.
  public var hasGroupsScope: Bool

  /// The address of the document of an issuer (section 4).
  static func address(of issuer: String) -> String {
    let base = issuer.hasSuffix(bytesOf: "/") ? String(issuer.dropLast()) : issuer
    return base + "/.well-known/openid-configuration"
  }

  /// Reads the document of the provider with this issuer.
  public init(_ document: [UInt8], of issuer: String) throws(SignOnError) {
    guard let json = JSONValue(document: document) else {
      throw .provider("the document of the provider is not JSON")
    }
    // A document of another issuer could name endpoints that get the secret.
    guard json["issuer"]?.isText(issuer) == true else {
      let other = MessageText.printable(WebLogin.shortened(json["issuer"]?.string ?? "none", 200))
      throw .provider("the provider's document names the issuer '\(other)'; set oidc.issuer to exactly that")
    }
    // Endpoints without TLS only for an issuer without TLS, which is on this machine.
    let isPlain = WebAddress(issuer)?.scheme == "http"
    func endpoint(_ name: String) -> String? {
      guard let url = json[name]?.string, url.utf8.count <= 2000, let address = WebAddress(url),
        address.userInfo == nil, !url.contains(ascii: "#"), FeedSettings.isSendable(url),
        address.scheme == "https" || isPlain && ProviderSettings.isProtected(address)
      else { return nil }
      return url
    }
    func names(_ name: String) -> [String]? { json[name]?.array.map { $0.compactMap(\.string) } }
    guard let authorization = endpoint("authorization_endpoint"), let token = endpoint("token_endpoint")
    else {
      throw .provider("the provider's document has no authorization_endpoint or token_endpoint with https")
    }
    authorizationEndpoint = authorization
    tokenEndpoint = token
    userInfoEndpoint = endpoint("userinfo_endpoint")
    endSessionEndpoint = endpoint("end_session_endpoint")
    let methods = names("token_endpoint_auth_methods_supported") ?? ["client_secret_basic"]
    takesSecretInBody = !methods.contains("client_secret_basic") && methods.contains("client_secret_post")
    hasGroupsScope = names("scopes_supported")?.contains("groups") ?? false
  }
}

/// Checks ID tokens (OpenID Connect Core section 3.1.3.7). The signature is not checked: docs/decisions/0020-id-tokens.md.
public enum IDToken {
  /// Seconds by which the clocks of newsd and the provider may differ.
  static let leeway: Int64 = 300
  private static let longest = 64 << 10
  /// OpenID Connect Core section 2.
  private static let longestSubject = 255
  private static let mostGroups = 1000

  /// Returns the claims of a token for this client. The caller must have got it from the token endpoint itself.
  static func claims(
    of token: String,
    _ settings: ProviderSettings,
    nonce: String,
    now: Timestamp
  ) throws(SignOnError) -> JSONValue {
    let parts = token.split(ascii: ".", omittingEmptySubsequences: false)
    guard token.utf8.count <= longest, parts.count == 3,
      let payload = String(parts[1]).withBytes({ Base64.decode($0)?.string() }),
      let claims = JSONValue(document: Array(payload.utf8)), claims.members != nil
    else { throw .provider("the ID token is not a signed JSON Web Token") }
    guard claims["iss"]?.isText(settings.issuer) == true else { throw wrong("iss", "is not oidc.issuer") }
    let audience = claims["aud"]?.array ?? [claims["aud"] ?? .null]
    guard audience.contains(where: { $0.isText(settings.clientID) }) else {
      throw wrong("aud", "does not have oidc.client_id")
    }
    let party = claims["azp"]
    guard party == nil && audience.count == 1 || party?.isText(settings.clientID) == true else {
      throw wrong("azp", "is not oidc.client_id")
    }
    guard let expires = seconds(claims["exp"]), expires > now.seconds - leeway else {
      throw wrong("exp", "is in the past; check the clocks of both machines")
    }
    // The token was made for this request.
    let recent = now.seconds - SignOnAttempt.lifetime - leeway...now.seconds + leeway
    guard let issued = seconds(claims["iat"]), recent.contains(issued) else {
      throw wrong("iat", "is not the present time; check the clocks of both machines")
    }
    guard SecretComparison.areEqual(claims["nonce"]?.string ?? "", nonce) else {
      throw wrong("nonce", "is not that of the request")
    }
    guard let subject = claims["sub"]?.string, isSubject(subject) else {
      throw wrong("sub", "is missing or malformed")
    }
    return claims
  }

  /// The claims that newsd uses. `more` are those of the userinfo endpoint, which must be of the same subject.
  static func identity(_ claims: JSONValue, _ more: JSONValue?, issuer: String) -> ProviderIdentity {
    let groups = claims["groups"] ?? more?["groups"]
    let list = groups?.array?.prefix(mostGroups).compactMap(\.string) ?? [groups?.string].compactMap { $0 }
    return ProviderIdentity(
      issuer: issuer,
      subject: claims["sub"]?.string ?? "",
      name: (claims["preferred_username"] ?? more?["preferred_username"])?.string,
      groups: list
    )
  }

  /// True for a text that can be a `sub`.
  public static func isSubject(_ text: String) -> Bool {
    (1...longestSubject).contains(text.utf8.count) && FeedSettings.isSendable(text)
  }

  private static func wrong(_ claim: String, _ problem: String) -> SignOnError {
    .provider("the ID token is refused: its \(claim) \(problem)")
  }

  /// A time of a claim, which may have a fraction.
  private static func seconds(_ value: JSONValue?) -> Int64? {
    guard case .number(let text)? = value else { return nil }
    let latest: Int64 = 1 << 50
    if let whole = Int64(text) { return (-latest...latest).contains(whole) ? whole : nil }
    return Double(text).flatMap { abs($0) < 1e15 ? Int64($0) : nil }
  }
}

extension JSONValue {
  /// Reads a document of a provider or a service. Nil for a malformed one, and for one with too many values.
  init?(document: [UInt8]) {
    let value = document.withUnsafeBufferPointer { JSONValue(valid: $0, mostValues: 10_000) }
    guard let value else { return nil }
    self = value
  }
}

extension JSONValue {
  /// True for a string with the bytes of `text`.
  fileprivate func isText(_ text: String) -> Bool { string?.isEqual(bytesOf: text) == true }
}
