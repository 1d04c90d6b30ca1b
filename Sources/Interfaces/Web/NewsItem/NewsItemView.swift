import Modules
import NewsCore
import NewsFormats
import NewsSearch
import NewsToolbox

/// An item as a page to read.
struct NewsItemView {
  let container: Container<NewsItemViewModel>
  /// Other items about the same story; nil: there are none, or they could not be read.
  let stories: NewsListViewModel?
  /// The unread items before and after this item.
  let newer: NewsItem.ID?
  let older: NewsItem.ID?
  let hasVersions: Bool
  let context: PageContext

  /// The form that the buttons of the article belong to. A list beside it has a form of its own.
  static let form = "mark-item"
  /// Maximum number of tags shown.
  private static let tagLimit = 30

  private var page: NewsItemPage? { container.content?.page }

  /// The title of the window.
  var title: String { page?.title.string ?? Wording.item }

  func render(into html: inout HTMLBuilder) {
    if let failure = container.failure {
      NoticeView.failure(failure, into: &html)
      if page == nil { html.element("h1", text: Wording.noSuchItem) }
    }
    guard let page else { return }
    FormView.post(&html, "/marks", context.formToken, id: Self.form, here: context.here) { _ in }
    html.element(
      "article",
      .class("item" + (page.isRead ? "" : " unread") + (page.isStarred ? " starred" : "")),
      .value("data-id", String(page.id.rawValue)),
      .value("data-feed", String(page.feedID.rawValue))
    ) { html in
      header(&html, page)
      tools(&html, page)
      videoLink(&html, page)
      let recordings = RecordingsView(page: page, context: context)
      recordings.render(into: &html)
      pictures(&html, page, besides: recordings.cover)
      text(&html, page)
      tags(&html, page)
      labels(&html, page)
      stories(&html)
      facts(&html, page)
      steps(&html)
    }
  }

  private func header(_ html: inout HTMLBuilder, _ page: NewsItemPage) {
    html.element("p", .class("meta")) { html in
      let address = ListAddress(NewsItemRouter().list(of: page)) ?? ListAddress(.feed(page.feedID))
      html.element("a", .class("feed"), .href(address.path)) { html in
        html.feed(page.feed.string, icon: context.icons[page.feedID])
      }
      if let authors = page.authors, authors != page.feed {
        html.element("span", .autoDirection, text: authors.string)
      }
      html.element(
        "time",
        .value("datetime", page.sortTime.rfc3339),
        .value("title", context.times.age(page.sortTime)),
        text: context.times.dateAndTime(page.sortTime)
      )
      for fact in page.facts {
        switch fact.name.string {
        case "Episode": html.element("span", text: Wording.episode(fact.value.string))
        case "Duration": html.element("span", .value("title", fact.name.string), text: fact.value.string)
        default: break
        }
      }
      if let minutes = ReadingTime.minutes(page.plainBody.string) {
        html.element("span", text: Wording.minRead(minutes))
      }
    }
    // The text follows: only the window and screen readers need its beginning as a heading.
    if page.isTitledByText {
      return html.element(
        "h1",
        .class("hidden"),
        .autoDirection,
        .language(page.language),
        text: page.title.string
      )
    }
    html.element("h1", .autoDirection, .language(page.language)) { html in
      guard let target = MarkupAttribute.href(outside: page.url) else { return html.text(page.title.string) }
      html.element("a", target, .newTab, .outsideRelation, text: page.title.string)
    }
  }

  private func tools(_ html: inout HTMLBuilder, _ page: NewsItemPage) {
    html.element("div", .class("tools")) { html in
      // On phones a bar at the lower edge.
      html.element("div", .class("actions")) { html in
        html.element("a", .class("narrow"), .flag("data-back"), .href("/unread"), text: Wording.back)
        MarkButtons.seen(&html, page.id, isUnread: !page.isRead, form: Self.form)
        MarkButtons.star(&html, page.id, isStarred: page.isStarred, form: Self.form)
        html.element("button", .type("button"), .flag("data-share"), .flag("hidden"), text: Wording.share)
        let next = older.map(PagePath.item) ?? "/unread"
        html.element("a", .class("narrow"), .flag("data-next"), .href(next), text: Wording.next)
      }
      if let target = MarkupAttribute.href(outside: page.url) {
        html.element("a", .flag("data-original"), target, .newTab, .outsideRelation, text: Wording.original)
      }
      whole(&html, page)
      html.element(
        "a",
        .flag("data-menu"),
        .href(PagePath.item(page.id) + "/less"),
        .value("title", Wording.lessLikeThis),
        text: Wording.less
      )
      html.element("details", .class("menu")) { html in
        html.element("summary", text: Wording.more)
        html.element("div") { html in further(&html, page) }
      }
    }
  }

  /// Writes the button that fetches the page to which the item links, if it links to one.
  private func whole(_ html: inout HTMLBuilder, _ page: NewsItemPage) {
    guard WebAddress.isWeb(page.url ?? "") else { return }
    html.element(
      "button",
      .value("form", Self.form),
      .path("formaction", "/items/\(page.id.rawValue)/article"),
      .flag("data-whole"),
      text: Wording.wholeArticle
    )
  }

