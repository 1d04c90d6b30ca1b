public import NewsCore

/// The permanent redirects of feeds; or, after a redirect was adopted or reverted, a note with the old and new URL.
public struct MovesViewModel: RecordListContent {
  public typealias Record = MoveEditor.Move

  public var lines: [RecordLine<MoveEditor.Move>] = []
  public var notes: [DisplayText] = []
  public var nothing: DisplayText? { DisplayText("no feed has moved") }
  public var rowCount: Int { lines.count }
}
