/// Which part of the change log.
public struct ChangesRoute: Hashable, Sendable {
  /// The number after which it begins.
  public var sequence: Int64
  /// At most so many changes; nil: all.
  public var limit: Int?

  public init(after sequence: Int64, limit: Int? = nil) {
    self.sequence = sequence
    self.limit = limit
  }
}
