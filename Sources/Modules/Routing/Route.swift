public import NewsCore

/// A destination with its request. The command line parses words into a route, routers turn a selection into the
/// next route, and the configurator builds the route's module.
public enum Route: Hashable, Sendable {
  case list(ListRoute)
  /// The number of items per day, as bars.
  case chart(ListRoute)
  /// Items in full, one after the other.
  case items([NewsItem.ID])
  /// Items in full, after their pages were fetched.
  case articles([NewsItem.ID], marksRead: Bool)
  /// Items in full, marked read after they were shown.
  case read([NewsItem.ID])
  /// The first unread item of a list, shown and marked read.
  case next(NextItemRoute)
  case search(SearchRoute)
  /// The `ordinal`th item of a list or search, counted from 1 as the list shows it.
  indirect case open(ordinal: Int, in: Route)
  /// The items of a list or search stored since the cursor in a file. The cursor advances after the output.
  indirect case arrivals(in: Route, cursor: String)
  /// The number of items that a search finds.
  case count(SearchRoute)
  /// How a query is parsed, and which index serves it.
  case explanation(SearchRoute)
  case searchHistory(limit: Int)
  case follow(FollowRoute)
  case changes(ChangesRoute)
  case mark(MarkRoute)
  case subscriptions(SubscriptionsRoute)
  /// The folders with their counts.
  case folders
  case addition(FeedAdditionRoute)
  case feedListImport(FeedListImportRoute)
  /// The subscriptions as OPML.
  case feedListExport(includesSecrets: Bool)
  case moves(MovesRoute)
  case feedIdentity(FeedIdentityRoute)
  case feedSettings(FeedSettingsRoute)
  /// A trial of a feed's settings for articles on its newest items.
  case articlePreview(ArticlePreviewRoute)
  case fetch(FetchRoute)
  /// A refresh from the recorded exchanges in a folder.
  case replay(ReplayRoute)
  /// Figures about the store.
  case status
  /// The polls of the next `horizon` seconds.
  case plan(horizon: Int64)
  /// The failing feeds.
  case failures
  /// The health of newsd, for monitoring. With `answersVerdict` the exit status is the verdict; otherwise it is 0.
  case health(answersVerdict: Bool)
  case rules(RulesRoute)
  case hooks(HooksRoute)
  /// The processes that poll the store together.
  case nodes
  /// The deliveries of hooks that were given up.
  case hookFailures
  case savedSearches(SavedSearchesRoute)
  /// All versions of an item.
  case versions(NewsItem.ID)
  /// The difference that the last edit of an item made.
  case difference(NewsItem.ID)
  case prune(PruneRoute)
  case check(CheckRoute)
  /// A copy of the store as a new file.
  case backup(path: String)
  case restore(RestoreRoute)
  /// A copy of everything in one store into another.
  case copy(StoreCopyRoute)
  /// Returns unused space in the store at this path to the file system.
  case compact(store: String)
  /// Stores items from standard input in the feed with that name.
  case ingest(feed: String)
  /// Tools for a language model on standard input and output.
  case mcp(writes: Bool)
  case webStatus(WebStatusRoute)
  case webApps(WebAppsRoute)
  case webSessions(WebSessionsRoute)
  case webPassword(WebPasswordRoute)
  /// A document, printed as a parsed feed.
  case parsedFeed(DocumentSource)
  /// The problems of a document that its publisher should fix.
  case publisherCheck(DocumentSource)
  /// The article of a web page.
  case pageArticle(PageArticleRoute)
  /// Everything the store holds, as JSON Lines.
  case export
  case storeImport(StoreImportRoute)
  /// The pages of items, in the user's browser.
  case browse([NewsItem.ID], marksRead: Bool)
  /// The reader (`newsd read`), started at a route; nil: begin with the subscriptions, or at the last place.
  indirect case reader(Route?)
  case daemon(DaemonRoute)
  case completion(CompletionRoute)
  case reference(ReferenceRoute)
  /// The words under which a text is indexed.
  case tokens(TokensRoute)
}

extension Route {
  /// False for screens whose progress line may stay on a terminal: they write only messages, or results at
  /// their end.
  public var writesResults: Bool {
    switch self {
    case .fetch, .replay, .prune, .check, .backup, .restore, .copy, .compact, .addition, .feedListImport,
      .ingest, .mark, .storeImport, .webPassword:
      false
    default: true
    }
  }
}
