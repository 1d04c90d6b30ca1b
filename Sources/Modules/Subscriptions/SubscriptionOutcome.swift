public import NewsCore

/// What became of the subscriptions.
public enum SubscriptionOutcome: Hashable, Sendable {
  /// Added, with this many items at once.
  case added(Feed, items: Int)
  case removed([Feed])
  case renamed(Feed, to: String)
  case moved(Feed)
  case filed(Feed, folder: String?)
  /// From a list: those that were new, and how many were there already.
  case imported([Feed], duplicates: Int)
}
