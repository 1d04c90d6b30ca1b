public import NewsCore
import NewsToolbox

/// Reports whether newsd works properly on a store, for monitoring and metrics.
public struct HealthInteractor: Interactor {
  private let store: Result<any FeedKeeping & HookKeeping, StoreError>
  private let measure: any StoreFileMeasuring
  private let clock: any WallClock
  private let patience: Duration?

  /// An error that prevents the use of the store becomes part of the report and does not fail the run. So does a store that takes
  /// longer than `patience` to answer.
  public init(
    store: Result<any FeedKeeping & HookKeeping, StoreError>,
    measure: any StoreFileMeasuring,
    clock: any WallClock,
    patience: Duration? = nil
  ) {
    self.store = store
    self.measure = measure
    self.clock = clock
    self.patience = patience
  }

  /// Reports the health; with `answersVerdict` the verdict is also the command's exit status.
  public func respond(to answersVerdict: Bool, emit: @escaping Emit<RecordList<HealthReport>>) async throws {
    var report: HealthReport?
    if let patience {
      report = await Task { await read() }.value(within: patience)
    } else {
      report = await read()
    }
    let shown = report ?? HealthReport(unreadable: "the store has not answered in time", now: clock.now())
    try emit(HealthPresenter().present(shown, answersVerdict: answersVerdict))
  }

  private func read() async -> HealthReport {
    var all: [Feed]?
    var hooks: [HookState] = []
    var problem: String?
    do throws(StoreError) {
      all = try await store.get().feeds()
      hooks = try await store.get().hookStates()
    } catch {
      problem = error.message
    }
    return HealthReport(
      all,
      storeProblem: problem,
      daemon: await measure.runningDaemon(),
      figures: await measure.figures(),
      hooks: hooks,
      now: clock.now()
    )
  }
}

/// Reports that the accounts cannot be found, as the health of none of them.
public struct StatusWithoutAccountsInteractor: Interactor {
  private let reason: String
  private let clock: any WallClock

  public init(reason: String, clock: any WallClock) {
    self.reason = reason
    self.clock = clock
  }

  public func respond(
    to answersVerdict: Bool,
    emit: @escaping Emit<RecordList<AccountRecord<HealthReport>>>
  ) async throws {
    let report = HealthReport(unreadable: reason, now: clock.now())
    let list = HealthPresenter().list(report, answersVerdict: answersVerdict)
    let lines = list.lines.map { RecordLine(AccountRecord(account: "", record: $0.record), $0.text) }
    try emit(.ready(RecordList(lines, answer: list.answer)))
  }
}

/// Formats the verdict, and a line for each figure.
struct HealthPresenter {
  func present(_ report: HealthReport, answersVerdict: Bool) -> Container<RecordList<HealthReport>> {
    .ready(list(report, answersVerdict: answersVerdict))
  }

  func list(_ report: HealthReport, answersVerdict: Bool) -> RecordList<HealthReport> {
    let (verdict, status): (String, ExitStatus) =
      switch report.verdict {
      case .good: ("OK", .done)
      case .warning: ("WARNING", .nothingMatched)
      case .critical: ("CRITICAL", .critical)
      }
    let problems = report.problems.isEmpty ? "" : ": " + report.problems.joined(separator: "; ")
    var facts = ["newsd \(verdict)\(problems)"]
    let pid = report.daemon?.pid.map { "process \($0)" } ?? "a process"
    let start = report.daemon?.started.map { " since \($0.rfc3339)" } ?? ""
    facts.append("daemon   \(report.daemon == nil ? "none" : pid + start)")
    facts.append("commit   \(report.lastCommit?.rfc3339 ?? "never")")
    facts.append("polls    \(report.due) due, \(report.overdue) late, by up to \(report.lateness) s")
    if let figures = report.figures { facts.append("store    \(Self.size(figures))") }
    let text = DisplayText.joined(facts.map { DisplayText(line: $0) }, by: "\n")
    return RecordList([RecordLine(report, text)], answer: answersVerdict ? status : .done)
  }

  /// Describes the sizes of the store's files in MiB, and the free part of the disk.
  static func size(_ figures: StoreFigures) -> String {
    func mebibytes(_ bytes: Int64) -> String {
      let tenths = bytes / ((1 << 20) / 10)
      return "\(tenths / 10).\(tenths % 10) MiB"
    }
    var parts = [mebibytes(figures.storeBytes)]
    if let unused = figures.unusedBytes { parts.append("\(mebibytes(unused)) of it unused") }
    if let log = figures.logBytes { parts.append("write-ahead log \(mebibytes(log))") }
    if let free = figures.diskFree, let size = figures.diskSize, size > 0 {
      parts.append("\(free * 100 / size) % of the disk free")
    }
    return parts.joined(separator: ", ")
  }
}
