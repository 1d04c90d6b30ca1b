import NewsCore

/// What one hop sends and how: decided before libcurl is asked, from the fetch, its target and the configuration.
struct RequestPlan: Hashable, Sendable {
  var url: String
  var userAgent: String
  /// Whole field lines, as bytes that a validator came in.
  var headers: [String]
  var credential: Credential?
  /// Nil: a direct connection.
  var proxy: String?
  var clientCertificate: String?
  var certificateAuthority: String?
  var verifiesTLS: Bool
  /// The body of a POST; nil: a GET.
  var form: [UInt8]?

  /// Feed formats first, then what else feeds are served as, then pages, which lead to feeds.
  static let accept =
    "Accept: application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml;q=0.9,"
    + " application/xml;q=0.8, text/xml;q=0.8, application/json;q=0.7, text/html;q=0.5, */*;q=0.1"

  /// - Parameters:
  ///   - request: The fetch as a whole.
  ///   - target: Where this hop goes.
  ///   - owner: The subscription's address: only its origin gets credentials and extra headers.
  ///   - credential: The secret that the feed's settings name.
  ///   - form: The body of a POST.
  ///   - configuration: What holds for all feeds.
  init(
    request: FetchRequest,
    target: RequestURL,
    owner: RequestURL,
    credential: Credential?,
    form: [UInt8]? = nil,
    configuration: NetworkConfiguration
  ) {
    let settings = request.settings
    url = target.url
    userAgent = settings.userAgent ?? configuration.userAgent
    clientCertificate = nil
    certificateAuthority = settings.certificateAuthority ?? configuration.certificateAuthority
    verifiesTLS = configuration.verifiesTLS
    self.form = form
    self.credential = nil
    proxy = ProxyChoice(configuration: configuration, own: settings.proxy).proxy(for: target)

    var own: [String] = []
    if target.mayKnowSecrets(of: owner) {
      own = (settings.headers ?? []).filter(Self.isFieldLine)
      clientCertificate = settings.clientCertificate
      verifiesTLS = verifiesTLS && settings.verifiesTLS ?? true
      self.credential =
        credential
        ?? owner.user.map { .basic(user: $0, password: owner.password ?? "") }
    }
    let names = Set(own.map { $0.prefix { $0 != ":" }.lowercased() })
    headers = names.contains("accept") ? [] : [Self.accept]
    if !names.contains("accept-encoding") { headers.append("Accept-Encoding: \(ContentCoding.accepted)") }
    if let validators = request.validators, Self.isSame(validators.url, target) {
      if let etag = validators.etag, !etag.isEmpty, !names.contains("if-none-match") {
        headers.append("If-None-Match: \(etag)")
      }
      if let date = validators.lastModified, !date.isEmpty, !names.contains("if-modified-since") {
        headers.append("If-Modified-Since: \(date)")
      }
    }
    headers = (headers + own).filter { !$0.utf8.contains { $0 == 0x0D || $0 == 0x0A || $0 == 0 } }
  }

  private static func isSame(_ url: String, _ target: RequestURL) -> Bool {
    url == target.url || (try? RequestURL(url))?.url == target.url
  }

  /// True for `Name: value` with a token for a name (RFC 9110 section 5.1).
  private static func isFieldLine(_ line: String) -> Bool {
    guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { return false }
    return line[..<colon].utf8.allSatisfy {
      $0 > 0x20 && $0 < 0x7F && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0)
    }
  }
}
