/// The result of compacting, as a note.
public struct CompactViewModel: ScreenContent {
  public var notes: [DisplayText]
  public var rowCount: Int { 1 }
}
