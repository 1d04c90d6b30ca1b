import Modules
import NewsSearch
import NewsToolbox

/// Links above the matches of a search that narrow it or widen it again, and what is missing at the end of its query.
struct SearchChipsView {
  let text: String
  let address: ListAddress
  /// The matches that are shown; their feeds are offered.
  let lines: [HeadlineLine]

  /// Maximum number of feeds offered.
  private static let feedLimit = 4
  private static let words = [
    (Wording.unreadTitle, "is:unread"), (Wording.starred, "is:starred"), (Wording.lastDay, "since:1d"),
    (Wording.lastWeek, "since:7d"),
  ]

  func render(into html: inout HTMLBuilder) {
    if let gap = TypedQuery.gap(in: text) {
      html.element("div", .class("note"), .value("role", "status")) { html in
        html.element("p", text: Wording.inThisSearch(gap))
      }
    }
    guard !text.isEmpty else { return }
    html.element("nav", .class("chips"), .value("aria-label", Wording.narrowTheSearch)) { html in
      for (title, word) in Self.words { chip(&html, title, word) }
      for (title, word) in feeds { chip(&html, title, word) }
    }
  }

  /// The feeds of the matches, with the words that select them.
  private var feeds: [(String, String)] {
    var feeds: [(String, String)] = []
    for line in lines where feeds.count < Self.feedLimit {
      let word = "feed:" + QueryWord.quoted(line.feed.string)
      if !feeds.contains(where: { $0.1 == word }) { feeds.append((line.feed.string, word)) }
    }
    return feeds
  }

  private func chip(_ html: inout HTMLBuilder, _ title: String, _ word: String) {
    var other = address.beginning
    other.selection = .search(TypedQuery.toggling(word, in: text))
    let isOn = TypedQuery.has(word, in: text)
    html.element("a", .href(other.path), .autoDirection, isOn ? .value("aria-current", "true") : nil) {
      html in
      html.text(title)
      if isOn { html.element("span", .class("hidden"), text: Wording.removeAddition) }
    }
  }
}
