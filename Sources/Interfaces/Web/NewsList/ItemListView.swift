import Modules
import NewsCore
import NewsSearch
import NewsToolbox

/// The rows of a list or search: each with its marks, its feed and its age.
struct ItemListView {
  let content: NewsListViewModel
  /// False in the list of one feed.
  let showsFeeds: Bool
  let context: PageContext

  /// The form that the buttons of all rows belong to.
  static let form = "marks"
  /// The form that marks the whole page; unread rows add their ids to it.
  static let pageForm = "mark-page"

  func render(into html: inout HTMLBuilder) {
    html.element("section", .id("items"), .value("aria-label", Wording.itemsTitle)) { html in
      for line in content.lines { row(&html, line) }
    }
  }

  private func row(_ html: inout HTMLBuilder, _ line: HeadlineLine) {
    let id = line.id.rawValue
    html.element(
      "article",
      .value("data-id", String(id)),
      .value("data-feed", String(line.feedID.rawValue)),
      .class((line.isUnread ? "unread" : "") + (line.isStarred ? " starred" : ""))
    ) { html in
      MarkButtons.seen(&html, line.id, isUnread: line.isUnread, form: Self.form)
      html.element("h2", .autoDirection, .language(line.language)) { html in
        html.element("a", .href(PagePath.item(line.id))) { html in runs(&html, line.title) }
      }
      picture(&html, line)
      if !line.excerpt.isEmpty {
        html.element("p", .class("excerpt"), .autoDirection, .language(line.language)) { html in
          runs(&html, line.excerpt)
        }
      }
      if line.excerpt.isEmpty, !line.preview.isEmpty {
        html.element(
          "p",
          .class("excerpt"),
          .autoDirection,
          .language(line.language),
          text: line.preview.string
        )
      }
      html.element("p", .class("meta")) { html in
        if showsFeeds {
          let address = ListAddress(.feed(line.feedID))
          html.element("a", .class("feed"), .href(address.path)) { html in
            html.feed(line.feed.string, icon: context.icons[line.feedID])
          }
        }
        html.element(
          "time",
          .value("datetime", line.sortTime.rfc3339),
          .value("title", context.times.dateAndTime(line.sortTime)),
          text: line.time.string
        )
        if line.folded > 0 {
          html.element(
            "a",
            .href(PagePath.item(line.id) + "#stories"),
            .value("title", Wording.otherItemsTellThisStory(line.folded)),
            text: "+\(line.folded)"
          )
        }
        if let target = MarkupAttribute.href(outside: line.url) {
          html.element(
            "a",
            .flag("data-original"),
            target,
            .newTab,
            .outsideRelation,
            text: Wording.original
          )
        }
      }
      MarkButtons.star(&html, line.id, isStarred: line.isStarred, form: Self.form)
      labels(&html, line)
      if line.isUnread {
        html.tag(
          "input",
          .type("hidden"),
          .name("id"),
          .value("value", String(id)),
          .value("form", Self.pageForm)
        )
      }
    }
  }

  private func labels(_ html: inout HTMLBuilder, _ line: HeadlineLine) {
    guard !line.labels.isEmpty else { return }
    html.element("p", .class("meta tagged")) { html in
      for label in line.labels {
        let search = ListAddress(.search("label:" + QueryWord.quoted(label.string)))
        html.element("a", .class("label"), .href(search.path), .autoDirection, text: label.string)
      }
    }
  }

  /// Writes the item's picture. Screen readers and the tab key skip it: the title has the same link. The style sheet
  /// gives it its room, so that nothing moves when it is loaded.
  private func picture(_ html: inout HTMLBuilder, _ line: HeadlineLine) {
    guard let source = context.source("src", .picture, line.picture, of: line.feedID) else { return }
    html.element(
      "a",
      .class("thumb"),
      .href(PagePath.item(line.id)),
      .value("tabindex", "-1"),
      .value("aria-hidden", "true")
    ) { html in
      html.tag(
        "img",
        source,
        .value("alt", ""),
        .value("loading", "lazy"),
        .value("decoding", "async"),
        .value("referrerpolicy", "no-referrer")
      )
    }
  }

  private func runs(_ html: inout HTMLBuilder, _ runs: [DisplayRun]) {
    for run in runs {
      if run.isMatch { html.element("mark", text: run.text.string) } else { html.text(run.text.string) }
    }
  }
}

/// The buttons that mark one item. Their value is the mark that a press sets.
enum MarkButtons {
  static func seen(_ html: inout HTMLBuilder, _ id: NewsItem.ID, isUnread: Bool, form: String) {
    button(
      &html,
      id,
      "seen",
      isUnread ? .read : .unread,
      isUnread ? Wording.markRead : Wording.markUnread,
      form
    )
  }

  static func star(_ html: inout HTMLBuilder, _ id: NewsItem.ID, isStarred: Bool, form: String) {
    button(
      &html,
      id,
      "star",
      isStarred ? .unstarred : .starred,
      isStarred ? Wording.unstar : Wording.star,
      form
    )
  }

  private static func button(
    _ html: inout HTMLBuilder,
    _ id: NewsItem.ID,
    _ kind: String,
    _ mark: ItemMark,
    _ label: String,
    _ form: String
  ) {
    html.element(
      "button",
      .class("toggle \(kind)"),
      .value("form", form),
      .path("formaction", "/items/\(id.rawValue)"),
      .name("as"),
      .value("value", mark.rawValue),
      .value("title", label)
    ) { html in
      html.element("span", .class("hidden"), text: label)
    }
  }
}

/// A short list of items as links, each with its feed.
struct HeadlineLinksView {
  let content: NewsListViewModel
  let showsTimes: Bool

  func render(into html: inout HTMLBuilder) {
    html.element("ul") { html in
      for line in content.lines {
        html.element("li") { html in
          html.element(
            "a",
            .href(PagePath.item(line.id)),
            .autoDirection,
            .language(line.language),
            text: line.title.map(\.text.string).joined()
          )
          html.literal(" <span class=\"quiet\">")
          html.element("bdi", text: line.feed.string)
          if showsTimes { html.text(" · \(line.time.string)") }
          html.literal("</span>")
        }
      }
    }
  }
}
