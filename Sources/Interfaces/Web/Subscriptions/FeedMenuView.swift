import Modules
import NewsCore

/// What can be done with a feed or with a folder. A page of its own, and the content of a menu of the script.
struct FeedMenuView {
  /// What the menu is about.
  enum Subject {
    case feed(Feed)
    /// A folder with its feeds.
    case folder(String, [SubscriptionLine])
  }

  let subject: Subject
  let folders: [String]
  let context: PageContext
  /// The page to which the forms return.
  let origin: String

  private var title: String {
    switch subject {
    case .feed(let feed): DisplayText(line: feed.title).string
    case .folder(let name, _): DisplayText(line: name).string
    }
  }

  func render(into html: inout HTMLBuilder) {
    html.element("section", .class("feed-menu"), .value("aria-label", Wording.moreAbout(title))) { html in
      html.element("h1", .autoDirection, text: title)
      switch subject {
      case .feed(let feed): self.feed(&html, feed)
      case .folder(let name, let feeds): folder(&html, name, feeds)
      }
      html.element("datalist", .id("menu-folders")) { html in
        for folder in folders.prefix(SubscriptionsView.folderLimit) {
          html.tag("option", .value("value", folder))
        }
      }
    }
  }

  private func feed(_ html: inout HTMLBuilder, _ feed: Feed) {
    let path = "/feed/\(feed.id.rawValue)"
    markRead(&html, ListAddress(.feed(feed.id)))
    if !feed.isIngested { button(&html, "\(path)/refresh", Wording.refresh, []) }
    html.element("a", .href("\(path)/settings"), text: Wording.settings)
    if !feed.isIngested {
      let isPaused = feed.settings.isPaused == true
      button(
        &html,
        "\(path)/flags",
        isPaused ? Wording.resume : Wording.pause,
        [("paused", isPaused ? "" : "true")]
      )
    }
    let isHidden = feed.settings.isHidden == true
    let text = isHidden ? Wording.showInUnreadAndAll : Wording.hideFromUnreadAndAll
    button(&html, "\(path)/flags", text, [("hidden", isHidden ? "" : "true")])
    order(&html, ListAddress(.feed(feed.id)))
    FormView.post(&html, "\(path)/name", context.formToken, here: origin) { html in
      FormView.field(&html, Wording.title, name: "title", value: feed.title, isRequired: true)
      FormView.field(&html, Wording.folder, name: "folder", value: feed.folder ?? "", list: "menu-folders")
      html.element("button", text: Wording.renameAndMove)
    }
    FeedDetailsView.removal(&html, feed, Wording.unsubscribeEllipsis, context)
  }

  private func folder(_ html: inout HTMLBuilder, _ name: String, _ feeds: [SubscriptionLine]) {
    let subject = ("name", name)
    markRead(&html, ListAddress(.folder(name)))
    button(&html, "/folders", Wording.refresh, [subject, ("do", "refresh")])
    // Both only if some of the feeds are paused, or hidden, and others are not.
    let polled = feeds.filter { $0.nextPoll != .ingested }
    for (isOffered, text, setting, value) in [
      (polled.contains { $0.health != .paused }, Wording.pauseItsFeeds, "paused", "true"),
      (polled.contains { $0.health == .paused }, Wording.resumeItsFeeds, "paused", ""),
      (feeds.contains { !$0.isHidden }, Wording.hideFromUnreadAndAll, "hidden", "true"),
      (feeds.contains(where: \.isHidden), Wording.showInUnreadAndAll, "hidden", ""),
    ] where isOffered {
      button(&html, "/folders", text, [subject, ("do", "set"), (setting, value)])
    }
    order(&html, ListAddress(.folder(name)))
    FormView.post(&html, "/folders", context.formToken, here: origin) { html in
      FormView.hidden(&html, "name", name)
      FormView.hidden(&html, "do", "rename")
      FormView.field(&html, Wording.name, name: "to", value: name, isRequired: true, list: "menu-folders")
      html.element("button", text: Wording.renameOrMove)
    }
    html.element("details") { html in
      html.element("summary", text: Wording.removeTheFolder)
      button(&html, "/folders", Wording.removeItsFeedsStay, [subject, ("do", "remove")])
    }
  }

  /// Writes the buttons that move an entry of the tree.
  private func order(_ html: inout HTMLBuilder, _ address: ListAddress) {
    guard !context.preferences.sortsTree else { return }
    for (text, place) in [(Wording.moveUp, "up"), (Wording.moveDown, "down")] {
      button(&html, "/tree", text, [("entry", address.path), ("to", place)])
    }
  }

  private func markRead(_ html: inout HTMLBuilder, _ address: ListAddress) {
    button(
      &html,
      "/marks",
      Wording.markRead,
      [("as", ItemMark.read.rawValue), ("list", address.path), ("older", "0")]
    )
  }

  private func button(
    _ html: inout HTMLBuilder,
    _ path: String,
    _ text: String,
    _ fields: [(name: String, value: String)]
  ) {
    FormView.post(&html, path, context.formToken, here: origin) { html in
      for field in fields { FormView.hidden(&html, field.name, field.value) }
      html.element("button", text: text)
    }
  }
}
