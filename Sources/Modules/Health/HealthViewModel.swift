public import NewsCore

/// The health of a store, for people and for programs.
public struct HealthViewModel: RecordContent {
  public var report: HealthReport
  public var lines: [DisplayText]
  public var answer: ExitStatus
  public var records: [HealthReport] { [report] }
  public var rowCount: Int { 1 }
}
