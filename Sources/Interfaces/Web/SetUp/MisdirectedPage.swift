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
    let bytes = PageFrame(title: Wording.unknownHost).renderGate(context) { html in
      html.element("h1", text: "newsd")
      html.element("p", text: Wording.doesNotAnswerToTheHost(host))
      html.element("ul") { html in
        for name in accepted { html.element("li", text: name) }
      }
      if let url {
        html.element(
          "p",
          text: Wording.changeTheAddress(url.url("/"), host)
        )
      } else {
        html.element("p", text: Wording.setTheAddress(host))
      }
      html.element("pre", .class("code"), text: "web:\n  url: http://\(host)/")
      html.element("p", text: Wording.orInTheEnvironment)
      html.element("pre", .class("code"), text: "NEWSD_WEB_URL=http://\(host)/")
      html.element("p", text: Wording.writeHTTPSForAProxy)
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
