/// Messages for HTTP statuses that make a refresh fail.
enum StatusText {
  /// Says what happened and what to do.
  static func message(_ status: Int, url: String) -> String {
    "\(WebAddress.redacted(url)) answered \(status)\(advice(status))"
  }

  private static func advice(_ status: Int) -> String {
    switch status {
    case 206: " (a part of the document, which was not asked for)."
    case 304: " (not modified), although nothing had been fetched before."
    case 300..<400: " (a redirect that leads nowhere)."
    case 401: " (authorisation needed). Set the feed's credential."
    case 402: " (payment required)."
    case 403: " (forbidden). The server does not want this client, address or account."
    case 404: " (not found). Check the URL; if the feed is gone for good, remove it."
    case 406: " (not acceptable): the server has no feed to offer at this address."
    case 407: " (the proxy wants authorisation). Check the feed's proxy."
    case 408: " (request timeout). It is asked again later."
    case 410: " (gone for good). Its items are kept and it is not asked any more."
    case 429: " (too many requests). It is left alone for a while."
    case 451: " (unavailable for legal reasons)."
    case 503: " (overloaded or under repair). It is left alone for a while."
    case 500...: " (the server's own trouble). It is asked again later."
    default: "."
    }
  }
}
