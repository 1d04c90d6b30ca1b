import Modules
import NewsCore

/// How items are read and kept, how this browser shows pages, and backups.
struct SettingsView {
  let settings: PageChoicesViewModel
  let context: PageContext
  private var now: PagePreferences { context.preferences }

  func render(into html: inout HTMLBuilder) {
    html.element("h1", text: "Settings")
    FormView.post(&html, "/settings", context.formToken, id: "account", class: "sheet settings") { html in
      html.element("h2", text: "Reading, in all browsers")
      FormView.hidden(&html, "part", "account")
      startPage(&html)
      choice(
        &html,
        "Mark an item read",
        "mark",
        now.marking,
        [.now: "when it is shown", .later: "after it was shown for 2 seconds", .never: "never by itself"]
      )
      zone(&html)
      check(&html, "Mark items read that have scrolled past in a list", "scrolled", now.marksScrolled)
      check(&html, "Show the oldest items first", "oldest", now.showsOldestFirst)
      html.element("button", .class("main"), text: "Save")
    }
    FormView.post(&html, "/settings", context.formToken, id: "browser", class: "sheet settings") { html in
      html.element("h2", .id("appearance"), text: "Appearance, in this browser")
      check(&html, "Single keys act on items", "keys", now.usesKeys)
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
    retention(&html)
    html.element("h2", text: "Login password")
    html.element("p") { html in
      html.element("a", .href("/access#password"), text: "Change the login password")
    }
    backup(&html)
  }

  /// Writes the choice of the page that is shown first: a list, a folder or a saved search.
  private func startPage(_ html: inout HTMLBuilder) {
    let lists = [("/unread", "Unread"), ("/starred", "Starred"), ("/all", "All")]
    let others = (context.navigation.entries + context.navigation.searches).map {
      ($0.address.path, $0.title)
    }
    let chosen = settings.settings.start ?? "/unread"
    html.element("label") { html in
      html.element("span", text: "Start page")
      html.element("select", .name("start")) { html in
        for (path, title) in lists + others.prefix(Self.startLimit) {
          html.element("option", .value("value", path), .flag("selected", if: path == chosen), text: title)
        }
      }
    }
  }

  /// Writes the field for the time zone. The script lists the zones that the browser knows.
  private func zone(_ html: inout HTMLBuilder) {
    html.element("label") { html in
      html.element("span", text: "Time zone (empty: that of the browser)")
      html.tag(
        "input",
        .name("zone"),
        .value("list", "zones"),
        .value("maxlength", "64"),
        .value("placeholder", "Europe/Berlin"),
        .value("spellcheck", "false"),
        .optional("value", settings.settings.zone)
      )
    }
    html.element("datalist", .id("zones"), text: "")
  }

  /// Maximum number of folders, feeds and searches among which the start page is chosen.
  private static let startLimit = 200

  private func retention(_ html: inout HTMLBuilder) {
    html.element("h2", .id("retention"), text: "How long items are kept")
    FormView.post(&html, "/settings", context.formToken, class: "sheet") { html in
      FormView.hidden(&html, "part", "retention")
      html.element("div", .class("row")) { html in
        limit(&html, "Days", "days", settings.settings.retention.days, fixed: settings.fixed.days)
        limit(
          &html,
          "Items of each feed",
          "items",
          settings.settings.retention.items,
          fixed: settings.fixed.items
        )
        if settings.fixed.days == nil || settings.fixed.items == nil { html.element("button", text: "Save") }
      }
      html.element(
        "p",
        .class("quiet"),
        text:
          "An empty field is no limit. Unread and starred items are kept, and feeds and folders may have limits "
          + "of their own."
      )
      if settings.quota.isSet {
        html.element("p", .class("quiet"), text: "In use: \(settings.quota.text).")
      }
    }
  }

  private func limit(_ html: inout HTMLBuilder, _ label: String, _ name: String, _ chosen: Int?, fixed: Int?)
  {
    html.element("label") { html in
      html.element("span", text: fixed == nil ? label : label + " (fixed in the configuration)")
      html.tag(
        "input",
        .type("number"),
        .name(name),
        .value("min", "1"),
        .optional("value", (fixed ?? chosen).map { String($0) }),
        .flag("disabled", if: fixed != nil)
      )
    }
  }

  private func backup(_ html: inout HTMLBuilder) {
    html.element("h2", .id("backup"), text: "Backup")
    FormView.post(&html, "/backup", context.formToken, class: "sheet") { html in
      html.element("div", .class("row")) { html in
        FormView.currentPassword(&html)
        html.element("button", text: "Download a backup")
      }
      html.element(
        "p",
        .class("quiet"),
        text: "The file has all items, feeds and settings, also secrets. 'newsd restore FILE' puts it back."
      )
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
