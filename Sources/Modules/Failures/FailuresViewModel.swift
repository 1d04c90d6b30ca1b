public import NewsCore

/// The feeds that fail.
public struct FailuresViewModel: RecordListContent {
  public typealias Record = FailureReport.Entry

  public var lines: [RecordLine<FailureReport.Entry>]
  public var rowCount: Int { lines.count }
}
