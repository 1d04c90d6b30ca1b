/// The result of marking, as a note.
public struct MarkViewModel: ScreenContent {
  /// Number of marked items.
  public var rowCount: Int
  public var notes: [DisplayText]
}
