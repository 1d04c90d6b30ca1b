/// The keys of the page, as a dialog and as a page of its own.
struct KeysView {
  private static let keys: [(keys: [String], action: String)] = [
    (["j", "k"], "next and previous item"), (["n"], "next unread item"),
    (["Space"], "scroll, then the next unread item"), (["o", "Enter"], "open the item"),
    (["v"], "open the original"), (["m"], "mark read or unread"),
    (["s", "f"], "star the item, or remove the star"), (["L"], "label the item"), (["W"], "save the item"),
    (["w"], "show the whole article"), (["A"], "mark this page read"),
    (["M"], "mark the feed, folder, search or list read"), (["z"], "undo the last mark"),
    (["u"], "back to the list"), (["a"], "add a feed"), (["r"], "refresh"), (["/"], "search"),
    (["Ctrl-K"], "find feeds, searches and commands"),
    (["g u"], "go to Unread"), (["g s"], "go to Starred"), (["g a"], "go to All"), (["g f"], "go to Feeds"),
    (["?"], "show these keys"),
  ]

  func dialog(_ html: inout HTMLBuilder) {
    html.element("dialog", .id("help"), .value("aria-labelledby", "help-title")) { html in
      html.element("h2", .id("help-title"), text: "Keys")
      list(&html)
      html.element("form", .value("method", "dialog")) { html in
        html.element("button", text: "Close")
      }
    }
  }

  func list(_ html: inout HTMLBuilder) {
    html.element("dl", .class("keys")) { html in
      for entry in Self.keys {
        html.element("dt") { html in
          for (index, key) in entry.keys.enumerated() {
            if index > 0 { html.text(" ") }
            html.element("kbd", text: key)
          }
        }
        html.element("dd", text: entry.action)
      }
    }
  }
}
