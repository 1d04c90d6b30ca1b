public import NewsCore

/// The items that have come since the container before.
public struct FollowViewModel: ItemContent {
  public var items: [ItemMatch]
  /// Empty where the view shows no lines.
  public var lines: [HeadlineLine]
}
