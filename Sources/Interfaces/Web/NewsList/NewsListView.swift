import Modules
import NewsCore
import NewsToolbox

/// A list or search as a page: heading, actions on the whole list, rows, and the link to the next page.
struct NewsListView {
  let container: Container<NewsListViewModel>
  let address: ListAddress
  let heading: String
  /// The feed whose list this is.
  var feed: SubscriptionLine?
  let context: PageContext

  private var showsFeeds: Bool {
    if case .feed = address.selection { false } else { true }
  }

  /// The address of the next page; nil: this is the last one.
  var next: ListAddress? {
    guard let lines = container.content?.lines, lines.count == ListAddress.pageSize, let last = lines.last
    else { return nil }
    return address.following(last.id)
  }

  func render(into html: inout HTMLBuilder) {
    html.element("div", .id("arrived"), .class("note"), .value("role", "status"), .flag("hidden")) { html in
      html.element("a", .href(address.beginning.path), text: Wording.showNewItems)
    }
    html.element("div", .class("heading")) { html in
      html.element("h1", .autoDirection) { html in
        if case .feed(let id) = address.selection {
          html.feed(heading, icon: context.icons[id])
        } else {
          html.text(heading)
        }
      }
      tools(&html)
    }
    if case .search(let text) = address.selection {
      SearchChipsView(text: text, address: address, lines: container.content?.lines ?? []).render(into: &html)
    }
    if let failure = container.failure { self.failure(failure, into: &html) }
    if let feed, feed.isFailing { FeedProblemView(line: feed, context: context).render(into: &html) }
    FormView.post(&html, "/marks", context.formToken, id: ItemListView.form, here: context.here) { _ in }
    guard let content = container.content else { return }
    if content.lines.isEmpty, context.navigation.feedCount == 0, !content.notes.isEmpty {
      // Show the first steps for this page: the module's note names commands.
      return firstSteps(&html)
    }
    NoticeView.notes(of: content, into: &html)
    if content.lines.isEmpty {
      html.element("section", .id("items"), .class("empty")) { html in
        html.element("p", text: emptyText)
      }
    } else {
      ItemListView(
        content: content,
        showsFeeds: showsFeeds,
        context: context
      ).render(into: &html)
    }
    pages(&html)
  }

  private func firstSteps(_ html: inout HTMLBuilder) {
    html.element("section", .id("items"), .class("empty")) { html in
      html.element("p", text: Wording.thereAreNoFeedsYet)
      html.element("p") { html in
        html.element("a", .href("/feeds"), text: Wording.addAFeedOrImportAList)
      }
    }
  }

  private var emptyText: String {
    if address.after != nil || address.page > 1 { return Wording.thereAreNoFurtherItems }
    return switch address.selection {
    case .unread: Wording.everythingIsRead
    case .starred: Wording.noItemIsStarred
    case .search(let text) where text.isEmpty: Wording.typeWhatToSearchFor
    case .search, .saved: Wording.nothingMatches
    case .feed where feed?.isFailing == true && feed?.items == 0: Wording.newsdHasFetchedNothingYet
    case .all, .feed, .folder:
      address.isUnreadOnly ? Wording.everythingHereIsRead : Wording.thereAreNoItemsYet
    }
  }

  private func failure(_ message: UserMessage, into html: inout HTMLBuilder) {
    html.element("div", .class("note failure"), .value("role", "alert")) { html in
      html.element("p", .autoDirection, text: DisplayText(block: PageText.sentence(message.text)).string)
      // Mark the quoted word of the message in the query.
      if case .search(let text) = address.selection, let part = QueryFault.part(of: text, in: message.text) {
        html.element("p", .autoDirection) { html in
          html.text(part.before)
          html.element("mark", text: part.fault)
          html.text(part.after)
        }
      }
    }
  }

  private func tools(_ html: inout HTMLBuilder) {
    html.element("div", .class("tools")) { html in
      if let content = container.content { markMenu(&html, content) }
      switch address.selection {
      case .feed, .folder, .saved:
        var other = address.beginning
        other.isUnreadOnly.toggle()
        html.element(
          "a",
          .href(other.path),
          text: address.isUnreadOnly ? Wording.showReadItems : Wording.unreadOnly
        )
      case .unread, .starred, .all, .search: break
      }
      moreMenu(&html)
    }
  }

  /// Writes the menu of the list's order, and of its feed or search; no menu if it would be empty.
  private func moreMenu(_ html: inout HTMLBuilder) {
    var feed: Feed.ID?
    var search: String?
    switch address.selection {
    case .feed(let id): feed = id
    case .search(let text) where !text.isEmpty: search = TypedQuery.completing(text)
    default: break
    }
    let isOrdered = address.order != .relevance && container.content?.lines.isEmpty == false
    guard isOrdered || feed != nil || search != nil else { return }
    html.element("details", .class("menu")) { html in
      html.element("summary", .value("title", Wording.more)) { html in
        html.literal("<span aria-hidden=\"true\">⋯</span>")
        html.element("span", .class("hidden"), text: Wording.more)
      }
      html.element("div") { html in
        if search != nil { orderLink(&html) }
        if isOrdered { orderLinks(&html) }
        if let search {
          let path = "/searches?q=" + PagePath.segment(search)
          html.element("a", .flag("data-menu"), .href(path), text: Wording.saveThisSearch)
        }
        guard let feed else { return }
        if let target = MarkupAttribute.href(outside: self.feed?.homePage) {
          html.element("a", target, .outsideRelation, text: Wording.website)
        }
        html.element("a", .href("/feed/\(feed.rawValue)/settings"), text: Wording.settings)
      }
    }
  }

