/// A follower's position in the change log.
public struct FollowCursor: Hashable, Sendable {
  /// The number of the last change that was processed.
  public var sequence: Int64
  /// Items inserted after this number may still be unprocessed, although `sequence` is higher. Equal to `sequence`
  /// except during a long catch-up.
  public var floor: Int64

  public init(sequence: Int64, floor: Int64? = nil) {
    self.sequence = sequence
    self.floor = floor ?? sequence
  }
}

/// Stores a follower's cursor between runs.
public protocol CursorKeeping: Sendable {
  /// Reads the saved cursor; returns nil if nothing has been saved.
  func load() throws(FileError) -> FollowCursor?
  /// Saves the cursor. Call this after everything up to `cursor` has been written.
  func save(_ cursor: FollowCursor) throws(FileError)
}
