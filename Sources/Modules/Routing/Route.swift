public import NewsCore

/// A destination with its request. The command line parses words into a route, routers turn a selection into the next one,
/// and the configurator builds the route's module.
public enum Route: Hashable, Sendable {
  case list(ListRoute)
  /// How many items a day, as bars.
  case chart(ListRoute)
  /// Items in full, one after the other.
  case items([NewsItem.ID])
  /// Items in full, after the pages behind them were read.
  case articles([NewsItem.ID], marksRead: Bool)
  /// Items in full, marked read when they have been shown.
  case read([NewsItem.ID])
  /// The first unread item of a list, shown and marked read.
  case next(NextItemRoute)
  case search(SearchRoute)
  /// The `ordinal`th item of a list or search, counted from 1 as the list shows it.
  indirect case open(ordinal: Int, in: Route)
  /// What a list or search has got since the cursor in a file, which is moved after the output.
  indirect case arrivals(in: Route, cursor: String)
  /// How many items a search finds.
  case count(SearchRoute)
  /// How a search is read and served.
  case explanation(SearchRoute)
  case searchHistory(limit: Int)
  case follow(FollowRoute)
  case changes(ChangesRoute)
  case mark(MarkRoute)
  case subscriptions(SubscriptionsRoute)
  /// The folders, with what is in each.
  case folders
  case addition(FeedAdditionRoute)
  case feedListImport(FeedListImportRoute)
  /// The subscriptions as OPML.
  case feedListExport(includesSecrets: Bool)
  case moves(MovesRoute)
  case feedIdentity(FeedIdentityRoute)
  /// What a feed's settings for articles would bring.
  case articlePreview(ArticlePreviewRoute)
  case fetch(FetchRoute)
  /// A refresh from the recorded exchanges in a folder.
  case replay(ReplayRoute)
  /// What the store holds, in figures.
  case status
  /// The polls of the next `horizon` seconds.
  case plan(horizon: Int64)
  /// The feeds that fail.
  case failures
  /// Whether newsd does its work, for monitors; with a verdict as exit status, or with 0.
  case health(answersVerdict: Bool)
  case rules(RulesRoute)
  case savedSearches(SavedSearchesRoute)
  /// What an item said before its feed edited it.
  case versions(NewsItem.ID)
  /// What the last edit changed.
  case difference(NewsItem.ID)
  case prune(PruneRoute)
  case check(CheckRoute)
  /// A copy of the store as a new file.
  case backup(path: String)
  case restore(RestoreRoute)
  /// Unused space of the store at this path, given back.
  case compact(store: String)
  /// Items from standard input into the feed of that name.
  case ingest(feed: String)
  case publisherCheck(PublisherCheckRoute)
  /// Everything the store holds, as JSON Lines.
  case export
}

extension Route {
  /// False for screens that only tell of a change in notes.
  public var writesResults: Bool {
    switch self {
    case .fetch, .replay, .prune, .check, .backup, .restore, .compact, .addition, .feedListImport, .ingest,
      .mark:
      false
    default: true
    }
  }
}
