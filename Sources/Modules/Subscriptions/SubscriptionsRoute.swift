/// An operation on the subscriptions. A feed is given by id, URL, title or, except for `remove`, part of its
/// title.
public enum SubscriptionsRoute: Hashable, Sendable {
  case list(FeedSelection = FeedSelection())
  /// Unsubscribes, and deletes the feeds' items.
  case remove(feeds: [String])
  case rename(feed: String, title: String)
  /// Moves a feed to a folder (empty: the top level), to a 1-based position, or both.
  case move(feed: String, folder: String?, position: Int?)
}
