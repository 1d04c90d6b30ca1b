public import NewsCore

/// The scheduled polls.
public struct PollPlanViewModel: RecordListContent {
  public typealias Record = PollPlan.Entry

  public var lines: [RecordLine<PollPlan.Entry>]
  public var nothing: DisplayText? { DisplayText("no poll is due in this time") }
  public var rowCount: Int { lines.count }
}
