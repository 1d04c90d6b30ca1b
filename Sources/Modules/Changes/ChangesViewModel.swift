public import NewsCore

/// The next entries of the log: typed for programs, lines for people.
public struct ChangesViewModel: RecordContent {
  public var records: [LogEntry]
  public var lines: [ChangeLine]
  /// The end of the log when it was read; in the last container only.
  public var head: Int64?
  public var rowCount: Int { records.count }
}

/// A change as a line of the log.
public struct ChangeLine: Hashable, Sendable {
  public var sequence: Int64
  /// The machine name of what happened.
  public var kind: DisplayText
  /// Of the item, or of the feed.
  public var id: Int64
  public var title: DisplayText
  /// True: nothing but the line is left of it.
  public var isGone: Bool
}

extension FeedChange {
  /// Differs from the kinds of items, so that programs that know only those skip it.
  public var kindName: String { feed == nil ? "feed_deleted" : "feed" }
}
