import Modules
import NewsCore
import NewsToolbox

/// One feed: its health, name, folder and settings, and how to unsubscribe.
struct FeedDetailsView {
  let container: Container<FeedDetailsViewModel>
  let chart: NewsListChartViewModel?
  let folders: [String]
  let context: PageContext

  func render(into html: inout HTMLBuilder) {
    if let failure = container.failure { NoticeView.failure(failure, into: &html) }
    guard let content = container.content else {
      return html.element("h1", text: Wording.noSuchFeed)
    }
    let feed = content.feed
    let path = "/feed/\(feed.id.rawValue)"
    html.element("div", .class("heading")) { html in
      html.element("h1", .autoDirection, text: DisplayText(line: feed.title).string)
      html.element("div", .class("tools")) { html in
        html.element("a", .href(path), text: Wording.itemsTitle)
        if let target = MarkupAttribute.href(outside: feed.siteURL) {
          html.element("a", target, .outsideRelation, text: Wording.website)
        }
        if !feed.isIngested {
          FormView.post(&html, "\(path)/refresh", context.formToken, here: context.here) { html in
            html.element("button", text: Wording.refreshNow)
          }
        }
      }
    }
    if let failure = content.failure {
      html.element("div", .class("note failure"), .value("role", "status")) { html in
        html.element("p", .autoDirection, text: DisplayText(line: failure.error).string)
        html.element(
          "p",
          .autoDirection,
          text: DisplayText(line: PageText.sentence(failure.advice)).string
        )
      }
    }
    if let chart { ActivityChartView(content: chart).render(into: &html) }
    html.element("dl", .class("facts")) { html in
      for fact in content.facts {
        html.element("dt", text: fact.name.string)
        html.element("dd") { html in
          guard let time = fact.time else { return html.text(fact.value.string) }
          html.element("time", .value("datetime", time.rfc3339), text: context.times.dateAndTime(time))
          if let note = fact.note { html.text(note.string) }
        }
      }
    }
    naming(&html, feed, path)
    settings(&html, content, path)
    html.element("h2", text: Wording.unsubscribe)
    Self.removal(&html, feed, Wording.removeTheFeedAndItems(feed.itemCount), context, isFinal: true)
  }

  private func naming(_ html: inout HTMLBuilder, _ feed: Feed, _ path: String) {
    html.element("h2", text: Wording.nameAndFolder)
    FormView.post(&html, "\(path)/name", context.formToken, class: "sheet") { html in
      html.element("div", .class("row")) { html in
        FormView.field(&html, Wording.title, name: "title", value: feed.title, isRequired: true)
        FormView.field(&html, Wording.folder, name: "folder", value: feed.folder ?? "", list: "folders")
        html.element("button", .class("main"), text: Wording.save)
      }
      html.element("datalist", .id("folders")) { html in
        for folder in folders.prefix(SubscriptionsView.folderLimit) {
          html.tag("option", .value("value", folder))
        }
      }
    }
  }

  private func settings(_ html: inout HTMLBuilder, _ content: FeedDetailsViewModel, _ path: String) {
    html.element("h2", text: Wording.settings)
    FormView.post(&html, "\(path)/settings", context.formToken, class: "sheet") { html in
      if !content.feed.isIngested {
        FormView.field(&html, Wording.address, name: "url", value: WebAddress.redacted(content.feed.url))
      }
      let settings = content.settings.filter { PageSettings.names.contains($0.name) }
      for choice in SettingChoice.all {
        guard let setting = settings.first(where: { $0.name == choice.setting.rawValue }) else { continue }
        choice.render(into: &html, value: setting.value ?? "")
      }
      html.element("details") { html in
        html.element("summary", text: Wording.more)
        let chosen = SettingChoice.all.map(\.setting.rawValue)
        for setting in settings where !chosen.contains(setting.name) {
          FormView.field(
            &html,
            PageSettings.label(setting.name),
            name: "set-\(setting.name)",
            value: setting.value ?? "",
            hint: "\(setting.name): \(setting.help)"
          )
        }
        html.element("p", .class("quiet")) { html in
          html.text(Wording.anEmptyFieldFollowsTheConfiguration)
          html.element("code", text: "newsd feeds set \(content.feed.id.rawValue)")
          html.text(Wording.onTheServer)
        }
      }
      html.element("button", .class("main"), text: Wording.save)
    }
  }

