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