  /// Writes what is done with few items.
  private func further(_ html: inout HTMLBuilder, _ page: NewsItemPage) {
    if let target = MarkupAttribute.href(outside: page.commentsURL) {
      html.element("a", target, .newTab, .outsideRelation, text: Wording.comments)
    }
    if hasVersions {
      html.element("a", .href(PagePath.item(page.id) + "/versions"), text: Wording.versions)
    }
    html.element(
      "button",
      .value("form", Self.form),
      .path("formaction", "/items/\(page.id.rawValue)/save"),
      .flag("data-save"),
      text: Wording.save
    )
    let path = "/items/\(page.id.rawValue)/labels"
    FormView.post(&html, path, context.formToken, class: "row", here: context.here) { html in
      FormView.field(&html, Wording.label, name: "add", isRequired: true)
      html.element("button", text: Wording.add)
    }
  }

  /// Writes the feed's tags as links to the items that have them.
  private func tags(_ html: inout HTMLBuilder, _ page: NewsItemPage) {
    guard !page.tags.isEmpty else { return }
    html.element("p", .class("meta tags")) { html in
      for tag in page.tags.prefix(Self.tagLimit) {
        let search = ListAddress(.search("tag:" + QueryWord.quoted(tag)))
        html.element("a", .href(search.path), .autoDirection, text: DisplayText(line: tag).string)
      }
    }
  }

  /// Writes the item's labels, each with a button that removes it.
  private func labels(_ html: inout HTMLBuilder, _ page: NewsItemPage) {
    guard !page.labels.isEmpty else { return }
    html.element("div", .class("tools labels")) { html in
      let path = "/items/\(page.id.rawValue)/labels"
      FormView.post(&html, path, context.formToken, here: context.here) { html in
        for label in page.labels {
          let search = ListAddress(.search("label:" + QueryWord.quoted(label)))
          let name = DisplayText(line: label).string
          html.element("a", .href(search.path), .autoDirection, text: name)
          html.element(
            "button",
            .name("remove"),
            .value("value", label),
            .value("title", Wording.removeTheLabel(name))
          ) { html in
            html.text("×")
            html.element("span", .class("hidden"), text: " " + Wording.removeTheLabel(name))
          }
        }
      }
    }
  }

  /// The frame of the item's own video; nil: it has none, or its text contains frames.
  private func video(_ page: NewsItemPage) -> VideoAddress? {
    guard page.markup?.contains(bytesOf: "class=\"frame\"") != true else { return nil }
    return VideoAddress(page: page.url)
  }

  /// Writes the link that the script makes a card of, as for the frames in texts.
  private func videoLink(_ html: inout HTMLBuilder, _ page: NewsItemPage) {
    guard let frame = video(page)?.frame, let target = MarkupAttribute.href(outside: frame) else { return }
    html.element("p", .class("content")) { html in
      let still = context.source(
        "data-still",
        .picture,
        page.pictures.first?.url ?? page.cover,
        of: page.feedID
      )
      html.element("a", .class("frame"), target, .outsideRelation, still, text: "▶ " + page.title.string)
    }
  }

  /// Writes the feed's pictures beside the text.
  private func pictures(_ html: inout HTMLBuilder, _ page: NewsItemPage, besides cover: ItemPicture?) {
    // The picture of a video is on its card.
    guard video(page) == nil else { return }
    for picture in page.pictures where picture != cover {
      guard let source = context.source("src", .picture, picture.url, of: page.feedID) else { continue }
      html.element("figure", .class("content picture")) { html in
        html.tag(
          "img",
          source,
          .value("alt", DisplayText(line: picture.alt ?? "").string),
          .optional("title", picture.alt.map { DisplayText(line: $0).string }),
          .optional("width", picture.width.map { String($0) }),
          .optional("height", picture.height.map { String($0) }),
          .value("loading", "lazy"),
          .value("decoding", "async"),
          .value("referrerpolicy", "no-referrer")
        )
      }
    }
  }

  private func text(_ html: inout HTMLBuilder, _ page: NewsItemPage) {
    guard let markup = page.markup else {
      let text = page.plainBody.string
      if text.isEmpty, page.recordings.isEmpty, page.pictures.isEmpty, video(page) == nil {
        return html.element("div", .class("content")) { html in
          html.element("p", .class("tools quiet")) { html in
            html.element("span", text: Wording.theFeedGivesNoText)
            whole(&html, page)
          }
        }
      }
      return html.element(
        "div",
        .class("content plain"),
        .autoDirection,
        .language(page.language),
        text: text
      )
    }
    html.element("div", .class("content"), .autoDirection, .language(page.language)) { html in
      html.content(markup, of: page.id, media: context.media(of: page.feedID))
    }
  }

  private func stories(_ html: inout HTMLBuilder) {
    guard let stories, !stories.lines.isEmpty else { return }
    html.element("h2", .class("sub"), .id("stories"), text: Wording.theSameStoryElsewhere)
    HeadlineLinksView(content: stories, showsTimes: true).render(into: &html)
  }

  /// Writes the facts that the header does not show.
  private func facts(_ html: inout HTMLBuilder, _ page: NewsItemPage) {
    let shown: Set<String> = [
      "Feed", "By", "Date", "Stored", "Link", "Labels", "Tags", "Item", "Picture",
      "Episode", "Duration",
    ]
    let played = Set(page.recordings.map(\.url))
    let rest = page.facts.filter { fact in
      !shown.contains(fact.name.string)
        && !(fact.url.map { played.contains($0) || VideoAddress.isOutdated($0) } ?? false)
    }
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
    html.element("nav", .class("pages"), .value("aria-label", Wording.otherItems)) { html in
      if let newer {
        html.element("a", .flag("data-previous"), .href(PagePath.item(newer)), text: Wording.previousItem)
      }
      if let older {
        html.element("a", .flag("data-next"), .href(PagePath.item(older)), text: Wording.nextItem)
      }
    }
  }
}
