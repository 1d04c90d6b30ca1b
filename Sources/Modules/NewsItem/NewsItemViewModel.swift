public import NewsCore

/// One item: a record for programs, or a page for people.
public struct NewsItemViewModel: ItemContent {
  public var failsIfEmpty: Bool { true }
  /// The record; empty if the view shows a page.
  public var items: [ItemMatch] = []
  /// The page; nil if the view shows records.
  public var page: NewsItemPage?
  public var warnings: [DisplayText] = []
  /// The reason why the item's page gave no article, which a warning has, too; nil: it gave one, or none was asked for.
  public var refusal: DisplayText?
  public var rowCount: Int { page == nil ? items.count : 1 }
}

/// An item as a page of text.
public struct NewsItemPage: Hashable, Sendable {
  /// A line of the page's header: name and value.
  public struct Fact: Hashable, Sendable {
    public var name: DisplayText
    public var value: DisplayText
    public var url: String?
    /// The number by which the reader opens `url`, after those of the links; nil: it has none.
    public var number: Int?
  }

  /// A sound or video file of the item.
  public struct Recording: Hashable, Sendable {
    /// The enclosure's number within the item.
    public var number: Int64
    public var url: String
    /// Title, address, type, size and duration.
    public var text: DisplayText
    public var isVideo: Bool
    /// The time at which playing continues, in seconds.
    public var position: Int64
    public var isPlayed: Bool
    public var title: DisplayText?
    /// The size of the file as text.
    public var size: DisplayText?
    /// The playing time as text.
    public var duration: DisplayText?
  }

  public var id: NewsItem.ID
  public var feedID: Feed.ID
  public var feed: DisplayText
  /// The names of the authors; nil: none are known.
  public var authors: DisplayText?
  /// The same names, one by one.
  public var authorNames: [String]
  public var title: DisplayText
  /// True: the item has no title, and `title` is the beginning of its text.
  public var isTitledByText: Bool
  public var url: String?
  public var commentsURL: String?
  /// The language of title and text.
  public var language: String?
  public var sortTime: Timestamp
  public var isRead: Bool
  public var isStarred: Bool
  /// The feed's tags.
  public var tags: [String]
  /// The user's labels.
  public var labels: [String]
  /// True: other items may tell the same story.
  public var isInStory: Bool
  public var facts: [Fact]
  /// The feed's pictures to show above the text.
  public var pictures: [ItemPicture]
  public var recordings: [Recording]
  /// The address of a picture that represents the item, and that of its chapters.
  public var cover: String?
  public var chapters: String?
  /// The sanitized HTML, for views that show HTML; nil: only `plainBody` exists.
  public var markup: String?
  /// The text with its structure; nil: only `plainBody` exists.
  public var body: RichText?
  public var plainBody: DisplayText
  /// Targets of the links in `body` and addresses of its pictures, numbered from 1.
  public var links: [DisplayText]
}
