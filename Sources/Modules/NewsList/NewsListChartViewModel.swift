/// The number of items per day, as bars.
public struct NewsListChartViewModel: RecordContent {
  public struct Bar: Hashable, Sendable {
    public var day: DisplayText
    public var count: Int
  }

  /// One bar per day, the newest last; a day without items has count 0.
  public var bars: [Bar]
  public var notes: [DisplayText] = []
  public var nothing: DisplayText? { DisplayText("no item matches") }
  public var isSearch: Bool { true }
  public var records: [Bar] { bars }
  public var rowCount: Int { bars.count }
}
