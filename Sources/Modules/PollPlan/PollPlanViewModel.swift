public import NewsCore

/// The polls to come.
public struct PollPlanViewModel: RecordListContent {
  public typealias Record = PollPlan.Entry

  public var lines: [RecordLine<PollPlan.Entry>]
  public var rowCount: Int { lines.count }
}
