public import NewsCore

/// Other items that tell an item's story.
public struct StoriesViewModel: HeadlineContent {
  public var items: [ItemMatch]
  public var lines: [HeadlineLine]
  public var page: PageInfo? { nil }
}
