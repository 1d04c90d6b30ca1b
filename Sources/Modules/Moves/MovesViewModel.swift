public import NewsCore

/// The feeds that have moved, or a note on a change.
public struct MovesViewModel: RecordListContent {
  public typealias Record = MoveEditor.Move

  public var lines: [RecordLine<MoveEditor.Move>] = []
  public var notes: [DisplayText] = []
  public var nothing: DisplayText? { DisplayText("no feed has moved") }
  public var rowCount: Int { lines.count }
}
