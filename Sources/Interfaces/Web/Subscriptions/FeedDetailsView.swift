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
        html.element("p", .autoDirection, text: DisplayText(line: failure.advice).string)
      }
    }
    if let chart { ActivityChartView(content: chart).render(into: &html) }
    html.element("dl", .class("facts")) { html in
      for fact in content.facts {
        html.element("dt", text: fact.name.string)
        html.element("dd", text: fact.value.string)
      }
    }
    naming(&html, feed, path)
    settings(&html, content, path)
    removal(&html, feed, path)
  }

  private func naming(_ html: inout HTMLBuilder, _ feed: Feed, _ path: String) {
    html.element("h2", text: Wording.nameAndFolder)
    FormView.post(&html, "\(path)/name", context.formToken, class: "sheet") { html in
      html.element("div", .class("row")) { html in
        FormView.field(&html, Wording.title, name: "title", value: feed.title, isRequired: true)
        FormView.field(&html, Wording.folder, name: "folder", value: feed.folder ?? "", list: "folders")
        html.element("button", text: Wording.save)
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
      for setting in content.settings where PageSettings.names.contains(setting.name) {
        FormView.field(
          &html,
          "\(setting.name): \(setting.help)",
          name: "set-\(setting.name)",
          value: setting.value ?? ""
        )
      }
      html.element("p", .class("quiet")) { html in
        html.text(Wording.anEmptyFieldFollowsTheConfiguration)
        html.element("code", text: "newsd feeds set \(content.feed.id.rawValue)")
        html.text(Wording.onTheServer)
      }
      html.element("button", text: Wording.save)
    }
  }

  private func removal(_ html: inout HTMLBuilder, _ feed: Feed, _ path: String) {
    html.element("h2", text: Wording.unsubscribe)
    html.element("details") { html in
      html.element("summary", text: Wording.removeTheFeedAndItems(feed.itemCount))
      FormView.post(&html, "\(path)/remove", context.formToken) { html in
        html.element("p", text: Wording.thisCannotBeUndone)
        html.element("button", .class("bad"), text: Wording.removeForGood)
      }
    }
  }
}

/// The settings that the page may change.
enum PageSettings {
  static let names = Set(FeedSetting.allCases.filter { $0.trust != .owner }.map(\.rawValue))
}
