public import NewsCore

/// One item: a record for programs, a page for people.
public struct NewsItemViewModel: ItemContent {
  public var failsIfEmpty: Bool { true }
  public var items: [ItemMatch]
  /// The item as a page; nil if the view shows records only.
  public var page: NewsItemPage?
  public var warnings: [DisplayText] = []
}

/// An item as a page of text.
public struct NewsItemPage: Hashable, Sendable {
  /// A line of the page's header: name and value.
  public struct Fact: Hashable, Sendable {
    public var name: DisplayText
    public var value: DisplayText
    public var url: String?
  }

  public var title: DisplayText
  public var url: String?
  public var facts: [Fact]
  /// The text with its structure; nil: only `plainBody` exists.
  public var body: RichText?
  public var plainBody: DisplayText
  /// Targets of the footnotes in `body`, numbered from 1.
  public var links: [DisplayText]
  public var feedID: Feed.ID
}