  /// Writes the links that turn a list that is ordered by time, and that show each of its stories once.
  private func orderLinks(_ html: inout HTMLBuilder) {
    var turned = address.beginning
    turned.order = address.order == .oldest ? .newest : .oldest
    turned.namesOrder = true
    let text = turned.order == .oldest ? Wording.oldestFirst : Wording.newestFirst
    html.element("a", .href(turned.path), text: text)
    var other = address.beginning
    other.foldsStories.toggle()
    html.element(
      "a",
      .href(other.path),
      text: address.foldsStories ? Wording.everyItem : Wording.eachStoryOnce
    )
  }

  private func orderLink(_ html: inout HTMLBuilder) {
    var other = address.beginning
    other.order = address.order == .relevance ? .newest : .relevance
    other.namesOrder = other.order != .relevance
    html.element(
      "a",
      .href(other.path),
      text: other.order == .newest ? Wording.byTime : Wording.bestMatchFirst
    )
  }

  /// Writes the button that marks the whole list, and the menu that marks the items of this page, or older ones of the list.
  private func markMenu(_ html: inout HTMLBuilder, _ content: NewsListViewModel) {
    guard !content.lines.isEmpty else { return }
    let hasUnread = content.lines.contains(where: \.isUnread)
    let marksList =
      switch address.selection {
      case .starred: false
      case .search(let text): !text.isEmpty
      default: true
      }
    guard hasUnread || marksList else { return }
    if marksList { markAll(&html) }
    html.element("details", .class("menu")) { html in
      html.element("summary", text: marksList ? Wording.markEllipsis : Wording.markRead)
      html.element("div") { html in
        if hasUnread {
          let here = address.beginning.path
          FormView.post(&html, "/marks", context.formToken, id: ItemListView.pageForm, here: here) { html in
            FormView.hidden(&html, "as", ItemMark.read.rawValue)
            html.element("button", text: Wording.markThisPageRead)
          }
        }
        if marksList { markOlder(&html) }
      }
    }
  }

  private func markAll(_ html: inout HTMLBuilder) {
    let text =
      switch address.selection {
      case .feed: Wording.markTheFeedRead
      case .folder: Wording.markTheFolderRead
      case .search, .saved: Wording.markAllMatchesRead
      default: Wording.markEverythingRead
      }
    mark(&html) { html in
      html.element("button", .name("older"), .value("value", "0"), .flag("data-all"), text: text)
    }
  }

  /// Writes the buttons that mark the items that are older than a day or a week.
  private func markOlder(_ html: inout HTMLBuilder) {
    mark(&html) { html in
      for (seconds, text) in [
        ("86400", Wording.markOlderThanADayRead), ("604800", Wording.markOlderThanAWeekRead),
      ] {
        html.element("button", .name("older"), .value("value", seconds), text: text)
      }
    }
  }

  /// Writes a form that marks items of the whole list.
  private func mark(_ html: inout HTMLBuilder, _ buttons: (inout HTMLBuilder) -> Void) {
    FormView.post(&html, "/marks", context.formToken, here: address.beginning.path) { html in
      FormView.hidden(&html, "as", ItemMark.read.rawValue)
      FormView.hidden(&html, "list", address.beginning.path)
      buttons(&html)
    }
  }

  private func pages(_ html: inout HTMLBuilder) {
    html.element("div", .class("pages")) { html in
      guard let next else { return }
      let text = address.order == .oldest ? Wording.newerItems : Wording.olderItems
      html.element("a", .value("rel", "next"), .href(next.path), text: text)
    }
  }
}

/// Finds the word of a query that an error message quotes.
enum QueryFault {
  static func part(
    of query: String,
    in message: String
  ) -> (before: String, fault: String, after: String)? {
    guard let start = message.cut(atFirst: "'")?.after, let word = start.cut(atFirst: "'")?.before,
      !word.isEmpty
    else { return nil }
    let bytes = Array(query.utf8)
    let wanted = Array(word.utf8)
    guard wanted.count <= bytes.count,
      let place = (0...(bytes.count - wanted.count)).first(where: {
        bytes[$0..<($0 + wanted.count)].elementsEqual(wanted)
      })
    else { return nil }
    return (
      String(decoding: bytes[..<place], as: UTF8.self), String(word),
      String(decoding: bytes[(place + wanted.count)...], as: UTF8.self)
    )
  }
}
