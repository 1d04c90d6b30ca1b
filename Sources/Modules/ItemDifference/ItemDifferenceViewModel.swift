/// The changes of an edit, sentence by sentence.
public struct ItemDifferenceViewModel: ScreenContent {
  public var lines: [LineDifference]
  public var rowCount: Int { lines.count }
}
