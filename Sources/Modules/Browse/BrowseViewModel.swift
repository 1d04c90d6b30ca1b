/// The pages that were opened.
public struct BrowseViewModel: ScreenContent {
  public var links: [String]
  public var rowCount: Int { links.count }
}
