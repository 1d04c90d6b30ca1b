/// What to do with permanent redirects; feeds are named as users name them.
public enum MovesRoute: Hashable, Sendable {
  case list
  /// Makes the new address the feed's URL now.
  case apply(feed: String)
  /// Gives the feed the URL before its last adopted move.
  case revert(feed: String)
}
