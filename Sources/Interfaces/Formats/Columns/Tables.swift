public import Modules
public import NewsCore

/// The tables that commands print: for each kind of record, its columns.
public enum Tables {
  public static let rules = Columns<Rule>(
    [
      .number("number", \.number), .text("action", \.actionList), .text("query", \.query),
      .time("until", \.until), .number("hits", \.hits),
    ],
    defaults: ["number", "action", "query"]
  )

  public static let savedSearches = Columns<SavedSearch>([.text("name", \.name), .text("query", \.query)])

  public static let searchHistory = Columns<String>([.text("query") { $0 }])

  public static let chart = Columns<NewsListChartViewModel.Bar>([
    .text("day", \.day.string), .number("count", \.count),
  ])

  public static let versions = Columns<VersionRecord>(
    [
      .number("id", \.itemID.rawValue), .number("version", \.number), .time("replaced", \.replaced),
      .text("title", \.title), .text("content_text", \.text),
    ],
    defaults: ["id", "version", "replaced", "title"],
    identity: "version"
  )

  public static let nodes = Columns<StoreNode>([
    .text("name", \.name), .text("version", \.version), .time("since", \.since),
    .number("feeds", \.feeds), .time("last_beat", \.lastBeat),
  ])

  public static let accounts = Columns<AccountReport>([
    .text("account", \.account.name), .text("state", \.state), .number("feeds", \.feeds),
    .number("items", \.items), .number("failing", \.failing), .number("size", \.size),
    .time("last_use", \.lastUse), .text("problem", \.problem),
    .number("quota_feeds", \.quota?.feeds), .number("quota_size", \.quota?.bytes),
  ])

  public static let pruned = Columns<PruneReport.Entry>([
    .number("feed_id", \.feedID.rawValue), .number("items", \.count), .text("feed", \.title),
  ])

  public static let problems = Columns<CheckedProblem>([
    .text("kind", \.problem.kind.rawValue), .text("outcome", \.outcome.rawValue),
    .text("message", \.problem.message),
  ])

  public static let labels = Columns<ItemLabel>([.text("name", \.name), .number("unread", \.unread)])

  // MARK: Hooks

  public static let hooks = Columns<HookSummary>(
    [
      .text("name", \.state.name), .text("kind", \.hook?.target.kind), .text("target", \.hook?.displayTarget),
      .text("state", \.condition.rawValue), .number("pending", \.state.pending),
      .number("failed", \.state.failed), .number("delivered", \.state.delivered),
      .time("last_delivered", \.state.lastDelivered), .time("next_try", \.state.nextTry),
      .text("last_error", \.state.lastError), .time("last_error_time", \.state.lastErrorTime),
      .text("source", \.source), .text("preset", \.added?.preset),
    ],
    defaults: ["name", "kind", "pending", "failed", "delivered", "last_error"]
  )

  public static let hookFailures = Columns<FailedHookEntry>(
    [
      .text("key", \.key), .text("hook", \.hook), .text("event", \.entry.event.rawValue),
      .time("time", \.entry.time), .number("id", \.entry.itemID?.rawValue), .text("title", \.title),
      .number("attempts", \.attempts), .text("error", \.error),
    ],
    defaults: ["key", "event", "id", "title", "attempts", "error"]
  )

  // MARK: The web server

  public static let appPasswords = Columns<AppPassword>([
    .text("name", \.name), .time("made", \.made), .time("last_used", \.lastUsed),
  ])

  public static let webSessions = Columns<WebSession>([
    .number("id", \.id), .time("made", \.made), .time("last_seen", \.lastSeen), .text("address", \.address),
    .text("agent", \.agent),
  ])

  public static let webStatus = Columns<WebStatusFigure>([.text("name", \.name), .text("value", \.value)])
}
