import Modules
import NewsHTTP
import NewsCore
import NewsToolbox

/// The files that the page loads: style sheets, scripts, icons, and what makes it an application.
///
/// Their names contain a hash of their bytes, so that browsers may keep them indefinitely.
struct WebAssets {
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

    /// A script: one function of all parts, which knows the texts as `texts`.
    init(script parts: [StaticString], _ texts: [(name: String, text: String)]) {
      let members = texts.map { JSONValue.Member(name: $0.name, value: .string($0.text)) }
      var bytes = Array(
        "'use strict';\n(() => {\nconst texts = \(JSONValue.object(members).serialized);\n".utf8
      )
      for part in parts {
        part.withUTF8Buffer { text in
          for line in text.split(separator: UInt8(ascii: "\n")) {
            let code = line.drop { $0 == UInt8(ascii: " ") }
            // Comments are for those who read the source.
            if !code.starts(with: "//".utf8) { bytes += code + [UInt8(ascii: "\n")] }
          }
        }
      }
      self.init(bytes + Array("})();\n".utf8), suffix: ".js", type: "text/javascript; charset=utf-8")
    }

    /// A picture in base64.
    init(base64 text: StaticString) {
      let bytes = text.withUTF8Buffer { text -> [UInt8] in
        guard let decoded = Base64.decode(text) else { return [] }
        return Array(decoded.bytes)
      }
      self.init(bytes, suffix: ".png", type: "image/png")
    }

    var path: String { "/static/" + name }
  }

  /// The style sheet of `web.stylesheet`.
  let ownStyle: File?

  init(ownStyle: [UInt8]? = nil) {
    self.ownStyle = ownStyle.map { File($0, suffix: ".css", type: "text/css; charset=utf-8") }
  }

  static let style = File(
    PageStyle.text,
    ReadingStyle.text,
    PlayerStyle.text,
    suffix: ".css",
    type: "text/css; charset=utf-8"
  )
  static let script = File(
    script: [
      PageScript.marks, ArticleScript.text, ReadingScript.text, ListScript.text, SearchScript.text,
      AddingScript.text,
      OfflineScript.text, PageScript.keys,
    ],
    Wording.pageScript
  )
  static let player = File(script: [PlayerScript.text], Wording.playerScript)
  static let icon = File(Self.drawing, suffix: ".svg", type: "image/svg+xml")
  static let smallIcon = File(base64: AppIcon.small)
  static let largeIcon = File(base64: AppIcon.large)
  static let worker = File(script: [WorkerScript.text], Wording.workerScript)

  /// Describes the page as an application (W3C Web Application Manifest). Its addresses are relative to itself.
  static let manifest = File(
    Array(
      """
      {"name":"newsd","short_name":"newsd","start_url":"../","scope":"../","display":"standalone",\
      "background_color":"#fbfaf8","theme_color":"#0b6470","icons":[\
      {"src":"\(icon.name)","sizes":"any","type":"image/svg+xml"},\
      {"src":"\(smallIcon.name)","sizes":"192x192","type":"image/png","purpose":"any maskable"},\
      {"src":"\(largeIcon.name)","sizes":"512x512","type":"image/png","purpose":"any maskable"}],\
      "share_target":{"action":"../feeds/add","method":"GET",\
      "enctype":"application/x-www-form-urlencoded","params":{"url":"address","text":"text"}}}
      """.utf8
    ),
    suffix: ".webmanifest",
    type: "application/manifest+json"
  )

  private static let all = [
    style, script, player, icon, smallIcon, largeIcon, worker, manifest,
  ]

  func instantReply(to request: HTTPRequest) -> HTTPReply {
    let files = Self.all + [ownStyle].compactMap(\.self)
    guard request.path.count == 2, let file = files.first(where: { $0.name == request.path[1] }) else {
      return HTTPReply.text(404, "There is no such file.\n")
    }
    var fields = HTTPFields([
      ("Content-Type", file.type), ("Cache-Control", "public, max-age=31536000, immutable"),
      ("X-Content-Type-Options", "nosniff"),
    ])
    if file.name == Self.worker.name {
      // The worker answers for all of newsd's addresses, and no others, and asks newsd only.
      fields.append("Service-Worker-Allowed", request.site.prefix + "/")
      fields.append("Content-Security-Policy", "default-src 'none'; connect-src 'self'")
    }
    return HTTPReply(status: 200, fields: fields, body: .asset(file.asset))
  }

  /// The icon: three lines of a newspaper and an unread mark.
  private static let drawing: StaticString = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b6470"/>\
    <path d="M7 11h12M7 17h18M7 23h18" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/>\
    <circle cx="24" cy="10" r="3.2" fill="#eeb65c"/></svg>
    """
}
