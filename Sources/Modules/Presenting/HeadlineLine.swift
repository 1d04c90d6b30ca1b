public import NewsCore

/// One item as a line of a list, ready to be shown.
public struct HeadlineLine: Hashable, Sendable {
  /// 1-based place in the list: what `--open` takes.
  public var ordinal: Int
  public var id: NewsItem.ID
  public var isUnread: Bool
  public var isStarred: Bool
  public var time: DisplayText
  public var feed: DisplayText
  /// Matches of a search are runs of their own.
  public var title: [DisplayRun]
  public var url: String?
  /// A piece of the text around the matches.
  public var excerpt: [DisplayRun]
  /// Number of duplicates folded into this item.
  public var folded: Int
}

/// A piece of text that a search found, or did not.
public struct DisplayRun: Hashable, Sendable {
  public var text: DisplayText
  public var isMatch: Bool
}
