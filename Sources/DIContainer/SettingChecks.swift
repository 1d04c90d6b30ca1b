import NewsHTTP
public import NewsCore
import NewsNetwork
import NewsSyndication
import NewsToolbox
import NewsWeb

/// The URL at which hubs reach this machine, and the listening address derived from it.
public enum CallbackAddress {
  /// Validates a callback URL. `listen` is the configured listening address; nil: it is derived from the URL.
  public static func problem(_ callback: String, listen: String?) -> String? {
    guard WebAddress(callback)?.isWeb == true else { return "'\(callback)' is not an http or https URL" }
    if callback.contains("?") || callback.contains("#") {
      return "'\(callback)' must not have a query or a fragment: a path component is added for each feed"
    }
    guard listen == nil, listening(for: callback) == nil else { return nil }
    return
      "an https URL needs websub.listen, because newsd does not speak TLS to hubs: run a reverse proxy, and set "
      + "websub.listen to the address to which it passes requests"
  }

  /// The listening address `ADDRESS:PORT` for an http URL: 127.0.0.1 for `localhost`, all IPv4 addresses of
  /// this machine for another host name. Nil for https, because a reverse proxy must terminate TLS.
  static func listening(for callback: String) -> String? {
    guard let address = WebAddress(callback), address.scheme == "http" else { return nil }
    let isNamed = !WebAddress.isShared(address.host)
    let host = isNamed ? "0.0.0.0" : address.host == "localhost" ? "127.0.0.1" : address.host
    return "\(host):\(address.effectivePort)"
  }
}

/// Validates names of encodings in settings, because an unknown name would be ignored.
public enum EncodingSetting {
  /// True if `text` names an encoding that the parser can read.
  public static func isEncoding(_ text: String) -> Bool { KnownEncodings.contains(text) }
}

/// Validates network settings, so that a value the adapter would ignore is reported instead.
public enum NetworkSetting {
  /// True for a CIDR block, an address, a host name, or `*.` followed by a domain.
  public static func isDestination(_ text: String) -> Bool { AllowedDestination(text) != nil }

  /// True for a proxy URL with the scheme `http`, `https`, `socks5h` or `socks5`. `http://` may be omitted.
  public static func isProxy(_ text: String) -> Bool {
    let schemes = ["http", "https", "socks5", "socks5h"]
    guard !text.contains(where: { $0.isWhitespace }),
      let address = WebAddress(text.contains("://") ? text : "http://" + text)
    else { return false }
    return schemes.contains(address.scheme) && !address.host.isEmpty
  }
}

/// Validates CSS selectors in settings.
public enum SelectorWords {
  /// The problem in a list of selectors; nil if it is valid.
  public static func problem(in text: String) -> SelectorProblem? {
    ArticleExtractor().problem(inSelectors: text)
  }
}

/// Validates settings of the web server, so that a value that it would ignore is reported instead.
public enum WebWords {
  /// True for `ADDRESS:PORT`, `unix:/PATH` and `systemd`.
  public static func isListener(_ text: String) -> Bool { ListenSocket.isAddress(text) }

  /// True for the path of a list of the page, such as `/unread`.
  public static func isList(_ text: String) -> Bool { WebPage.isList(text) }

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
