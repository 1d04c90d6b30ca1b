public import NewsCore

/// A request as the handlers of the web server receive it.
public struct HTTPRequest: Sendable {
  public var method = HTTPMethod.get
  /// Path and query as received, not decoded.
  public var target = "/"
  /// The decoded segments of the path below the prefix of `web.url`. The root is `[]`; after a trailing slash the last
  /// segment is empty.
  public var path: [String] = []
  public var query = HTTPParameters()
  public var fields = HTTPFields()
  public var body: [UInt8] = []
  /// The fields of a URL-encoded or multipart body; empty unless the route reads forms.
  public var form = HTTPParameters()
  /// The files of a multipart body; empty unless the route reads forms.
  public var files: [HTTPUpload] = []
  /// The client's address as text, after trusted proxies; empty if it came through a unix socket without a proxy.
  public var address = "127.0.0.1"
  /// The site at which the client reaches newsd.
  public var site = WebSite()
  /// The app password with which the request is authenticated.
  public var app: AppPassword?
  /// The session of the browser that sends the request.
  public var session: WebSession?
  /// Whom the reverse proxy names as the sender.
  public var proxyUser = ProxyUser.absent
  /// The place in which the request is worked on; its copies have it too.
  package var place = RequestPlace()
}

/// The account that a header field of a reverse proxy names (`web.auth_header`).
public enum ProxyUser: Hashable, Sendable {
  /// The request has no such field, or the field does not count.
  case absent
  case name(String)
  /// The client sent the field and is not a trusted proxy.
  case untrusted
  /// The field is empty, is given twice, or has characters that no name has.
  case invalid

  /// The account's name; nil: none.
  public var name: String? {
    if case .name(let name) = self { name } else { nil }
  }
}

/// A file of a multipart form.
public struct HTTPUpload: Sendable {
  /// The name of the form's field.
  public var name: String
  /// The name that the browser gives; empty if no file was chosen. Never use it as a path on this machine.
  public var fileName: String
  public var bytes: [UInt8]
}

/// The method of a request.
public enum HTTPMethod: Hashable, Sendable {
  case get, head, post, put, delete, options, other

  /// Reads the name of a method, which is case-sensitive (RFC 9110 section 9.1).
  public init(_ name: some StringProtocol) {
    switch name {
    case "GET": self = .get
    case "HEAD": self = .head
    case "POST": self = .post
    case "PUT": self = .put
    case "DELETE": self = .delete
    case "OPTIONS": self = .options
    default: self = .other
    }
  }

  /// The name for an Allow field; empty for `other`.
  public var name: String {
    switch self {
    case .get: "GET"
    case .head: "HEAD"
    case .post: "POST"
    case .put: "PUT"
    case .delete: "DELETE"
    case .options: "OPTIONS"
    case .other: ""
    }
  }
}

/// Who sends a request, as far as its head tells. The server finds this out before it reads the body.
public enum Admission: Sendable {
  /// The program that has this app password.
  case app(AppPassword)
  /// The browser that has this session.
  case session(WebSession)
  /// Unknown. Credentials may be in the body, of which the server reads `WebRoute.strangersBody` bytes at most.
  case stranger
  case refused(HTTPReply)
}

extension HTTPRequest {
  /// Notes who sends the request. Returns the answer if the request is refused.
  public mutating func admit(_ admission: Admission) -> HTTPReply? {
    switch admission {
    case .app(let app): self.app = app
    case .session(let session): self.session = session
    case .stranger: break
    case .refused(let reply): return reply
    }
    return nil
  }

  /// True if the client is known by an app password or a session.
  public var isKnown: Bool { app != nil || session != nil }

  /// The account that has admitted the request, if there are several.
  public var account: String? { app?.account ?? session?.account }
}
