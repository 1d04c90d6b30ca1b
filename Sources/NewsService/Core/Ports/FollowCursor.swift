/// How far a follower has read the change log.
public struct FollowCursor: Hashable, Sendable {
  /// The number of the last change that was handled.
  public var sequence: Int64
  /// Items first stored after this number may still be unread, although they were stored before `sequence`. Equal to
  /// `sequence` except during a long catch-up.
  public var floor: Int64

  public init(sequence: Int64, floor: Int64? = nil) {
    self.sequence = sequence
    self.floor = floor ?? sequence
  }
}

/// Keeps a follower's cursor between runs.
public protocol CursorKeeping: Sendable {
  /// Nil: nothing has been saved.
  func load() throws(FileError) -> FollowCursor?
  /// Called after everything up to `cursor` has been written.
  func save(_ cursor: FollowCursor) throws(FileError)
}
