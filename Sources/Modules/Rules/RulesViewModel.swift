public import NewsCore

/// The rules in order, or a note on a change.
public struct RulesViewModel: RecordListContent {
  public typealias Record = Rule

  public var lines: [RecordLine<Rule>] = []
  public var notes: [DisplayText] = []
  public var nothing: DisplayText? {
    DisplayText("no rules yet: 'newsd rules add QUERY --do ACTION' adds one")
  }
  public var rowCount: Int { lines.count }
}
