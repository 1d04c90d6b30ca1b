/// A refresh that the user asked for.
public struct FetchRoute: Hashable, Sendable {
  /// As typed: ids, URLs or titles; empty: all feeds.
  public var feeds: [String]
  /// Only feeds whose time has come.
  public var onlyDue: Bool
  /// Path of the folder that keeps the exchanges; nil: they are not kept.
  public var record: String?
  /// The pages that feeds ask for are fetched afterwards.
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
