import Modules
import NewsCore

/// The folders, feeds and saved searches with their unread items. Shown beside pages on wide windows.
struct NavigationView {
  let current: ListAddress?
  let context: PageContext

  /// The form of the buttons that mark an entry read.
  private static let form = "catch-up"

  private var navigation: Navigation { context.navigation }

  func render(into html: inout HTMLBuilder) {
    html.element("aside") { html in
      FormView.post(&html, "/marks", context.formToken, id: Self.form, here: context.here) { html in
        FormView.hidden(&html, "as", ItemMark.read.rawValue)
        FormView.hidden(&html, "older", "0")
      }
      html.element("nav", .value("aria-label", Wording.feeds)) { html in
        if !navigation.searches.isEmpty {
          html.element("p", .class("group"), text: Wording.searches)
          list(&html, navigation.searches)
        }
        html.element("p", .class("group"), text: Wording.feeds)
        list(&html, navigation.entries)
        if navigation.hiddenFeeds > 0 {
          html.element("p", .class("quiet")) { html in
            html.element("a", .href("/feeds"), text: Wording.feedsBeyond(navigation.hiddenFeeds))
          }
        }
        if navigation.entries.isEmpty, navigation.hiddenFeeds == 0 {
          html.element("p") { html in html.element("a", .href("/feeds"), text: Wording.addTheFirstFeed) }
        }
      }
    }
  }

  /// Writes the button by which the script folds a folder.
  private func fold(_ html: inout HTMLBuilder, _ title: String) {
    html.element("button", .class("fold"), .type("button"), .value("aria-expanded", "true"), .flag("hidden"))
    { html in
      html.element("span", .class("hidden"), text: Wording.fold(title))
    }
  }

  /// Writes the link to what can be done with a feed or folder; the script shows it as a menu.
  private func menu(_ html: inout HTMLBuilder, _ entry: Navigation.Entry) {
    let path: String
    switch entry.address.selection {
    case .feed(let id): path = "/feed/\(id.rawValue)/menu"
    case .folder(let name): path = "/folders?name=" + PagePath.segment(name)
    default: return
    }
    // The style has its sign, as that of the next button: there are as many of both as feeds.
    html.element(
      "a",
      .class("more"),
      .flag("data-menu"),
      .href(path),
      .value("title", Wording.moreAbout(entry.title)),
      text: ""
    )
  }

  /// Writes the button that marks a feed, folder or saved search read from any page. The style shows it beside unread items.
  private func catchUp(_ html: inout HTMLBuilder, _ entry: Navigation.Entry) {
    html.element(
      "button",
      .class("done"),
      .value("form", Self.form),
      .name("list"),
      .value("value", entry.address.path),
      .value("title", Wording.markAllOfRead(entry.title)),
      text: ""
    )
  }

  private func list(_ html: inout HTMLBuilder, _ entries: [Navigation.Entry]) {
    html.element("ul") { html in
      for entry in entries {
        html.element("li", entry.isFolder ? nil : .class("leaf")) { html in
          let isCurrent = entry.address.selection == current?.selection
          var feed: String?
          if case .feed(let id) = entry.address.selection { feed = String(id.rawValue) }
          if entry.isFolder { fold(&html, entry.title) }
          html.element(
            "a",
            .href(entry.address.path),
            .optional("data-feed", feed),
            .flag("data-folder", if: entry.isFolder),
            .optional("title", entry.state),
            entry.state.map { _ in .class(entry.isFailing ? "failing" : "off") },
            isCurrent ? .value("aria-current", "page") : nil
          ) { html in
            if case .feed(let id) = entry.address.selection { html.icon(context.icons[id]) }
            html.element("span", .autoDirection) { html in
              html.text(entry.title)
              if let state = entry.state {
                html.element("span", .class("hidden"), text: " (\(state))")
              }
            }
            html.element("span", .class("count"), text: entry.unread > 0 ? String(entry.unread) : "")
          }
          catchUp(&html, entry)
          menu(&html, entry)
          if !entry.entries.isEmpty { list(&html, entry.entries) }
        }
      }
    }
  }
}

/// The bar at the lower edge of narrow windows: the lists, the feeds, the search and the rest.
struct PhoneBarView {
  let place: PagePlace
  let unread: Int

  func render(into html: inout HTMLBuilder) {
    html.element("nav", .class("bar"), .value("aria-label", Wording.main)) { html in
      html.element("a", .href("/unread"), current(.unread)) { html in
        html.text(Wording.unreadTitle)
        html.element("span", .class("count"), .flag("data-unread"), text: unread > 0 ? String(unread) : "")
      }
      link(&html, Wording.starred, "/starred", .starred)
      html.element("a", .href("/feeds"), .flag("data-tree"), current(.feeds), text: Wording.feeds)
      link(&html, Wording.search, "/search", .search)
      html.element("a", .value("href", "#more"), text: Wording.more)
    }
  }

  private func link(_ html: inout HTMLBuilder, _ title: String, _ path: String, _ place: PagePlace) {
    html.element("a", .href(path), current(place), text: title)
  }

  private func current(_ place: PagePlace) -> MarkupAttribute? {
    place == self.place ? .value("aria-current", "page") : nil
  }
}
