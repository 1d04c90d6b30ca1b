public import NewsCore

/// The failing feeds.
public struct FailuresViewModel: RecordListContent {
  public typealias Record = FailureReport.Entry

  public var lines: [RecordLine<FailureReport.Entry>]
  public var nothing: DisplayText? { DisplayText("no feed fails") }
  public var rowCount: Int { lines.count }
}
