/// A refresh that the user asked for.
public struct FetchRoute: Hashable, Sendable {
  /// As typed: ids, URLs or titles; empty: all feeds.
  public var feeds: [String]
  /// Only feeds whose time has come.
  public var onlyDue: Bool
  /// Path of the folder that keeps the exchanges; nil: they are not kept.
  public var record: String?

  public init(feeds: [String] = [], onlyDue: Bool = false, record: String? = nil) {
    self.feeds = feeds
    self.onlyDue = onlyDue
    self.record = record
  }
}
