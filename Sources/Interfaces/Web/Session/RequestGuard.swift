public import NewsHTTP
import NewsCore
import NewsToolbox

/// Checks requests of browsers. The server has already refused requests from pages of other sites.
enum RequestGuard {
  /// True if the form has the session's token.
  static func hasToken(_ request: HTTPRequest, _ session: WebSession) -> Bool {
    guard !session.formToken.isEmpty, let token = request.form.first("csrf") else { return false }
    return SecretComparison.areEqual(token, session.formToken)
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

extension HTTPRequest {
  /// The value of the cookie of a session; nil: the browser sent none.
  public var sessionCookie: String? {
    RequestGuard.cookie(site.sessionCookieName, of: self).flatMap { $0.isEmpty ? nil : $0 }
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
