import Modules
import NewsCore
import NewsToolbox

/// A sentence about the last action, with a button that takes the action back.
struct NoticeView {
  let notice: Notice
  let formToken: String
  let here: String

  func render(into html: inout HTMLBuilder) {
    let isFailure = notice.kind == .failure
    html.element(
      "div",
      .class(notice.kind == .done ? "note" : "note failure"),
      .value("role", isFailure ? "alert" : "status")
    ) { html in
      html.element(
        "p",
        .autoDirection,
        text: DisplayText(block: notice.text).string
      )
      if let secret = notice.secret { html.element("code", text: secret) }
      if let feed = notice.asksAbout {
        FormView.post(&html, "/feed/\(feed.rawValue)/article", formToken, here: here) { html in
          html.element("button", .name("article"), .value("value", "always"), text: Wording.alwaysForThisFeed)
          html.element(
            "button",
            .class("plain"),
            .name("article"),
            .value("value", "never"),
            text: Wording.onlyWhenIAsk
          )
        }
      }
      if notice.leadsToHooks { html.element("a", .href("/settings#hooks"), text: Wording.addAHook) }
      if notice.undo != nil {
        FormView.post(&html, "/undo", formToken, here: here) { html in
          html.element("button", text: Wording.undo)
        }
      }
    }
  }

  /// Writes the failure of a page's own module, above the old content of the page.
  static func failure(_ message: UserMessage, into html: inout HTMLBuilder) {
    html.element("div", .class("note failure"), .value("role", "alert")) { html in
      html.element(
        "p",
        .autoDirection,
        text: DisplayText(block: PageText.sentence(message.text)).string
      )
    }
  }

  /// Writes the notes and warnings of a screen.
  static func notes(of content: any ScreenContent, into html: inout HTMLBuilder) {
    for warning in content.warnings {
      html.element("div", .class("note failure"), .value("role", "status")) { html in
        html.element("p", .autoDirection, text: PageText.sentence(warning.string))
      }
    }
    for note in content.notes.compactMap({ PageText.note($0.string) }) {
      html.element("div", .class("note"), .value("role", "status")) { html in
        html.element("p", .autoDirection, text: note)
      }
    }
  }
}

/// The refresh in progress, or why the last one failed, above the page's old content.
struct RefreshNoticeView {
  let container: Container<RefreshViewModel>?
  var formToken = ""
  var here = "/unread"

  /// The event that the event stream sends to the page's script.
  struct State: Hashable, Sendable {
    var text = ""
    var isRunning = false
    var hasFailed = false
    var done = 0
    var total = 0
  }

  var state: State {
    guard let container else { return State() }
    let content = container.content ?? RefreshViewModel()
    switch container.phase {
    case .loading:
      let count = content.total > 0 ? Wording.doneOfFeeds(content.done, content.total) : ""
      return State(
        text: Wording.refreshing(count),
        isRunning: true,
        done: content.done,
        total: content.total
      )
    case .ready:
      return State(text: Wording.refreshed(content.newItems))
    case .failed(let message):
      let text = PageText.sentence(message.text)
      let end = text.utf8.last.map { ".?".utf8.contains($0) } == true ? "" : "."
      return State(text: DisplayText(line: text + end).string, hasFailed: true)
    }
  }

  func render(into html: inout HTMLBuilder) {
    let state = state
    html.element(
      "div",
      .id("refreshing"),
      .class(state.hasFailed ? "note failure" : "note"),
      .value("role", state.hasFailed ? "alert" : "status"),
      .flag("hidden", if: state.text.isEmpty)
    ) { html in
      html.element("p", text: state.text)
      html.tag(
        "progress",
        .value("aria-label", Wording.refreshedFeeds),
        .value("max", String(max(state.total, 1))),
        .value("value", String(state.done)),
        .flag("hidden", if: !state.isRunning)
      )
      html.end("progress")
      // The script shows this when a refresh fails while the page is open.
      html.element("div", .class("tools"), .flag("data-failed"), .flag("hidden", if: !state.hasFailed)) {
        html in
        html.element("a", .href("/feeds?show=failing"), text: Wording.failingFeeds)
        FormView.post(&html, "/dismiss", formToken, here: here) { html in
          html.element("button", .class("plain"), text: Wording.dismiss)
        }
      }
    }
  }
}
