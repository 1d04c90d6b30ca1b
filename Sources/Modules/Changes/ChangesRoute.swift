/// A range of the change log.
public struct ChangesRoute: Hashable, Sendable {
  /// The range begins after this sequence number.
  public var sequence: Int64
  /// Upper bound on the number of changes; nil: no bound.
  public var limit: Int?

  public init(after sequence: Int64, limit: Int? = nil) {
    self.sequence = sequence
    self.limit = limit
  }
}
