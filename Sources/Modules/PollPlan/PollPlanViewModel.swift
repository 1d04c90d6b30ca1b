public import NewsCore

/// The scheduled polls.
public struct PollPlanViewModel: RecordListContent {
  public typealias Record = PollPlan.Entry

  public var lines: [RecordLine<PollPlan.Entry>]
  public var rowCount: Int { lines.count }
}
