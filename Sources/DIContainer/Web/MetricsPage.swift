import NewsHTTP
import Glibc
import NewsCore
import NewsToolbox

/// `/metrics`: figures of the store and counters of the daemon, for Prometheus.
struct MetricsPage: HTTPHandling {
  let metrics: ServiceMetrics
  let figures: @Sendable () async -> String
  /// True: only clients on this machine are answered.
  let isLocalOnly: Bool
  let connections: @Sendable () -> Int
  let droppedLines: @Sendable () -> Int

  func reply(to request: HTTPRequest) async -> HTTPReply {
    guard !isLocalOnly || request.address.isEmpty || TrustedProxies.isLoopback(request.address) else {
      return .text(403, "web.metrics is local: only clients on this machine may read this\n")
    }
    let counted = metrics.text(connections: connections(), droppedLines: droppedLines())
    let text = await figures() + counted
    return HTTPReply(status: 200, type: "text/plain; version=0.0.4; charset=utf-8", Array(text.utf8))
  }
}

/// Caches the figures of the store for some seconds, because they are computed from all feeds.
actor MetricsFigures {
  private let store: any FeedKeeping & HookKeeping
  private let measure: any StoreFileMeasuring
  private let clock: any WallClock
  private let started: Timestamp
  private var last: (time: ContinuousClock.Instant, report: HealthReport)?
  private var reading: (task: Task<HealthReport, Never>, begun: ContinuousClock.Instant)?

  private static let age = Duration.seconds(5)
  /// How long a request waits for the store, whose tables may be locked: without former figures longer, because a large store or a
  /// slow disk needs more than two seconds.
  private static let (patience, firstPatience) = (Duration.seconds(2), Duration.seconds(8))
  /// The duration of a read after which the store counts as silent. A request before that gets the last figures.
  private static let longestRead = Duration.seconds(20)

  init(store: any FeedKeeping & HookKeeping, measure: any StoreFileMeasuring, clock: any WallClock) {
    self.store = store
    self.measure = measure
    self.clock = clock
    started = clock.now()
  }

  func report() async -> HealthReport {
    if let last, ContinuousClock.now - last.time < Self.age { return last.report }
    let (task, begun) = reading ?? startReading()
    let patience = last == nil ? Self.firstPatience : Self.patience
    if let report = await task.value(within: patience) { return report }
    let duration = ContinuousClock.now - begun
    if let last, duration < Self.longestRead { return last.report }
    let problem = "the store has not answered for \(duration.components.seconds) seconds"
    return makeReport(nil, problem: problem, [], nil)
  }

  private func startReading() -> (task: Task<HealthReport, Never>, begun: ContinuousClock.Instant) {
    let started = (task: Task { await read() }, begun: ContinuousClock.now)
    reading = started
    return started
  }

  private func read() async -> HealthReport {
    var all: [Feed]?
    var hooks: [HookState] = []
    var problem: String?
    do throws(StoreError) {
      all = try await store.feeds()
      hooks = try await store.hookStates()
    } catch {
      problem = error.message
    }
    let report = makeReport(all, problem: problem, hooks, await measure.figures())
    last = (.now, report)
    reading = nil
    return report
  }

  private func makeReport(
    _ feeds: [Feed]?,
    problem: String?,
    _ hooks: [HookState],
    _ figures: StoreFigures?
  ) -> HealthReport {
    HealthReport(
      feeds,
      storeProblem: problem,
      // This process is the daemon. Do not open the lock file: closing it would release the lock.
      daemon: DaemonPresence(pid: Int(getpid()), started: started),
      figures: figures,
      hooks: hooks,
      now: clock.now()
    )
  }
}
