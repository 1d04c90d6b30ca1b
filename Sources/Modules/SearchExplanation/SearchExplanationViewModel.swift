/// How a search is read and served, in lines.
public struct SearchExplanationViewModel: ScreenContent {
  public var lines: [DisplayText]
  public var rowCount: Int { lines.count }
}
