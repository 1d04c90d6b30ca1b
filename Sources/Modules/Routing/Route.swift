public import NewsCore

/// A destination: a screen, with the request of its module. The terminal reader, the page and routers open routes, and
/// so do the commands that show such a screen.
public enum Route: Hashable, Sendable {
  case list(ListRoute)
  case search(SearchRoute)
  /// Items in full, one after the other.
  case items([NewsItem.ID])
  /// Items in full, marked read after they were shown.
  case read([NewsItem.ID])
  /// All versions of an item.
  case versions(NewsItem.ID)
  /// The difference that the last edit of an item made.
  case difference(NewsItem.ID)
  case mark(MarkRoute)
  case subscriptions(SubscriptionsRoute)
  /// The folders with their counts.
  case folders
  case addition(FeedAdditionRoute)
  case fetch(FetchRoute)
  /// Figures about the store.
  case status
  /// The polls of the next `horizon` seconds.
  case plan(horizon: Int64)
  /// The failing feeds.
  case failures
}

/// Title and identity of a list or search that is published as a document.
public struct RouteTitle: Hashable, Sendable {
  public var title: String
  /// Identifies the published document. Excludes times: `--since 1d` is the same feed tomorrow.
  public var identity: String

  /// `text` is the query text; nil: it is a list. `feedTitles` are the titles of the filter's feeds; nil: the
  /// names in the filter are used.
  public init(text: String? = nil, filter: ItemFilter, feedTitles: [String]? = nil) {
    let unread = filter.isRead == false ? "unread" : nil
    let starred = filter.isStarred == true ? "starred" : nil
    let parts = ([text] + (feedTitles ?? filter.feeds) + filter.folders + [unread, starred])
      .compactMap { $0 }.filter { !$0.isEmpty }
    guard !parts.isEmpty else {
      (title, identity) = ("newsd", "newsd")
      return
    }
    title = parts.joined(separator: " · ")
    let named: [(String, String?)] =
      [("search", text)] + filter.feeds.map { ("feed", $0) } + filter.folders.map { ("folder", $0) }
      + [("", unread), ("", starred)]
    identity = named.compactMap { name, value in value.map { "\(name)=\($0)" } }.joined(separator: "&")
  }
}
