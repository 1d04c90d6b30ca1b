/// Whether newsd works properly on a store, for monitoring systems (`newsd status --health`).
public struct HealthReport: Hashable, Sendable {
  /// The raw values are exit statuses of the Nagios plugin convention.
  public enum Verdict: Int32, Hashable, Sendable, Comparable {
    case good = 0
    case warning = 1
    case critical = 2

    public static func < (a: Verdict, b: Verdict) -> Bool { a.rawValue < b.rawValue }
  }

  /// Classes of failures, as reported to monitoring systems.
  public enum FailureKind: String, Hashable, Sendable, CaseIterable {
    case clientError = "http_4xx"
    case serverError = "http_5xx"
    case notAFeed = "not_a_feed"
    case network
  }

  /// Seconds of delay that do not count as overdue.
  public static let tolerance: Int64 = 600
  /// Seconds without a stored poll, while polls are due, that count as critical.
  public static let longestSilence: Int64 = 3600
  /// Seconds for which a delivery may wait while its hook's target fails.
  public static let longestDelivery: Int64 = 3600
  /// Number of deliveries of a hook that may wait.
  public static let mostDeliveries = 10_000
  /// Seconds for which a transaction of the database may be open.
  public static let longestTransaction: Int64 = 1800
  /// Number of transactions that may end after the oldest snapshot of the database.
  public static let oldestSnapshot: Int64 = 1_000_000
  /// Free bytes of the disk below which the store can hardly grow.
  public static let leastRoom: Int64 = 16 << 20
  /// Percentage of the disk that must be free.
  public static let leastDiskFree: Int64 = 5

  public var verdict: Verdict
  /// The failed checks, most severe first; empty when all checks pass.
  public var problems: [String]
  public var now: Timestamp
  public var daemon: DaemonPresence?
  /// Sizes of the store and its disk; nil: the store's file cannot be examined.
  public var figures: StoreFigures?
  public var feeds = 0
  public var gone = 0
  public var items = 0
  public var unread = 0
  public var due = 0
  /// Feeds whose poll is late by more than `tolerance`.
  public var overdue = 0
  /// Delay of the most overdue poll, in seconds; 0 when no poll is late.
  public var lateness: Int64 = 0
  /// When a poll last stored anything, including a mere state; nil: never.
  public var lastCommit: Timestamp?
  /// Feeds whose last poll is in the future: the clock was wrong then, or is wrong now.
  public var fromWrongClock = 0
  public var failing: [FailureKind: Int] = [:]
  /// Feeds that wait because no host could be reached.
  public var waitingForNetwork = 0
  /// The hooks of the store, by name.
  public var hooks: [HookState]

  /// The feeds are nil if the store cannot be read; `storeProblem` says why.
  public init(
    _ feeds: [Feed]?,
    storeProblem: String? = nil,
    daemon: DaemonPresence?,
    figures: StoreFigures?,
    hooks: [HookState] = [],
    now: Timestamp
  ) {
    self.hooks = hooks
    self.now = now
    self.daemon = daemon
    self.figures = figures
    verdict = .good
    problems = []
    count(feeds ?? [])
    if let storeProblem { report(.critical, storeProblem) }
    if daemon == nil { report(.critical, "no daemon runs on the store") }
    if due > 0, let lastCommit, now - lastCommit > Self.longestSilence {
      report(.critical, "nothing was stored for \((now - lastCommit) / 60) minutes; due polls: \(due)")
    }
    if waitingForNetwork > 0 {
      report(.warning, "no host can be reached; feeds that wait for the network: \(waitingForNetwork)")
    }
    if fromWrongClock > 0 {
      report(
        .warning,
        "the clock was set back, or is wrong; feeds whose last poll is in the future: \(fromWrongClock)"
      )
    }
    if overdue > 0 { report(.warning, "late polls: \(overdue), by up to \(lateness / 60) minutes") }
    if let free = figures?.diskFree, free < Self.leastRoom {
      report(.critical, "the disk of the store is full")
    } else if let free = figures?.diskFree, let size = figures?.diskSize, size > 0,
      free * 100 / size < Self.leastDiskFree
    {
      report(.warning, "less than \(Self.leastDiskFree) % of the disk is free")
    }
    if let problem = figures?.quota?.problem { report(.warning, problem) }
    checkHooks()
    checkTransactions()
  }

  /// The report on stores that cannot be found; whether a daemon runs on them is not known.
  public init(unreadable reason: String, now: Timestamp) {
    self.init(nil, daemon: nil, figures: nil, now: now)
    verdict = .critical
    problems = [reason]
  }

  private mutating func checkHooks() {
    for hook in hooks where hook.isActive && hook.failed > 0 {
      guard let error = hook.lastErrorTime, hook.lastDelivered.map({ $0 < error }) ?? true else { continue }
      report(
        .warning,
        "hook \(hook.name): deliveries given up: \(hook.failed), and none was made since; 'newsd hooks --failed' lists them"
      )
    }
    for hook in hooks where hook.isActive && hook.pending > 0 {
      let age = hook.oldest.map { now - $0 } ?? 0
      let isFailing = hook.nextTry != nil && age > Self.longestDelivery
      guard isFailing || hook.pending > Self.mostDeliveries else { continue }
      report(
        .warning,
        "hook \(hook.name): deliveries waiting: \(hook.pending), the oldest for \(age / 60) minutes"
      )
    }
  }

  /// An open transaction makes the server keep all rows that were changed since, and every statement slower.
  private mutating func checkTransactions() {
    if let age = figures?.oldestTransaction, age > Self.longestTransaction {
      report(
        .warning,
        "a transaction of the database has been open for \(age / 60) minutes; dead rows are kept"
      )
    } else if let age = figures?.snapshotAge, age > Self.oldestSnapshot {
      let holder = "a session, replication slot or prepared transaction"
      report(.warning, "\(holder) keeps the dead rows of \(age) transactions")
    }
  }

  private mutating func report(_ verdict: Verdict, _ problem: String) {
    self.verdict = max(self.verdict, verdict)
    problems.append(problem)
  }

  private mutating func count(_ all: [Feed]) {
    feeds = all.count
    for feed in all {
      let state = feed.fetchState
      items += feed.itemCount
      unread += feed.unreadCount
      let isWrong = state.lastFetched.map { $0 > now + PollPolicy.clockTolerance } ?? false
      if !isWrong { lastCommit = [lastCommit, state.lastFetched].compactMap(\.self).max() }
      if state.isGone { gone += 1 }
      guard !state.isGone, feed.isPolled else { continue }
      if state.nextDueReason == .networkDown { waitingForNetwork += 1 }
      if state.failures > 0 { failing[Self.kind(state), default: 0] += 1 }
      if isWrong { fromWrongClock += 1 }
      guard isWrong || state.cooldown?.isRunning(now) != true else { continue }
      // A feed that was never fetched has no due time, and that of a wrong clock does not count: due now, not late.
      let late = isWrong ? 0 : state.nextDue.map { now - $0 } ?? 0
      guard late >= 0 else { continue }
      due += 1
      lateness = max(lateness, late)
      if late > Self.tolerance { overdue += 1 }
    }
  }

  private static func kind(_ state: FetchState) -> FailureKind {
    switch state.lastStatus {
    case .some(200..<300): .notAFeed
    case .some(400..<500): .clientError
    case .some: .serverError
    case nil: .network
    }
  }
}
