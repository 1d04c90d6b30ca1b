public import NewsCore

/// Other items about the same story as an item.
public struct StoriesViewModel: HeadlineContent {
  public var items: [ItemMatch]
  public var lines: [HeadlineLine]
  public var page: PageInfo? { nil }
}
