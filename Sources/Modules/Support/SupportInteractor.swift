public import NewsCore

/// A fact for a bug report, with its name.
public struct SupportFact: Hashable, Sendable {
  public var name: String
  public var value: String

  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// What a bug report has besides the state of the store.
public struct SupportRequest: Sendable {
  /// Versions of newsd, its libraries and the system.
  public var versions: [SupportFact]
  /// The keys of the configuration that are set. The values are without secrets.
  public var configuration: [SupportFact]
  /// True: the report names the failing feeds.
  public var namesFeeds: Bool

  public init(versions: [SupportFact], configuration: [SupportFact], namesFeeds: Bool) {
    self.versions = versions
    self.configuration = configuration
    self.namesFeeds = namesFeeds
  }
}

/// Gathers the facts that a bug report needs. They contain no credentials, and no feeds unless asked.
public struct SupportInteractor: Interactor {
  private let store: Result<any FeedKeeping & HookKeeping & ChangeReading, StoreError>
  /// The kind of the store.
  private let kind: String
  private let upgrades: Result<any StoreUpgrading, StoreError>
  private let measure: any StoreFileMeasuring
  private let clock: any WallClock

  /// An error that prevents the use of the store becomes part of the report.
  public init(
    store: Result<any FeedKeeping & HookKeeping & ChangeReading, StoreError>,
    kind: String,
    upgrades: Result<any StoreUpgrading, StoreError>,
    measure: any StoreFileMeasuring,
    clock: any WallClock
  ) {
    self.store = store
    self.kind = kind
    self.upgrades = upgrades
    self.measure = measure
    self.clock = clock
  }

  public func respond(to request: SupportRequest, emit: @escaping Emit<TextLines>) async throws {
    var feeds: [Feed]?
    var hooks: [HookState] = []
    var change: Int64?
    var problem: String?
    var plan: UpgradePlan?
    do throws(StoreError) {
      plan = try await upgrades.get().upgradePlan()
      feeds = try await store.get().feeds()
      hooks = try await store.get().hookStates()
      change = try await store.get().latestSequence()
    } catch {
      problem = error.message
    }
    let now = clock.now()
    let health = HealthReport(
      feeds,
      daemon: await measure.runningDaemon(),
      figures: await measure.figures(),
      hooks: hooks,
      now: now
    )
    var facts = [
      SupportFact("kind", kind),
      SupportFact("layout", plan.map { "\($0.from), to be upgraded to \($0.to)" } ?? "current"),
    ]
    if let problem { facts.append(SupportFact("error", problem)) }
    let failures = FailureReport(feeds ?? [], now: now)
    try emit(.ready(SupportPresenter().present(request, facts, health, change, failures)))
  }
}

/// Formats a bug report as sections of lines.
struct SupportPresenter {
  func present(
    _ request: SupportRequest,
    _ store: [SupportFact],
    _ health: HealthReport,
    _ change: Int64?,
    _ failures: FailureReport
  ) -> TextLines {
    var lines = section("versions", request.versions)
    lines += section("configuration", request.configuration)
    lines += section("store", store + figures(health, change))
    lines += section("hooks", hooks(health.hooks))
    lines += section("failing feeds", failing(health, failures, namesFeeds: request.namesFeeds))
    return TextLines(lines: lines.map { DisplayText(line: $0) })
  }

  private func section(_ title: String, _ facts: [SupportFact]) -> [String] {
    ["[\(title)]"] + (facts.isEmpty ? ["none"] : facts.map { "\($0.name): \($0.value)" }) + [""]
  }

  private func figures(_ health: HealthReport, _ change: Int64?) -> [SupportFact] {
    var facts = [
      SupportFact(
        "feeds",
        "\(health.feeds), \(health.gone) gone, \(health.due) due, \(health.overdue) late by up to \(health.lateness) s"
      ),
      SupportFact("items", "\(health.items), \(health.unread) unread"),
      SupportFact("last poll stored", health.lastCommit?.rfc3339 ?? "never"),
      SupportFact(
        "daemon",
        health.daemon.map { "runs" + ($0.started.map { " since \($0.rfc3339)" } ?? "") } ?? "none"
      ),
    ]
    if let change { facts.append(SupportFact("last change", String(change))) }
    if let figures = health.figures {
      facts.append(SupportFact("size", HealthPresenter.size(figures)))
      if let age = figures.oldestTransaction { facts.append(SupportFact("oldest transaction", "\(age) s")) }
      if let rows = figures.deadRows { facts.append(SupportFact("dead rows", String(rows))) }
    }
    return facts
  }

  /// Hooks are numbered: their names, targets and errors may name people and services.
  private func hooks(_ hooks: [HookState]) -> [SupportFact] {
    hooks.enumerated().map { place, hook in
      SupportFact(
        "hook \(place + 1)",
        "\(hook.isActive ? "active" : "not configured"), \(hook.pending) pending, \(hook.failed) failed, "
          + "\(hook.delivered) delivered" + (hook.lastErrorTime.map { ", last error \($0.rfc3339)" } ?? "")
      )
    }
  }

  private func failing(_ health: HealthReport, _ failures: FailureReport, namesFeeds: Bool) -> [SupportFact] {
    if namesFeeds {
      return failures.entries.map { SupportFact($0.feed.url, WebAddress.redacted($0.error)) }
    }
    var facts = health.failing.sorted { $0.key.rawValue < $1.key.rawValue }.map {
      SupportFact($0.key.rawValue, String($0.value))
    }
    if health.waitingForNetwork > 0 {
      facts.append(SupportFact("waiting_for_network", String(health.waitingForNetwork)))
    }
    return facts
  }
}
