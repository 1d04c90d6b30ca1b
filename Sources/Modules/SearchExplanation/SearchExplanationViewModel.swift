/// The explanation of a query, in lines.
public struct SearchExplanationViewModel: ScreenContent {
  public var lines: [DisplayText]
  public var rowCount: Int { lines.count }
}
