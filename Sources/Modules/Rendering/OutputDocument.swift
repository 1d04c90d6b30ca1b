public import NewsService

/// What a whole document says of itself: the feed, page or mailbox that items are published in.
public struct OutputDocument: Hashable, Sendable {
  public var title: String
  /// The page that the document belongs to, for formats that ask for one.
  public var homeURL: String
  /// When it was made.
  public var time: Timestamp

  public init(title: String = "newsd", homeURL: String = "https://newsd.invalid/", time: Timestamp) {
    self.title = title
    self.homeURL = homeURL
    self.time = time
  }
}
