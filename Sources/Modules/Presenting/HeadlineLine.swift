public import NewsCore

/// One item as a line of a list, formatted for display.
public struct HeadlineLine: Hashable, Sendable {
  /// 1-based position in the list, the argument of `--open`; 0 in a stream.
  public var ordinal: Int
  public var id: NewsItem.ID
  public var isUnread: Bool
  public var isStarred: Bool
  public var time: DisplayText
  public var feed: DisplayText
  /// The title; each match of a search is a separate run.
  public var title: [DisplayRun]
  public var url: String?
  /// An excerpt of the text around the matches, in runs like the title.
  public var excerpt: [DisplayRun]
  /// Number of duplicates folded into this item.
  public var folded: Int
}

/// A run of text that either matches the search or does not.
public struct DisplayRun: Hashable, Sendable {
  public var text: DisplayText
  public var isMatch: Bool
}
