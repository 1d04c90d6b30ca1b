import NewsCore

/// Formats the verdict, and a line for each figure.
struct HealthPresenter: Presenting {
  typealias ViewModel = HealthViewModel

  func present(_ report: HealthReport, answersVerdict: Bool) -> Container<HealthViewModel> {
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
    facts.append("Daemon   \(report.daemon == nil ? "none" : pid + start)")
    facts.append("Commit   \(report.lastCommit?.rfc3339 ?? "never")")
    facts.append("Polls    \(report.due) due, \(report.overdue) late, by up to \(report.lateness) s")
    if let figures = report.figures { facts.append("Store    \(Self.size(figures))") }
    return .ready(
      HealthViewModel(
        report: report,
        lines: facts.map { DisplayText(line: $0) },
        answer: answersVerdict ? status : .done
      )
    )
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
