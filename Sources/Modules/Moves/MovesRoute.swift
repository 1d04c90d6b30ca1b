/// An operation on permanent redirects. A feed is given by id, URL, title or part of its title.
public enum MovesRoute: Hashable, Sendable {
  case list
  /// Makes the new address the feed's URL now.
  case apply(feed: String)
  /// Restores the URL that the feed had before its last adopted move.
  case revert(feed: String)
}
