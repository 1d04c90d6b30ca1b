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
    html.element("h1", text: Wording.importTitle)
    ImportNoteView(note: note, formToken: context.formToken, isLive: isLive).render(into: &html)
    html.element("h2", .id("file"), text: Wording.fromAFile)
    Self.upload(&html, context.formToken, problem)
    html.element("h2", .id("server"), text: Wording.fromTheServerOfAnotherReader)
    FormView.post(&html, "/import", context.formToken, class: "sheet settings wide") { html in
      if let problem = draft.problem { NoticeView.failure(problem, into: &html) }
      FormView.field(
        &html,
        Wording.addressOfTheAPI,
        name: "address",
        value: draft.address,
        placeholder: "https://rss.example.org/api/greader.php",
        isRequired: true
      )
      html.element("label") { html in
        html.element("span", text: Wording.protocolTitle)
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
        Wording.nameOrNothing,
        name: "user",
        value: draft.user
      )
      FormView.field(
        &html,
        Wording.passwordOrTokenOnThatServer,
        name: "password",
        type: "password",
        isRequired: true
      )
      html.element("button", .class("main"), text: Wording.importTitle)
      html.element(
        "p",
        .class("quiet"),
        text:
          Wording.whatTheImportReads
      )
    }
  }

  private static let names: [ServerAPI: String] = [
    .greader: Wording.googleReader, .miniflux: "Miniflux", .fever: "Fever",
  ]

  /// Writes the form for a file of any kind.
  static func upload(_ html: inout HTMLBuilder, _ token: String, _ problem: UserMessage? = nil) {
    FormView.post(&html, "/feeds/import", token, class: "sheet", isUpload: true) { html in
      if let problem { NoticeView.failure(problem, into: &html) }
      html.element("div", .class("row")) { html in
        html.element("label") { html in
          html.element("span", text: Wording.aListOrAFile)
          html.tag("input", .type("file"), .name("list"), .flag("required"))
        }
        html.element("button", text: Wording.importTitle)
      }
      html.element(
        "p",
        .class("quiet"),
        text: Wording.filesForTheImport(upTo: WebPage.uploadLimit >> 20)
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
        html.tag("progress", .value("aria-label", Wording.importTitle), .flag("data-live", if: isLive))
        html.end("progress")
        html.element("a", .href("/import"), text: Wording.lookAgain)
      }
      FormView.post(&html, isRunning ? "/import/stop" : "/import/dismiss", formToken) { html in
        html.element("button", .class("plain")) { html in
          html.text(isRunning ? Wording.stop : Wording.dismiss)
          html.element(
            "span",
            .class("hidden"),
            text: Wording.ofTheImport(DisplayText(line: note.source).string)
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
