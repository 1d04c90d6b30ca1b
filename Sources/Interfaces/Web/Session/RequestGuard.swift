import NewsCore
import NewsToolbox

/// Decides whether a request that changes something comes from newsd's own page.
///
/// The session's token in the form is the first line of defence. The second one is the origin that browsers
/// report: they send `Sec-Fetch-Site` only to sites they consider secure, and `Origin` with every POST.
enum RequestGuard {
  /// True if the form has the session's token and the request does not come from another site.
  static func isGenuine(_ request: HTTPRequest, _ session: WebSession) -> Bool {
    guard comesFromHere(request), !session.formToken.isEmpty, let token = request.form.first("csrf") else {
      return false
    }
    return SecretComparison.areEqual(token, session.formToken)
  }

  /// True unless the browser says that another site made the request.
  static func comesFromHere(_ request: HTTPRequest) -> Bool {
    for site in request.fields.all("Sec-Fetch-Site") where site != "same-origin" && site != "none" {
      return false
    }
    // Compare hosts only: behind a proxy without `web.url`, newsd does not know the scheme.
    for origin in request.fields.all("Origin") {
      guard let host = host(ofOrigin: origin),
        host.isEqual(ignoringASCIICase: withoutDefaultPort(request.site))
      else { return false }
    }
    return true
  }

  private static func host(ofOrigin origin: String) -> String? {
    for (scheme, port) in [("https://", ":443"), ("http://", ":80")] where origin.hasPrefix(bytesOf: scheme) {
      return without(port, String(origin.slice(scheme.utf8.count...)))
    }
    return nil
  }

  private static func withoutDefaultPort(_ site: WebSite) -> String {
    for port in [":443", ":80"] where site.host.hasSuffix(bytesOf: port) { return without(port, site.host) }
    return site.host
  }

  private static func without(_ port: String, _ host: String) -> String {
    guard host.hasSuffix(bytesOf: port) else { return host }
    return String(host.slice(0..<host.utf8.count - port.utf8.count))
  }

  /// The value of a cookie; nil: the browser sent none.
  static func cookie(_ name: String, of request: HTTPRequest) -> String? {
    for field in request.fields.all("Cookie") {
      for pair in field.split(ascii: ";") {
        let pair = pair.trimmingSpaces
        guard let (key, value) = pair.cut(atFirst: "="), key == name else { continue }
        return String(value)
      }
    }
    return nil
  }
}

extension Substring {
  fileprivate var trimmingSpaces: Substring {
    let isSpace: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    var bytes = utf8
    while let first = bytes.first, isSpace(first) { bytes.removeFirst() }
    while let last = bytes.last, isSpace(last) { bytes.removeLast() }
    return Substring(bytes)
  }
}
