import Modules
import NewsCore
import NewsToolbox

/// The page for moving in: the import in progress or the last one, and the forms that start one.
struct ImportView {
  let note: ImportNote?
  /// True: this process runs the import.
  let isLive: Bool
  let draft: ServerDraft
  /// Why the chosen file was not imported.
  let problem: UserMessage?
  let context: PageContext

  func render(into html: inout HTMLBuilder) {
    html.element("h1", text: "Import")
    ImportNoteView(note: note, formToken: context.formToken, isLive: isLive).render(into: &html)
    html.element("h2", .id("file"), text: "From a file")
    Self.upload(&html, context.formToken, problem)
    html.element("h2", .id("server"), text: "From the server of another reader")
    FormView.post(&html, "/import", context.formToken, class: "sheet settings") { html in
      if let problem = draft.problem { NoticeView.failure(problem, into: &html) }
      FormView.field(
        &html,
        "Address of the API",
        name: "address",
        value: draft.address,
        placeholder: "https://rss.example.org/api/greader.php",
        isRequired: true
      )
      html.element("label") { html in
        html.element("span", text: "Protocol")
        html.element("select", .name("api")) { html in
          for api in ServerAPI.allCases {
            html.element(
              "option",
              .value("value", api.rawValue),
              .flag("selected", if: api.rawValue == draft.api),
              text: Self.names[api] ?? api.rawValue
            )
          }
        }
      }
      FormView.field(
        &html,
        "Name (empty for an API token of Miniflux)",
        name: "user",
        value: draft.user
      )
      FormView.field(
        &html,
        "Password or token on that server",
        name: "password",
        type: "password",
        isRequired: true
      )
      html.element("button", .class("main"), text: "Import")
      html.element(
        "p",
        .class("quiet"),
        text:
          "newsd reads subscriptions, items and marks from this server, and asks no publisher. It keeps no password."
      )
    }
  }

  private static let names: [ServerAPI: String] = [
    .greader: "Google Reader (FreshRSS and others)", .miniflux: "Miniflux", .fever: "Fever",
  ]

  /// Writes the form for a file of any kind.
  static func upload(_ html: inout HTMLBuilder, _ token: String, _ problem: UserMessage? = nil) {
    FormView.post(&html, "/feeds/import", token, class: "sheet", isUpload: true) { html in
      if let problem { NoticeView.failure(problem, into: &html) }
      html.element("div", .class("row")) { html in
        html.element("label") { html in
          html.element("span", text: "A list of feeds, or the file of another reader")
          html.tag("input", .type("file"), .name("list"), .flag("required"))
        }
        html.element("button", text: "Import")
      }
      html.element(
        "p",
        .class("quiet"),
        text: """
          Lists: OPML, newsboat's urls, sfeedrc. newsd shows what it would add before it adds anything. Files with items: \
          exports of newsd, FreshRSS, Tiny Tiny RSS, yarr, NetNewsWire, Liferea, newsboat, Inoreader, Feedly and sfeed, up \
          to \(WebPage.uploadLimit >> 20) MiB; 'newsd import' takes larger ones.
          """
      )
    }
  }
}

/// The import in progress, or how the last one ended.
struct ImportNoteView {
  let note: ImportNote?
  let formToken: String
  /// True: this process runs the import, and announces its end.
  var isLive = false

  func render(into html: inout HTMLBuilder) {
    let isRunning = note?.state == .running
    let hasFailed = note?.state == .failed || note?.state == .interrupted
    html.element(
      "div",
      .id("importing"),
      .class(hasFailed ? "note failure" : "note"),
      .value("role", hasFailed ? "alert" : "status"),
      .flag("hidden", if: note == nil)
    ) { html in
      html.element("p", .autoDirection, text: note?.text ?? "")
      guard let note else { return }
      if isRunning {
        html.tag("progress", .value("aria-label", "Import"), .flag("data-live", if: isLive))
        html.end("progress")
        html.element("a", .href("/import"), text: "Look again")
      }
      FormView.post(&html, isRunning ? "/import/stop" : "/import/dismiss", formToken) { html in
        html.element("button", .class("plain")) { html in
          html.text(isRunning ? "Stop" : "Dismiss")
          html.element(
            "span",
            .class("hidden"),
            text: " the import from \(DisplayText(line: note.source).string)"
          )
        }
      }
    }
  }

  /// The event that the event stream sends to the page's script.
  var event: String {
    "{\"text\":\(JSONText.string(note?.text ?? "")),\"running\":\(note?.state == .running)}"
  }
}
