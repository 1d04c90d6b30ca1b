/// Answers requests. Several requests may be answered at the same time.
public protocol HTTPHandling: Sendable {
  func reply(to request: HTTPRequest) async -> HTTPReply
}

/// Called for each answer, on the server's threads.
public protocol HTTPObserving: Sendable {
  func answered(api: String, status: Int, nanoseconds: Int64)
}

/// Which requests a route accepts from pages of other sites, if they write something.
///
/// A browser adds cookies and remembered Basic credentials to requests that any site makes. A token in a header field
/// or in the body, however, is only sent by a site that knows it.
public enum ForeignOrigins: Sendable {
  case refused
  /// Accepts requests with `X-Auth-Token`, `Authorization: Bearer` or `Authorization: GoogleLogin`.
  case withToken
  /// Accepts all requests, because their credentials are in the body.
  case accepted
}

/// The requests that a handler answers. The server chooses the route with the longest matching path.
public struct WebRoute: Sendable {
  /// The check that the server makes before it reads the body.
  public enum Access: Sendable {
    /// No check: anyone may send a request with a body of any length up to `bodyLimit`.
    case open
    /// Requires an app password, sent as Basic or Bearer, or in this header field if one is given. The server answers
    /// 401 to requests without an app password.
    case appPassword(field: String? = nil)
    /// Requires what this function demands of a request whose body is not read yet.
    case head(@Sendable (HTTPRequest) async -> Admission)
  }

  /// What tells whose request it is, if the server has several accounts.
  public enum Owner: Sendable {
    /// Nothing: the answer is the same for everyone.
    case nobody
    /// An app password or a token, in the head or in the body.
    case secret
    /// The cookie of a session that its account has admitted, or the token in a set-up address.
    case session
    /// A cookie.
    case cookie
    /// The picture that the address names.
    case picture
  }

  /// Maximum length in bytes of a body from a client that is not known yet.
  public static let strangersBody = 64 << 10

  /// The name for metrics: `page`, `greader`, `fever`, …
  public var api: String
  /// The first segments of the path below the prefix.
  public var path: [String]
  /// True: answers only this path. False: all paths below it too.
  public var isExact: Bool
  /// Other methods get 405. HEAD is allowed where GET is; OPTIONS is answered by the server.
  public var methods: [HTTPMethod]
  /// Maximum length of the body; a request with a longer body gets 413.
  public var bodyLimit: Int
  /// True: the server reads URL-encoded and multipart bodies into `form` and `files`. Bodies of other types stay in
  /// `body` only.
  public var readsForm: Bool
  public var access: Access
  /// The field for app passwords that `access` named when the route was made.
  let tokenField: String?
  public var foreign: ForeignOrigins
  /// True if clients that are pages of other sites may use the route: the server answers preflights, and browsers let
  /// such pages read the answers (CORS). `foreign` still decides what they may write.
  public var servesWebClients: Bool
  /// True if pages may load pictures, styles and scripts from here. Such an answer is given up once the client has
  /// closed its end of the connection.
  public var servesParts: Bool
  /// True if the route is served at any host, because a page of another site that reaches it (DNS rebinding) learns
  /// nothing from it.
  public var acceptsAnyHost: Bool
  public var owner: Owner
  /// Answers in a task.
  public var handler: any HTTPHandling
  /// Answers instead of `handler`, from the request alone. Called on the server's thread, so it must not wait.
  public var instant: (@Sendable (HTTPRequest) -> HTTPReply)?
  /// Returns the answer if the request is refused before its body is read. Called on the server's thread, so it must not
  /// wait.
  public var refusal: (@Sendable (HTTPRequest) -> HTTPReply?)?

  public init(
    api: String,
    path: [String],
    isExact: Bool = false,
    methods: [HTTPMethod] = [.get],
    bodyLimit: Int = 0,
    readsForm: Bool = false,
    access: Access = .open,
    foreign: ForeignOrigins = .refused,
    servesWebClients: Bool = false,
    servesParts: Bool = false,
    acceptsAnyHost: Bool = false,
    owner: Owner = .secret,
    handler: any HTTPHandling
  ) {
    self.api = api
    self.path = path
    self.isExact = isExact
    self.methods = methods
    self.bodyLimit = bodyLimit
    self.readsForm = readsForm
    self.access = access
    if case .appPassword(let field) = access { tokenField = field } else { tokenField = nil }
    self.foreign = foreign
    self.servesWebClients = servesWebClients
    self.servesParts = servesParts
    self.acceptsAnyHost = acceptsAnyHost
    self.owner = owner
    self.handler = handler
  }

  /// Creates a route that answers everyone alike, from the request alone. The server calls `instant` on its own thread, so
  /// it must not wait.
  public init(
    api: String,
    path: [String],
    isExact: Bool = true,
    instant: @escaping @Sendable (HTTPRequest) -> HTTPReply
  ) {
    self.init(
      api: api,
      path: path,
      isExact: isExact,
      owner: .nobody,
      handler: InstantHandler(answer: instant)
    )
    self.instant = instant
  }

  /// True if the server makes no check of its own.
  public var isOpen: Bool {
    if case .open = access { true } else { false }
  }
}

private struct InstantHandler: HTTPHandling {
  let answer: @Sendable (HTTPRequest) -> HTTPReply

  func reply(to request: HTTPRequest) async -> HTTPReply { answer(request) }
}

/// A running web server; it starts when it is created.
public protocol WebServing: Sendable {
  /// The port of the first TCP socket; nil if it listens on unix sockets only.
  var port: UInt16? { get }
  var connectionCount: Int { get }
  /// Closes connections that take too long, until the task is cancelled. The server answers requests without
  /// it.
  func run() async
  /// Stops accepting connections, answers the requests that were received, then ends. After the limit,
  /// requests that are not answered yet get 503.
  func stop(within limit: Duration) async
}
