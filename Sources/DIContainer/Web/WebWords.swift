import NewsHTTP
public import NewsCore
import NewsNetwork
import NewsToolbox

/// Validates settings of the web server, so that a value that it would ignore is reported instead.
public enum WebWords {
  /// True for `ADDRESS:PORT`, `unix:/PATH` and `systemd`.
  public static func isListener(_ text: String) -> Bool { ListenSocket.isAddress(text) }

  /// True for an address or a CIDR block.
  public static func isNetwork(_ text: String) -> Bool { TrustedProxies.isNetwork(text) }

  /// The parts of `https://example.org/news/`; nil if the text is not a URL of that form.
  public static func site(_ text: String) -> WebSite? {
    guard let address = WebAddress(text), address.scheme == "https" || address.scheme == "http",
      !text.containsAny("?#@"), let rest = text.cut(atFirst: "/")?.after.dropFirst(),
      !rest.isEmpty
    else { return nil }
    let host = rest.prefix(upToAny: "/")
    let path = rest.dropFirst(host.count).split(ascii: "/")
    let isPlain = path.allSatisfy { $0.utf8.allSatisfy(PercentCoding.isUnreserved) }
    guard !host.isEmpty, isPlain else { return nil }
    return WebSite(
      isSecure: address.scheme == "https",
      host: String(host),
      prefix: path.map { "/" + $0 }.joined()
    )
  }
}
