import Modules

/// How this browser shows pages, and when items are marked read.
struct SettingsView {
  let context: PageContext
  private var now: PagePreferences { context.preferences }

  func render(into html: inout HTMLBuilder) {
    html.element("h1", text: "Settings of this browser")
    FormView.post(&html, "/settings", context.formToken, class: "sheet settings") { html in
      html.element("h2", text: "Reading")
      choice(
        &html,
        "Mark an item read",
        "mark",
        now.marking,
        [.now: "when it is shown", .later: "after it was shown for 2 seconds", .never: "never by itself"]
      )
      check(&html, "Mark items read that have scrolled past in a list", "scrolled", now.marksScrolled)
      check(&html, "Show the oldest items first", "oldest", now.showsOldestFirst)
      check(&html, "Single keys act on items", "keys", now.usesKeys)
      html.element("h2", .id("appearance"), text: "Appearance")
      choice(
        &html,
        "Lists",
        "density",
        now.density,
        [.compact: "compact: one line for each item", .cosy: "cosy: with excerpts", .cards: "cards"]
      )
      choice(
        &html,
        "Colours",
        "theme",
        now.theme,
        [.auto: "as the browser", .light: "light", .sepia: "sepia", .dark: "dark", .black: "black"]
      )
      choice(&html, "Font of texts", "font", now.font, [.serif: "serif", .sans: "sans serif"])
      choice(
        &html,
        "Size of texts",
        "size",
        now.size,
        [.small: "small", .medium: "medium", .large: "large", .huge: "very large"]
      )
      choice(
        &html,
        "Width of texts",
        "width",
        now.width,
        [.narrow: "narrow", .medium: "medium", .wide: "wide"]
      )
      html.element("button", .class("main"), text: "Save")
    }
  }

  private func choice<Choice: RawRepresentable<String> & CaseIterable & Hashable>(
    _ html: inout HTMLBuilder,
    _ label: String,
    _ name: String,
    _ chosen: Choice,
    _ texts: [Choice: String]
  ) {
    html.element("label") { html in
      html.element("span", text: label)
      html.element("select", .name(name)) { html in
        for option in Choice.allCases {
          html.element(
            "option",
            .value("value", option.rawValue),
            .flag("selected", if: option == chosen),
            text: texts[option] ?? option.rawValue
          )
        }
      }
    }
  }

  private func check(_ html: inout HTMLBuilder, _ label: String, _ name: String, _ isOn: Bool) {
    html.element("label", .class("check")) { html in
      html.tag("input", .type("checkbox"), .name(name), .value("value", "1"), .flag("checked", if: isOn))
      html.element("span", text: label)
    }
  }
}
