import NewsCore
import NewsToolbox

/// The content and options of one hop's request, computed from the fetch, its target and the configuration.
struct RequestPlan: Hashable, Sendable {
  var url: String
  var userAgent: String
  /// Complete field lines, encoded as in `HeaderText`.
  var headers: [String]
  var credential: Credential?
  /// The proxy's URL; nil for a direct connection.
  var proxy: String?
  var clientCertificate: String?
  var certificateAuthority: String?
  var verifiesTLS: Bool
  /// The body of a POST; nil for a GET.
  var form: [UInt8]?
  /// See `NetworkConfiguration.resolved`.
  var resolved: [String]

  /// Returns the Accept field. For feeds, it prefers feed formats, then other types that feeds use, then web pages,
  /// which may link to feeds. For pages, it is like that of a browser, because some URLs serve a feed or data to
  /// programs that prefer those.
  private static func accept(_ content: FetchRequest.Content) -> String {
    switch content {
    case .feed:
      "Accept: application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml;q=0.9,"
        + " application/xml;q=0.8, text/xml;q=0.8, application/json;q=0.7, text/html;q=0.5, */*;q=0.1"
    case .page: "Accept: text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.1"
    case .picture:
      "Accept: image/png, image/x-icon, image/vnd.microsoft.icon, image/webp, image/avif, image/jpeg, image/gif,"
        + " image/*;q=0.5, */*;q=0.1"
    case .recording: "Accept: audio/*, video/*, */*;q=0.1"
    }
  }

  /// - Parameters:
  ///   - request: The whole fetch.
  ///   - target: The URL of this hop.
  ///   - subscription: The subscription's URL. Only an origin that can receive its credentials
  ///     (`Origin.canReceiveCredentials`) gets them and the extra headers. Nil: no origin gets them.
  ///   - credential: The secret referenced by the feed's settings.
  ///   - form: The body of a POST.
  ///   - configuration: The settings for all feeds.
  /// - Throws: `badURL` if the user agent, the proxy or the credential contains control characters. Field
  ///   lines with control characters are left out.
  init(
    request: FetchRequest,
    target: RequestURL,
    subscription: RequestURL?,
    credential: Credential?,
    form: [UInt8]? = nil,
    configuration: NetworkConfiguration
  ) throws(FetchError) {
    let settings = request.settings
    url = target.url
    userAgent = settings.userAgent ?? configuration.userAgent
    clientCertificate = nil
    certificateAuthority = settings.certificateAuthority ?? configuration.certificateAuthority
    verifiesTLS = configuration.verifiesTLS
    self.form = form
    resolved = configuration.resolved
    self.credential = nil
    proxy = ProxyChoice(configuration: configuration, own: settings.proxy).proxy(for: target)

    var own: [String] = []
    if let subscription, target.origin.canReceiveCredentials(from: subscription.origin) {
      own = (settings.headers ?? []).filter(Self.isFieldLine)
      clientCertificate = settings.clientCertificate
      verifiesTLS = verifiesTLS && settings.verifiesTLS ?? true
      self.credential =
        credential
        ?? subscription.user.map { .basic(user: $0, password: subscription.password ?? "") }
    }
    let names = Set(own.map { $0.prefix(upToAny: ":").lowercased() })
    headers = names.contains("accept") ? [] : [Self.accept(request.content)]
    if let range = request.range {
      // A part of compressed bytes cannot be decoded.
      headers += ["Range: bytes=\(range.lowerBound)-\(range.upperBound - 1)", "Accept-Encoding: identity"]
    } else if !names.contains("accept-encoding") {
      headers.append("Accept-Encoding: \(ContentCoding.accepted)")
    }
    if let validators = request.validators, Self.isSame(validators.url, target) {
      if let etag = validators.etag, !etag.isEmpty, !names.contains("if-none-match") {
        headers.append("If-None-Match: \(etag)")
      }
      if let date = validators.lastModified, !date.isEmpty, !names.contains("if-modified-since") {
        headers.append("If-Modified-Since: \(date)")
      }
    }
    headers += own
    headers.removeAll { $0.replacing(ascii: "\t", with: " ").holdsControlBytes }
    try refuseControlCharacters()
  }

  /// Throws if a value contains control characters: a line break would add a field or a request.
  private func refuseControlCharacters() throws(FetchError) {
    var texts = [("user agent", userAgent), ("proxy", proxy ?? "")]
    switch credential {
    case .basic(let user, let password): texts += [("user name", user), ("password", password)]
    case .bearer(let token): texts.append(("token", token))
    case nil: break
    }
    guard let (name, _) = texts.first(where: { $0.1.holdsControlBytes }) else { return }
    throw FetchError(
      code: .badURL,
      message: "\(HeaderText.shown(url)) was not requested: the \(name) contains a control character"
    )
  }

  private static func isSame(_ url: String, _ target: RequestURL) -> Bool {
    url == target.url || (try? RequestURL(url))?.url == target.url
  }

  /// Returns true for `Name: value`, where the name is a token (RFC 9110 section 5.1).
  private static func isFieldLine(_ line: String) -> Bool {
    guard let (name, _) = line.cut(atFirst: ":"), !name.isEmpty else { return false }
    return name.utf8.allSatisfy {
      $0 > UInt8(ascii: " ") && $0 < 0x7F && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0)
    }
  }
}
