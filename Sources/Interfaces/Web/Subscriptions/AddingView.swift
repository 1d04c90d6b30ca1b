import Modules
import NewsCore
import NewsToolbox

/// The form that looks feeds up, and the feeds found, each with a button that adds it. A page of its own, and the content
/// of a dialog of the script.
struct AddingView {
  let draft: FeedDraft
  /// Nil: nothing was looked up.
  let found: FeedsFindViewModel?
  let folders: [String]
  let context: PageContext

  func render(into html: inout HTMLBuilder) {
    html.element("div", .class("adding")) { html in
      html.element("h1", .id("adding-title"), text: Wording.addAFeed)
      if let problem = draft.problem { NoticeView.failure(problem, into: &html) }
      FormView.post(&html, "/feeds/find", context.formToken) { html in
        html.element("div", .class("row")) { html in
          FormView.field(
            &html,
            Wording.addressOfAFeedOrChannel,
            name: "address",
            value: draft.address,
            placeholder: "https://example.org/",
            isRequired: true
          )
          FormView.hidden(&html, "folder", draft.folder)
          html.element("button", .class("main"), text: Wording.lookUp)
        }
      }
      html.element("datalist", .id("adding-folders")) { html in
        for folder in folders.prefix(SubscriptionsView.folderLimit) {
          html.tag("option", .value("value", folder))
        }
      }
      for feed in found?.feeds ?? [] { candidate(&html, feed) }
      if found == nil, let bookmark = MarkupAttribute.bookmark(of: context.site.url(WebPage.addingPath)) {
        html.element("p", .class("quiet")) { html in
          html.text(Wording.dragToTheBookmarks)
          html.element("a", .flag("data-bookmark"), bookmark, text: Wording.addToNewsd)
        }
      }
    }
  }

  private func candidate(_ html: inout HTMLBuilder, _ feed: FoundFeed) {
    html.element("section", .class("candidate")) { html in
      html.element("h2", .autoDirection) { html in
        if let icon = feed.icon {
          html.tag(
            "img",
            .class("icon"),
            .value("src", "data:\(icon.type.rawValue);base64,\(Base64.encode(icon.bytes))"),
            .value("alt", ""),
            .value("width", "16"),
            .value("height", "16")
          )
          html.text(" ")
        }
        html.text(feed.title.string)
      }
      html.element("p", .class("quiet"), .autoDirection) { html in
        html.text(DisplayText(line: WebAddress.redacted(feed.url)).string)
        if let rate = feed.rate { html.text(" · \(rate.string)") }
      }
      if let problem = feed.problem {
        html.element("p", .class("bad"), .autoDirection, text: PageText.sentence(problem.string))
      }
      html.element("ul") { html in
        for item in feed.items {
          html.element("li") { html in
            html.element("span", .autoDirection, text: item.title.string)
            if let time = item.time {
              html.text(" ")
              html.element(
                "time",
                .class("quiet"),
                .value("datetime", time.rfc3339),
                text: context.times.age(time)
              )
            }
          }
        }
      }
      if let id = feed.subscribed {
        html.element("p") { html in
          html.text(Wording.subscribed)
          html.element("a", .href(ListAddress(.feed(id)).path), .autoDirection, text: feed.title.string)
        }
      } else {
        addition(&html, feed)
      }
    }
  }

  private func addition(_ html: inout HTMLBuilder, _ feed: FoundFeed) {
    FormView.post(&html, "/feeds/add", context.formToken, class: "row", here: WebPage.addingPath) { html in
      FormView.hidden(&html, "address", feed.url)
      // The page named this address, not the user: it must not lead to an address that is not public.
      if !feed.isLocal { FormView.hidden(&html, "public", "1") }
      FormView.field(
        &html,
        Wording.folderOptional,
        name: "folder",
        value: draft.folder,
        list: "adding-folders"
      )
      html.element("button") { html in
        html.text(Wording.add)
        html.element("span", .class("hidden"), text: " \(feed.title.string)")
      }
    }
  }
}
