import Modules
import NewsCore
import NewsFormats
import NewsToolbox

/// An item as a page to read.
struct NewsItemView {
  let container: Container<NewsItemViewModel>
  /// Other items about the same story; nil: there are none, or they could not be read.
  let stories: NewsListViewModel?
  /// The unread items before and after this item.
  let newer: NewsItem.ID?
  let older: NewsItem.ID?
  let context: PageContext

  var item: NewsItem? { container.content?.items.first?.item }

  /// The title of the window.
  var title: String { container.content?.page?.title.string ?? "Item" }

  func render(into html: inout HTMLBuilder) {
    if let failure = container.failure {
      NoticeView.failure(failure, into: &html)
      if item == nil { html.element("h1", text: "No such item") }
    }
    guard let item, let page = container.content?.page else { return }
    FormView.post(&html, "/marks", context.formToken, id: ItemListView.form, here: context.here) { _ in }
    html.element(
      "article",
      .class("item" + (item.isRead ? "" : " unread") + (item.isStarred ? " starred" : "")),
      .value("data-id", String(item.id.rawValue))
    ) { html in
      header(&html, item, page)
      tools(&html, item)
      text(&html, item)
      stories(&html)
      facts(&html, page)
      steps(&html)
    }
  }

  private func header(_ html: inout HTMLBuilder, _ item: NewsItem, _ page: NewsItemPage) {
    html.element("p", .class("meta")) { html in
      let feed = item.feedTitle.isEmpty ? item.feedURL : item.feedTitle
      let address = ListAddress(NewsItemRouter().list(of: item)) ?? ListAddress(.feed(item.feedID))
      html.element("a", .href(address.path), .autoDirection, text: DisplayText(line: feed).string)
      let authors = item.authors.map(\.displayName).filter { !$0.isEmpty }.joined(separator: ", ")
      if !authors.isEmpty {
        html.element("span", .autoDirection, text: DisplayText(line: authors).string)
      }
      html.element(
        "time",
        .value("datetime", item.sortTime.rfc3339),
        .value("title", context.times.age(item.sortTime)),
        text: context.times.dateAndTime(item.sortTime)
      )
    }
    html.element("h1", .autoDirection, .language(item.language)) { html in
      guard let target = MarkupAttribute.href(outside: item.url) else { return html.text(page.title.string) }
      html.element("a", target, .outsideRelation, text: page.title.string)
    }
  }

  private func tools(_ html: inout HTMLBuilder, _ item: NewsItem) {
    html.element("div", .class("tools")) { html in
      MarkButtons.seen(&html, item.id, isUnread: !item.isRead, form: ItemListView.form)
      MarkButtons.star(&html, item.id, isStarred: item.isStarred, form: ItemListView.form)
      if let target = MarkupAttribute.href(outside: item.url) {
        html.element("a", .flag("data-original"), target, .outsideRelation, text: "Original")
      }
      if let target = MarkupAttribute.href(outside: item.commentsURL) {
        html.element("a", target, .outsideRelation, text: "Comments")
      }
      html.element("a", .href(PagePath.item(item.id) + "/versions"), text: "Versions")
    }
  }

  private func text(_ html: inout HTMLBuilder, _ item: NewsItem) {
    if let markup = item.contentHTML, !markup.isEmpty {
      html.element("div", .class("content"), .autoDirection, .language(item.language)) { html in
        html.content(markup, of: item.id)
      }
      return
    }
    let text = item.contentText.isEmpty ? item.summary ?? "" : item.contentText
    html.element("div", .class("content plain"), .autoDirection, .language(item.language), text: text)
  }

  private func stories(_ html: inout HTMLBuilder) {
    guard let stories, !stories.lines.isEmpty else { return }
    html.element("h2", .class("sub"), .id("stories"), text: "The same story elsewhere")
    HeadlineLinksView(content: stories, showsTimes: true).render(into: &html)
  }

  /// Writes the facts that the header does not show.
  private func facts(_ html: inout HTMLBuilder, _ page: NewsItemPage) {
    let shown: Set<String> = ["Feed", "By", "Date", "Stored", "Link", "Item"]
    let rest = page.facts.filter { !shown.contains($0.name.string) }
    guard !rest.isEmpty else { return }
    html.element("dl", .class("facts")) { html in
      for fact in rest {
        html.element("dt", text: fact.name.string)
        html.element("dd", .autoDirection) { html in
          guard let target = MarkupAttribute.href(outside: fact.url) else {
            return html.text(fact.value.string)
          }
          html.element("a", target, .outsideRelation, text: fact.value.string)
        }
      }
    }
  }

  private func steps(_ html: inout HTMLBuilder) {
    guard newer != nil || older != nil else { return }
    html.element("nav", .class("pages"), .value("aria-label", "Other items")) { html in
      if let newer {
        html.element("a", .flag("data-previous"), .href(PagePath.item(newer)), text: "Previous item")
      }
      if let older {
        html.element("a", .flag("data-next"), .href(PagePath.item(older)), text: "Next item")
      }
    }
  }
}
