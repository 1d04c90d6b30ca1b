public import NewsHTTP
public import Modules
public import NewsCore
import NewsToolbox

/// The answer to a request for a host that newsd does not answer to: what it answers to, and what to set.
public enum MisdirectedPage {
  /// Makes the answer for `host`, which is untrusted. `accepted` are the hosts that newsd answers to, and `url` is
  /// `web.url` of the configuration; nil: not set.
  public static func reply(to host: String, accepted: [String], url: WebSite?, times: TimeDisplay)
    -> HTTPReply
  {
    let host = shown(host)
    let context = PageContext(site: url ?? WebSite(), session: nil, times: times)
    let bytes = PageFrame(title: "Unknown host").renderGate(context) { html in
      html.element("h1", text: "newsd")
      html.element("p", text: "This newsd does not answer to the host \(host). It answers to:")
      html.element("ul") { html in
        for name in accepted { html.element("li", text: name) }
      }
      if let url {
        html.element(
          "p",
          text: "web.url is \(url.url("/")). If clients reach newsd at \(host), change it to:"
        )
      } else {
        html.element("p", text: "If clients reach newsd at \(host), set in its configuration:")
      }
      html.element("pre", .class("code"), text: "web:\n  url: http://\(host)/")
      html.element("p", text: "or in its environment, and restart newsd:")
      html.element("pre", .class("code"), text: "NEWSD_WEB_URL=http://\(host)/")
      html.element("p", text: "If a reverse proxy takes requests over https, write https instead of http.")
    }
    return PageReply.html(bytes, status: 421)
  }

  /// Longest part of a host that is shown or logged, in bytes.
  private static let longest = 255

  /// Returns a Host field as text to show and to log: printable and short.
  public static func shown(_ host: String) -> String {
    MessageText.printable(String(decoding: host.utf8.prefix(longest), as: UTF8.self))
  }
}
