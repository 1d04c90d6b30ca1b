public import NewsCore

/// The items stored since the previous container.
public struct FollowViewModel: ItemContent {
  public var items: [ItemMatch]
  /// The lines for people; empty if the view shows no lines.
  public var lines: [HeadlineLine]
}
