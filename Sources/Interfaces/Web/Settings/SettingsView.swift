import Modules
import NewsCore

/// How items are read and kept, how this browser shows pages, and backups.
struct SettingsView {
  let settings: PageChoicesViewModel
  let hooks: HooksView
  let context: PageContext
  private var now: PagePreferences { context.preferences }
  private var fixed: PageChoices { settings.fixed }

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
        [.now: "when it is shown", .later: "after it was shown for 2 seconds", .never: "never by itself"],
        isFixed: fixed.marking != nil
      )
      zone(&html)
      check(
        &html,
        "Mark items read that have scrolled past in a list",
        "scrolled",
        now.marksScrolled,
        isFixed: fixed.marksScrolled != nil
      )
      let isFixed = fixed.showsOldestFirst != nil
      check(&html, "Show the oldest items first", "oldest", now.showsOldestFirst, isFixed: isFixed)
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
    hooks.render(into: &html)
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
    var pages = lists + others.prefix(Self.startLimit)
    if let start = fixed.start, !pages.contains(where: { $0.0 == start }) { pages.append((start, start)) }
    html.element("label") { html in
      html.element("span", text: Self.label("Start page", fixed.start != nil))
      html.element("select", .name("start"), .flag("disabled", if: fixed.start != nil)) { html in
        for (path, title) in pages {
          html.element("option", .value("value", path), .flag("selected", if: path == chosen), text: title)
        }
      }
    }
  }

  /// Writes the field for the time zone. The script lists the zones that the browser knows.
  private func zone(_ html: inout HTMLBuilder) {
    html.element("label") { html in
      let isFixed = fixed.zone != nil
      html.element(
        "span",
        text: Self.label("Time zone" + (isFixed ? "" : " (empty: that of the browser)"), isFixed)
      )
      html.tag(
        "input",
        .name("zone"),
        .value("list", "zones"),
        .value("maxlength", "64"),
        .value("placeholder", "Europe/Berlin"),
        .value("spellcheck", "false"),
        .optional("value", settings.settings.zone),
        .flag("disabled", if: isFixed)
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
        let (chosen, fixed) = (settings.settings.retention, self.fixed.retention)
        limit(&html, "Days", "days", chosen.days, isFixed: fixed.days != nil)
        limit(&html, "Items of each feed", "items", chosen.items, isFixed: fixed.items != nil)
        if fixed.days == nil || fixed.items == nil { html.element("button", text: "Save") }
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

  /// The label of a setting.
  private static func label(_ text: String, _ isFixed: Bool) -> String {
    isFixed ? text + " (fixed in the configuration)" : text
  }

  private func limit(
    _ html: inout HTMLBuilder,
    _ label: String,
    _ name: String,
    _ chosen: Int?,
    isFixed: Bool
  ) {
    html.element("label") { html in
      html.element("span", text: Self.label(label, isFixed))
      html.tag(
        "input",
        .type("number"),
        .name(name),
        .value("min", "1"),
        .optional("value", chosen.map { String($0) }),
        .flag("disabled", if: isFixed)
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
    _ texts: [Choice: String],
    isFixed: Bool = false
  ) {
    html.element("label") { html in
      html.element("span", text: Self.label(label, isFixed))
      html.element("select", .name(name), .flag("disabled", if: isFixed)) { html in
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

  private func check(
    _ html: inout HTMLBuilder,
    _ label: String,
    _ name: String,
    _ isOn: Bool,
    isFixed: Bool = false
  ) {
    html.element("label", .class("check")) { html in
      html.tag(
        "input",
        .type("checkbox"),
        .name(name),
        .value("value", "1"),
        .flag("checked", if: isOn),
        .flag("disabled", if: isFixed)
      )
      html.element("span", text: Self.label(label, isFixed))
    }
  }
}
