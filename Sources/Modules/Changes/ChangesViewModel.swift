public import NewsCore

/// The next entries of the change log: records for programs, lines for people.
public struct ChangesViewModel: RecordContent {
  public var records: [LogEntry]
  public var lines: [ChangeLine]
  /// The end of the log when it was read; in the last container only.
  public var head: Int64?
  public var nothing: DisplayText? { DisplayText("no later change") }
  public var rowCount: Int { records.count }
}

/// A change as a line of text.
public struct ChangeLine: Hashable, Sendable {
  public var sequence: Int64
  /// Machine name of the kind of change.
  public var kind: DisplayText
  /// Id of the item or feed.
  public var id: Int64
  public var title: DisplayText
  /// True: the item or feed was removed.
  public var isGone: Bool
}

extension FeedChange {
  /// Machine name of the kind of change. It differs from the kinds of item changes, so that programs that know only
  /// items skip it.
  public var kindName: String { feed == nil ? "feed_deleted" : "feed" }
}
