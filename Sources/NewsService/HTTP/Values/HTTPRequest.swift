public import NewsCore

/// A request as the handlers of the web server receive it.
public struct HTTPRequest: Sendable {
  public var method: HTTPMethod
  /// Path and query as received, not decoded.
  public var target: String
  /// The decoded segments of the path below the prefix of `web.url`. The root is `[]`; after a trailing slash the last
  /// segment is empty.
  public var path: [String]
  public var query: HTTPParameters
  public var fields: HTTPFields
  public var body: [UInt8]
  /// The fields of a URL-encoded or multipart body; empty unless the route reads forms.
  public var form: HTTPParameters
  /// The files of a multipart body; empty unless the route reads forms.
  public var files: [HTTPUpload]
  /// The client's address as text, after trusted proxies; empty if it came through a unix socket without a proxy.
  public var address: String
  /// The site at which the client reaches newsd.
  public var site: WebSite
  /// The app password with which the request is authenticated.
  public var app: AppPassword?
  /// The session of the browser that sends the request.
  public var session: WebSession?

  public init(
    method: HTTPMethod = .get,
    target: String = "/",
    path: [String] = [],
    query: HTTPParameters = HTTPParameters(),
    fields: HTTPFields = HTTPFields(),
    body: [UInt8] = [],
    form: HTTPParameters = HTTPParameters(),
    files: [HTTPUpload] = [],
    address: String = "127.0.0.1",
    site: WebSite = WebSite(),
    app: AppPassword? = nil,
    session: WebSession? = nil
  ) {
    self.method = method
    self.target = target
    self.path = path
    self.query = query
    self.fields = fields
    self.body = body
    self.form = form
    self.files = files
    self.address = address
    self.site = site
    self.app = app
    self.session = session
  }
}

/// A file of a multipart form.
public struct HTTPUpload: Sendable {
  /// The name of the form's field.
  public var name: String
  /// The name that the browser gives; empty if no file was chosen. Never use it as a path on this machine.
  public var fileName: String
  public var bytes: [UInt8]

  public init(name: String, fileName: String, bytes: [UInt8]) {
    self.name = name
    self.fileName = fileName
    self.bytes = bytes
  }
}
