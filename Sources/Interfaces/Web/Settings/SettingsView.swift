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
    html.element("h1", text: Wording.settings)
    FormView.post(&html, "/settings", context.formToken, id: "account", class: "sheet settings") { html in
      html.element("h2", text: Wording.readingInAllBrowsers)
      FormView.hidden(&html, "part", "account")
      startPage(&html)
      choice(
        &html,
        Wording.markAnItemRead,
        "mark",
        now.marking,
        [
          .now: Wording.whenItIsShown, .later: Wording.afterTwoSeconds,
          .never: Wording.neverByItself,
        ],
        isFixed: fixed.marking != nil
      )
      zone(&html)
      check(
        &html,
        Wording.markItemsReadByScrolling,
        "scrolled",
        now.marksScrolled,
        isFixed: fixed.marksScrolled != nil
      )
      let isFixed = fixed.showsOldestFirst != nil
      check(&html, Wording.showTheOldestItemsFirst, "oldest", now.showsOldestFirst, isFixed: isFixed)
      check(&html, Wording.sortTheTree, "tree", now.sortsTree, isFixed: fixed.sortsTree != nil)
      html.element("button", .class("main"), text: Wording.save)
    }
    FormView.post(&html, "/settings", context.formToken, id: "browser", class: "sheet settings") { html in
      html.element("h2", .id("appearance"), text: Wording.appearanceInThisBrowser)
      check(&html, Wording.singleKeysActOnItems, "keys", now.usesKeys)
      choice(
        &html,
        Wording.lists,
        "density",
        now.density,
        [.compact: Wording.compact, .cosy: Wording.cosy, .cards: Wording.cards]
      )
      choice(
        &html,
        Wording.colours,
        "theme",
        now.theme,
        [
          .auto: Wording.asTheBrowser, .light: Wording.light, .sepia: Wording.sepia, .dark: Wording.dark,
          .black: Wording.black,
        ]
      )
      choice(&html, Wording.fontOfTexts, "font", now.font, [.serif: Wording.serif, .sans: Wording.sansSerif])
      choice(
        &html,
        Wording.sizeOfTexts,
        "size",
        now.size,
        [.small: Wording.small, .medium: Wording.medium, .large: Wording.large, .huge: Wording.veryLarge]
      )
      choice(
        &html,
        Wording.widthOfTexts,
        "width",
        now.width,
        [.narrow: Wording.narrow, .medium: Wording.medium, .wide: Wording.wide]
      )
      html.element("button", .class("main"), text: Wording.save)
    }
    retention(&html)
    hooks.render(into: &html)
    html.element("h2", text: Wording.loginPassword)
    html.element("p") { html in
      html.element("a", .href("/access#password"), text: Wording.changeTheLoginPassword)
    }
    backup(&html)
  }

  /// Writes the choice of the page that is shown first: a list, a folder or a saved search.
  private func startPage(_ html: inout HTMLBuilder) {
    let lists = [("/unread", Wording.unreadTitle), ("/starred", Wording.starred), ("/all", Wording.all)]
    let others = (context.navigation.entries + context.navigation.searches).map {
      ($0.address.path, $0.title)
    }
    let chosen = settings.settings.start ?? "/unread"
    var pages = lists + others.prefix(Self.startLimit)
    if let start = fixed.start, !pages.contains(where: { $0.0 == start }) { pages.append((start, start)) }
    html.element("label") { html in
      html.element("span", text: Self.label(Wording.startPage, fixed.start != nil))
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
        text: Self.label(Wording.timeZone + (isFixed ? "" : Wording.orThatOfTheBrowser), isFixed)
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
    html.element("h2", .id("retention"), text: Wording.howLongItemsAreKept)
    FormView.post(&html, "/settings", context.formToken, class: "sheet") { html in
      FormView.hidden(&html, "part", "retention")
      html.element("div", .class("row")) { html in
        let (chosen, fixed) = (settings.settings.retention, self.fixed.retention)
        limit(&html, Wording.days, "days", chosen.days, isFixed: fixed.days != nil)
        limit(&html, Wording.itemsOfEachFeed, "items", chosen.items, isFixed: fixed.items != nil)
        if fixed.days == nil || fixed.items == nil { html.element("button", text: Wording.save) }
      }
      html.element(
        "p",
        .class("quiet"),
        text:
          Wording.anEmptyFieldIsNoLimit
      )
      if settings.quota.isSet {
        html.element("p", .class("quiet"), text: Wording.inUse(settings.quota.text))
      }
    }
  }

  /// The label of a setting.
  private static func label(_ text: String, _ isFixed: Bool) -> String {
    isFixed ? text + Wording.isFixedInTheConfiguration : text
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
    html.element("h2", .id("backup"), text: Wording.backup)
    FormView.post(&html, "/backup", context.formToken, class: "sheet") { html in
      html.element("div", .class("row")) { html in
        FormView.currentPassword(&html)
        html.element("button", text: Wording.downloadABackup)
      }
      html.element(
        "p",
        .class("quiet"),
        text: Wording.whatTheBackupHas
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
