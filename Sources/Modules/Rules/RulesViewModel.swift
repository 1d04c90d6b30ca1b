public import NewsCore

/// Rules in their order, or what was done to them.
public struct RulesViewModel: RecordListContent {
  public typealias Record = Rule

  public var lines: [RecordLine<Rule>] = []
  public var notes: [DisplayText] = []
  public var rowCount: Int { lines.count }
}
