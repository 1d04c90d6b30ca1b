import NewsToolbox
/// The address of a feed in a subscription list: a web address, or a reason to refuse it.
enum ListAddress {
  case web(String)
  case refused(String)

  init(_ text: String) {
    var address = text[(text.utf8.firstIndex { $0 > 0x20 } ?? text.endIndex)...]
    if address.lowercased().hasPrefix(bytesOf: "feed:"), let (_, rest) = address.cut(atFirst: ":") {
      address = rest.hasPrefix(bytesOf: "//") ? "http:" + rest : rest
    }
    guard let first = address.utf8.first else {
      self = .refused("has no address")
      return
    }
    if first == UInt8(ascii: "|") {
      self = .refused("runs a command")
      return
    }
    if "/.~".utf8.contains(first) {
      self = .refused("is a file; add it by hand if it is meant")
      return
    }
    let scheme = URLComparison.scheme(of: String(address))
    switch scheme {
    case "http", "https":
      if let url = Self.resolved(String(address)) {
        self = .web(url)
      } else {
        self = .refused("is not a usable address")
      }
    case "exec", "filter": self = .refused("runs a command")
    case "query": self = .refused("is a saved query")
    case "file": self = .refused("is a file; add it by hand if it is meant")
    case nil where Self.looksLikeHost(address):
      if let url = Self.resolved("https://" + address) {
        self = .web(url)
      } else {
        self = .refused("is not a usable address")
      }
    case nil: self = .refused("is not an address")
    case let scheme?: self = .refused("has the scheme \(scheme.prefix(20)):, which newsd does not fetch")
    }
  }

  /// Resolves an address; nil when it is invalid or contains characters that XML 1.0 (section 2.2) and RFC 3987
  /// (section 2.2) exclude, because it could not be exported again.
  static func resolved(_ address: String, base: String? = nil) -> String? {
    guard let url = URLResolver.resolve(address, base: base, policy: .resource),
      !url.unicodeScalars.contains(where: { $0.value == 0xFFFE || $0.value == 0xFFFF })
    else { return nil }
    return url
  }

  /// True for a host name with a dot and an optional path: `example.org/feed`.
  private static func looksLikeHost(_ address: Substring) -> Bool {
    let host = address.prefix(upToAny: "/?#")
    return host.contains(ascii: ".") && !host.unicodeScalars.contains { $0.properties.isWhitespace }
  }
}
