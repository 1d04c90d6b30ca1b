import NewsCore
import NewsToolbox

extension FeedSettings {
  /// The settings of a feed as attributes in newsd's namespace.
  var outlineAttributes: [(name: String, value: String)] {
    var attributes: [(name: String, value: String)] = []
    func add(_ name: String, _ value: String?) {
      if let value { attributes.append((name, value)) }
    }
    add("minimumInterval", minimumInterval.map(String.init))
    add("maximumInterval", maximumInterval.map(String.init))
    add("userAgent", userAgent)
    add("headers", headers?.joined(separator: "\n"))
    add("credential", credential)
    add("proxy", proxy)
    add("clientCertificate", clientCertificate)
    add("certificateAuthority", certificateAuthority)
    add("verifiesTLS", verifiesTLS.map(String.init))
    add("timeout", timeout.map(String.init))
    add("maximumBytes", maximumBytes.map(String.init))
    add("encoding", encoding)
    add("allowsLocalOrigin", allowsLocalOrigin.map(String.init))
    add("secretsFor", secretsFor)
    add("identity", identity)
    add("keepDays", keepDays.map(String.init))
    add("keepItems", keepItems.map(String.init))
    add("paused", isPaused.map(String.init))
    add("hidden", isHidden.map(String.init))
    add("article", article?.rawValue)
    add("articleContent", articleContent)
    add("articleRemove", articleRemove)
    add("articleNext", articleNext)
    return attributes
  }

  /// Reads settings from attributes of newsd, FreshRSS and miniflux. Attribute names must be lower case.
  init(outline attributes: [String: String]) {
    self.init()
    guard attributes.keys.contains(where: { $0.utf8.contains(UInt8(ascii: ":")) }) else { return }
    func text(_ name: String) -> String? { attributes["newsd:" + name].flatMap { $0.isEmpty ? nil : $0 } }
    func number<Value: FixedWidthInteger>(_ name: String) -> Value? {
      text(name).flatMap { Value($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }
    func foreign(_ name: String) -> String? { attributes[name].flatMap(HTMLPlainText.line) }
    func flag(_ name: String) -> Bool? {
      text(name).flatMap { ["true": true, "false": false][$0.lowercased()] }
    }
    minimumInterval = number("minimuminterval")
    maximumInterval = number("maximuminterval")
    userAgent = text("useragent") ?? attributes["frss:curlopt_useragent"] ?? attributes["miniflux:useragent"]
    headers = text("headers").map { $0.split(ascii: "\n").map(String.init) }
    if headers == nil {
      var lines = (attributes["frss:curlopt_httpheader"] ?? "").split(ascii: "\n").map(String.init)
      let cookie = attributes["frss:curlopt_cookie"] ?? attributes["miniflux:cookie"] ?? ""
      if !cookie.isEmpty, !cookie.contains(ascii: "\n") { lines.append("Cookie: " + cookie) }
      if !lines.isEmpty { headers = lines }
    }
    credential = text("credential")
    proxy = text("proxy") ?? attributes["frss:curlopt_proxy"] ?? attributes["miniflux:proxyurl"]
    clientCertificate = text("clientcertificate")
    certificateAuthority = text("certificateauthority")
    verifiesTLS = flag("verifiestls")
    timeout = number("timeout")
    maximumBytes = number("maximumbytes")
    encoding = text("encoding")
    allowsLocalOrigin = flag("allowslocalorigin")
    secretsFor = text("secretsfor")
    identity = text("identity")
    keepDays = number("keepdays")
    keepItems = number("keepitems")
    isPaused = flag("paused")
    isHidden = flag("hidden")
    articleContent =
      text("articlecontent") ?? foreign("frss:cssfullcontent") ?? foreign("miniflux:scraperrules")
    articleRemove =
      text("articleremove") ?? foreign("frss:csscontentfilter") ?? foreign("frss:cssfullcontentfilter")
    articleNext = text("articlenext")
    article = text("article").flatMap(ArticlePolicy.init(rawValue:))
    // In other readers, a content selector by itself means that whole articles are fetched.
    if article == nil, articleContent != nil, text("articlecontent") == nil { article = .always }
    if userAgent?.isEmpty == true { userAgent = nil }
    if proxy?.isEmpty == true { proxy = nil }
  }
}
