/// A refresh that the user asked for.
public struct FetchRoute: Hashable, Sendable {
  /// Ids, URLs or titles, as typed; empty: all feeds.
  public var feeds: [String]
  /// True: refresh only feeds that are due. Without effect if feeds are named.
  public var onlyDue: Bool
  /// Path of the folder in which to record the exchanges; nil: they are not recorded.
  public var record: String?
  /// True: fetch the queued pages of items afterwards.
  public var fetchesArticles: Bool

  public init(
    feeds: [String] = [],
    onlyDue: Bool = false,
    record: String? = nil,
    fetchesArticles: Bool = false
  ) {
    self.feeds = feeds
    self.onlyDue = onlyDue
    self.record = record
    self.fetchesArticles = fetchesArticles
  }
}
