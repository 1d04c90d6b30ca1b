/// How far a follower has come in the change log.
public struct FollowCursor: Hashable, Sendable {
  /// The number of the last change that was dealt with.
  public var sequence: Int64
  /// Items first stored after this one may still be to come, though they were stored before `sequence`. The same as
  /// `sequence` except in the middle of a long catch-up.
  public var floor: Int64

  public init(sequence: Int64, floor: Int64? = nil) {
    self.sequence = sequence
    self.floor = floor ?? sequence
  }
}

/// Keeps a follower's cursor between runs.
public protocol CursorKeeping: Sendable {
  /// Nil: nothing kept yet.
  func load() throws -> FollowCursor?
  /// Called after what the cursor stands for has been written.
  func save(_ cursor: FollowCursor) throws
}