  /// Writes the confirmation below which a feed is removed. `isFinal`: without the Undo that a menu has.
  static func removal(
    _ html: inout HTMLBuilder,
    _ feed: Feed,
    _ summary: String,
    _ context: PageContext,
    isFinal: Bool = false
  ) {
    html.element("details") { html in
      html.element("summary", text: summary)
      FormView.post(&html, "/feed/\(feed.id.rawValue)/remove", context.formToken) { html in
        let question = Wording.removesItsItemsToo
        html.element("p", text: isFinal ? "\(question) \(Wording.thisCannotBeUndone)" : question)
        html.element("button", .class("bad"), text: Wording.removeForGood)
      }
    }
  }
}

/// The settings that the page may change.
enum PageSettings {
  static let names = Set(FeedSetting.allCases.filter { $0.trust != .owner }.map(\.rawValue))

  /// The plain name of a setting that has a field, or its technical name.
  static func label(_ name: String) -> String {
    switch FeedSetting(rawValue: name) {
    case .userAgent: Wording.nameThatNewsdSends
    case .encoding: Wording.encodingOfTheFeed
    case .timeout: Wording.longestTimeOfARequest
    case .maximumSize: Wording.largestSizeOfTheFeed
    case .keepItems: Wording.numberOfItemsToKeep
    case .articleContent: Wording.partsWithTheArticle
    case .articleRemove: Wording.partsToLeaveOut
    case .articleNext: Wording.linkToTheNextPage
    default: SettingChoice.all.first { $0.setting.rawValue == name }?.label ?? name
    }
  }

  /// An error message of a setting with the plain name in place of the technical one, with which it begins.
  static func plain(_ message: String) -> String {
    let named = names.first { message.hasPrefix(bytesOf: $0 + " ") || message.hasPrefix(bytesOf: $0 + ": ") }
    guard let named else { return message }
    return "“\(label(named))”" + String(decoding: message.utf8.dropFirst(named.utf8.count), as: UTF8.self)
  }
}

/// A setting that the page offers as a choice under a plain name.
struct SettingChoice: Sendable {
  let setting: FeedSetting
  let label: String
  /// The values with their names, of which the first is the default; none: the setting is on or off.
  var options: [(value: String, text: String)] = []

  static let all: [SettingChoice] = [
    SettingChoice(setting: .paused, label: Wording.pausedUntilIAsk),
    SettingChoice(setting: .hidden, label: Wording.leaveItsItemsOut),
    SettingChoice(
      setting: .article,
      label: Wording.wholeArticles,
      options: [
        ("", Wording.whenIAskForOne), ("auto", Wording.ofAllNewItemsIfExcerpts),
        ("always", Wording.ofAllNewItems),
        ("never", Wording.whenIAskOnly),
      ]
    ),
    SettingChoice(setting: .minimumInterval, label: Wording.fetchItAtMost, options: intervals),
    SettingChoice(setting: .maximumInterval, label: Wording.fetchItAtLeast, options: intervals),
    SettingChoice(
      setting: .keepDays,
      label: Wording.keepItsItems,
      options: [
        ("", Wording.asThoseOfOtherFeeds), ("7", Wording.forAWeek), ("30", Wording.for30Days),
        ("90", Wording.for90Days), ("365", Wording.forAYear),
      ]
    ),
  ]

  private static let intervals: [(value: String, text: String)] = [
    ("", Wording.asOftenAsItPublishes), ("900s", Wording.every15Minutes), ("3600s", Wording.everyHour),
    ("21600s", Wording.every6Hours), ("86400s", Wording.onceADay), ("604800s", Wording.onceAWeek),
  ]

  func render(into html: inout HTMLBuilder, value: String) {
    let name = "set-\(setting.rawValue)"
    guard !options.isEmpty else {
      // A box that is not checked sends nothing: the hidden field then says so.
      let isOn = value == "true"
      FormView.hidden(&html, name, isOn ? "" : value)
      return html.element("label", .class("check")) { html in
        html.tag("input", .type("checkbox"), .name(name), .value("value", "true"), .flag("checked", if: isOn))
        html.element("span", text: label)
      }
    }
    html.element("label") { html in
      html.element("span", text: label)
      html.element("select", .name(name)) { html in
        // A value that was typed elsewhere stays.
        let other = options.contains { $0.value == value } ? [] : [(value: value, text: value)]
        for option in options + other {
          html.element(
            "option",
            .value("value", option.value),
            .flag("selected", if: option.value == value),
            text: option.text
          )
        }
      }
    }
  }
}
