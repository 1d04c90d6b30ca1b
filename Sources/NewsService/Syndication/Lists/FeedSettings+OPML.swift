import NewsCore
import NewsToolbox

extension FeedSettings {
  /// The settings of a feed as attributes in newsd's namespace.
  var outlineAttributes: [(name: String, value: String)] {
    Self.fields.compactMap { field in field.value(self).map { (field.name, $0.settingText) } }
  }

  /// Reads settings from attributes of newsd, FreshRSS and miniflux. Attribute names must be lower case.
  init(outline attributes: [String: String]) {
    self.init()
    guard attributes.keys.contains(where: { $0.utf8.contains(UInt8(ascii: ":")) }) else { return }
    func text(_ name: String) -> String? { attributes["newsd:" + name].flatMap { $0.isEmpty ? nil : $0 } }
    func foreign(_ name: String) -> String? { attributes[name].flatMap(HTMLPlainText.line) }
    for field in Self.fields {
      guard let text = text(field.name.lowercased()) else { continue }
      switch field.kind {
      case .text: field.set(&self, .string(text))
      case .number: if let number = Int64(text), number >= 0 { field.set(&self, .integer(number)) }
      case .flag: field.set(&self, ["true": .bool(true), "false": .bool(false)][text.lowercased()])
      case .lines: field.set(&self, .array(text.split(ascii: "\n").map { .string(String($0)) }))
      }
    }
    userAgent = userAgent ?? attributes["frss:curlopt_useragent"] ?? attributes["miniflux:useragent"]
    if headers == nil {
      var lines = (attributes["frss:curlopt_httpheader"] ?? "").split(ascii: "\n").map(String.init)
      let cookie = attributes["frss:curlopt_cookie"] ?? attributes["miniflux:cookie"] ?? ""
      if !cookie.isEmpty, !cookie.contains(ascii: "\n") { lines.append("Cookie: " + cookie) }
      if !lines.isEmpty { headers = lines }
    }
    proxy = proxy ?? attributes["frss:curlopt_proxy"] ?? attributes["miniflux:proxyurl"]
    articleContent = articleContent ?? foreign("frss:cssfullcontent") ?? foreign("miniflux:scraperrules")
    articleRemove =
      articleRemove ?? foreign("frss:csscontentfilter") ?? foreign("frss:cssfullcontentfilter")
    // In other readers, a content selector by itself means that whole articles are fetched.
    if article == nil, articleContent != nil, text("articlecontent") == nil { article = .always }
    if userAgent?.isEmpty == true { userAgent = nil }
    if proxy?.isEmpty == true { proxy = nil }
  }
}
