import NewsCore
import NewsToolbox
/// The address of a feed in a subscription list: a web address, or a reason to refuse it.
enum ListedAddress {
  case web(String)
  case refused(String)

  init(_ text: String) {
    let start = text.utf8.firstIndex { $0 > UInt8(ascii: " ") } ?? text.endIndex
    let address = WebAddress.withoutFeedScheme(String(text[start...]))
    guard let first = address.utf8.first else {
      self = .refused("has no address")
      return
    }
    if first == UInt8(ascii: "|") {
      self = .refused("runs a command")
      return
    }
    if "/.~".utf8.contains(first) {
      self = .refused("is a file; use 'newsd feeds add' to subscribe to it")
      return
    }
    let scheme = URLParts.scheme(of: address)
    switch scheme {
    case "http", "https":
      if let url = Self.resolved(address) {
        self = .web(url)
      } else {
        self = .refused("is not a usable address")
      }
    case "exec", "filter": self = .refused("runs a command")
    case "query":
      self = .refused("is a saved query, which is not imported; use 'newsd search --save NAME QUERY'")
    case "file": self = .refused("is a file; use 'newsd feeds add' to subscribe to it")
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

  /// Resolves an address. Returns nil if it is invalid, or if it could not be exported again because it contains
  /// characters that XML 1.0 (section 2.2) and RFC 3987 (section 2.2) exclude.
  static func resolved(_ address: String, base: String? = nil) -> String? {
    guard let url = URLResolver.resolve(address, base: base, policy: .resource),
      !url.unicodeScalars.contains(where: { $0.value == 0xFFFE || $0.value == 0xFFFF })
    else { return nil }
    return url
  }

  /// True for a host name with a dot and an optional path: `example.org/feed`.
  private static func looksLikeHost(_ address: String) -> Bool {
    let host = address.prefix(upToAny: "/?#")
    return host.contains(ascii: ".") && !host.unicodeScalars.contains { $0.properties.isWhitespace }
  }
}
