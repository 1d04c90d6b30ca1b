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
  private var reading: Task<HealthReport, Never>?

  private static let age = Duration.seconds(5)
  /// How long a request waits for the store, whose tables may be locked.
  private static let patience = Duration.seconds(2)
  /// The age of the figures that a request gets of a store that does not answer in time.
  private static let longestAge = Duration.seconds(60)

  init(store: any FeedKeeping & HookKeeping, measure: any StoreFileMeasuring, clock: any WallClock) {
    self.store = store
    self.measure = measure
    self.clock = clock
    started = clock.now()
  }

  func report() async -> HealthReport {
    if let last, ContinuousClock.now - last.time < Self.age { return last.report }
    let task = reading ?? startReading()
    if let report = await task.value(within: Self.patience) { return report }
    if let last, ContinuousClock.now - last.time < Self.longestAge { return last.report }
    return makeReport(nil, problem: "the store has not answered within two seconds", [], nil)
  }

  private func startReading() -> Task<HealthReport, Never> {
    let task = Task { await read() }
    reading = task
    return task
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
