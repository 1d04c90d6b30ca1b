import Modules
import NewsHTTP
import NewsCore

/// Replies of the page, with the header fields that every reply has.
enum PageReply {
  /// Only newsd's own scripts and styles are loaded, and no other site may frame the page. Images and audio
  /// of items may come from anywhere. The sanitizer removes scripts of items and `PageContent` their styles,
  /// and this policy would block them too.
  static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: http: data:; "
    + "media-src https: http:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
    + "manifest-src 'self'; worker-src 'self'; " + frames

  /// The policy if all media come through newsd.
  static let closedPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self' data:; "
    + "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'; worker-src 'self'; "
    + frames

  /// The script shows the videos of these sites in frames, once they are clicked.
  private static let frames = "frame-src https://www.youtube-nocookie.com https://player.vimeo.com"

  /// A document of HTML.
  static func html(_ bytes: [UInt8], status: Int = 200) -> HTTPReply {
    guarded(HTTPReply(status: status, type: "text/html; charset=utf-8", bytes))
  }

  /// A page without navigation, for browsers that are not logged in.
  static func gate(
    _ title: String,
    _ site: WebSite,
    _ times: TimeDisplay,
    status: Int = 200,
    content: (inout HTMLBuilder) -> Void
  ) -> HTTPReply {
    let context = PageContext(site: site, session: nil, times: times)
    let bytes = PageFrame(title: title).renderGate(context) { html in
      html.element("h1", text: "newsd")
      content(&html)
    }
    return html(bytes, status: status)
  }

  static func json(_ text: String) -> HTTPReply {
    guarded(HTTPReply(status: 200, type: "application/json", Array(text.utf8)))
  }

  /// Redirects the browser to another page of newsd.
  static func redirect(to path: String, on site: WebSite) -> HTTPReply {
    guarded(.see(site.reference(path)))
  }

  static func text(_ status: Int, _ text: String) -> HTTPReply {
    guarded(.text(status, text + "\n"))
  }

  /// Adds the fields that protect the page.
  static func guarded(_ reply: HTTPReply) -> HTTPReply {
    var reply = reply
    for (name, value) in [
      ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"),
      // Not `no-referrer`: with it, browsers also hide the origin of the page's own forms. Links out of newsd
      // send no referrer anyway.
      ("Referrer-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
      ("Permissions-Policy", "camera=(), geolocation=(), microphone=(), browsing-topics=()"),
      ("Cache-Control", "private, no-cache"), ("Vary", "Cookie"),
    ] { reply.fields.set(name, value) }
    return reply
  }
}
