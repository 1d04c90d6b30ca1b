/// Items a day, as bars.
public struct NewsListChartViewModel: RecordContent {
  public struct Bar: Hashable, Sendable {
    public var day: DisplayText
    public var count: Int
  }

  /// Days without items between others are there with 0, the newest day last.
  public var bars: [Bar]
  public var isSearch: Bool { true }
  public var records: [Bar] { bars }
  public var rowCount: Int { bars.count }
}
