/// The result of a copy, as a note.
public struct StoreCopyViewModel: ScreenContent {
  public var notes: [DisplayText]
  public var rowCount: Int { 1 }
}
