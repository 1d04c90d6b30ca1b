public import NewsCore

/// What was stored since a cursor was last saved.
public struct NewArrivals: Sendable {
  private let cursor: any CursorKeeping
  private let changes: any ChangeReading

  public init(cursor: any CursorKeeping, changes: any ChangeReading) {
    self.cursor = cursor
    self.changes = changes
  }

  /// The part of the change log after the cursor, up to the present end. Without a cursor: all of it.
  ///
  /// - Returns: The part; its end is the next cursor.
  /// - Throws: `UserMessage` for a cursor beyond the end of the log, `StoreError`.
  public func read() async throws -> Arrivals {
    let end = try await changes.latestSequence()
    guard let known = try cursor.load() else { return Arrivals(after: 0, through: end) }
    guard known.sequence <= end else {
      throw UserMessage(
        code: .badData,
        text: "The cursor is at \(known.sequence), but the store's change log ends at \(end): "
          + "it is another store, or an older copy. Remove the cursor file to start again."
      )
    }
    // The floor of an interrupted stream: what follows it may not have been printed.
    return Arrivals(after: known.floor, through: end)
  }
}
