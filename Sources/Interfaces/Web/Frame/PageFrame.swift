import Modules
import NewsCore
import NewsToolbox

/// The frame of every page: head, masthead, navigation, messages, footer.
struct PageFrame {
  /// The title of the window, before "newsd".
  var title: String
  var place = PagePlace.elsewhere
  /// The page that the navigation shows as the current one.
  var list: ListAddress?
  /// The following page of a list, which browsers may prefetch.
  var next: String?

  /// Returns the document; `content` writes its main part.
  func render(_ context: PageContext, content: (inout HTMLBuilder) -> Void) -> [UInt8] {
    document(context) { html in
      html.element("main", .id("main")) { html in
        messages(&html, context)
        content(&html)
      }
    }
  }

  /// Returns a document with a list or an item. The script shows both beside each other if there is room, and loads
  /// the other one when it is needed.
  func render(_ part: PagePart, _ context: PageContext, content: (inout HTMLBuilder) -> Void) -> [UInt8] {
    document(context) { html in
      html.element("main", .id("main"), .class("reader"), .value("data-empty", Wording.chooseAnItem)) {
        html in
        html.element("div", .class("messages")) { html in messages(&html, context) }
        html.element(
          "div",
          .id("list"),
          .value("tabindex", "-1"),
          .flag("hidden", if: part != .list)
        ) { html in
          if part == .list { content(&html) }
        }
        html.element(
          "section",
          .id("reading"),
          .value("aria-label", Wording.article),
          .value("tabindex", "-1"),
          .flag("hidden", if: part != .article)
        ) { html in
          if part == .article { content(&html) }
        }
      }
    }
  }

  /// Returns only the list or item of such a document, for the script.
  static func renderPart(_ context: PageContext, content: (inout HTMLBuilder) -> Void) -> [UInt8] {
    var html = HTMLBuilder(site: context.site)
    content(&html)
    return html.bytes
  }

  private func document(_ context: PageContext, main: (inout HTMLBuilder) -> Void) -> [UInt8] {
    var html = HTMLBuilder(site: context.site)
    begin(&html, context)
    html.element("a", .class("skip"), .value("href", "#main"), text: Wording.skipToTheContent)
    masthead(&html, context)
    html.element("div", .class("columns")) { html in
      NavigationView(current: list, context: context).render(into: &html)
      main(&html)
    }
    footer(&html, context)
    PhoneBarView(place: place, unread: context.navigation.unread).render(into: &html)
    KeysView().dialog(&html)
    html.literal("</body></html>\n")
    return html.bytes
  }

  /// Returns a document without navigation, for browsers that are not logged in.
  func renderGate(_ context: PageContext, content: (inout HTMLBuilder) -> Void) -> [UInt8] {
    var html = HTMLBuilder(site: context.site)
    begin(&html, context)
    html.element("main", .class("gate"), .id("main"), content: content)
    html.literal("</body></html>\n")
    return html.bytes
  }

