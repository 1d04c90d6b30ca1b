/// A request for a part of the list of feeds. With 100,000 feeds, a page must not read them all.
public struct FeedWindow: Hashable, Sendable {
  public enum Subset: Hashable, Sendable {
    /// All feeds, in the user's order.
    case all
    /// Feeds with unread items, in the user's order.
    case unread
    /// Feeds of `FailureReport`, most failures in a row first.
    case failing
    case feed(Feed.ID)
  }

  public var subset: Subset
  /// The places in the subset, from 0.
  public var places: Range<Int>

  public init(_ subset: Subset, _ places: Range<Int> = 0..<1) {
    self.subset = subset
    self.places = places
  }

  /// The whole list, in numbers.
  public struct Totals: Hashable, Sendable {
    /// The feeds of the subset; for feeds with unread items, those of the window, because counting them takes longer.
    public var matching: Int
    public var feeds: Int
    public var unread: Int

    public init(matching: Int, feeds: Int, unread: Int) {
      self.matching = matching
      self.feeds = feeds
      self.unread = unread
    }
  }
}
