public import NewsCore

/// Figures about a store.
public struct StatusViewModel: RecordContent {
  /// A figure with its name.
  public struct Fact: Hashable, Sendable {
    public var name: DisplayText
    public var value: DisplayText
  }

  public var summary: StatusSummary
  public var facts: [Fact]
  public var records: [StatusSummary] { [summary] }
  public var rowCount: Int { 1 }
}

/// The figures as a record.
public struct StatusSummary: Hashable, Sendable {
  /// Path of the store's file, or address of a store on PostgreSQL without its password.
  public var store: String
  public var feeds: Int
  public var items: Int
  public var unread: Int
  public var due: Int
  public var failing: Int
  public var gone: Int
  public var nextDue: Timestamp?
  public var lastFetched: Timestamp?
  /// The last number of the change log.
  public var sequence: Int64
}
