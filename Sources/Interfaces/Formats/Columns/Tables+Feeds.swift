public import Modules
public import NewsCore

extension Tables {
  public static let feeds = Columns<Feed>(
    [
      .number("id", \.id.rawValue), .text("url") { WebAddress.redacted($0.url) }, .text("title", \.title),
      .text("site_url", \.siteURL), .text("folder", \.folder), .number("position", \.position),
      .number("items", \.itemCount), .number("unread", \.unreadCount),
      .number("interval", \.fetchState.interval), .time("next_due", \.fetchState.nextDue),
      .text("next_due_reason") { $0.fetchState.nextDueReason?.description },
      .time("last_fetched", \.fetchState.lastFetched), .number("last_status", \.fetchState.lastStatus),
      .number("failures", \.fetchState.failures), .text("last_error", \.fetchState.lastError),
    ],
    defaults: ["id", "url", "title", "folder", "unread"]
  )

  public static let folders = Columns<FolderSummary>([
    .text("folder", \.name), .number("feeds", \.feeds), .number("unread", \.unread),
    .number("items", \.items),
  ])

  public static let moves = Columns<MoveEditor.Move>([
    .number("feed_id", \.feed.id.rawValue), .text("feed", \.feed.title),
    .text("from") { WebAddress.redacted($0.from) }, .text("to") { WebAddress.redacted($0.to) },
    .text("state") { $0.isAdopted ? "adopted" : "followed" }, .number("polls", \.polls),
    .time("time", \.time),
  ])

  // MARK: Status

  public static let status = Columns<StatusSummary>([
    .text("store", \.store), .number("feeds", \.feeds), .number("items", \.items),
    .number("unread", \.unread),
    .number("due", \.due), .number("failing", \.failing), .number("gone", \.gone),
    .time("next_due", \.nextDue),
    .time("last_fetched", \.lastFetched), .number("seq", \.sequence),
  ])

  public static let plan = Columns<PollPlan.Entry>(
    [
      .number("feed_id", \.feed.id.rawValue), .text("feed", \.feed.title),
      .text("url") { WebAddress.redacted($0.feed.url) }, .time("next_due", \.due),
      .text("next_due_reason", \.reason.description),
    ],
    defaults: ["feed", "next_due", "next_due_reason"]
  )

  public static let failures = Columns<FailureReport.Entry>(
    [
      .number("feed_id", \.feed.id.rawValue), .text("feed", \.feed.title),
      .text("url") { WebAddress.redacted($0.feed.url) }, .number("failures", \.failures),
      .time("failing_since", \.since), .text("last_error", \.error), .text("advice", \.advice),
    ],
    defaults: ["feed", "failures", "failing_since", "last_error", "advice"]
  )

  public static let health = Columns<HealthReport>([
    .text("health") { ["good", "warning", "critical"][Int($0.verdict.rawValue)] },
    .text("problems") { $0.problems.joined(separator: "; ") },
    .number("daemon_pid", \.daemon?.pid), .time("daemon_since", \.daemon?.started),
    .time("last_commit", \.lastCommit), .number("due", \.due), .number("overdue", \.overdue),
    .number("lateness", \.lateness), .number("store_bytes", \.figures?.storeBytes),
    .number("wal_bytes", \.figures?.logBytes), .number("unused_bytes", \.figures?.unusedBytes),
    .number("disk_free_bytes", \.figures?.diskFree), .number("disk_bytes", \.figures?.diskSize),
    .number("oldest_transaction", \.figures?.oldestTransaction),
    .number("snapshot_age", \.figures?.snapshotAge), .number("dead_rows", \.figures?.deadRows),
  ])

  /// The columns of the four tables of `newsd status`, without duplicates.
  public static let statusNames = [status.names, plan.names, failures.names, health.names]
    .joined().reduce(into: [String]()) { all, name in if !all.contains(name) { all.append(name) } }
}
