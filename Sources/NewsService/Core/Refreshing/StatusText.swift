/// Messages for HTTP statuses that make a refresh fail.
enum StatusText {
  /// Says what happened and what to do.
  static func message(_ status: Int, url: String) -> String {
    "\(WebAddress.redacted(url)) answered \(status)\(advice(status))"
  }

  private static func advice(_ status: Int) -> String {
    switch status {
    case 206: " (a part of the document, although newsd requested all of it)"
    case 304: " (not modified), although the request was unconditional"
    case 300..<400: " (a redirect that newsd cannot follow)"
    case 401: " (authorization needed). Set the feed's credential."
    case 402: " (payment required)"
    case 403: " (forbidden). The server refuses this client, address or account."
    case 404: " (not found). Check the URL; if the feed is gone for good, remove it."
    case 406: " (not acceptable): the server has no feed to offer at this address"
    case 407: " (the proxy requires authorization). Check the feed's proxy."
    case 408: " (request timeout)"
    case 410: " (gone). newsd stops polling a feed that keeps answering so."
    case 429: " (too many requests). Wait before the next attempt."
    case 451: " (unavailable for legal reasons)"
    case 503: " (overloaded or under repair). Wait before the next attempt."
    case 500...: " (server error)"
    default: ""
    }
  }
}
