import Modules
import NewsCore
import NewsToolbox

/// The feeds with their health, and how to add, import and export them.
struct SubscriptionsView {
  let container: Container<SubscriptionsViewModel>
  let chart: NewsListChartViewModel?
  let isFailingOnly: Bool
  /// The page of the table, from 1.
  let page: Int
  var draft = FeedDraft()
  let context: PageContext

  /// Number of feeds on a page of the table.
  static let pageSize = 200
  /// Maximum number of folders that the field for a folder suggests.
  static let folderLimit = 1000

  func render(into html: inout HTMLBuilder) {
    html.element("div", .class("heading")) { html in
      html.element("h1", text: isFailingOnly ? Wording.failingFeeds : Wording.feeds)
      html.element("div", .class("tools")) { html in
        FormView.post(&html, "/refresh", context.formToken, here: context.here) { html in
          html.element("button", text: Wording.refreshAll)
        }
        html.element("a", .href(isFailingOnly ? "/feeds" : "/feeds?show=failing")) { html in
          html.text(isFailingOnly ? Wording.allFeeds : Wording.failingOnly)
        }
        html.element("a", .href("/statistics"), text: Wording.statistics)
        html.element("a", .href("/feeds/export"), .flag("download"), text: Wording.exportAsOPML)
      }
    }
    if let failure = container.failure { NoticeView.failure(failure, into: &html) }
    if let content = container.content { addition(&html, content) }
    if let chart, !isFailingOnly { ActivityChartView(content: chart).render(into: &html) }
    if let content = container.content {
      table(&html, content)
      transfer(&html)
    }
  }

  private func table(_ html: inout HTMLBuilder, _ content: SubscriptionsViewModel) {
    guard !content.lines.isEmpty else {
      let text =
        page > 1
        ? Wording.thereAreNoMoreFeeds
        : isFailingOnly ? Wording.noFeedFailsNow : Wording.thereAreNoFeedsYetToAdd
      return html.element("p", .class("empty"), text: text)
    }
    several(&html)
    rows(&html, content)
    pages(&html, of: content.totals?.matching ?? content.lines.count)
  }

  /// Writes the table. The script fetches it anew while feeds are refreshed.
  func rows(_ html: inout HTMLBuilder, _ content: SubscriptionsViewModel) {
    html.element("div", .id("feed-rows"), .class("scroll")) { html in
      html.element("table", .class("data")) { html in
        html.element("thead") { html in
          html.element("tr") { html in
            for title in [
              Wording.feed, Wording.state, Wording.unreadTitle, Wording.itemsTitle, Wording.nextPoll, "",
            ] {
              if title.isEmpty {
                html.element("td", text: "")
              } else {
                html.element("th", .value("scope", "col"), text: title)
              }
            }
          }
        }
        html.element("tbody") { html in
          for line in content.lines { row(&html, line) }
        }
      }
    }
  }

  /// Writes what can be done with the feeds whose boxes are checked: the boxes in the table belong to this form.
  private func several(_ html: inout HTMLBuilder) {
    FormView.post(
      &html,
      "/feeds/several",
      context.formToken,
      id: "several",
      class: "tools",
      here: context.here
    ) {
      html in
      html.element("span", .class("quiet"), text: Wording.chosenFeeds)
      FormView.field(&html, Wording.toTheFolder, name: "folder", list: "folders")
      for (name, text) in [
        ("move", Wording.move), ("pause", Wording.pause), ("resume", Wording.resume),
        ("read", Wording.markRead),
      ] {
        html.element("button", .name("do"), .value("value", name), text: text)
      }
      html.element("details") { html in
        html.element("summary", text: Wording.removeEllipsis)
        html.element("p", text: Wording.thisCannotBeUndone)
        html.element(
          "button",
          .class("bad"),
          .name("do"),
          .value("value", "remove"),
          text: Wording.unsubscribeAndDeleteItems
        )
      }
    }
  }

  /// Writes the links to the pages before and after this one.
  private func pages(_ html: inout HTMLBuilder, of count: Int) {
    let last = (count + Self.pageSize - 1) / Self.pageSize
    guard last > 1 else { return }
    func path(_ page: Int) -> String {
      (isFailingOnly ? "/feeds?show=failing&page=" : "/feeds?page=") + String(page)
    }
    html.element("div", .class("pages")) { html in
      if page > 1 {
        html.element("a", .value("rel", "prev"), .href(path(page - 1)), text: Wording.previousFeeds)
      }
      html.element("span", .class("quiet"), text: Wording.pageOfFeeds(page, last, count))
      if page < last {
        html.element("a", .value("rel", "next"), .href(path(page + 1)), text: Wording.moreFeeds)
      }
    }
  }

