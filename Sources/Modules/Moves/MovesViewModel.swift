public import NewsCore

/// Feeds that have moved, or what was done about one.
public struct MovesViewModel: RecordListContent {
  public typealias Record = MoveEditor.Move

  public var lines: [RecordLine<MoveEditor.Move>] = []
  public var notes: [DisplayText] = []
  public var rowCount: Int { lines.count }
}
