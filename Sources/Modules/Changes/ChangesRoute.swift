public import NewsCore

/// A range of the change log.
public struct ChangesRoute: Hashable, Sendable {
  /// The range begins after this sequence number.
  public var sequence: Int64
  /// Upper bound on the number of changes; nil: no bound.
  public var limit: Int?
  /// Selects changes of items that match the query, and no changes of feeds; `.all`: all changes.
  public var query: Query

  public init(after sequence: Int64, limit: Int? = nil, query: Query = .all) {
    self.sequence = sequence
    self.limit = limit
    self.query = query
  }
}
