@testable import NewsCore
import Testing

@Suite struct `Health of a store` {
  private let now = Timestamp(seconds: 1_795_000_000)
  private let daemon = DaemonPresence(pid: 7, started: Timestamp(seconds: 1_794_000_000))
  private let figures = StoreFigures(storeBytes: 1 << 20, diskFree: 50 << 30, diskSize: 100 << 30)

  private func feed(
    due seconds: Int64,
    lastFetched: Int64 = -60,
    _ change: (inout FetchState) -> Void = { _ in }
  )
    -> Feed
  {
    var state = FetchState(nextDue: now + seconds)
    state.lastFetched = now + lastFetched
    change(&state)
    return Feed(
      id: Feed.ID(rawValue: 1),
      url: "https://a.example/",
      title: "A",
      position: 1,
      settings: FeedSettings(),
      fetchState: state
    )
  }

  private func report(_ feeds: [Feed]?, storeProblem: String? = nil) -> HealthReport {
    HealthReport(feeds, storeProblem: storeProblem, daemon: daemon, figures: figures, now: now)
  }

  @Test func `Polls on time give the verdict good`() {
    let report = report([feed(due: 60), feed(due: -600)])
    #expect(report.verdict == .good && report.problems.isEmpty)
    #expect(report.due == 1 && report.lateness == 600)
  }

  @Test func `Feeds whose last poll is in the future are due, and a warning`() {
    let ahead = feed(due: 3700, lastFetched: 3600) {
      $0.cooldown = HostCooldown(host: "a", until: now + 3700)
    }
    let report = report([ahead, feed(due: 60)])
    #expect(report.verdict == .warning && report.due == 1 && report.overdue == 0)
    #expect(
      report.problems == [
        "the clock was set back, or is wrong; feeds whose last poll is in the future: 1"
      ]
    )
    #expect(report.lastCommit == now - 60)
    // They do not hide that nothing is stored.
    #expect(self.report([ahead, feed(due: 60, lastFetched: -3601)]).verdict == .critical)
  }

  @Test func `A poll that is late by more than ten minutes is a warning`() {
    let report = report([feed(due: -601)])
    #expect(report.verdict == .warning)
    #expect(report.problems == ["late polls: 1, by up to 10 minutes"])
  }

  @Test func `Feeds that wait for the network are a warning, before any poll is late`() {
    let report = report([feed(due: 60) { $0.nextDueReason = .networkDown }, feed(due: 60)])
    #expect(report.verdict == .warning)
    #expect(report.problems == ["no host can be reached; feeds that wait for the network: 1"])
  }

  @Test func `A feed that is gone, or whose host is in a cooldown, is not late`() {
    let gone = feed(due: -9000) { $0.isGone = true }
    let resting = feed(due: -9000) { $0.cooldown = HostCooldown(host: "a.example", until: now + 60) }
    #expect(report([gone, resting]).verdict == .good)
  }

  @Test func `Less than five per cent of free disk space is a warning, a full disk is critical`() {
    var full = figures
    full.diskFree = 4 << 30
    #expect(HealthReport([], daemon: daemon, figures: full, now: now).verdict == .warning)
    full.diskFree = 15 << 20
    #expect(HealthReport([], daemon: daemon, figures: full, now: now).verdict == .critical)
  }

  @Test func `No daemon, an hour without a commit and an unusable store are critical`() {
    #expect(HealthReport([], daemon: nil, figures: figures, now: now).verdict == .critical)
    #expect(report([feed(due: -60, lastFetched: -3601)]).verdict == .critical)
    #expect(report([feed(due: 60, lastFetched: -3601)]).verdict == .good)
    #expect(report(nil, storeProblem: "damaged").problems == ["damaged"])
    #expect(report(nil, storeProblem: "damaged").verdict == .critical)
  }

  @Test func `Failures are counted by kind`() {
    func failed(_ status: Int?) -> Feed {
      feed(due: 60) {
        $0.failures = 1
        $0.lastStatus = status
      }
    }
    let report = report([failed(404), failed(410), failed(503), failed(200), failed(nil), feed(due: 60)])
    #expect(report.failing == [.clientError: 2, .serverError: 1, .notAFeed: 1, .network: 1])
  }

  @Test func `Deliveries that wait long for a failing target, and many that wait, are a warning`() {
    var hook = HookState(name: "phone")
    hook.pending = 5
    hook.oldest = Timestamp(seconds: 0)
    func verdict(_ hook: HookState) -> HealthReport.Verdict {
      let daemon = DaemonPresence(pid: 1, started: nil)
      return HealthReport([], daemon: daemon, figures: nil, hooks: [hook], now: Timestamp(seconds: 4000))
        .verdict
    }
    #expect(verdict(hook) == .good)
    hook.nextTry = Timestamp(seconds: 4100)
    #expect(verdict(hook) == .warning)
    hook.nextTry = nil
    hook.pending = 10_001
    #expect(verdict(hook) == .warning)
    // Given up, until the target takes deliveries again.
    hook.pending = 0
    hook.failed = 3
    hook.lastErrorTime = Timestamp(seconds: 3000)
    #expect(verdict(hook) == .warning)
    hook.lastDelivered = Timestamp(seconds: 2000)
    #expect(verdict(hook) == .warning)
    hook.lastDelivered = Timestamp(seconds: 3001)
    #expect(verdict(hook) == .good)
  }

  @Test(arguments: [(60, 10, HealthReport.Verdict.good), (3600, 10, .warning), (60, 2_000_000, .warning)])
  func `An old transaction or snapshot of the database is a warning`(
    _ seconds: Int64,
    _ age: Int64,
    _ verdict: HealthReport.Verdict
  ) {
    var figures = StoreFigures(storeBytes: 1)
    figures.oldestTransaction = seconds
    figures.snapshotAge = age
    let daemon = DaemonPresence(pid: 1, started: nil)
    let report = HealthReport([], daemon: daemon, figures: figures, now: Timestamp(seconds: 4000))
    #expect(report.verdict == verdict)
  }
}
