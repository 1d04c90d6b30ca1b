import DIContainer
import NewsCore
import Synchronization

/// Logs the scheduler's events: a line for each refresh (on the level debug for routine ones), and a summary
/// of all polls each minute.
final class RefreshLog: Sendable {
  private struct Counts {
    var unchanged = 0
    var updated = 0
    var failed = 0
    var skipped = 0
    var newItems = 0
    var bytes = 0

    var polls: Int { unchanged + updated + failed }
  }

  private struct State {
    var counts = Counts()
    var failures = FailureCounter()
    /// Notices of each feed from its last poll with notices.
    var notices: [Feed.ID: [String]] = [:]
    var feeds = 0
    var networkIsDown = false
    var storeError: StoreError?
  }

  private let log: DaemonLog
  private let count: @Sendable (RefreshEvent) -> Void
  private let state = Mutex(State())

  /// `count` counts each event for `/metrics`.
  init(_ log: DaemonLog, count: @escaping @Sendable (RefreshEvent) -> Void = { _ in }) {
    self.log = log
    self.count = count
  }

  /// Logs an event of a refresh that was started on the web page.
  func takeFromPage(_ event: RefreshEvent) {
    switch event {
    case .began(let total): log.line(.info, "web", [("refresh_feeds", .number(total))])
    case .started, .finished: take(event)
    // The daemon's own polls tell of the network and the store.
    case .networkDown, .storeFailed, .storeRecovered, .clockSet, .committed: break
    }
  }

  /// Counts and logs an event. Counts first, so that `/metrics` has counted each refresh that the log tells of.
  func take(_ event: RefreshEvent) {
    count(event)
    switch event {
    case .began(let total):
      state.withLock { $0.feeds = total }
      log.line(.info, "schedule", [("feeds", .number(total))])
    case .started(let id): log.line(.debug, "fetch", [("feed_id", .number(Int(id.rawValue)))])
    case .networkDown(let isDown):
      state.withLock { $0.networkIsDown = isDown }
      log.line(.warning, isDown ? "network-down" : "network-up")
    case .storeFailed(let error):
      state.withLock { $0.storeError = error }
      log.line(.error, "store", [("error", .text(error.message))])
    case .storeRecovered:
      state.withLock { $0.storeError = nil }
      log.line(.warning, "store-up")
    case .clockSet(let seconds): log.line(.warning, "clock", [("set_by_seconds", .number(Int(seconds)))])
    case .finished(let outcome): finished(outcome)
    case .committed: break
    }
  }

  /// Why the store cannot be written now, since the log says so; nil: it can.
  var storeError: StoreError? { state.withLock { $0.storeError } }

  /// Logs the counts of the last interval and resets them. Returns one sentence for the service manager
  /// (`STATUS=`).
  func summarize(seconds: Int) -> String {
    let (counts, feeds, networkIsDown, storeError) = state.withLock { state in
      defer { state.counts = Counts() }
      return (state.counts, state.feeds, state.networkIsDown, state.storeError)
    }
    if counts.polls > 0 {
      log.line(
        .info,
        "polls",
        [
          ("seconds", .number(seconds)), ("unchanged", .number(counts.unchanged)),
          ("updated", .number(counts.updated)), ("failed", .number(counts.failed)),
          ("skipped", .number(counts.skipped)), ("new", .number(counts.newItems)),
          ("bytes", .number(counts.bytes)),
        ]
      )
    }
    if let storeError { return "Polling is paused: \(storeError.message)" }
    if networkIsDown { return "Polling is paused: no host can be reached" }
    return "Polling \(feeds) feeds; last \(seconds) s: \(counts.polls) polls, \(counts.failed) failed, "
      + "\(counts.newItems) new items"
  }

  private func finished(_ outcome: RefreshOutcome) {
    let id = outcome.feedID
    var fields: [(String, DaemonLog.Value)] = [("feed_id", .number(Int(id.rawValue)))]
    if let feed = outcome.feed { fields.append(("url", .text(WebAddress.redacted(feed.url)))) }
    if let status = outcome.status { fields.append(("status", .number(status))) }
    var level = DaemonLog.Level.info
    switch outcome.result {
    case .unchanged:
      let failures = state.withLock { state in
        state.counts.unchanged += 1
        return state.failures.succeeded(id)
      }
      // The summary counts this poll, so log it only if the feed has recovered.
      if failures == 0 { level = .debug }
      fields.append(("result", .text("unchanged")))
      if failures > 0 { fields.append(("after_failures", .number(failures))) }
    case .updated(let new, let changed):
      let failures = state.withLock { state in
        state.counts.updated += 1
        state.counts.newItems += new.count
        return state.failures.succeeded(id)
      }
      fields.append(("result", .text("updated")))
      fields.append(("new", .number(new.count)))
      fields.append(("changed", .number(changed.count)))
      if failures > 0 { fields.append(("after_failures", .number(failures))) }
    case .failed(let failure):
      level = self.level(of: failure, id, &fields)
    case .skipped(let reason):
      state.withLock { $0.counts.skipped += 1 }
      // If several processes share the feeds, most skipped feeds were polled by another one: log them
      // quietly.
      switch reason {
      case .busy, .unreadable, .notDue: level = .debug
      default: break
      }
      fields.append(("result", .text("skipped")))
      fields.append(("reason", .text(reason.description)))
    }
    state.withLock { $0.counts.bytes += outcome.bytes }
    fields.append(("bytes", .number(outcome.bytes)))
    fields.append(("ms", .number(Int(outcome.duration))))
    if let due = outcome.state?.nextDue { fields.append(("next_due", .text(due.rfc3339))) }
    if let reason = outcome.state?.nextDueReason { fields.append(("why", .text(reason.description))) }
    log.line(level, "refresh", fields)
    // A repeated notice, such as unverified certificates, is worth a warning only once.
    let isKnown = state.withLock { state in
      defer { if !outcome.notices.isEmpty { state.notices[id] = outcome.notices } }
      return state.notices[id] == outcome.notices
    }
    let noticeLevel: DaemonLog.Level = isKnown ? .debug : .warning
    for notice in outcome.notices {
      log.line(noticeLevel, "notice", [("feed_id", .number(Int(id.rawValue))), ("text", .text(notice))])
    }
    for note in outcome.notes {
      log.line(.info, "note", [("feed_id", .number(Int(id.rawValue))), ("text", .text(note))])
    }
  }

  /// Adds a failure to the fields and returns the level at which to log it.
  private func level(
    of failure: RefreshFailure,
    _ id: Feed.ID,
    _ fields: inout [(String, DaemonLog.Value)]
  ) -> DaemonLog.Level {
    if failure.code == .store(.noSuchFeed) {
      _ = state.withLock { $0.failures.succeeded(id) }
      // The user removed the feed during its refresh.
      fields.append(("result", .text("removed")))
      return .debug
    }
    fields.append(("result", .text("failed")))
    fields.append(("error", .text(failure.message)))
    let times = state.withLock { state in
      state.counts.failed += 1
      return state.failures.failed(id, failure.message)
    }
    // Log this failure quietly: one line about the store covers all feeds.
    if case .store = failure.code { return .debug }
    guard let times else { return .debug }
    if times > 1 { fields.append(("times", .number(times))) }
    return .warning
  }
}
