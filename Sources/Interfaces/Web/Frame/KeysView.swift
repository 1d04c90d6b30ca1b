import Modules

/// The keys of the page, as a dialog and as a page of its own.
struct KeysView {
  private static let keys: [(keys: [String], action: String)] = [
    (["j", "k"], Wording.nextAndPreviousItem), (["n"], Wording.nextUnreadItem),
    ([Wording.space], Wording.scrollThenTheNextUnreadItem), (["o", Wording.enter], Wording.openTheItem),
    (["N"], Wording.nextFeedKey), (["p"], Wording.playOrPause), (["D"], Wording.unsubscribeKey),
    (["v"], Wording.openTheOriginal), (["m"], Wording.markReadOrUnread),
    (["s", "f"], Wording.starTheItemOrRemoveTheStar), (["L"], Wording.labelTheItem),
    (["l"], Wording.lessLikeThisKey), (["W"], Wording.saveTheItem),
    (["w"], Wording.showTheWholeArticle), (["A"], Wording.markThisPageReadKey),
    (["M"], Wording.markTheListRead), (["z"], Wording.undoTheLastMark),
    (["u", Wording.escape], Wording.backToTheList), (["a"], Wording.addAFeedKey),
    (["r"], Wording.refreshTheList),
    (["/"], Wording.searchHint),
    (["Ctrl-K"], Wording.findFeedsSearchesAndCommands),
    (["g u"], Wording.goToUnread), (["g s"], Wording.goToStarred), (["g a"], Wording.goToAll),
    (["g f"], Wording.goToFeeds),
    (["?"], Wording.showTheseKeys),
  ]

  func dialog(_ html: inout HTMLBuilder) {
    html.element("dialog", .id("help"), .value("aria-labelledby", "help-title")) { html in
      html.element("h2", .id("help-title"), .value("tabindex", "-1"), text: Wording.keys)
      list(&html)
      html.element("form", .value("method", "dialog")) { html in
        html.element("button", text: Wording.close)
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
