/// The number of items that a search finds.
public struct SearchCountViewModel: ScreenContent {
  public var isSearch: Bool { true }
  public var count: Int
  public var rowCount: Int { count }
}
