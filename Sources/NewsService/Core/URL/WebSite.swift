/// The address at which clients reach newsd: from `web.url`, otherwise from the request's Host field.
public struct WebSite: Hashable, Sendable {
  /// True for `https`.
  public var isSecure: Bool
  /// Host and port, for example `example.org` or `127.0.0.1:8788`.
  public var host: String
  /// The path below which newsd is served, without a trailing slash: empty or `/news`.
  public var prefix: String

  public init(isSecure: Bool = false, host: String = "localhost", prefix: String = "") {
    self.isSecure = isSecure
    self.host = host
    self.prefix = prefix
  }

  /// Scheme and host, as browsers send it in Origin.
  public var origin: String { (isSecure ? "https://" : "http://") + host }

  /// Returns the reference to a path of newsd, for links on pages: `/news/unread`.
  public func reference(_ path: String) -> String { prefix + path }

  /// Returns the absolute URL of a path of newsd: `https://example.org/news/unread`.
  public func url(_ path: String) -> String { origin + prefix + path }
}

extension WebSite {
  /// The name of the session's cookie. On https it has a prefix that makes browsers enforce the cookie's attributes
  /// (RFC 6265bis section 4.1.3).
  public var sessionCookieName: String {
    guard isSecure else { return "newsd" }
    return prefix.isEmpty ? "__Host-newsd" : "__Secure-newsd"
  }

  /// The name of the cookie of an attempt to log in at an OpenID provider.
  public var signOnCookieName: String { sessionCookieName + "-oidc" }

  /// Returns the Set-Cookie value for a session; an empty `value` deletes the cookie.
  public func sessionCookie(_ value: String) -> String {
    cookie(sessionCookieName, value, lifetime: WebSessionRule.lifetime)
  }

  /// Returns the Set-Cookie value for such an attempt; an empty `value` deletes the cookie.
  public func signOnCookie(_ value: String) -> String {
    cookie(signOnCookieName, value, lifetime: SignOnAttempt.lifetime)
  }

  private func cookie(_ name: String, _ value: String, lifetime: Int64) -> String {
    let age = value.isEmpty ? 0 : lifetime
    let path = prefix.isEmpty ? "/" : prefix
    return "\(name)=\(value); Path=\(path); Max-Age=\(age); HttpOnly; SameSite=Lax"
      + (isSecure ? "; Secure" : "")
  }
}
