public import NewsCore

/// Finds the entries of the change log after a saved cursor.
public struct CursorRange: Sendable {
  private let cursor: any CursorKeeping
  private let changes: any ChangeReading

  public init(cursor: any CursorKeeping, changes: any ChangeReading) {
    self.cursor = cursor
    self.changes = changes
  }

  /// Returns the part of the change log between the cursor and the present end; the whole log if there is no
  /// cursor. The end of the part becomes the next cursor. Throws a `UserMessage` for a cursor beyond the end
  /// of the log.
  public func read() async throws -> ChangeRange {
    let end = try await changes.latestSequence()
    guard let known = try cursor.load() else { return ChangeRange(after: 0, through: end) }
    try Self.check(known, end: end)
    // Start at the floor: entries after it may not have been printed if a stream was interrupted.
    return ChangeRange(after: known.floor, through: end)
  }

  /// Throws if the cursor is beyond the end of the change log.
  static func check(_ cursor: FollowCursor, end: Int64) throws(UserMessage) {
    guard cursor.sequence > end else { return }
    throw UserMessage(
      code: .badData,
      text: "the cursor is at \(cursor.sequence), but the store's change log ends at \(end): "
        + "it is another store, or an older copy. Remove the cursor file to start again."
    )
  }
}