  private func row(_ html: inout HTMLBuilder, _ line: SubscriptionLine) {
    html.element("tr") { html in
      html.element("td") { html in
        html.element("label") { html in
          html.tag(
            "input",
            .type("checkbox"),
            .name("feed"),
            .value("value", String(line.id.rawValue)),
            .value("form", "several"),
            .value("aria-label", Wording.choose(line.title.string))
          )
        }
        html.text(" ")
        html.element("a", .href(ListAddress(.feed(line.id)).path)) { html in
          html.feed(line.title.string, icon: context.icons[line.id])
        }
        if let folder = line.folder {
          html.text(" ")
          html.element("a", .class("quiet"), .href(ListAddress(.folder(folder.string)).path)) { html in
            html.element("bdi", text: folder.string)
          }
        }
        if line.isFailing {
          html.element("div", .class("quiet")) { html in FeedProblemView.cause(&html, line, context) }
        }
        if let advice = line.advice {
          html.element("div", .autoDirection, text: PageText.sentence(advice.string))
        }
        if line.isFailing { remedies(&html, line) }
      }
      html.element("td") { html in health(&html, line) }
      html.element(
        "td",
        .class("number"),
        .value("data-label", Wording.unreadLabel),
        text: String(line.unread)
      )
      html.element("td", .class("number"), .value("data-label", Wording.itemsLabel), text: String(line.items))
      html.element("td", .value("data-label", Wording.nextPollLabel)) { html in nextPoll(&html, line.nextPoll)
      }
      html.element("td") { html in
        html.element("a", .class("plain"), .href("/feed/\(line.id.rawValue)/settings")) { html in
          html.text(Wording.settings)
          html.element("span", .class("hidden"), text: Wording.ofSubject(line.title.string))
        }
      }
    }
  }

  /// Writes what can be done about a failing feed.
  private func remedies(_ html: inout HTMLBuilder, _ line: SubscriptionLine) {
    let feed = "/feed/\(line.id.rawValue)"
    html.element("div", .class("tools remedies")) { html in
      FormView.post(&html, feed + "/refresh", context.formToken, here: context.here) { html in
        html.element("button") { html in named(&html, Wording.tryAgain, line) }
      }
      html.element("details") { html in
        html.element("summary") { html in named(&html, Wording.newAddressEllipsis, line) }
        FormView.post(&html, feed + "/settings", context.formToken, here: context.here) { html in
          FormView.field(&html, Wording.newAddress, name: "url", type: "url", isRequired: true)
          html.element("button", text: Wording.change)
        }
      }
      html.element("details") { html in
        html.element("summary") { html in named(&html, Wording.removeEllipsis, line) }
        FormView.post(&html, feed + "/remove", context.formToken, here: context.here) { html in
          html.element(
            "button",
            .class("bad"),
            text: Wording.unsubscribeAndDelete(line.items)
          )
        }
      }
    }
  }

  /// Writes a text, for screen readers with the feed's title.
  private func named(_ html: inout HTMLBuilder, _ text: String, _ line: SubscriptionLine) {
    html.text(text)
    html.element("span", .class("hidden"), text: " (\(line.title.string))")
  }

  private func health(_ html: inout HTMLBuilder, _ line: SubscriptionLine) {
    let (name, text): (String, String) =
      switch line.health {
      case .good: ("good", Wording.fetched)
      case .new: ("new", Wording.notFetchedYet)
      case .failing: ("failing", Wording.fails)
      case .gone: ("gone", Wording.gone)
      case .paused: ("new", Wording.paused)
      }
    html.element("span", .class("state \(name)")) { html in
      html.text(text)
      guard line.health == .good, let time = line.lastFetched else { return }
      html.element("time", .value("datetime", time.rfc3339), text: context.times.dateAndTime(time))
    }
  }

  private func nextPoll(_ html: inout HTMLBuilder, _ next: SubscriptionLine.NextPoll) {
    switch next {
    case .ingested: html.text(Wording.filledByIngest)
    case .never: html.text(Wording.never)
    case .now: html.text(Wording.now)
    case .at(let time, let reason):
      html.element(
        "time",
        .value("datetime", time.rfc3339),
        text: time <= context.times.now ? Wording.now : context.times.dateAndTime(time)
      )
      if let reason { html.element("span", .class("quiet"), text: " " + Wording.reason(reason)) }
    }
  }

  private func addition(_ html: inout HTMLBuilder, _ content: SubscriptionsViewModel) {
    html.element("h2", .id("add"), text: Wording.addAFeed)
    FormView.post(&html, "/feeds/add", context.formToken, class: "sheet") { html in
      if let problem = draft.problem { NoticeView.failure(problem, into: &html) }
      html.element("div", .class("row")) { html in
        FormView.field(
          &html,
          Wording.addressOfAFeedOrAPage,
          name: "address",
          value: draft.address,
          placeholder: "https://example.org/",
          isRequired: true
        )
        FormView.field(&html, Wording.folderOptional, name: "folder", value: draft.folder, list: "folders")
        html.element("button", .class("main"), text: Wording.add)
      }
      html.element("datalist", .id("folders")) { html in
        for folder in content.folderNames.prefix(Self.folderLimit) {
          html.tag("option", .value("value", folder))
        }
      }
    }
  }

  private func transfer(_ html: inout HTMLBuilder) {
    html.element("h2", .id("import"), text: Wording.importTitle)
    ImportView.upload(&html, context.formToken)
    html.element("p") { html in
      html.element("a", .href("/import"), text: Wording.importFromAServer)
    }
  }
}
