/// The bar at the lower edge of narrow windows: the lists, the feeds, the search and the rest.
struct PhoneBarView {
  let place: PagePlace

  func render(into html: inout HTMLBuilder) {
    html.element("nav", .class("bar"), .value("aria-label", "Main")) { html in
      link(&html, "Unread", "/unread", .unread)
      link(&html, "Starred", "/starred", .starred)
      html.element("a", .href("/feeds"), .flag("data-tree"), current(.feeds), text: "Feeds")
      link(&html, "Search", "/search", .search)
      html.element("a", .value("href", "#more"), text: "More")
    }
  }

  private func link(_ html: inout HTMLBuilder, _ title: String, _ path: String, _ place: PagePlace) {
    html.element("a", .href(path), current(place), text: title)
  }

  private func current(_ place: PagePlace) -> MarkupAttribute? {
    place == self.place ? .value("aria-current", "page") : nil
  }
}