  private func begin(_ html: inout HTMLBuilder, _ context: PageContext) {
    let preferences = context.preferences
    html.literal("<!DOCTYPE html>\n")
    html.tag(
      "html",
      .value("lang", "en"),
      .value("data-theme", preferences.theme.rawValue),
      .value("data-density", preferences.density.rawValue),
      .value("data-font", preferences.font.rawValue),
      .value("data-size", preferences.size.rawValue),
      .value("data-width", preferences.width.rawValue)
    )
    html.literal("<head><meta charset=\"utf-8\">")
    html.literal("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
    html.element("title", text: title.isEmpty ? "newsd" : Wording.titleOfTheDocument(title))
    html.tag("link", .value("rel", "stylesheet"), .href(WebAssets.style.path))
    if let style = context.ownStyle { html.tag("link", .value("rel", "stylesheet"), .href(style)) }
    html.tag("link", .value("rel", "icon"), .type(WebAssets.icon.type), .href(WebAssets.icon.path))
    html.tag("link", .value("rel", "apple-touch-icon"), .href(WebAssets.smallIcon.path))
    html.tag("link", .value("rel", "manifest"), .href(WebAssets.manifest.path))
    if let next { html.tag("link", .value("rel", "next"), .href(next)) }
    // The script arranges the page in panes: a page that is painted before would move.
    html.tag("script", .path("src", WebAssets.script.path), .flag("defer"), .value("blocking", "render"))
    html.end("script")
    html.tag("script", .path("src", WebAssets.player.path), .flag("defer"))
    html.end("script")
    html.literal("</head>\n")
    html.tag(
      "body",
      .value("data-base", context.site.prefix),
      .value("data-keys", context.preferences.usesKeys ? "on" : "off"),
      .value("data-mark", preferences.marking.rawValue),
      .flag("data-scrolled", if: preferences.marksScrolled),
      .flag("data-arranged", if: !preferences.sortsTree),
      .optional("data-zone", preferences.zone),
      .value("data-csrf", context.formToken),
      context.session == nil ? nil : .value("data-events", "on"),
      .optional("data-account", context.shelf),
      .path("data-worker", WebAssets.worker.path)
    )
  }

  /// Maximum number of folders in the masthead.
  private static let folderLimit = 40

  private func masthead(_ html: inout HTMLBuilder, _ context: PageContext) {
    html.element("header", .class("masthead")) { html in
      html.element("a", .class("brand"), .href("/unread"), text: "newsd")
      html.element("nav", .value("aria-label", Wording.lists)) { html in
        link(&html, Wording.unreadTitle, "/unread", .unread, unread: context.navigation.unread)
        link(&html, Wording.starred, "/starred", .starred)
        link(&html, Wording.all, "/all", .all)
        link(&html, Wording.feeds, "/feeds", .feeds)
        // On phones the folders take the place of the links that the lower bar has.
        for folder in context.navigation.folders.prefix(Self.folderLimit) {
          let isCurrent = folder.address.selection == list?.selection
          html.element(
            "a",
            .class("folder"),
            .href(folder.address.path),
            isCurrent ? .value("aria-current", "page") : nil,
            .autoDirection,
            text: folder.title
          )
        }
      }
      html.element(
        "a",
        .class("add"),
        .flag("data-add"),
        .href("/feeds/add"),
        .value("title", Wording.addAFeed)
      ) { html in
        html.text("+")
        html.element("span", .class("hidden"), text: " " + Wording.addAFeed)
      }
      FormView.post(&html, "/refresh", context.formToken, here: context.here) { html in
        html.element("button", .class("add"), .value("title", Wording.refreshAll)) { html in
          html.literal("<span aria-hidden=\"true\">↻</span>")
          html.element("span", .class("hidden"), text: Wording.refreshAll)
        }
      }
      html.element("form", .value("role", "search"), .path("action", "/search")) { html in
        var text: String?
        if case .search(let query)? = list?.selection { text = query }
        html.element("label", .class("hidden"), .value("for", "q"), text: Wording.search)
        html.tag(
          "input",
          .type("search"),
          .id("q"),
          .name("q"),
          .value("placeholder", Wording.search),
          .value("autocomplete", "off"),
          .value("spellcheck", "false"),
          .autoDirection,
          .optional("value", text)
        )
      }
    }
  }

  private func link(
    _ html: inout HTMLBuilder,
    _ title: String,
    _ path: String,
    _ place: PagePlace,
    unread: Int? = nil
  ) {
    html.element(
      "a",
      place == .all ? nil : .class("barred"),
      .href(path),
      place == self.place ? .value("aria-current", "page") : nil
    ) { html in
      html.text(title)
      if let unread {
        html.element("span", .class("count"), .flag("data-unread"), text: unread > 0 ? String(unread) : "")
      }
    }
  }

  private func messages(_ html: inout HTMLBuilder, _ context: PageContext) {
    RefreshNoticeView(container: context.refresh, formToken: context.formToken, here: context.here)
      .render(into: &html)
    for notice in context.notices {
      NoticeView(notice: notice, formToken: context.formToken, here: context.here).render(into: &html)
    }
  }

  private func footer(_ html: inout HTMLBuilder, _ context: PageContext) {
    html.element("footer", .id("more")) { html in
      html.element("a", .href("/feeds"), text: Wording.manageFeeds)
      html.element("a", .href("/import"), text: Wording.importTitle)
      html.element("a", .href("/statistics"), text: Wording.statistics)
      html.element("a", .href("/searches"), text: Wording.savedSearches)
      html.element("a", .href("/rules"), text: Wording.rules)
      html.element("a", .href("/settings"), text: Wording.settings)
      html.element("a", .href("/access"), text: Wording.passwordsAndSessions)
      html.element("a", .href("/keys"), .flag("data-help"), text: Wording.keys)
      FormView.post(&html, "/logout", context.formToken) { html in
        html.element("button", .class("plain"), text: Wording.logOut)
      }
    }
  }
}
