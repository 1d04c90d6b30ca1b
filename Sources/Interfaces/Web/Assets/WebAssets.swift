import NewsHTTP
import NewsCore
import NewsToolbox

/// The files that the page loads: a style sheet, a script and an icon.
///
/// Their names contain a hash of their bytes, so that browsers may keep them indefinitely.
struct WebAssets: HTTPInstantHandling {
  struct File: Sendable {
    let name: String
    let type: String
    let asset: StaticAsset

    init(_ parts: StaticString..., suffix: String, type: String) {
      self.init(parts.flatMap { part in part.withUTF8Buffer { Array($0) } }, suffix: suffix, type: type)
    }

    init(_ bytes: [UInt8], suffix: String, type: String) {
      asset = StaticAsset(bytes)
      name = String(FNV1a<UInt64>(bytes).value, radix: 16) + suffix
      self.type = type
    }

    var path: String { "/static/" + name }
  }

  /// The style sheet of `web.stylesheet`.
  let ownStyle: File?

  init(ownStyle: [UInt8]? = nil) {
    self.ownStyle = ownStyle.map { File($0, suffix: ".css", type: "text/css; charset=utf-8") }
  }

  static let style = File(PageStyle.text, ReadingStyle.text, suffix: ".css", type: "text/css; charset=utf-8")
  static let script = File(
    "'use strict';\n(() => {\n",
    PageScript.marks,
    "\n",
    ArticleScript.text,
    "\n",
    ReadingScript.text,
    "\n",
    ListScript.text,
    "\n",
    SearchScript.text,
    "\n",
    AddingScript.text,
    "\n",
    PageScript.keys,
    "\n})();\n",
    suffix: ".js",
    type: "text/javascript; charset=utf-8"
  )
  static let player = File(PlayerScript.text, suffix: ".js", type: "text/javascript; charset=utf-8")
  static let playerStyle = File(PlayerStyle.text, suffix: ".css", type: "text/css; charset=utf-8")
  static let icon = File(Self.drawing, suffix: ".svg", type: "image/svg+xml")

  private static let all = [style, script, player, playerStyle, icon]

  func instantReply(to request: HTTPRequest) -> HTTPReply {
    let files = Self.all + [ownStyle].compactMap(\.self)
    guard request.path.count == 2, let file = files.first(where: { $0.name == request.path[1] }) else {
      return HTTPReply.text(404, "There is no such file.\n")
    }
    return HTTPReply(
      status: 200,
      fields: HTTPFields([
        ("Content-Type", file.type), ("Cache-Control", "public, max-age=31536000, immutable"),
        ("X-Content-Type-Options", "nosniff"),
      ]),
      body: .asset(file.asset)
    )
  }

  /// The icon: three lines of a newspaper and an unread mark.
  private static let drawing: StaticString = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b6470"/>\
    <path d="M7 11h12M7 17h18M7 23h18" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/>\
    <circle cx="24" cy="10" r="3.2" fill="#eeb65c"/></svg>
    """
}
