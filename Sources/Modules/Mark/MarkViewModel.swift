/// What marking did, in a sentence.
public struct MarkViewModel: ScreenContent {
  /// Items that have the mark now.
  public var rowCount: Int
  public var notes: [DisplayText]
}
