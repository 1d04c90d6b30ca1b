import Modules
import NewsCore

/// The columns of `status --health`.
enum HealthField: String, RecordField {
  case health, problems
  case daemonPID = "daemon_pid"
  case daemonSince = "daemon_since"
  case lastCommit = "last_commit"
  case due, overdue, lateness
  case storeBytes = "store_bytes"
  case logBytes = "wal_bytes"
  case unusedBytes = "unused_bytes"
  case diskFree = "disk_free_bytes"
  case diskSize = "disk_bytes"
  case oldestTransaction = "oldest_transaction"
  case snapshotAge = "snapshot_age"
  case deadRows = "dead_rows"

  static let defaultColumns = Array(allCases)
  static let identity = HealthField.health
  var isTime: Bool { self == .daemonSince || self == .lastCommit }

  func value(of report: HealthReport) -> FieldValue {
    switch self {
    case .health: .text(["good", "warning", "critical"][Int(report.verdict.rawValue)])
    case .problems: .text(report.problems.joined(separator: "; "))
    case .daemonPID: report.daemon?.pid.map { .number(Int64($0)) } ?? FieldValue.none
    case .daemonSince: FieldValue(report.daemon?.started)
    case .lastCommit: FieldValue(report.lastCommit)
    case .due: .number(Int64(report.due))
    case .overdue: .number(Int64(report.overdue))
    case .lateness: .number(report.lateness)
    case .storeBytes: report.figures.map { .number($0.storeBytes) } ?? FieldValue.none
    case .logBytes: report.figures?.logBytes.map { .number($0) } ?? FieldValue.none
    case .unusedBytes: report.figures?.unusedBytes.map { .number($0) } ?? FieldValue.none
    case .diskFree: report.figures?.diskFree.map { .number($0) } ?? FieldValue.none
    case .diskSize: report.figures?.diskSize.map { .number($0) } ?? FieldValue.none
    case .oldestTransaction: report.figures?.oldestTransaction.map { .number($0) } ?? FieldValue.none
    case .snapshotAge: report.figures?.snapshotAge.map { .number($0) } ?? FieldValue.none
    case .deadRows: report.figures?.deadRows.map { .number($0) } ?? FieldValue.none
    }
  }
}
